"""Lists of comparison groups, by size or newest run.

Of a small catalog the index of all groups is kept; of a large one the database sorts those that a filter
selects, by the number of their runs, which it knows of every node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from catalog.domain.errors import InputError
from catalog.read.filters import GroupFilter, full_digest, workloads_meeting
from catalog.read.groups import IndexedGroup
from catalog.read.memory_lists import MemoryListing
from catalog.read.once import Once
from catalog.read.paging import Cursors, Page, Position, Window
from catalog.read.run_lists import ends
from catalog.read.snapshot import Snapshot
from catalog.read.totals import Conditions, large
from graph import browse_groups
from graph.browse_groups import GroupSort

MOST_SELECTED: Final = 10_000

GROUP_ORDERS: Final[dict[str, Callable[[IndexedGroup], Any]]] = {
    "SIZE_DESC": lambda group: group.size,
    "OBSERVED_DESC": lambda group: group.newest,
}


class GroupListing:
    """Keys of comparison groups in one of GROUP_ORDERS; a list goes on behind a group's present place."""

    def __init__(self, snapshot: Snapshot, f: GroupFilter, order: str, window: Window) -> None:
        """Raises InputError for a cursor that is not of this list."""
        self._snapshot = snapshot
        self._filter = f
        self._order = order
        self._window = window
        self._cursors = Cursors("groups", order, f.used())
        self._bounds = self._cursors.bounds(window, str)
        self._conditions = Once(lambda: group_conditions(snapshot, f))
        self._memory = MemoryListing(
            lambda: selected_groups(snapshot, f, order), lambda key: (key,), self._cursors, window
        )

    async def count(self) -> int:
        """How many there are in all."""
        if not await large(self._snapshot):
            return await self._memory.count()
        conditions = await self._conditions()
        if conditions is None:
            return 0
        [row] = await self._snapshot.store.read(browse_groups.count(conditions), **conditions)
        return int(row["count"])

    async def page(self) -> Page[str]:
        """The page. Raises InputError for a cursor whose group is not there."""
        if not await large(self._snapshot):
            return await self._memory.page()
        conditions, sort = await self._conditions(), GroupSort[self._order]
        window, (near, far) = self._window, ends(self._window, *self._bounds)
        bounds: dict[str, Any] = {}
        for name, bound in (("near", near), ("far", far)):
            if bound is not None:
                bounds |= {name: bound[0], f"{name}At": await self._place(sort, bound)}
        rows = []
        if conditions is not None:
            statement = browse_groups.keys(conditions, sort, bounds, backward=window.backward)
            rows = await self._snapshot.store.read(statement, **conditions, **bounds, limit=window.limit)
        return window.page([row["key"] for row in rows], self._cursors.make)

    async def _place(self, sort: GroupSort, bound: Position) -> Any:
        rows = await self._snapshot.store.read(browse_groups.PLACE[sort.name], key=bound[0])
        if not rows:
            raise InputError("after", bound[0], "must name an item of this list; what it named is not there")
        return rows[0]["at"]


async def group_conditions(snapshot: Snapshot, f: GroupFilter) -> Conditions | None:
    """The conditions that select the groups; None when nothing can match."""
    conditions: Conditions = {
        "workload": full_digest("workload", f.workload),
        "protocol": full_digest("protocol", f.protocol),
        "source": f.source,
        "minimumSize": f.minimum_size,
    }
    if f.operation is not None:
        conditions["operations"] = await snapshot.operations_meant(f.operation)
    if f.architecture is not None or f.product is not None:
        conditions["environments"] = await snapshot.environments(f.architecture, f.product)
    if f.axes:
        conditions["workloads"] = await workloads_meeting(snapshot, f.axes, conditions.get("operations"))
    given = {name: value for name, value in conditions.items() if value is not None}
    return None if any(value == [] for value in given.values()) else given


async def selected_groups(snapshot: Snapshot, f: GroupFilter, order: str) -> list[str]:
    """Keys of all comparison groups that pass the filter, the largest or most recently observed first."""
    if await large(snapshot):
        conditions = await group_conditions(snapshot, f)
        if conditions is None:
            return []
        statement = browse_groups.keys(conditions, GroupSort[order])
        rows = await snapshot.store.read(statement, **conditions, limit=MOST_SELECTED)
        return [row["key"] for row in rows]
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
        workloads = frozenset(await workloads_meeting(snapshot, f.axes, operations))
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
