"""The record ledger as lists: entries under a filter in an order, who holds what, which project leads.

All are made of the cached ledger; only an operation's name is looked up in the database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.record_leads import Handover, Lead, lead
from catalog.read.filters import Filter, full_digest, instant
from catalog.read.memory_lists import MemoryListing
from catalog.read.overview import overview
from catalog.read.paging import Cursors, Position, Window
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


def record_listing(snapshot: Snapshot, f: RecordFilter, order: str, window: Window) -> MemoryListing[Entry]:
    """Record events in one of ORDERS, behind cursors that name the instant and the group of an event.

    In the order NEWEST the cursor holds the sort key: it stays good though the event may be gone.
    """

    async def read() -> list[Entry]:
        whole = overview(snapshot)
        key = ("records", order, f)
        found: list[Entry] | None = whole.answers.get(key)
        if found is None:
            tests = await record_tests(snapshot, f)
            entries = await _candidates(snapshot, f)
            found = sorted((e for e in entries if all(test(e) for test in tests)), key=ORDERS[order])
            whole.answers[key] = found
        return found

    return MemoryListing(
        read,
        lambda entry: (entry.event.at, entry.group),
        Cursors("records", order, f.used()),
        window,
        types=(str, str),
        order=_by_time if order == "NEWEST" else None,
    )


def _by_time(position: Position) -> Any:
    return (_Reversed(position[0]), position[1])


async def _candidates(snapshot: Snapshot, f: RecordFilter) -> Iterable[Entry]:
    """Those of the operation, where one is asked for."""
    ledger = await overview(snapshot).ledger()
    if f.operation is None:
        return ledger.entries
    meant = await snapshot.operations_meant(f.operation)
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
            for entry in (await overview(snapshot).ledger()).holders
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
    for entry in (await overview(snapshot).ledger()).entries:
        if chosen(entry):
            on = entry.environment.architecture
            handovers[on].append(Handover(entry.event.at, _project(entry.run), _project(entry.previous)))
            held[on][entry.group] = entry.run is not None
    return [ArchitectureLead(on, sum(held[on].values()), lead(handovers[on])) for on in sorted(handovers)]


def _project(run: RecordRun | None) -> str | None:
    return run.project if run is not None else None
