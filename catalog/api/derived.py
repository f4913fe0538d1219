"""Rows that are derived from several objects: found again by their ids, as `node` finds the objects.

The id of a row is its type and what tells it from its fellows. A row that a later revision lacks is null.
To add one: one line here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from catalog.api.node import Node
from catalog.api.types import coverage, honesty, records
from catalog.read import Snapshot
from catalog.read.coverage import (
    ExclusionFilter,
    OperationFilter,
    selected_cells,
    selected_duplicates,
    selected_gaps,
    selected_rows,
    selected_undeployable,
)
from catalog.read.overview import overview


@dataclass(frozen=True, slots=True)
class Derived:
    """All rows of a type at a revision, the key of one, and how it is shown."""

    rows: Callable[[Snapshot], Awaitable[Iterable[Any]]]
    key: Callable[[Any], str]
    view: Callable[[Any], Node]

    async def find(self, snapshot: Snapshot, key: str) -> Node | None:
        """The row with this key. Rows are put in order by key once a revision."""
        kept = overview(snapshot).answers
        by_key: dict[str, Any] | None = kept.get((self,))
        if by_key is None:
            rows = await self.rows(snapshot)
            by_key = kept.get((self,)) or {self.key(row): row for row in rows}  # others may have been faster
            kept[(self,)] = by_key
        row = by_key.get(key)
        return None if row is None else self.view(row)


async def _cells(snapshot: Snapshot) -> Iterable[Any]:
    return await selected_cells(snapshot, OperationFilter())


async def _gaps(snapshot: Snapshot) -> Iterable[Any]:
    return await selected_gaps(snapshot, OperationFilter())


async def _undeployable(snapshot: Snapshot) -> Iterable[Any]:
    return await selected_undeployable(snapshot, OperationFilter(), measured=None)


async def _excluded(snapshot: Snapshot) -> Iterable[Any]:
    return [row for row in await selected_rows(snapshot, ExclusionFilter()) if row.reasons]


async def _duplicates(snapshot: Snapshot) -> Iterable[Any]:
    return await selected_duplicates(snapshot, sources=True, numbers=True)


async def _entries(snapshot: Snapshot) -> Iterable[Any]:
    return (await overview(snapshot).ledger()).entries


async def _holders(snapshot: Snapshot) -> Iterable[Any]:
    return (await overview(snapshot).ledger()).holders


DERIVED: Final[dict[str, Derived]] = {
    "CoverageCell": Derived(_cells, coverage.place, coverage.cell_view),
    "CoverageGap": Derived(_gaps, coverage.place, coverage.gap_view),
    "UndeployableOperation": Derived(_undeployable, coverage.operation_of, coverage.undeployable_view),
    "ExcludedRun": Derived(_excluded, honesty.run_of, honesty.excluded_view),
    "DuplicateEvidence": Derived(_duplicates, honesty.duplicate_key, honesty.duplicate_view),
    "RecordEntry": Derived(_entries, records.event_of, records.record_entry),
    "RecordHolder": Derived(_holders, records.group_of, records.holder_view),
}
"""Type name -> how its rows are found."""
