"""The lists of the catalog: keys of one page, and counts that load nothing.

Runs go by an instant that never changes, all other kinds by their key, comparison groups by size or newest
run; each with the key last, so that every order is total.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import Any, Final
from weakref import WeakKeyDictionary

from cachetools import LRUCache

from catalog.domain.best_per import BestPer, first_of_each
from catalog.domain.ranking import Standing
from catalog.read.filters import Conditions, GroupFilter, RankedFilter, full_digest
from catalog.read.groups import Group, IndexedGroup
from catalog.read.memory_lists import MemoryListing
from catalog.read.once import Once
from catalog.read.paging import Cursors, Page, Position, Window
from catalog.read.snapshot import Snapshot
from graph import browse, counts
from graph.browse import RunSort, Way

Rows = list[dict[str, Any]]


class Listing:
    """A page of the nodes of one label by key, and how many there are; conditions None: nothing can match."""

    def __init__(
        self,
        snapshot: Snapshot,
        label: str,
        conditions: Conditions | None,
        cursors: Cursors,
        window: Window,
    ) -> None:
        """Raises InputError for a cursor that is not of this list."""
        self._snapshot = snapshot
        self._label = label
        self._conditions = conditions
        self._cursors = cursors
        self._window = window
        self._bounds = cursors.bounds(window, str)

    async def count(self) -> int:
        """How many there are in all."""
        return await _count(self._snapshot, self._label, self._conditions)

    async def page(self) -> Page[str]:
        """Keys in ascending order."""
        rows: Rows = []
        if self._conditions is not None:
            window, (near, far) = self._window, _ends(self._window, *self._bounds)
            statement = browse.keys(self._label, self._conditions, Way(window.backward, far is not None))
            bounds = _key_bounds(window, near, far)
            rows = await self._snapshot.store.read(
                statement, **self._conditions, **bounds, limit=window.limit
            )
        return self._window.page(rows, lambda row: self._cursors.make(row["key"])).of(itemgetter("key"))


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
        return await _count(self._snapshot, "Run", self._conditions)

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
        near, far = _ends(self._window, self._after, before)
        way = Way(self._window.backward, far is not None)
        newest_first = self._order.newest_first(way)
        at, digest = near or (browse.LAST if newest_first else browse.FIRST, browse.FIRST)
        bounds = {"nearAt": at, "near": digest}
        if far is not None:
            bounds |= {"farAt": far[0], "far": far[1]}
        days = await self._days(conditions, at, limit, newest_first=newest_first)
        while True:
            within = {**conditions, **days}
            statement = browse.runs(within, self._order, way)
            rows = await self._snapshot.store.read(statement, **within, **bounds, limit=limit)
            if len(rows) >= limit or not days:
                return rows
            days = {}

    async def _undated(self, conditions: Conditions, limit: int) -> Rows:
        if self._before is not None and not _undated(self._before):
            return []
        after = self._after[1:] if self._after is not None and _undated(self._after) else None
        before = self._before[1:] if self._before is not None else None
        near, far = _ends(self._window, after, before)
        statement = browse.undated_runs(conditions, self._order, Way(self._window.backward, far is not None))
        bounds = _key_bounds(self._window, near, far)
        rows = await self._snapshot.store.read(statement, **conditions, **bounds, limit=limit)
        return [{"key": row["key"], "at": UNDATED} for row in rows]

    async def _days(
        self, conditions: Conditions, at: str, limit: int, *, newest_first: bool
    ) -> dict[str, str]:
        """A range of days that should hold the page, where all runs would be sorted for it otherwise.

        Without a filter it does hold it; under one it is a guess, and the page is read again without.
        """
        sorted_by_index = self._snapshot.engine.server or self._order.value[0] != "observedAt"
        if sorted_by_index or browse.starts_narrow("Run", conditions):
            return {}
        wanted = limit * (FILTERED_WINDOW if conditions else 1)
        days = await self._snapshot.run_days()
        for day, count in reversed(days) if newest_first else days:
            if (day < at[:10]) if newest_first else (day > at[:10]):
                wanted -= count
                if wanted <= 0:
                    return {"since": day} if newest_first else {"until": f"{day}{browse.LAST}"}
        return {}


FILTERED_WINDOW: Final = 50
"""How many runs a page under a filter looks at first, as a multiple of the page."""

UNDATED: Final = "undated"
"""Stands in a cursor for the instant of a run that has none."""


def _undated(position: Position | None) -> bool:
    return position is not None and position[0] == UNDATED


def _ends(
    window: Window, after: Position | None, before: Position | None
) -> tuple[Position | None, Position | None]:
    """The bounds in the order in which they are met: where reading begins, and where it ends."""
    return (before, after) if window.backward else (after, before)


def _key_bounds(window: Window, near: Position | None, far: Position | None) -> dict[str, str]:
    """The parameters of a statement that reads by key."""
    bounds = {"near": near[0] if near is not None else browse.LAST if window.backward else browse.FIRST}
    return bounds if far is None else {**bounds, "far": far[0]}


COUNTS_KEPT: Final = 200
LONGEST_KEPT: Final = 10_000
"""Characters of conditions whose count is kept."""

_COUNTS: Final[WeakKeyDictionary[Snapshot, LRUCache[str, Once[int]]]] = WeakKeyDictionary()


async def _count(snapshot: Snapshot, label: str, conditions: Conditions | None) -> int:
    """How many nodes meet the conditions, counted once a revision: every page of a list tells it."""
    if conditions is None:
        return 0
    given = conditions
    kept = _COUNTS.setdefault(snapshot, LRUCache(COUNTS_KEPT))
    key = repr((label, sorted(given.items())))
    if len(key) > LONGEST_KEPT:
        return await _read_count(snapshot, label, given)
    once = kept.get(key)
    if once is None:
        once = kept[key] = Once(lambda: _read_count(snapshot, label, given))
    return await once()


async def _read_count(snapshot: Snapshot, label: str, conditions: Conditions) -> int:
    statement = (counts if snapshot.engine.server else browse).count(label, conditions)
    [row] = await snapshot.store.read(statement, **conditions)
    return int(row["count"])


GROUP_ORDERS: Final[dict[str, Callable[[IndexedGroup], Any]]] = {
    "SIZE_DESC": lambda group: group.size,
    "OBSERVED_DESC": lambda group: group.newest,
}


def group_listing(snapshot: Snapshot, f: GroupFilter, order: str, window: Window) -> MemoryListing[str]:
    """Keys of comparison groups in one of GROUP_ORDERS."""

    async def read() -> list[str]:
        return await selected_groups(snapshot, f, order)

    return MemoryListing(read, lambda key: (key,), Cursors("groups", order, f.used()), window)


async def selected_groups(snapshot: Snapshot, f: GroupFilter, order: str) -> list[str]:
    """Keys of the comparison groups that pass the filter, the largest or most recently observed first."""
    tests = await _group_tests(snapshot, f)
    groups = [group for group in await snapshot.group_index() if all(test(group) for test in tests)]
    groups.sort(key=lambda group: group.key)
    groups.sort(key=GROUP_ORDERS[order], reverse=True)
    return [group.key for group in groups]


async def _group_tests(snapshot: Snapshot, f: GroupFilter) -> list[Callable[[IndexedGroup], bool]]:
    tests: list[Callable[[IndexedGroup], bool]] = []
    operations: list[str] | None = None
    if f.operation is not None:
        operations = await snapshot.operations_meant(f.operation)
        meant = frozenset(operations)
        tests.append(lambda group: group.operation in meant)
    if f.architecture is not None or f.product is not None:
        environments = frozenset(await snapshot.environments(f.architecture, f.product))
        tests.append(lambda group: group.environment in environments)
    if f.axes:
        workloads = frozenset((await snapshot.axes()).matching(f.axes, operations))
        tests.append(lambda group: group.workload in workloads)
    if (workload := full_digest("workload", f.workload)) is not None:
        tests.append(lambda group: group.workload == workload)
    if (protocol := full_digest("protocol", f.protocol)) is not None:
        tests.append(lambda group: group.protocol == protocol)
    if (source := f.source) is not None:
        tests.append(lambda group: source in group.sources)
    if (minimum := f.minimum_size) is not None:
        tests.append(lambda group: group.size >= minimum)
    return tests


def ranked_listing(
    group: Group,
    f: RankedFilter,
    architecture: str | None,
    window: Window,
    best_per: BestPer = BestPer.RUN,
) -> MemoryListing[Standing]:
    """The runs of one group as they stand: ranked first, then the ineligible.

    `architecture` is that of the group's environment; None while that is known only by digest.
    """

    async def read() -> list[Standing]:
        rows = [row for row in group.standings.rows if _passes(group, f, architecture, row)]
        if best_per is BestPer.RUN:
            return rows
        return first_of_each(rows, lambda digest: _owner(group, best_per, digest))

    used = f.used() | ({} if best_per is BestPer.RUN else {"bestPer": best_per.value})
    return MemoryListing(
        read,
        lambda row: (row.run.digest,),
        Cursors(f"group {group.key}", filters=used),
        window,
        order=lambda position: group.places[position[0]],
    )


def _owner(group: Group, best_per: BestPer, digest: str) -> Hashable:
    member = group.members[digest]
    if best_per is BestPer.PROJECT and member.project is not None:
        return ("project", member.project)
    return member.name


def _passes(group: Group, f: RankedFilter, architecture: str | None, row: Standing) -> bool:
    member = group.members[row.run.digest]
    return (
        (f.architecture is None or f.architecture == (architecture or "unknown"))
        and (f.minimum_evidence is None or row.run.evidence.order >= f.minimum_evidence.order)
        and (f.deployable is None or f.deployable == member.deployable)
        and (f.project is None or f.project == member.project)
    )
