"""The record events of all comparison groups, derived once per revision (docs/domain.md §6).

All runs are read in one statement, but only those that ever held a record are kept, so memory goes with the
number of events. The first observation of each implementation, which lineage asks for, falls off on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from catalog.domain import lineage, metrics, records
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.records import RecordEvent
from catalog.read.groups import run_facts


@dataclass(frozen=True, slots=True)
class Environment:
    """Where runs ran; `architecture` is `unknown` where none was recorded."""

    architecture: str
    product: str | None


UNRECORDED: Final = Environment("unknown", None)
"""Stands for an environment that is not known."""


@dataclass(frozen=True, slots=True)
class RecordRun:
    """A run that held a record. `project`: of the run's submission, else of its implementation."""

    digest: str
    implementation: str
    source: str | None
    evidence: EvidenceLevel
    project: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One record event with what it is filtered and ordered by.

    `lead_changes`: how often the record of its group passed from one run to another, in all; 0 for an event
    that is looked at by itself, without the ledger.
    """

    event: RecordEvent
    group: str
    operation: str | None
    environment: Environment
    run: RecordRun | None
    previous: RecordRun | None
    take_over: bool
    lead_changes: int = 0

    @property
    def subject(self) -> RecordRun:
        """The run that the event is about: the new holder, or the last one when a retraction left none."""
        found = self.run or self.previous
        assert found is not None, "an event has a run on one side at least"
        return found


@dataclass(frozen=True, slots=True)
class RecordLedger:
    """All record events, by time, then group; `first_observed` is by implementation digest."""

    entries: tuple[Entry, ...]
    first_observed: Mapping[str, str]
    won: Mapping[str, list[Entry]] = field(init=False)
    """Implementation -> the take-overs by which its runs took a record, by time."""
    lost: Mapping[str, list[Entry]] = field(init=False)
    """Implementation -> the take-overs by which its runs lost one, by time."""
    by_operation: Mapping[str, list[Entry]] = field(init=False)
    """Operation -> its events, by time, then group."""
    holders: list[Entry] = field(init=False)
    """The last event of each group whose record somebody holds, by architecture, then group."""

    def __post_init__(self) -> None:
        won: dict[str, list[Entry]] = defaultdict(list)
        lost: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.take_overs():
            if entry.run is not None and entry.previous is not None:
                won[entry.run.implementation].append(entry)
                lost[entry.previous.implementation].append(entry)
        by_operation: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            if entry.operation is not None:
                by_operation[entry.operation].append(entry)
        object.__setattr__(self, "holders", holders(self.entries))
        object.__setattr__(self, "by_operation", by_operation)
        object.__setattr__(self, "won", won)
        object.__setattr__(self, "lost", lost)

    def take_overs(self) -> Iterator[Entry]:
        """The events by which a record fell to another implementation."""
        return (entry for entry in self.entries if entry.take_over)


def holders(entries: Iterable[Entry]) -> list[Entry]:
    """Of events by time the last of each group whose record somebody holds, by architecture, then group."""
    last = {entry.group: entry for entry in entries}
    held = [entry for entry in last.values() if entry.run is not None]
    held.sort(key=lambda entry: (entry.environment.architecture, entry.group))
    return held


def record_ledger(
    rows: Iterable[Mapping[str, Any]],
    projects: Mapping[str, str | None],
    environments: Mapping[str, Environment],
) -> RecordLedger:
    """The ledger from the rows of all runs.

    `projects` gives the shown project of each implementation, `environments` what is known of each by digest.
    """
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    first: dict[str, str] = {}
    for row in rows:
        if row["comparisonKey"] is not None:
            groups[row["comparisonKey"]].append(row)
        code, at = row["implementation"], row["observedAt"]
        if code not in first or at < first[code]:
            first[code] = at
    entries = [
        entry for key, members in groups.items() for entry in _entries(key, members, projects, environments)
    ]
    entries.sort(key=lambda entry: (entry.event.at, entry.group))
    return RecordLedger(tuple(entries), first)


def _entries(
    key: str,
    rows: list[Mapping[str, Any]],
    projects: Mapping[str, str | None],
    environments: Mapping[str, Environment],
) -> Iterator[Entry]:
    by_digest = {row["digest"]: row for row in rows}
    metric = rows[0]["metric"]
    direction = metrics.direction_of(metric) if metric is not None else None
    history = records.history(map(run_facts, rows), direction)
    named = {digest for event in history for digest in (event.run, event.previous) if digest is not None}
    runs = {
        digest: record_run(by_digest[digest], projects.get(by_digest[digest]["implementation"]))
        for digest in named
    }
    changes = sum(event.previous is not None for event in history)
    environment = environments.get(rows[0]["environment"], UNRECORDED)
    for event in history:
        yield entry_of(event, key, rows[0]["operation"], environment, runs, changes)


def entry_of(
    event: RecordEvent,
    group: str,
    operation: str | None,
    environment: Environment,
    runs: Mapping[str, RecordRun],
    lead_changes: int = 0,
) -> Entry:
    """The entry of an event of a group; `runs` are those that it names, by digest."""
    run = runs[event.run] if event.run is not None else None
    previous = runs[event.previous] if event.previous is not None else None
    take_over = lineage.is_take_over(
        event, run.implementation if run else None, previous.implementation if previous else None
    )
    return Entry(event, group, operation, environment, run, previous, take_over, lead_changes)


def record_run(row: Mapping[str, Any], project: str | None) -> RecordRun:
    """A run from its row; `project`: that of its implementation, which its own submission stands before."""
    submitted = row["submittedProject"]
    return RecordRun(
        digest=row["digest"],
        implementation=row["implementation"],
        source=row["source"],
        evidence=EvidenceLevel(row["evidence"] or EvidenceLevel.REPORTED),
        project=submitted if submitted is not None else project,
    )
