"""Comparison groups by size or newest run: statements composed from a table of fragments, as in browse.py.

The size of a group is the number of relationships at its node, which is not counted but known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from functools import lru_cache
from typing import Final

from graph.browse import Fragment
from graph.names import composed


class GroupSort(Enum):
    """Orders of groups, largest or newest first: the expression `at` that a group goes by."""

    SIZE_DESC = "WITH n, COUNT { (n)<-[:IN_GROUP]-() } AS at"
    OBSERVED_DESC = "CALL (n) { MATCH (n)<-[:IN_GROUP]-(r:Run) RETURN max(r.observedAt) AS at } WITH n, at"


FILTERS: Final = {
    "workload": Fragment(start="MATCH (:Workload {digest: $workload})<-[:FOR_WORKLOAD]-(n:ComparisonGroup)"),
    "workloads": Fragment(
        "n.workload IN $workloads",
        "UNWIND $workloads AS each MATCH (:Workload {digest: each})<-[:FOR_WORKLOAD]-(n:ComparisonGroup)",
    ),
    "operations": Fragment(
        "n.operation IN $operations",
        "UNWIND $operations AS each MATCH (n:ComparisonGroup {operation: each})",
    ),
    "environments": Fragment(
        "n.environment IN $environments",
        "UNWIND $environments AS each "
        "MATCH (:Environment {digest: each})<-[:FOR_ENVIRONMENT]-(n:ComparisonGroup)",
    ),
    "protocol": Fragment("n.protocol = $protocol"),
    "source": Fragment("EXISTS { MATCH (n)<-[:IN_GROUP]-(r:Run) WHERE r.source = $source }"),
    "minimumSize": Fragment("COUNT { (n)<-[:IN_GROUP]-() } >= $minimumSize"),
}

PLACE: Final = {
    sort.name: f"MATCH (n:ComparisonGroup {{key: $key}}) {sort.value} RETURN at" for sort in GroupSort
}
"""What a group goes by in each order."""


def keys(
    filters: Iterable[str], sort: GroupSort, bounds: Collection[str] = (), *, backward: bool = False
) -> str:
    """Keys behind ($nearAt, $near) and before ($farAt, $far), where these are among the bounds, in order or
    backward, at most $limit: rows {key}."""
    return _keys(tuple(sorted(filters)), sort, "near" in bounds, "far" in bounds, backward)


def count(filters: Iterable[str]) -> str:
    """How many there are: one row {count}."""
    return _count(tuple(sorted(filters)))


@lru_cache(maxsize=256)
@composed
def _keys(filters: tuple[str, ...], sort: GroupSort, near: bool, far: bool, backward: bool) -> str:
    toward, tie = (">", "<") if backward else ("<", ">")
    back, before = ("<", ">") if backward else (">", "<")
    conditions = []
    if near:
        conditions.append(f"(at {toward} $nearAt OR at = $nearAt AND n.key {tie} $near)")
    if far:
        conditions.append(f"(at {back} $farAt OR at = $farAt AND n.key {before} $far)")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    order = "at ASC, key DESC" if backward else "at DESC, key ASC"
    return f"{_select(filters)} {sort.value}{where} RETURN n.key AS key, at ORDER BY {order} LIMIT $limit"


@lru_cache(maxsize=256)
@composed
def _count(filters: tuple[str, ...]) -> str:
    return f"{_select(filters)} RETURN count(n) AS count"


def _select(filters: tuple[str, ...]) -> str:
    used = {name: fragment for name, fragment in FILTERS.items() if name in filters}
    first = next((name for name, fragment in used.items() if fragment.start), None)
    start = used.pop(first).start if first is not None else "MATCH (n:ComparisonGroup)"
    where = " AND ".join(fragment.where for fragment in used.values() if fragment.where)
    return f"{start} WHERE {where}" if where else start
