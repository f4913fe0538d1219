"""What search reads of a part of a large catalog: some objects and what hangs on them, never all of a kind.

Each statement gives its rows as lists in one record for each of its branches, because the driver takes longer
for a record than for what is in it. COLUMNS says what the lists hold; the first columns, as many as KEYS
says, tell one row from another. Source: docs/search.md.
"""

from collections.abc import Mapping
from typing import Final

from graph.schema import NODES
from graph.textindex import TEXT

_OBJECT: Final = ("slug", "operation", "language", "projects", "publicSource", "installable", "permissive")

_COLUMNS: Final[dict[str, Mapping[str, str]]] = {
    "OPERATIONS": {
        "key": "o.digest",
        **{name: f"o.{name}" for name in ("slug", "family", "tags", "manifest")},
        "text": f"o.{TEXT}",
    },
    "IMPLEMENTATIONS": {
        "key": "i.digest",
        **{name: f"i.{name}" for name in _OBJECT},
        "text": f"i.{TEXT}",
    },
    "PROJECTS": {"key": "p.slug", "name": "p.name", "kind": "p.kind", "text": f"p.{TEXT}"},
    "NAMES": {"key": "each", "name": "n.name"},
    "WORKLOADS": {"digest": "w.digest", "operation": "w.operation"},
    "RUNS": {
        **{name: f"r.{name}" for name in ("operation", "workload", "implementation", "environment")},
        **{name: f"r.{name}" for name in ("evidence", "source")},
        "project": "r.submittedProject",
        "runs": "count(r)",
    },
    "PARTS": {
        "operation": "r.operation",
        "implementation": "r.implementation",
        "project": "r.submittedProject",
        "projects": "i.projects",
    },
    "FAMILIES": {"family": "o.family", "operations": "count(o)"},
    "IN_FAMILIES": {"key": "o.digest"},
    "IN_LANGUAGES": {"key": "i.digest"},
    "RUNS_AT": {"key": "e.digest", "runs": "COUNT { (e)<-[:IN_ENVIRONMENT]-() }"},
}

_MEETING: Final = """
WHERE r.complete = true AND ($environments IS NULL OR r.environment IN $environments)
  AND ($source IS NULL OR r.source = $source)
"""

_MATCHES: Final[dict[str, tuple[str, ...]]] = {
    "OPERATIONS": ("UNWIND $operations AS each MATCH (o:Operation {digest: each}) WHERE o.complete = true",),
    "IMPLEMENTATIONS": (
        "UNWIND $implementations AS each MATCH (i:Implementation {digest: each}) WHERE i.complete = true",
        "UNWIND $operations AS each MATCH (i:Implementation {operation: each}) WHERE i.complete = true",
        "UNWIND $projects AS each MATCH (:Project {slug: each})<-[:REVISION_OF]-(i:Implementation) "
        "WHERE i.complete = true",
    ),
    "PROJECTS": ("UNWIND $projects AS each MATCH (p:Project {slug: each}) WHERE p.complete = true",),
    "NAMES": (
        "UNWIND $operations AS each MATCH (:Operation {digest: each})<-[:NAMES]-(n:Name)",
        "UNWIND $implementations AS each MATCH (:Implementation {digest: each})<-[:NAMES]-(n:Name)",
    ),
    "WORKLOADS": (
        "UNWIND $operations AS each MATCH (w:Workload {operation: each}) WHERE w.complete = true",
        "UNWIND $workloads AS each MATCH (w:Workload {digest: each}) WHERE w.complete = true",
    ),
    "RUNS": (
        f"UNWIND $operations AS each MATCH (r:Run {{operation: each}}) {_MEETING}",
        "UNWIND $implementations AS each "
        f"MATCH (:Implementation {{digest: each}})<-[:MEASURES]-(r:Run) {_MEETING}",
        f"UNWIND $projects AS each MATCH (:Project {{slug: each}})<-[:SUBMITTED_AS]-(r:Run) {_MEETING}",
        "UNWIND $projects AS each "
        f"MATCH (:Project {{slug: each}})<-[:REVISION_OF]-(:Implementation)<-[:MEASURES]-(r:Run) {_MEETING}",
    ),
    "PARTS": (
        "UNWIND $runs AS each MATCH (r:Run {digest: each})-[:MEASURES]->(i:Implementation)",
        "UNWIND $operations AS each MATCH (r:Run {operation: each})-[:MEASURES]->(i:Implementation)",
    ),
    "FAMILIES": ("MATCH (o:Operation) WHERE o.family > '' AND o.complete = true",),
    "IN_FAMILIES": ("UNWIND $families AS each MATCH (o:Operation {family: each}) WHERE o.complete = true",),
    "IN_LANGUAGES": (
        "UNWIND $languages AS each MATCH (i:Implementation) WHERE i.language = each AND i.complete = true",
    ),
    "RUNS_AT": ("MATCH (e:Environment) WHERE e.complete = true",),
}


def _statement(name: str) -> str:
    columns = _COLUMNS[name]
    told = ", ".join(f"{expression} AS {column}" for column, expression in columns.items())
    end = f"WITH DISTINCT {told} LIMIT $most RETURN collect([{', '.join(columns)}]) AS rows"
    return " UNION ALL ".join(f"{match} {end}" for match in _MATCHES[name])


SOME: Final[dict[str, str]] = {name: _statement(name) for name in _MATCHES}
"""Rows of some objects, at most $most of each branch, all in lists."""

COLUMNS: Final[dict[str, tuple[str, ...]]] = {name: tuple(columns) for name, columns in _COLUMNS.items()}

KEYS: Final[dict[str, int]] = {**dict.fromkeys(_COLUMNS, 1), "RUNS": 7, "NAMES": 2, "PARTS": 3}

ANY: Final = " UNION ALL ".join(
    f"MATCH (n:{label}) WHERE n.complete = true WITH n LIMIT $most "
    f"RETURN '{label}' AS label, collect(n.{NODES[label].key}) AS keys"
    for label in ("Operation", "Implementation", "Project")
)
"""Keys of some objects of each kind, of all where there are no more than $most: rows {label, keys}."""
