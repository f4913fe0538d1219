"""Suite scores computed from the runs of their cases, for any number of suites at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalog.domain import suites
from catalog.domain.identity import load_canonical
from catalog.domain.suites import Axes, CaseResult, SuiteScore
from catalog.read.entities import Entity
from catalog.read.groups import Group
from catalog.read.snapshot import Snapshot, distinct
from graph import reads_compare

SUITE = "WorkloadSuite"


async def suite_scores(snapshot: Snapshot, keys: Sequence[str]) -> list[list[SuiteScore]]:
    """For each workload digest the scores of its implementations; none for what is no suite.

    Six statements at most: workloads, operations, cases, groups of the cases, groups with their runs.
    """
    loaded = await snapshot.entities("Workload", keys)
    wanted = {s.key: s for s in loaded if s is not None and s.kind == SUITE}
    if not wanted:
        return [[] for _ in keys]
    operations = distinct(suite.get("operation") for suite in wanted.values())
    constants = {
        entity.key: suites.constants_of(entity.spec)
        for entity in await snapshot.entities("Operation", operations)
        if entity is not None
    }
    cases: dict[str, dict[str, Axes]] = {operation: {} for operation in operations}
    for row in await snapshot.store.read(reads_compare.CASES_OF, keys=operations):
        cases[row["key"]][row["digest"]] = load_canonical(row["manifest"])["spec"]["axes"]
    meant = {key: _meant(suite, cases, constants) for key, suite in wanted.items()}
    groups = await _groups_on(snapshot, distinct(digest for each in meant.values() for digest in each))
    return [_scores(wanted[key], meant[key], groups) if key in wanted else [] for key in keys]


def _meant(suite: Entity, cases: dict[str, dict[str, Axes]], constants: dict[str, Axes]) -> list[str | None]:
    operation = suite.props["operation"]
    axes = [case["axes"] for case in suite.spec["cases"]]
    return suites.matched(axes, cases[operation], constants.get(operation, {}))


async def _groups_on(snapshot: Snapshot, workloads: list[str]) -> dict[str, list[Group]]:
    found: dict[str, list[Group]] = {workload: [] for workload in workloads}
    rows = await snapshot.store.read(reads_compare.GROUPS_ON, keys=workloads) if workloads else []
    for row, group in zip(rows, await snapshot.groups([row["group"] for row in rows]), strict=True):
        if group is not None:
            found[row["key"]].append(group)
    return found


def _scores(suite: Entity, meant: Sequence[str | None], groups: dict[str, list[Group]]) -> list[SuiteScore]:
    among = [group for workload in distinct(meant) for group in groups[workload]]
    results = [result for group in among for result in _results(group)]
    return suites.scores(meant, results, suite.spec["aggregation"])


def _results(group: Group) -> Iterator[CaseResult]:
    """The first ranked run of each implementation in a group."""
    get, seen = group.entity.props, set()
    for row in group.standings.rows:
        code = group.members[row.run.digest].implementation
        if row.rank is None or row.run.value is None or code in seen:
            continue
        seen.add(code)
        yield CaseResult(
            workload=get["workload"],
            implementation=code,
            protocol=get["protocol"],
            environment=get["environment"],
            metric=get["metric"],
            statistic=get["statistic"],
            unit=get["unit"],
            value=row.run.value,
            run=row.run.digest,
        )
