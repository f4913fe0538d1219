"""How many there are, without looking at each: what a Neo4j server counts while it writes.

It keeps the number of nodes with a label, of relationships of a type from a label, and of those at one node.
Every complete object of the large kinds begins exactly one relationship of a certain type, and a placeholder
begins none; the placeholders of operations and projects are found by an index. The embedded engine counts
nothing ahead, and is asked by reads.COUNTS and browse.count.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from graph import browse, reads
from graph.names import composed
from graph.schema import NODES

_ONE_EACH: Final = {
    "Run": "MEASURES",
    "Implementation": "IMPLEMENTS",
    "Workload": "CASE_OF",
    "ServingRun": "SERVES",
    "ServingConfiguration": "RUNS_ON",
    "OperationRelation": "RELATES",
}
"""Label -> the type of the one relationship that each complete node of it begins."""

_COMPLETE: Final = "n.complete = true"

_INDEXED: Final = frozenset(label for label, node in NODES.items() if ("complete",) in node.server_indexes)
"""Labels whose placeholders are found by an index."""

_SUITES: Final = "COUNT { MATCH (n:Workload {kind: 'WorkloadSuite'}) WHERE n.complete = true }"


def _all(label: str, condition: str) -> str:
    """An expression of how many complete nodes of a label there are."""
    if label in _ONE_EACH:
        return f"COUNT {{ (:{label})-[:{_ONE_EACH[label]}]->() }}"
    if label in _INDEXED:
        return f"COUNT {{ (:{label}) }} - COUNT {{ MATCH (n:{label}) WHERE n.complete = false }}"
    return f"COUNT {{ MATCH (n:{label}){f' WHERE {condition}' if condition else ''} }}"


def _of_kind(kind: str, label: str, condition: str) -> str:
    if kind == "WorkloadSuite":
        return _SUITES
    if kind == "WorkloadCase":
        return f"{_all(label, condition)} - {_SUITES}"
    return _all(label, condition)


COUNTS: Final = " UNION ALL ".join(
    f"RETURN '{kind}' AS kind, {_of_kind(kind, label, condition)} AS count"
    for kind, label, condition in reads.COUNTED
)
"""What reads.COUNTS gives. Of kinds with few objects and no such relationship all are looked at."""

_AT: Final[dict[str, tuple[str, str]]] = {
    "comparisonKey": ("MATCH (x:ComparisonGroup {key: $comparisonKey})", "IN_GROUP"),
    "implementation": ("MATCH (x:Implementation {digest: $implementation})", "MEASURES"),
    "workload": ("MATCH (x:Workload {digest: $workload})", "ON_WORKLOAD"),
    "workloads": ("UNWIND $workloads AS each MATCH (x:Workload {digest: each})", "ON_WORKLOAD"),
    "protocol": ("MATCH (x:Protocol {digest: $protocol})", "UNDER_PROTOCOL"),
    "environment": ("MATCH (x:Environment {digest: $environment})", "IN_ENVIRONMENT"),
    "environments": ("UNWIND $environments AS each MATCH (x:Environment {digest: each})", "IN_ENVIRONMENT"),
}
"""Filter of runs -> the nodes that it names, and the type of the relationships by which runs hang on them."""

SOURCE_TALLY: Final = """
MATCH (s:Source)
CALL (s) { MATCH (r:ServingRun) WHERE r.source = s.slug AND r.complete = true
  RETURN count(r) AS servingRuns, max(r.observedAt) AS newestServing }
CALL (s) { MATCH (r:Run) WHERE r.observedAt > '' AND r.source = s.slug AND r.complete = true
  RETURN r.observedAt AS newest ORDER BY r.observedAt DESC LIMIT 1
  UNION ALL RETURN null AS newest }
WITH s, servingRuns, newestServing, max(newest) AS newest, COUNT { (s)<-[:REPORTED_BY]-() } AS reported
UNWIND [
  {what: 'runs', count: reported - servingRuns, newest: newest},
  {what: 'servingRuns', count: servingRuns, newest: newestServing}
] AS row
WITH s, row WHERE row.count > 0
RETURN s.slug AS source, row.what AS what, row.count AS count, row.newest AS newest
"""
"""What reads.SOURCE_TALLY gives. Of runs only the newest of each source is looked for."""


def count(label: str, filters: Iterable[str]) -> str:
    """What browse.count gives: how many nodes pass the filters; one row {count}."""
    return _count(label, tuple(sorted(filters)))


_REPORTED: Final = """
OPTIONAL MATCH (s:Source {slug: $source})
RETURN coalesce(COUNT { (s)<-[:REPORTED_BY]-() }, 0)
  - COUNT { MATCH (r:ServingRun) WHERE r.source = $source AND r.complete = true } AS count
"""


@lru_cache(maxsize=512)
def _count(label: str, names: tuple[str, ...]) -> str:
    if not names and (label in _ONE_EACH or label in _INDEXED):
        return _every(label)
    if label == "Run" and len(names) == 1 and names[0] in _AT:
        return _at(names[0])
    if label == "Run" and names == ("source",):
        return _reported()
    return browse.count(label, names)


@composed
def _every(label: str) -> str:
    return f"RETURN {_all(label, _COMPLETE)} AS count"


@composed
def _reported() -> str:
    return _REPORTED


@composed
def _at(name: str) -> str:
    nodes, relationship = _AT[name]
    return f"{nodes} RETURN coalesce(sum(COUNT {{ (x)<-[:{relationship}]-() }}), 0) AS count"
