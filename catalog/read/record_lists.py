"""The record ledger as lists: entries under a filter in an order, who holds what, which project leads.

All are made of the ledger: of the whole one, which is kept, or in a large catalog of that of a part of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.record_leads import Handover, Lead, lead
from catalog.domain.records import Cause
from catalog.read.filters import Filter, RunFilter, full_digest, instant, run_conditions
from catalog.read.memory_lists import MemoryListing
from catalog.read.once import Once
from catalog.read.overview import overview
from catalog.read.paging import Cursors, Page, Position, Window
from catalog.read.record_ledger import Entry, RecordRun, holders
from catalog.read.record_scope import record_scope
from catalog.read.record_stream import COUNTED, RecordStream, position
from catalog.read.snapshot import Snapshot
from catalog.read.totals import large


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


T = TypeVar("T")

Chosen = MemoryListing[Entry] | RecordStream


class RecordListing:
    """Record events in one of ORDERS, behind cursors that name the instant and the group of an event.

    In the order NEWEST the cursor holds the sort key: it stays good though the event may be gone. In a large
    catalog the events of an operation, an implementation or a group are those of its groups, the newest are
    read page by page, and any other list is made of the whole catalog.
    """

    def __init__(self, snapshot: Snapshot, f: RecordFilter, order: str, window: Window) -> None:
        """Raises InputError for a cursor that is not of this list."""
        self._snapshot = snapshot
        self._filter = f
        self._cursors = Cursors("records", order, f.used())
        self._window = window
        self._listing = Once(self._choose)
        self._order = order
        self._memory = MemoryListing(
            self._entries,
            position,
            self._cursors,
            window,
            types=(str, str),
            order=_by_time if order == "NEWEST" else None,
        )

    async def count(self) -> int:
        """How many there are; of what is read page by page at most COUNTED."""
        return await self._kept("count", None, lambda listing: listing.count())

    async def exact(self) -> bool:
        """Whether `count` is how many there are in all."""
        return not isinstance(await self._listing(), RecordStream) or await self.count() < COUNTED

    async def page(self) -> Page[Entry]:
        """The events. Raises InputError, also for a digest or an instant of the wrong form."""
        return await self._kept("page", self._window, lambda listing: listing.page())

    async def _kept(self, what: str, window: Window | None, read: Callable[[Chosen], Awaitable[T]]) -> T:
        """What is read of the list; kept for the revision where it is dear."""
        listing = await self._listing()
        if not isinstance(listing, RecordStream):
            return await read(listing)
        answers, key = overview(self._snapshot).answers, ("records", what, self._filter, window)
        once: Once[T] | None = answers.get(key)
        if once is None:
            once = answers[key] = Once(lambda: read(listing))
        return await once()

    async def _choose(self) -> Chosen:
        f, snapshot = self._filter, self._snapshot
        scoped = (f.operation, f.comparison_key, f.implementation) != (None, None, None)
        if self._order != "NEWEST" or scoped or not await large(snapshot):
            return self._memory
        tests = await record_tests(snapshot, f)
        conditions = await run_conditions(snapshot, _holder_filter(f))
        causes = frozenset(Cause) if f.cause is None else frozenset({Cause(f.cause)})
        if f.take_over:  # an event of a retraction is no take-over
            causes -= {Cause.RETRACTION}
        return RecordStream(
            snapshot,
            conditions or {},
            causes if conditions is not None else frozenset(),
            lambda entry: all(test(entry) for test in tests),
            self._cursors,
            self._window,
            _by_time,
        )

    async def _entries(self) -> list[Entry]:
        whole = overview(self._snapshot)
        key = ("records", self._order, self._filter)
        found: list[Entry] | None = whole.answers.get(key)
        if found is None:
            tests = await record_tests(self._snapshot, self._filter)
            entries = await _candidates(self._snapshot, self._filter)
            found = sorted((e for e in entries if all(test(e) for test in tests)), key=ORDERS[self._order])
            whole.answers[key] = found
        return found


def _holder_filter(f: RecordFilter) -> RunFilter:
    """What a filter of events asks of the run that took the record."""
    return RunFilter(
        architecture=f.architecture,
        product=f.product,
        source=f.source,
        project=f.project,
        minimum_evidence=f.minimum_evidence,
        observed_from=f.since,
        observed_before=f.before,
    )


def _by_time(position: Position) -> Any:
    return (_Reversed(position[0]), position[1])


async def _candidates(snapshot: Snapshot, f: RecordFilter) -> Iterable[Entry]:
    """The events among which those of a filter are: of the operation, where one is asked for, and so on."""
    if not await large(snapshot):
        ledger = await overview(snapshot).ledger()
        if f.operation is None:
            return ledger.entries
        meant = await snapshot.operations_meant(f.operation)
        return (entry for digest in meant for entry in ledger.by_operation.get(digest, ()))
    scope = record_scope(snapshot)
    if (key := full_digest("comparisonKey", f.comparison_key)) is not None:
        return await scope.of_groups([key])
    if (code := full_digest("implementation", f.implementation)) is not None:
        return await scope.of_implementation(code)
    return await _scope(snapshot, f.operation)


async def _scope(snapshot: Snapshot, operation: str | None) -> Sequence[Entry]:
    """The events of an operation, by time, then group; without one all that there are."""
    if operation is None or not await large(snapshot):
        return (await overview(snapshot).ledger()).entries
    entries = await record_scope(snapshot).of_operations(await snapshot.operations_meant(operation))
    return sorted(entries, key=position)


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


def holder_listing(
    snapshot: Snapshot,
    operation: str | None,
    architecture: str | None,
    project: str | None,
    window: Window,
) -> MemoryListing[Entry]:
    """The event by which the present holder of each group got its record: by architecture, then group."""

    async def read() -> list[Entry]:
        chosen = await _chosen(snapshot, operation, architecture)
        return [
            entry
            for entry in holders(await _scope(snapshot, operation))
            if chosen(entry) and project in (None, entry.run.project if entry.run else None)
        ]

    used = {"operation": operation, "architecture": architecture, "project": project}
    return MemoryListing(
        read,
        lambda entry: (entry.environment.architecture, entry.group),
        Cursors("recordHolders", filters=used),
        window,
        types=(str, str),
        order=tuple,
    )


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
    for entry in await _scope(snapshot, operation):
        if chosen(entry):
            on = entry.environment.architecture
            handovers[on].append(Handover(entry.event.at, _project(entry.run), _project(entry.previous)))
            held[on][entry.group] = entry.run is not None
    return [ArchitectureLead(on, sum(held[on].values()), lead(handovers[on])) for on in sorted(handovers)]


def _project(run: RecordRun | None) -> str | None:
    return run.project if run is not None else None
