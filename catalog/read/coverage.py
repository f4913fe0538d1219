"""Lists of what is counted over the catalog: coverage, gaps, exclusions, duplicates, undeployable operations.

Each is worked out in memory from the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from catalog.domain.coverage import Cell, Gap, Undeployable
from catalog.domain.duplicates import SameNumbers, SameSource
from catalog.domain.evidence_rows import EvidenceRow
from catalog.read.filters import Filter
from catalog.read.ledger import Ledger, honesty_reads
from catalog.read.snapshot import Snapshot

Duplicate = SameSource | SameNumbers


@dataclass(frozen=True, slots=True)
class OperationFilter(Filter):
    """Which operations (slug, alias, family or digest; family), and on which architecture."""

    operation: str | None = None
    family: str | None = None
    architecture: str | None = None


@dataclass(frozen=True, slots=True)
class ExclusionFilter(Filter):
    """Which runs. ``reason``: one of their reasons."""

    operation: str | None = None
    source: str | None = None
    architecture: str | None = None
    reason: str | None = None


async def selected_cells(snapshot: Snapshot, f: OperationFilter) -> list[Cell]:
    """The cells of coverage that pass the filter."""
    ledger = await honesty_reads(snapshot).ledger()
    passes = await _operations(snapshot, ledger, f)
    return [c for c in ledger.cells if passes(c.operation) and f.architecture in (None, c.architecture)]


async def selected_gaps(snapshot: Snapshot, f: OperationFilter) -> list[Gap]:
    """The gaps that pass the filter."""
    ledger = await honesty_reads(snapshot).ledger()
    passes = await _operations(snapshot, ledger, f)
    return [
        gap for gap in ledger.gaps if passes(gap.operation) and f.architecture in (None, gap.architecture)
    ]


async def selected_undeployable(
    snapshot: Snapshot, f: OperationFilter, *, measured: bool | None
) -> list[Undeployable]:
    """The operations without a deployable winner that pass the filter; measured: with or without runs."""
    ledger = await honesty_reads(snapshot).ledger()
    passes = await _operations(snapshot, ledger, f)
    return [
        each for each in ledger.undeployable if passes(each.operation) and measured in (None, each.groups > 0)
    ]


async def selected_rows(snapshot: Snapshot, f: ExclusionFilter) -> list[EvidenceRow]:
    """The runs, ranked or not, that pass the filter, by digest."""
    ledger = await honesty_reads(snapshot).ledger()
    passes = await _operations(snapshot, ledger, OperationFilter(operation=f.operation))
    return [
        row
        for row in ledger.rows
        if passes(row.operation)
        and f.source in (None, row.source)
        and f.architecture in (None, row.architecture)
        and (f.reason is None or f.reason in row.reasons)
    ]


async def selected_duplicates(snapshot: Snapshot, *, sources: bool, numbers: bool) -> list[Duplicate]:
    """Shared sources, then equal numbers, where wanted."""
    reads = honesty_reads(snapshot)
    found: list[Duplicate] = []
    if sources:
        found += (await reads.ledger()).shared_sources
    if numbers:
        found += await reads.same_numbers()
    return found


async def _operations(snapshot: Snapshot, ledger: Ledger, f: OperationFilter) -> Callable[[str | None], bool]:
    meant = None if f.operation is None else frozenset(await snapshot.operations_meant(f.operation))

    def passes(operation: str | None) -> bool:
        if meant is not None and operation not in meant:
            return False
        known = ledger.operations.get(operation or "")
        return f.family is None or (known is not None and known.family == f.family)

    return passes
