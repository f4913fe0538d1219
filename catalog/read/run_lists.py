"""Runs by time: an order that no import changes, read page by page.

A server gives runs in the order of an index. The embedded engine would sort all of them, so a page is looked
for within a window of days first.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Final

from catalog.read.paging import Cursors, Page, Position, Window
from catalog.read.snapshot import Snapshot
from catalog.read.totals import Conditions, count
from graph import browse
from graph.browse import RunSort, Way

Rows = list[dict[str, Any]]

FILTERED_WINDOW: Final = 50
"""How many runs a page under a filter looks at first, as a multiple of the page."""

UNDATED: Final = "undated"
"""Stands in a cursor for the instant of a run that has none."""


def _undated(position: Position | None) -> bool:
    return position is not None and position[0] == UNDATED


class RunListing:
    """A page of runs in an order that no import changes; those without the instant come last in each."""

    def __init__(
        self,
        snapshot: Snapshot,
        conditions: Conditions | None,
        order: RunSort,
        cursors: Cursors,
        window: Window,
    ) -> None:
        """Raises InputError for a cursor that is not of this list."""
        self._snapshot = snapshot
        self._conditions = conditions
        self._order = order
        self._cursors = cursors
        self._window = window
        self._after, self._before = cursors.bounds(window, str, str)

    async def count(self) -> int:
        """How many there are in all."""
        return await count(self._snapshot, "Run", self._conditions)

    async def page(self) -> Page[str]:
        """Digests of the runs."""
        rows: Rows = []
        parts = [self._dated] if self._order.value[0] == "observedAt" else [self._dated, self._undated]
        if self._conditions is not None:
            for read in reversed(parts) if self._window.backward else parts:
                if len(rows) < self._window.limit:
                    rows += await read(self._conditions, self._window.limit - len(rows))
        page = self._window.page(rows, lambda row: self._cursors.make(row["at"], row["key"]))
        return page.of(itemgetter("key"))

    async def _dated(self, conditions: Conditions, limit: int) -> Rows:
        if _undated(self._after):
            return []
        before = None if _undated(self._before) else self._before
        near, far = ends(self._window, self._after, before)
        return await read_runs(
            self._snapshot, conditions, self._order, limit, near, far, backward=self._window.backward
        )

    async def _undated(self, conditions: Conditions, limit: int) -> Rows:
        if self._before is not None and not _undated(self._before):
            return []
        after = self._after[1:] if self._after is not None and _undated(self._after) else None
        before = self._before[1:] if self._before is not None else None
        near, far = ends(self._window, after, before)
        statement = browse.undated_runs(conditions, self._order, Way(self._window.backward, far is not None))
        bounds = key_bounds(self._window, near, far)
        rows = await self._snapshot.store.read(statement, **conditions, **bounds, limit=limit)
        return [{"key": row["key"], "at": UNDATED} for row in rows]


async def read_runs(
    snapshot: Snapshot,
    conditions: Conditions,
    order: RunSort,
    limit: int,
    near: Position | None = None,
    far: Position | None = None,
    *,
    backward: bool = False,
    grouped: bool = False,
) -> Rows:
    """At most `limit` runs between two positions (instant, digest): rows {key, at}, and `grouped` {group}.

    They come from the front of the order, or from its back. At most three statements.
    """
    way = Way(backward, far is not None)
    newest_first = order.newest_first(way)
    at, digest = near or (browse.LAST if newest_first else browse.FIRST, browse.FIRST)
    bounds = {"nearAt": at, "near": digest}
    if far is not None:
        bounds |= {"farAt": far[0], "far": far[1]}
    days = await _days(snapshot, conditions, order, at, limit, newest_first=newest_first)
    while True:
        within = {**conditions, **days}
        statement = browse.runs(within, order, way, grouped=grouped, indexed=snapshot.engine.server)
        rows = await snapshot.store.read(statement, **within, **bounds, limit=limit)
        if grouped:
            rows = [dict(zip(("key", "at", "group"), row, strict=True)) for row in rows[0]["rows"]]
        if len(rows) >= limit or not days:
            return rows
        days = {}


async def _days(
    snapshot: Snapshot, conditions: Conditions, order: RunSort, at: str, limit: int, *, newest_first: bool
) -> dict[str, str]:
    """A range of days that should hold the page, where all runs would be sorted for it otherwise.

    Without a filter it does hold it; under one it is a guess, and the page is read again without.
    """
    sorted_by_index = snapshot.engine.server or order.value[0] != "observedAt"
    if sorted_by_index or browse.starts_narrow("Run", conditions):
        return {}
    wanted = limit * (FILTERED_WINDOW if conditions else 1)
    days = await snapshot.run_days()
    for day, runs in reversed(days) if newest_first else days:
        if (day < at[:10]) if newest_first else (day > at[:10]):
            wanted -= runs
            if wanted <= 0:
                return {"since": day} if newest_first else {"until": f"{day}{browse.LAST}"}
    return {}


def ends(
    window: Window, after: Position | None, before: Position | None
) -> tuple[Position | None, Position | None]:
    """The bounds in the order in which they are met: where reading begins, and where it ends."""
    return (before, after) if window.backward else (after, before)


def key_bounds(window: Window, near: Position | None, far: Position | None) -> dict[str, str]:
    """The parameters of a statement that reads by key."""
    bounds = {"near": near[0] if near is not None else browse.LAST if window.backward else browse.FIRST}
    return bounds if far is None else {**bounds, "far": far[0]}
