"""The record ledger as lists: entries under a filter in an order, who holds what, which project leads.

All are made of the cached ledger; only an operation's name is looked up in the database.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from catalog.domain.errors import InputError
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.record_leads import Handover, Lead, lead
from catalog.read.filters import Filter, full_digest, instant
from catalog.read.overview import overview
from catalog.read.paging import Cursors, Page, page_from
from catalog.read.record_ledger import Entry, RecordRun
from catalog.read.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class RecordFilter(Filter):
    """Every field that is given must hold. What it says of a run is said of the entry's subject."""

    operation: str | None = None
    architecture: str | None = None
    product: str | None = None
    comparison_key: str | None = None
    source: str | None = None
    project: str | None = None
    implementation: str | None = None
    minimum_evidence: EvidenceLevel | None = None
    cause: str | None = None
    take_over: bool | None = None
    since: str | None = None
    before: str | None = None


def _newest(entry: Entry) -> tuple[Any, ...]:
    return (_Reversed(entry.event.at), entry.group)


def _largest(entry: Entry) -> tuple[Any, ...]:
    improvement = entry.event.improvement
    return (improvement is None, -(improvement or 0.0), *_newest(entry))


def _most_changes(entry: Entry) -> tuple[Any, ...]:
    return (-entry.lead_changes, entry.group, _Reversed(entry.event.at))


ORDERS: Final[dict[str, Callable[[Entry], tuple[Any, ...]]]] = {
    "NEWEST": _newest,
    "LARGEST_IMPROVEMENT": _largest,
    "MOST_LEAD_CHANGES": _most_changes,
}
"""Order -> its sort key; every order is total, as a group has at most one event at an instant."""


class _Reversed(str):
    """A text that sorts the other way round."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)


@dataclass(frozen=True, slots=True)
class RecordListing:
    """Record events in an order, behind cursors that name the instant and the group of an event."""

    snapshot: Snapshot
    filter: RecordFilter
    order: str
    cursors: Cursors

    def position(self, after: str | None) -> list[Any] | None:
        """What the cursor names; raises InputError for one that is not of this list."""
        return self.cursors.position(after, str, str)

    async def count(self) -> int:
        """How many pass the filter."""
        return len(await self._selected())

    async def page(self, size: int, after: str | None) -> Page[Entry]:
        """Entries behind the present place of the event that `after` names."""
        position = self.position(after)
        entries = await self._selected()
        start = self._start(entries, position) if position is not None else 0
        return page_from(
            entries,
            start,
            size,
            lambda entry: self.cursors.make(entry.event.at, entry.group),
            has_previous=position is not None,
        )

    def _start(self, entries: list[Entry], position: list[Any]) -> int:
        at, group = position
        if self.order == "NEWEST":  # the cursor is the sort key: it holds though the event may be gone
            return bisect_right(entries, (_Reversed(at), group), key=_newest)
        for place, entry in enumerate(entries):
            if (entry.event.at, entry.group) == (at, group):
                return place + 1
        message = "must name an event of this list; the history it was in has changed"
        raise InputError("after", self.cursors.make(at, group), message)

    async def _selected(self) -> list[Entry]:
        whole = overview(self.snapshot)
        key = ("records", self.order, self.filter)
        found: list[Entry] | None = whole.answers.get(key)
        if found is None:
            tests = await record_tests(self.snapshot, self.filter)
            entries = await self._candidates()
            found = sorted((e for e in entries if all(test(e) for test in tests)), key=ORDERS[self.order])
            whole.answers[key] = found
        return found

    async def _candidates(self) -> Iterable[Entry]:
        """Those of the operation, where one is asked for."""
        ledger = await overview(self.snapshot).ledger()
        if self.filter.operation is None:
            return ledger.entries
        meant = await self.snapshot.operations_meant(self.filter.operation)
        return (entry for digest in meant for entry in ledger.by_operation.get(digest, ()))


Test = Callable[[Entry], bool]


async def record_tests(snapshot: Snapshot, f: RecordFilter) -> list[Test]:
    """What an event must pass; raises InputError for a digest or an instant of the wrong form."""
    tests: list[Test] = []
    if f.operation is not None:
        tests.append(await _of_operation(snapshot, f.operation))
    if (architecture := f.architecture) is not None:
        tests.append(lambda entry: entry.environment.architecture == architecture)
    if (product := f.product) is not None:
        tests.append(lambda entry: entry.environment.product == product)
    if (key := full_digest("comparisonKey", f.comparison_key)) is not None:
        tests.append(lambda entry: entry.group == key)
    if (source := f.source) is not None:
        tests.append(lambda entry: entry.subject.source == source)
    if (project := f.project) is not None:
        tests.append(lambda entry: entry.subject.project == project)
    if (code := full_digest("implementation", f.implementation)) is not None:
        tests.append(lambda entry: entry.subject.implementation == code)
    if (minimum := f.minimum_evidence) is not None:
        tests.append(lambda entry: entry.subject.evidence.order >= minimum.order)
    if (cause := f.cause) is not None:
        tests.append(lambda entry: entry.event.cause == cause)
    if (take_over := f.take_over) is not None:
        tests.append(lambda entry: entry.take_over == take_over)
    if (since := instant("since", f.since)) is not None:
        tests.append(lambda entry: entry.event.at >= since)
    if (before := instant("before", f.before)) is not None:
        tests.append(lambda entry: entry.event.at < before)
    return tests


async def _of_operation(snapshot: Snapshot, name: str) -> Test:
    meant = frozenset(await snapshot.operations_meant(name))
    return lambda entry: entry.operation in meant


async def _chosen(snapshot: Snapshot, operation: str | None, architecture: str | None) -> Test:
    tests = await record_tests(snapshot, RecordFilter(operation=operation, architecture=architecture))
    return lambda entry: all(test(entry) for test in tests)


@dataclass(frozen=True, slots=True)
class HolderListing:
    """The present record of every group that has one, by architecture, then group."""

    snapshot: Snapshot
    operation: str | None
    architecture: str | None
    project: str | None
    cursors: Cursors

    def position(self, after: str | None) -> list[Any] | None:
        """What the cursor names; raises InputError for one that is not of this list."""
        return self.cursors.position(after, str, str)

    async def count(self) -> int:
        """How many there are in all."""
        return len(await self._selected())

    async def page(self, size: int, after: str | None) -> Page[Entry]:
        """The events by which the holders got their records, behind the group that `after` names."""
        position = self.position(after)
        holders = await self._selected()
        start = bisect_right(holders, tuple(position), key=_place) if position is not None else 0
        return page_from(
            holders,
            start,
            size,
            lambda entry: self.cursors.make(*_place(entry)),
            has_previous=position is not None,
        )

    async def _selected(self) -> list[Entry]:
        chosen = await _chosen(self.snapshot, self.operation, self.architecture)
        holders = (await overview(self.snapshot).ledger()).holders
        return [
            entry
            for entry in holders
            if chosen(entry) and self.project in (None, entry.run.project if entry.run else None)
        ]


def _place(entry: Entry) -> tuple[str, str]:
    return (entry.environment.architecture, entry.group)


@dataclass(frozen=True, slots=True)
class ArchitectureLead:
    """Which project holds most records on one architecture, of how many in all."""

    architecture: str
    records: int
    lead: Lead


async def leads(
    snapshot: Snapshot, operation: str | None, architecture: str | None
) -> list[ArchitectureLead]:
    """The lead on every architecture that has a record, by architecture."""
    chosen = await _chosen(snapshot, operation, architecture)
    handovers: dict[str, list[Handover]] = defaultdict(list)
    held: dict[str, dict[str, bool]] = defaultdict(dict)
    for entry in (await overview(snapshot).ledger()).entries:
        if chosen(entry):
            on = entry.environment.architecture
            handovers[on].append(Handover(entry.event.at, _project(entry.run), _project(entry.previous)))
            held[on][entry.group] = entry.run is not None
    return [ArchitectureLead(on, sum(held[on].values()), lead(handovers[on])) for on in sorted(handovers)]


def _project(run: RecordRun | None) -> str | None:
    return run.project if run is not None else None
