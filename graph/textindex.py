"""Definition of the full-text indexes, for both engines. Asking them is in fulltext.py."""

from __future__ import annotations

from typing import Final

from graph.schema import NODES

SEARCHED: Final = ("Operation", "Implementation", "Project")
"""The labels whose text is searched."""

TEXT: Final = "searchText"
"""The property with all words of an object, separated by spaces."""

_ANALYZER: Final = "org.apache.lucene.analysis.core.WhitespaceAnalyzer"
EMBEDDED: Final = "arcadedb"


def _cypher(label: str) -> str:
    return (
        f"CREATE FULLTEXT INDEX {label.lower()}_search IF NOT EXISTS FOR (n:{label}) ON EACH [n.{TEXT}] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
    )


def _sql(label: str) -> tuple[str, ...]:
    return (
        f"CREATE VERTEX TYPE {label} IF NOT EXISTS",
        f"CREATE PROPERTY {label}.{TEXT} IF NOT EXISTS STRING",
        f'CREATE INDEX IF NOT EXISTS ON {label} ({TEXT}) FULL_TEXT METADATA {{"analyzer": "{_ANALYZER}"}}',
    )


CYPHER: Final = tuple(map(_cypher, SEARCHED))
"""Makes the indexes on Neo4j; each in a transaction of its own."""

AWAIT: Final = "CALL db.awaitIndexes(300)"
"""Neo4j only: returns when all indexes are filled."""

SQL: Final = tuple(statement for label in SEARCHED for statement in _sql(label))
"""Makes them on the embedded engine, in its own language; filled on return."""


def index_name(engine: str, label: str) -> str:
    """What an index is called on an engine."""
    assert label in NODES
    return f"{label}[{TEXT}]" if engine == EMBEDDED else f"{label.lower()}_search"
