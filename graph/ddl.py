"""Constraints and indexes, derived from the schema tables. Both engines take the same statements,
but for indexes that only a server needs. Full-text indexes, where the engines differ, are in textindex.py.
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
            yield _index(node.label, name)


def _server_statements() -> Iterator[str]:
    for node in NODES.values():
        for names in node.server_indexes:
            yield _index(node.label, *names)


def _index(label: str, *names: str) -> str:
    properties = ", ".join(f"n.{name}" for name in names)
    return f"CREATE INDEX {_name(label, '_'.join(names))} IF NOT EXISTS FOR (n:{label}) ON ({properties})"


def _name(label: str, name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", f"{label}_{name}").lower().replace("__", "_")


STATEMENTS: Final = tuple(_statements())
"""Idempotent; each in a transaction of its own."""

SERVER_STATEMENTS: Final = (*_server_statements(), *textindex.CYPHER, textindex.AWAIT)
"""The rest of them on a Neo4j server; the last one waits until all indexes are filled."""

_ALL: Final = (str(SCHEMA_VERSION), *STATEMENTS, *SERVER_STATEMENTS, *textindex.SQL)
MARK: Final = hashlib.sha256("\n".join(_ALL).encode()).hexdigest()[:16]
"""Kept on (:Catalog) once all statements ran, so that opening a catalog costs one read."""
