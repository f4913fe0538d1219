"""The record ledger of a part of the catalog: of operations, of an implementation, of some groups.

A history needs the runs of its group and no others, so the ledger of whole groups says of them what the
ledger of all does. What was read is kept for the revision. Source: docs/scale.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cachetools import LRUCache

from catalog.read.overview import overview
from catalog.read.record_ledger import Entry, Environment, RecordLedger, record_ledger
from catalog.read.snapshot import Snapshot
from catalog.read.totals import large
from graph import reads_records

GROUPS_KEPT: Final = 5_000
OPERATIONS_KEPT: Final = 200


class RecordScope:
    """The ledgers of one revision, as far as questions have needed them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._groups: LRUCache[str, tuple[Entry, ...]] = LRUCache(GROUPS_KEPT)
        self._operations: LRUCache[str, tuple[Entry, ...]] = LRUCache(OPERATIONS_KEPT)

    async def of_operations(self, operations: Sequence[str]) -> list[Entry]:
        """The record events on workloads of these operations; at most one statement."""
        missing = [digest for digest in operations if digest not in self._operations]
        found = {digest: self._operations[digest] for digest in operations if digest not in missing}
        if missing:
            ledger = await self._read(reads_records.RUNS_ON, missing)
            found |= {digest: tuple(ledger.by_operation.get(digest, ())) for digest in missing}
            self._operations.update((digest, found[digest]) for digest in missing)
        return [entry for digest in operations for entry in found[digest]]

    async def of_groups(self, groups: Iterable[str]) -> list[Entry]:
        """The record events of these groups; at most one statement."""
        wanted = list(dict.fromkeys(groups))
        found = {key: self._groups[key] for key in wanted if key in self._groups}
        missing = [key for key in wanted if key not in found]
        if missing:
            ledger = await self._read(reads_records.RUNS_IN, missing)
            by_group: dict[str, list[Entry]] = {key: [] for key in missing}
            for entry in ledger.entries:
                by_group[entry.group].append(entry)
            found |= {key: tuple(entries) for key, entries in by_group.items()}
            self._groups.update((key, found[key]) for key in missing)
        return [entry for key in wanted for entry in found[key]]

    async def _read(self, statement: str, keys: list[str]) -> RecordLedger:
        [found] = await self._snapshot.store.read(statement, keys=keys)
        return await _ledger([dict(zip(reads_records.COLUMNS, row, strict=True)) for row in found["rows"]])

    async def of_implementation(self, digest: str) -> list[Entry]:
        """The record events of the groups that an implementation has runs in; at most two statements."""
        rows = await self._snapshot.store.read(reads_records.GROUPS_OF, key=digest)
        return await self.of_groups(sorted(row["key"] for row in rows))


def record_scope(snapshot: Snapshot) -> RecordScope:
    """The scoped ledgers of a revision."""
    return snapshot.part(RecordScope)


async def _ledger(rows: list[dict[str, Any]]) -> RecordLedger:
    """The ledger of these runs."""
    projects: dict[str, str | None] = {row["implementation"]: row["project"] for row in rows}
    environments = {row["environment"]: _environment(row) for row in rows}
    if len(rows) < LARGE_LEDGER:
        return record_ledger(rows, projects, environments)
    return await asyncio.to_thread(record_ledger, rows, projects, environments)


LARGE_LEDGER: Final = 1_000
"""Runs of a ledger that is better made in a thread."""


def _environment(row: Mapping[str, Any]) -> Environment:
    return Environment(row["architecture"] or "unknown", row["product"])


async def take_overs(snapshot: Snapshot, implementation: str) -> tuple[list[Entry], list[Entry]]:
    """The records that the runs of an implementation took from others and lost to others, each by time."""
    if not await large(snapshot):
        ledger = await overview(snapshot).ledger()
        return ledger.won.get(implementation, []), ledger.lost.get(implementation, [])
    entries = await record_scope(snapshot).of_implementation(implementation)
    fallen = sorted((entry for entry in entries if entry.take_over), key=lambda e: (e.event.at, e.group))
    won = [entry for entry in fallen if entry.run and entry.run.implementation == implementation]
    lost = [entry for entry in fallen if entry.previous and entry.previous.implementation == implementation]
    return won, lost


async def sharing(snapshot: Snapshot, source: str) -> list[str]:
    """Digests of the implementations whose source file has this content, sorted."""
    if not await large(snapshot):
        return (await overview(snapshot).sharing()).get(source, [])
    rows = await snapshot.store.read(reads_records.SHARING, source=source)
    return [row["digest"] for row in rows]
