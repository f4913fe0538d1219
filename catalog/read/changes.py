"""The log of changes as it is read: places in it, stretches and pages of it.

An event stands at a place, its revision and its number in it, and never moves: so a place is a cursor that is
good for ever, in every list and subscription alike. See docs/subscriptions.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from catalog.domain import records
from catalog.domain.errors import InputError
from catalog.domain.records import RecordEvent
from catalog.read.paging import Cursors, Page, Window
from catalog.read.snapshot import Snapshot
from graph import changes
from graph.store import Reader

WINDOW: Final = 1_000
"""How many revisions are looked at in one statement."""

_CURSORS: Final = Cursors("changes")


class Place(NamedTuple):
    """Where an event stands in the log."""

    revision: int
    number: int = 0

    @property
    def cursor(self) -> str:
        """The cursor of the event that stands here."""
        return _CURSORS.make(*self)


@dataclass(frozen=True, slots=True)
class PublishedRun:
    """From this revision on a run is published and whole."""

    place: Place
    run: str


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """From this revision on the history of a comparison group has this event."""

    place: Place
    group: str
    event: RecordEvent


Event = PublishedRun | BrokenRecord


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some events that follow each other, and the place behind them."""

    events: tuple[Event, ...]
    end: Place


@dataclass(frozen=True, slots=True)
class Summary:
    """What came after the revision `previous`, up to `revision`. `objects`: how many of each kind are new."""

    revision: int
    previous: int
    runs: int
    records: int
    objects: tuple[tuple[str, int], ...]


def start_after(current: int, since: int | None, after: str | None) -> Place:
    """Where to begin: behind the revision `since` and behind the event of the cursor `after`, where given.

    Without either it is behind the `current` revision, with what comes next. Raises InputError for a cursor
    of something else, and for a revision that the catalog has not reached.
    """
    if since is not None and not 0 <= since <= current:
        raise InputError("sinceRevision", since, f"must be from 0 to {current}, the revision of the catalog")
    place = _named(current, "after", after)
    if place is None:
        return Place((current if since is None else since) + 1)
    behind = Place(place.revision, place.number + 1)
    return max(behind, Place(since + 1)) if since is not None else behind


def _named(current: int, field: str, cursor: str | None) -> Place | None:
    """The place that a cursor names; raises InputError for one of something else."""
    position = _CURSORS.position(field, cursor, int, int)
    if position is None:
        return None
    place = Place(*position)
    if not (0 < place.revision <= current and place.number >= 0):
        raise InputError(field, cursor, "must be the cursor of an event of this catalog")
    return place


async def event_at(snapshot: Snapshot, cursor: str) -> Event | None:
    """The event with this cursor; None where there is none."""
    try:
        place = _named(snapshot.revision, "after", cursor)
    except InputError:
        place = None
    if place is None:
        return None
    found = await read_stretch(snapshot.store, place, place.revision, 1)
    return next((event for event in found.events if event.place == place), None)


async def read_stretch(store: Reader, start: Place, last: int, wanted: int) -> Stretch:
    """The events from `start` to the end of the revision `last`, or of an earlier one that makes them enough.

    Revisions are taken whole, so there may be more events than are `wanted`.
    """
    events: list[Event] = []
    first = start.revision
    while first <= last and len(events) < wanted:
        end = min(last, first + WINDOW - 1)
        rows = await store.read(changes.SIZES, first=first, last=end)
        found, revisions = len(events), []
        for row in sorted(rows, key=lambda row: int(row["revision"])):
            if size := row["runs"] + row["records"]:
                revisions.append(row["revision"])
                found += size
            if found >= wanted + start.number:
                end = row["revision"]
                break
        if revisions:
            rows = await store.read(changes.EVENTS, revisions=revisions)
            for row in sorted(rows, key=lambda row: int(row["revision"])):
                events += [event for event in _events(row) if event.place >= start]
        first = end + 1
    return Stretch(tuple(events), Place(max(first, start.revision)))


async def read_back(store: Reader, end: Place, first: int, wanted: int) -> list[Event]:
    """The events before `end`, the last one first, back to the revision `first` or until they are enough.

    Revisions are taken whole, so there may be more events than are `wanted`.
    """
    events: list[Event] = []
    last = end.revision if end.number else end.revision - 1
    while first <= last and len(events) < wanted:
        begin = max(first, last - WINDOW + 1)
        rows = await store.read(changes.SIZES, first=begin, last=last)
        found, revisions = len(events), []
        for row in sorted(rows, key=lambda row: -int(row["revision"])):
            if size := row["runs"] + row["records"]:
                revisions.append(row["revision"])
                found += min(size, end.number) if row["revision"] == end.revision else size
            if found >= wanted:
                break
        if revisions:
            rows = await store.read(changes.EVENTS, revisions=revisions)
            for row in sorted(rows, key=lambda row: -int(row["revision"])):
                events += [event for event in reversed(_events(row)) if event.place < end]
        last = begin - 1
    return events


def _events(row: dict[str, Any]) -> list[Event]:
    """The events of one revision, in their places: runs by digest, then records by group and time."""
    revision = row["revision"]
    events: list[Event] = [PublishedRun(Place(revision, n), run) for n, run in enumerate(row["runs"])]
    for n, text in enumerate(row["records"], start=len(events)):
        events.append(BrokenRecord(Place(revision, n), *records.parse(text)))
    return events


async def read_summary(store: Reader, previous: int, revision: int) -> Summary:
    """What the revisions after `previous` brought."""
    runs = broken = 0
    objects: dict[str, int] = {}
    for first in range(previous + 1, revision + 1, WINDOW):
        last = min(revision, first + WINDOW - 1)
        for row in await store.read(changes.SIZES, first=first, last=last):
            runs, broken = runs + row["runs"], broken + row["records"]
        for row in await store.read(changes.OBJECTS, first=first, last=last):
            objects[row["kind"]] = objects.get(row["kind"], 0) + row["count"]
    return Summary(revision, previous, runs, broken, tuple(sorted(objects.items())))


class ChangeListing:
    """A page of the events of the log behind the revision `since`, in their order, and how many there are."""

    def __init__(self, snapshot: Snapshot, since: int, window: Window) -> None:
        """Raises InputError for a revision that the catalog has not reached, or a cursor of another list."""
        self._snapshot = snapshot
        self._first = start_after(snapshot.revision, since, None)
        self._start = start_after(snapshot.revision, since, window.after)
        self._end = _named(snapshot.revision, "before", window.before) or Place(snapshot.revision + 1)
        self._window = window if self._start > self._first else replace(window, after=None)

    async def count(self) -> int:
        """How many there are in all."""
        bounds = {"first": self._first.revision, "last": self._snapshot.revision}
        [row] = await self._snapshot.store.read(changes.COUNT, **bounds)
        return int(row["count"])

    async def page(self) -> Page[Event]:
        """The events."""
        store, window = self._snapshot.store, self._window
        if window.backward:
            events = await read_back(store, self._end, self._start.revision, window.limit)
            near = [event for event in events if event.place >= self._start]
        else:
            stretch = await read_stretch(
                store, self._start, min(self._end.revision, self._snapshot.revision), window.limit
            )
            near = [event for event in stretch.events if event.place < self._end]
        return window.page(near, lambda event: event.place.cursor)
