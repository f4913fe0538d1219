"""Lists: statements composed from a table of fragments, values always as parameters.

A list is a label with the filters that it takes. Callers name the filters that are in use; they never write
Cypher. Every statement gives keys in keyset order, from either end: the next page starts behind the last
key, so a page costs the same wherever it is and an import between two pages repeats nothing. Source:
docs/domain.md §2, §4.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final

from graph.names import composed
from graph.schema import NODES

FIRST: Final = ""
"""Sorts before every key and instant."""
LAST: Final = "~"
"""Sorts behind every key and instant."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one filter adds: a condition on the listed node `n`, and maybe a quicker way to find the nodes.

    A statement starts from the `start` of the first of its filters that has one, in the order of the table;
    that filter needs no condition then, the others keep theirs.
    """

    where: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A label that is listed: conditions that always hold, and its filters by name."""

    label: str
    always: str = "n.complete = true"
    filters: dict[str, Fragment] = field(default_factory=dict)


def _implementation(condition: str) -> str:
    return f"EXISTS {{ MATCH (n)-[:MEASURES]->(i:Implementation) WHERE {condition} }}"


_RUNS: Final = Listing(
    "Run",
    filters={
        "comparisonKey": Fragment(
            "n.comparisonKey = $comparisonKey",
            start="MATCH (:ComparisonGroup {key: $comparisonKey})<-[:IN_GROUP]-(n:Run)",
        ),
        "implementation": Fragment(
            "n.implementation = $implementation",
            start="MATCH (:Implementation {digest: $implementation})<-[:MEASURES]-(n:Run)",
        ),
        "workload": Fragment(
            "n.workload = $workload", start="MATCH (:Workload {digest: $workload})<-[:ON_WORKLOAD]-(n:Run)"
        ),
        "workloads": Fragment(
            "n.workload IN $workloads",
            start="UNWIND $workloads AS each MATCH (:Workload {digest: each})<-[:ON_WORKLOAD]-(n:Run)",
        ),
        "operations": Fragment(
            "n.operation IN $operations", start="UNWIND $operations AS each MATCH (n:Run {operation: each})"
        ),
        "protocol": Fragment("n.protocol = $protocol"),
        "environment": Fragment("n.environment = $environment"),
        "environments": Fragment("n.environment IN $environments"),
        "status": Fragment("n.status IN $status"),
        "source": Fragment("n.source = $source"),
        "evidence": Fragment("n.evidence IN $evidence"),
        "observedFrom": Fragment("n.observedAt >= $observedFrom"),
        "observedBefore": Fragment("n.observedAt < $observedBefore"),
        "since": Fragment("n.observedAt >= $since"),
        "until": Fragment("n.observedAt < $until"),
        "language": Fragment(_implementation("i.language = $language")),
        "deployable": Fragment(_implementation("coalesce(i.deployable, false) = $deployable")),
        "project": Fragment(
            where="(n.submittedProject = $project OR (n.submittedProject IS NULL AND "
            f"{_implementation('i.project = $project')}))"
        ),
    },
)

LISTINGS: Final[dict[str, Listing]] = {
    listing.label: listing
    for listing in (
        _RUNS,
        Listing(
            "Implementation",
            filters={
                "name": Fragment(
                    "EXISTS { MATCH (:Name {key: $name})-[:NAMES]->(n) }",
                    start="MATCH (:Name {key: $name})-[:NAMES]->(n:Implementation)",
                ),
                "operations": Fragment("n.operation IN $operations"),
                "project": Fragment(
                    "$project IN n.projects",
                    start="MATCH (:Project {slug: $project})<-[:REVISION_OF]-(n:Implementation)",
                ),
                "language": Fragment("n.language = $language"),
                "architecture": Fragment("$architecture IN n.architectures"),
                "deployable": Fragment("coalesce(n.deployable, false) = $deployable"),
            },
        ),
        Listing("Operation", filters={"family": Fragment("n.family = $family")}),
        Listing(
            "Workload",
            filters={
                "operations": Fragment("n.operation IN $operations"),
                "kind": Fragment("n.kind = $kind"),
            },
        ),
        Listing("Protocol"),
        Listing(
            "Environment",
            filters={
                "architecture": Fragment("n.architecture = $architecture"),
                "product": Fragment("n.product = $product"),
            },
        ),
        Listing("Project"),
        Listing("Source", always=""),
        Listing("Model"),
        Listing("ServingStack", filters={"project": Fragment("$project IN n.projects")}),
        Listing("ServingConfiguration", filters={"stack": Fragment("n.stack = $stack")}),
        Listing("ServingWorkload"),
        Listing(
            "ServingRun",
            filters={
                "cohort": Fragment(
                    "n.cohortKey = $cohort",
                    start="MATCH (:ServingCohort {key: $cohort})<-[:IN_COHORT]-(n:ServingRun)",
                ),
                "configuration": Fragment(
                    "n.configuration = $configuration",
                    start="MATCH (:ServingConfiguration {digest: $configuration})<-[:USES]-(n:ServingRun)",
                ),
                "models": Fragment("n.model IN $models"),
                "workloads": Fragment("n.workload IN $workloads"),
                "status": Fragment("n.status IN $status"),
                "source": Fragment("n.source = $source"),
            },
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Way:
    """How a list is read: from its front or from its back, and whether up to a bound.

    Statements begin behind the position $near, which is FIRST or LAST at an end of the list, and give what is
    nearest to it first; `bounded` ones stop before the position $far.
    """

    backward: bool = False
    bounded: bool = False


FORWARD: Final = Way()


class RunSort(Enum):
    """Orders of runs: the sorted property, and whether the newest comes first. Ties go by digest."""

    OBSERVED_DESC = ("observedAt", True)
    OBSERVED_ASC = ("observedAt", False)
    PUBLISHED_DESC = ("publishedAt", True)
    PUBLISHED_ASC = ("publishedAt", False)
    RETRACTED_DESC = ("retractedAt", True)

    def newest_first(self, way: Way) -> bool:
        """Whether rows come in descending order when the list is read this way."""
        descending: bool = self.value[1]
        return descending != way.backward


def keys(label: str, filters: Iterable[str], way: Way = FORWARD) -> str:
    """Keys behind $near (and before $far), in ascending order or backward, at most $limit: rows {key}."""
    return _keys(label, tuple(sorted(filters)), way)


def count(label: str, filters: Iterable[str]) -> str:
    """How many there are: one row {count}; loads nothing."""
    return _count(label, tuple(sorted(filters)))


def runs(
    filters: Iterable[str],
    order: RunSort,
    way: Way = FORWARD,
    *,
    grouped: bool = False,
    indexed: bool = False,
) -> str:
    """Keys of runs behind ($nearAt, $near) (and before ($farAt, $far)), at most $limit: rows {key, at}.

    `grouped`: one row {rows} with [key, at, key of its comparison group] of each, as the driver takes longer
    for many. `indexed`: where indexes give the order, those of several environments are read in the order of
    each, and merged.
    Runs without the instant are left out. The range predicate on the sorted property is what lets an index
    give the order.
    """
    return _runs(tuple(sorted(filters)), order, way, grouped, indexed)


def undated_runs(filters: Iterable[str], order: RunSort, way: Way = FORWARD) -> str:
    """The tail of `runs`: keys of those without the sorted instant, as `keys` gives them."""
    return _undated_runs(tuple(sorted(filters)), order, way)


@lru_cache(maxsize=512)
@composed
def _keys(label: str, filters: tuple[str, ...], way: Way) -> str:
    key = f"n.{NODES[label].key}"
    return (
        f"{_select(label, filters, *_between(key, way))} "
        f"RETURN DISTINCT {key} AS key ORDER BY key {_direction(way.backward)} LIMIT $limit"
    )


@lru_cache(maxsize=512)
@composed
def _count(label: str, filters: tuple[str, ...]) -> str:
    return f"{_select(label, filters)} RETURN count(DISTINCT n) AS count"


@lru_cache(maxsize=512)
@composed
def _runs(filters: tuple[str, ...], order: RunSort, way: Way, grouped: bool, indexed: bool) -> str:
    at = f"n.{order.value[0]}"
    newest_first = order.newest_first(way)
    toward, tie = _beyond(newest_first), _beyond(way.backward)
    conditions = [f"{at} {toward}= $nearAt AND ({at} {toward} $nearAt OR n.digest {tie} $near)"]
    if way.bounded:
        back, tie = _beyond(not newest_first), _beyond(not way.backward)
        conditions.append(f"{at} {back}= $farAt AND ({at} {back} $farAt OR n.digest {tie} $far)")
    found = f"n.digest AS key, {at} AS at"
    if grouped:
        found = f"collect([n.digest, {at}, n.comparisonKey]) AS rows"
    page = f"ORDER BY {at} {_direction(newest_first)}, n.digest {_direction(way.backward)} LIMIT $limit"
    if not (indexed and at == "n.observedAt" and "environments" in filters) or starts_narrow("Run", filters):
        listed = f"WITH n {page} RETURN {found}" if grouped else f"RETURN {found} {page}"
        return f"{_select('Run', filters, *conditions)} {listed}"
    others = tuple(name for name in filters if name != "environments")
    within = _select("Run", others, "n.environment = each", *conditions)
    first = page.replace(
        "ORDER BY ", f"ORDER BY n.environment {_direction(newest_first)}, "
    )  # the index's order
    return (
        f"UNWIND $environments AS each CALL (each) {{ {within} RETURN n {first} }} "
        f"WITH n {page} RETURN {found}"
    )


@lru_cache(maxsize=512)
@composed
def _undated_runs(filters: tuple[str, ...], order: RunSort, way: Way) -> str:
    missing = (f"n.{order.value[0]} IS NULL", *_between("n.digest", way))
    return (
        f"{_select('Run', filters, *missing)} "
        f"RETURN n.digest AS key ORDER BY key {_direction(way.backward)} LIMIT $limit"
    )


def _between(key: str, way: Way) -> list[str]:
    near = f"{key} {_beyond(way.backward)} $near"
    return [near, f"{key} {_beyond(not way.backward)} $far"] if way.bounded else [near]


def _beyond(descending: bool) -> str:
    return "<" if descending else ">"


def _direction(descending: bool) -> str:
    return "DESC" if descending else "ASC"


def starts_narrow(label: str, filters: Iterable[str]) -> bool:
    """Whether one of these filters finds the nodes by itself, without looking at all of the label."""
    return any(LISTINGS[label].filters[name].start for name in filters)


def _select(label: str, filters: tuple[str, ...], *further: str) -> str:
    listing = LISTINGS[label]
    used = {name: fragment for name, fragment in listing.filters.items() if name in filters}
    first = next((name for name, fragment in used.items() if fragment.start), None)
    start = used.pop(first).start if first is not None else f"MATCH (n:{label})"
    conditions = [listing.always, *(fragment.where for fragment in used.values()), *further]
    where = " AND ".join(condition for condition in conditions if condition)
    return f"{start} WHERE {where}" if where else start
