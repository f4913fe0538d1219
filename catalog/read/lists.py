"""The lists of the catalog: keys of one page, and counts that load nothing.

Runs go by an instant that never changes, all other kinds by their key, comparison groups by size or newest
run; each with the key last, so that every order is total.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

from catalog.domain.best_per import BestPer, first_of_each
from catalog.domain.errors import InputError
from catalog.domain.ranking import Standing
from catalog.read.filters import Conditions, GroupFilter, RankedFilter, full_digest
from catalog.read.groups import Group, IndexedGroup
from catalog.read.paging import Cursors, Page, page_from
from catalog.read.snapshot import Snapshot
from graph import browse
from graph.browse import RunSort


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of one label under conditions (None: nothing can match)."""

    snapshot: Snapshot
    label: str
    conditions: Conditions | None
    cursors: Cursors

    def position(self, after: str | None) -> list[Any] | None:
        """What the cursor names; raises InputError for one that is not of this list."""
        return self.cursors.position(after, str)

    async def count(self) -> int:
        """How many there are in all."""
        if self.conditions is None:
            return 0
        [row] = await self.snapshot.store.read(browse.count(self.label, self.conditions), **self.conditions)
        return int(row["count"])

    async def page(self, size: int, after: str | None) -> Page[str]:
        """Keys in ascending order, behind the cursor `after`."""
        position = self.position(after)
        if self.conditions is None:
            return Page([], [], False, position is not None)
        rows = await self.snapshot.store.read(
            browse.keys(self.label, self.conditions),
            **self.conditions,
            after=position[0] if position else browse.FIRST,
            limit=size + 1,
        )
        keys = [row["key"] for row in rows[:size]]
        return Page(keys, [self.cursors.make(key) for key in keys], len(rows) > size, position is not None)


@dataclass(frozen=True, slots=True)
class RunListing:
    """Runs in an order that no import changes."""

    snapshot: Snapshot
    conditions: Conditions | None
    order: RunSort
    cursors: Cursors

    def position(self, after: str | None) -> list[Any] | None:
        """What the cursor names; raises InputError for one that is not of this list."""
        return self.cursors.position(after, str, str)

    async def count(self) -> int:
        """How many there are in all."""
        return await Listing(self.snapshot, "Run", self.conditions, self.cursors).count()

    async def page(self, size: int, after: str | None) -> Page[str]:
        """Digests behind the cursor `after`; those without the sorted instant come last both ways."""
        position = self.position(after)
        if self.conditions is None:
            return Page([], [], False, position is not None)
        at, digest = position or (self.order.start, browse.FIRST)
        rows: list[dict[str, Any]] = []
        if at != UNDATED:
            rows = await self._dated(self.conditions, at, digest, size + 1)
            digest = browse.FIRST
        if len(rows) <= size and self.order.value[0] != "observedAt":
            statement = browse.undated_runs(self.conditions, self.order)
            rest = await self.snapshot.store.read(
                statement, **self.conditions, after=digest, limit=size + 1 - len(rows)
            )
            rows += [{"key": row["key"], "at": UNDATED} for row in rest]
        cursors = [self.cursors.make(row["at"], row["key"]) for row in rows[:size]]
        return Page([row["key"] for row in rows[:size]], cursors, len(rows) > size, position is not None)

    async def _dated(self, conditions: Conditions, at: str, digest: str, limit: int) -> list[dict[str, Any]]:
        window = await self._window(conditions, at, limit)
        while True:
            within = {**conditions, **window}
            statement = browse.runs(within, self.order)
            rows = await self.snapshot.store.read(statement, **within, at=at, after=digest, limit=limit)
            if len(rows) >= limit or not window:
                return rows
            window = {}

    async def _window(self, conditions: Conditions, at: str, limit: int) -> dict[str, str]:
        """A range of days that should hold the page, so that not all runs are sorted for it.

        Without a filter it does hold it; under one it is a guess, and the page is read again without.
        """
        if self.order.value[0] != "observedAt" or browse.starts_narrow("Run", conditions):
            return {}
        descending = self.order.value[1]
        wanted = limit * (FILTERED_WINDOW if conditions else 1)
        days = await self.snapshot.run_days()
        for day, count in reversed(days) if descending else days:
            if (day < at[:10]) if descending else (day > at[:10]):
                wanted -= count
                if wanted <= 0:
                    return {"since": day} if descending else {"until": f"{day}{browse.LAST}"}
        return {}


FILTERED_WINDOW: Final = 50
"""How many runs a page under a filter looks at first, as a multiple of the page."""

UNDATED: Final = "undated"
"""Stands in a cursor for the instant of a run that has none."""

GROUP_ORDERS: Final[dict[str, Callable[[IndexedGroup], Any]]] = {
    "SIZE_DESC": lambda group: group.size,
    "OBSERVED_DESC": lambda group: group.newest,
}


@dataclass(frozen=True, slots=True)
class GroupListing:
    """Comparison groups, largest or most recently observed first, then by key."""

    snapshot: Snapshot
    filter: GroupFilter
    order: str
    cursors: Cursors

    def position(self, after: str | None) -> list[Any] | None:
        """What the cursor names; raises InputError for one that is not of this list."""
        return self.cursors.position(after, str)

    async def count(self) -> int:
        """How many there are in all."""
        return len(await self._selected())

    async def page(self, size: int, after: str | None) -> Page[str]:
        """Keys behind the present place of the group that `after` names."""
        position = self.position(after)
        groups = await self._selected()
        start = 0
        if position is not None:
            places = {group.key: place for place, group in enumerate(groups)}
            if position[0] not in places:
                raise InputError("after", after, "must name a comparison group of this list")
            start = places[position[0]] + 1
        keys = [group.key for group in groups]
        return page_from(keys, start, size, self.cursors.make, has_previous=position is not None)

    async def _selected(self) -> list[IndexedGroup]:
        tests = await _group_tests(self.snapshot, self.filter)
        groups = [g for g in await self.snapshot.group_index() if all(test(g) for test in tests)]
        groups.sort(key=lambda group: group.key)
        groups.sort(key=GROUP_ORDERS[self.order], reverse=True)
        return groups


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


@dataclass(frozen=True, slots=True)
class RankedListing:
    """The runs of one group as they stand: ranked first, then the ineligible."""

    group: Group
    filter: RankedFilter
    architecture: str | None
    """Of the group's environment; None while that is known only by digest."""
    cursors: Cursors
    best_per: BestPer = BestPer.RUN

    def position(self, after: str | None) -> list[Any] | None:
        """What the cursor names; raises InputError for one that is not of this list."""
        return self.cursors.position(after, str)

    async def count(self) -> int:
        """How many pass the filter, and are the best of their owner where that is asked for."""
        return len(self._selected())

    async def page(self, size: int, after: str | None) -> Page[Standing]:
        """Standings behind the present place of the run that `after` names."""
        position = self.position(after)
        start = 0
        if position is not None:
            place = self.group.places.get(position[0])
            if place is None:
                raise InputError("after", after, "must name a run of this group")
            start = place + 1
        rows = [row for row in self._selected() if self.group.places[row.run.digest] >= start]
        return page_from(
            rows, 0, size, lambda row: self.cursors.make(row.run.digest), has_previous=position is not None
        )

    def _selected(self) -> list[Standing]:
        rows = [row for row in self.group.standings.rows if self._passes(row)]
        return rows if self.best_per is BestPer.RUN else first_of_each(rows, self._owner)

    def _owner(self, digest: str) -> Hashable:
        member = self.group.members[digest]
        if self.best_per is BestPer.PROJECT and member.project is not None:
            return ("project", member.project)
        return member.name

    def _passes(self, row: Standing) -> bool:
        f = self.filter
        member = self.group.members[row.run.digest]
        return (
            (f.architecture is None or f.architecture == (self.architecture or "unknown"))
            and (f.minimum_evidence is None or row.run.evidence.order >= f.minimum_evidence.order)
            and (f.deployable is None or f.deployable == member.deployable)
            and (f.project is None or f.project == member.project)
        )
