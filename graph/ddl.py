"""Constraints and indexes, derived from the schema tables. Both engines take the same statements.

Full-text indexes, where the engines differ, are in textindex.py.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from graph import textindex
from graph.schema import NODES, SCHEMA_VERSION


def _statements() -> Iterator[str]:
    for node in NODES.values():
        yield (
            f"CREATE CONSTRAINT {_name(node.label, node.key)} IF NOT EXISTS "
            f"FOR (n:{node.label}) REQUIRE n.{node.key} IS UNIQUE"
        )
        for name in node.indexes:
            yield f"CREATE INDEX {_name(node.label, name)} IF NOT EXISTS FOR (n:{node.label}) ON (n.{name})"


def _name(label: str, name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", f"{label}_{name}").lower().replace("__", "_")


STATEMENTS: Final = tuple(_statements())
"""Idempotent; each in a transaction of its own."""

_ALL: Final = (str(SCHEMA_VERSION), *STATEMENTS, *textindex.CYPHER, *textindex.SQL)
MARK: Final = hashlib.sha256("\n".join(_ALL).encode()).hexdigest()[:16]
"""Kept on (:Catalog) once all statements ran, so that opening a catalog costs one read."""
