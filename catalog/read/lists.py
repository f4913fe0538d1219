"""The lists of the catalog: keys of one page, and counts that load nothing.

All kinds go by their key, comparison groups by size or newest run, runs by time (run_lists.py); each with the
key last, so that every order is total.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import itemgetter
from typing import Any

from catalog.domain.best_per import BestPer, first_of_each
from catalog.domain.ranking import Standing
from catalog.read.filters import RankedFilter
from catalog.read.groups import Group
from catalog.read.memory_lists import MemoryListing
from catalog.read.paging import Cursors, Page, Window
from catalog.read.run_lists import ends, key_bounds
from catalog.read.snapshot import Snapshot
from catalog.read.totals import Conditions, count
from graph import browse
from graph.browse import Way

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
        return await count(self._snapshot, self._label, self._conditions)

    async def page(self) -> Page[str]:
        """Keys in ascending order."""
        rows: Rows = []
        if self._conditions is not None:
            window, (near, far) = self._window, ends(self._window, *self._bounds)
            statement = browse.keys(self._label, self._conditions, Way(window.backward, far is not None))
            bounds = key_bounds(window, near, far)
            rows = await self._snapshot.store.read(
                statement, **self._conditions, **bounds, limit=window.limit
            )
        return self._window.page(rows, lambda row: self._cursors.make(row["key"])).of(itemgetter("key"))


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
