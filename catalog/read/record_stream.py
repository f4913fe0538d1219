"""The newest record events of a catalog of any size, page by page.

An event of a group stands at the instant at which its new holder was observed, or its last one was retracted.
So the runs in the order of those instants lead to all events in order: their groups are read, and whatever
of their histories lies before the instant that has been reached is complete. Source: docs/scale.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from catalog.domain.records import Cause
from catalog.read.paging import Cursors, Page, Position, Window
from catalog.read.record_ledger import Entry
from catalog.read.record_scope import record_scope
from catalog.read.run_lists import ends, read_runs
from catalog.read.snapshot import Snapshot
from catalog.read.totals import Conditions
from graph.browse import FIRST, LAST, RunSort

FIRST_RUNS: Final = 40
"""How many runs are looked at first."""

MOST_RUNS: Final = 2_000
"""How many are looked at in one statement."""

COUNTED: Final = 200
"""Events are counted up to here."""


class RecordStream:
    """A page of the record events that pass some tests, newest first.

    `conditions`: what the new holder of an event must meet, as conditions on runs. `causes`: of which events
    come. `order` makes of a position what events are sorted by.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        conditions: Conditions,
        causes: frozenset[Cause],
        passes: Callable[[Entry], bool],
        cursors: Cursors,
        window: Window,
        order: Callable[[Position], Any],
    ) -> None:
        """Raises InputError for a cursor that is not of this list."""
        self._snapshot = snapshot
        self._conditions = conditions
        self._causes = causes
        self._passes = passes
        self._cursors = cursors
        self._window = window
        self._bounds = cursors.bounds(window, str, str)
        self._order = order

    async def page(self) -> Page[Entry]:
        """The events."""
        near, far = ends(self._window, *self._bounds)
        events = await self._read(self._window.limit, near, far, backward=self._window.backward)
        return self._window.page(events, lambda entry: self._cursors.make(*position(entry)))

    async def count(self) -> int:
        """How many there are in all, COUNTED at most."""
        return len(await self._read(COUNTED, None, None, backward=False))

    async def _read(
        self, limit: int, near: Position | None, far: Position | None, *, backward: bool
    ) -> list[Entry]:
        """The events nearest to one end, at most `limit`, those that are met first in front."""
        tracks = self._tracks(near, backward)
        order = self._order
        low, high = (far, near) if backward else (near, far)
        found: dict[Any, Entry] = {}
        size = min(max(FIRST_RUNS, 2 * limit), MOST_RUNS)
        while True:
            groups = [key for track in tracks if not track.done for key in await track.read(size)]
            for entry in await record_scope(self._snapshot).of_groups(groups):
                place = order(position(entry))
                between = (low is None or order(low) < place) and (high is None or place < order(high))
                if between and self._passes(entry):
                    found[position(entry)] = entry
            reached = [track.at for track in tracks if not track.done]
            settled = [
                entry
                for entry in found.values()
                if all(entry.event.at < at if backward else entry.event.at > at for at in reached)
            ]
            beyond = far is not None and all(at > far[0] if backward else at < far[0] for at in reached)
            if not reached or beyond or len(settled) >= limit:
                settled.sort(key=lambda entry: order(position(entry)), reverse=backward)
                return settled[:limit]
            size = min(2 * size, MOST_RUNS)

    def _tracks(self, near: Position | None, backward: bool) -> list[_Track]:
        at = None if near is None else near[0]
        where = {name: self._conditions[name] for name in ("environments",) if name in self._conditions}
        tracks = {
            Cause.NEW_RUN: _Track(self._snapshot, self._conditions, RunSort.OBSERVED_DESC, at, backward),
            Cause.RETRACTION: _Track(self._snapshot, where, RunSort.RETRACTED_DESC, at, backward),
        }
        return [track for cause, track in tracks.items() if cause in self._causes]


def position(entry: Entry) -> tuple[str, str]:
    """What an event is named by: its instant and its group."""
    return entry.event.at, entry.group


class _Track:
    """Runs in the order of one of their instants, from the instant `at` on, that itself included."""

    def __init__(
        self, snapshot: Snapshot, conditions: Conditions, order: RunSort, at: str | None, backward: bool
    ) -> None:
        self.at = at if at is not None else FIRST if backward else LAST
        """The instant that has been reached; more runs of it may follow."""
        self.done = False
        self._snapshot = snapshot
        self._conditions = conditions
        self._order = order
        self._backward = backward
        self._near: Position = (self.at, LAST if backward else FIRST)

    async def read(self, limit: int) -> list[str]:
        """The groups of the next runs."""
        rows = await read_runs(
            self._snapshot,
            self._conditions,
            self._order,
            limit,
            self._near,
            backward=self._backward,
            grouped=True,
        )
        self.done = len(rows) < limit
        if rows:
            self._near = rows[-1]["at"], rows[-1]["key"]
            self.at = rows[-1]["at"]
        return [row["group"] for row in rows if row["group"] is not None]
