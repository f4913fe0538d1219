"""Which events of the feed a follower wants: the filters of lists, held against facts in memory.

The facts of the runs that a stretch of the log names are read once for all followers; a filter's names
(an operation's slug, an axis) are resolved once a revision, as for a list.
"""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from catalog.read.changes import BrokenRecord, Event, PublishedRun
from catalog.read.filters import RunFilter, run_conditions
from catalog.read.record_ledger import Entry, Environment, entry_of, record_run
from catalog.read.record_lists import RecordFilter, record_tests
from catalog.read.snapshot import Snapshot
from graph import changes
from graph.store import Reader

T = TypeVar("T")

Facts = Mapping[str, Mapping[str, Any]]
"""Run digest -> what filters look at of it."""

_Test = Callable[[Mapping[str, Any], Any], bool]


def _is(name: str) -> _Test:
    return lambda run, value: bool(run[name] == value)


def _among(name: str) -> _Test:
    return lambda run, values: run[name] in values


def _observed(compare: Callable[[str, str], bool]) -> _Test:
    return lambda run, instant: compare(run["observedAt"], instant)


RUN_TESTS: Final[Mapping[str, _Test]] = {
    **{name: _is(name) for name in ("comparisonKey", "implementation", "workload", "protocol")},
    **{name: _is(name) for name in ("environment", "source", "language")},
    **{name: _among(name) for name in ("status", "evidence")},
    "workloads": _among("workload"),
    "operations": _among("operation"),
    "environments": _among("environment"),
    "observedFrom": _observed(operator.ge),
    "observedBefore": _observed(operator.lt),
    "deployable": lambda run, value: bool(run["deployable"]) == value,
    "project": lambda run, value: (run["submittedProject"] or run["project"]) == value,
}
"""Condition of a list of runs (graph/browse.py) -> the same test on the facts of a run."""


class Sieve(Protocol[T]):
    """Lets some events pass, and makes of them what is told of them."""

    async def check(self, snapshot: Snapshot) -> None:
        """Raises InputError for a filter that could never be used."""

    async def sift(
        self, snapshot: Snapshot, events: Iterable[Event], facts: Callable[[], Awaitable[Facts]]
    ) -> list[T]:
        """What passes; `snapshot` holds everything that the events tell of. Raises StoreError."""


async def read_facts(store: Reader, events: Iterable[Event]) -> Facts:
    """The facts of every run that the events name; one statement, or none."""
    named: dict[str | None, None] = {}
    for event in events:
        if isinstance(event, PublishedRun):
            named[event.run] = None
        else:
            named |= {event.event.run: None, event.event.previous: None}
    named.pop(None, None)
    rows = await store.read(changes.RUNS, keys=list(named)) if named else []
    return {row["digest"]: row for row in rows}


@dataclass(frozen=True, slots=True)
class RunSieve:
    """Lets published runs pass that a filter of runs selects."""

    filter: RunFilter

    async def check(self, snapshot: Snapshot) -> None:
        """Raises InputError for a digest or an instant of the wrong form."""
        await run_conditions(snapshot, self.filter)

    async def sift(
        self, snapshot: Snapshot, events: Iterable[Event], facts: Callable[[], Awaitable[Facts]]
    ) -> list[PublishedRun]:
        """The published runs among the events that the filter selects."""
        published = [event for event in events if isinstance(event, PublishedRun)]
        if not published or not self.filter.used():
            return published
        conditions = await run_conditions(snapshot, self.filter)
        if conditions is None:
            return []
        tests = {name: frozenset(v) if isinstance(v, list) else v for name, v in conditions.items()}
        known = await facts()
        return [
            event
            for event in published
            if all(RUN_TESTS[name](known[event.run], value) for name, value in tests.items())
        ]


@dataclass(frozen=True, slots=True)
class RecordSieve:
    """Lets record events pass that a filter of records selects."""

    filter: RecordFilter

    async def check(self, snapshot: Snapshot) -> None:
        """Raises InputError for a digest or an instant of the wrong form."""
        await record_tests(snapshot, self.filter)

    async def sift(
        self, snapshot: Snapshot, events: Iterable[Event], facts: Callable[[], Awaitable[Facts]]
    ) -> list[tuple[BrokenRecord, Entry]]:
        """The record events that the filter selects, each with what is known of it."""
        broken = [event for event in events if isinstance(event, BrokenRecord)]
        if not broken:
            return []
        tests, known = await record_tests(snapshot, self.filter), await facts()
        entries = ((event, entry(event, known)) for event in broken)
        return [(event, found) for event, found in entries if all(test(found) for test in tests)]


def entry(broken: BrokenRecord, facts: Facts) -> Entry:
    """A record event as the ledger would have it."""
    event = broken.event
    rows = {digest: facts[digest] for digest in (event.run, event.previous) if digest is not None}
    runs = {digest: record_run(row, row["project"]) for digest, row in rows.items()}
    of_group = next(iter(rows.values()))
    environment = Environment(of_group["architecture"] or "unknown", of_group["product"])
    return entry_of(event, broken.group, of_group["operation"], environment, runs)
