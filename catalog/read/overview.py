"""What is derived from the whole catalog at once, kept for as long as its snapshot is.

Two statements, each run at most once per revision: all runs, and all else that lineage is made of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from cachetools import LRUCache

from catalog.read import influence, projection
from catalog.read.once import Once
from catalog.read.record_ledger import Environment, RecordLedger, record_ledger
from catalog.read.snapshot import Snapshot
from catalog.read.totals import check_analysed
from graph import reads_lineage, reads_records

KEPT_ANSWERS = 32


class Overview:
    """The derived whole of one revision; every part is made when it is first asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._store = snapshot.store
        self.parts: Once[list[dict[str, Any]]] = Once(self._read_parts)
        """Implementations, environments, supersessions, relations: rows {what, row}."""
        self.sharing: Once[dict[str, list[str]]] = Once(self._read_sharing)
        """Source content digest -> the implementations made of it, by digest."""
        self.ledger: Once[RecordLedger] = Once(self._read_ledger)
        """Every record event."""
        self.projection: Once[projection.Projection] = Once(self._read_projection)
        """The lineage graph."""
        self.influence: Once[list[influence.Influence]] = Once(self._read_influence)
        """All implementations by influence."""
        self.answers: LRUCache[tuple[Any, ...], Any] = LRUCache(KEPT_ANSWERS)
        """Answers that are dear and likely asked again."""

    async def _read_parts(self) -> list[dict[str, Any]]:
        await check_analysed(self._snapshot)
        return await self._store.read(reads_lineage.PROJECTION)

    async def _read_sharing(self) -> dict[str, list[str]]:
        sharing: dict[str, list[str]] = {}
        for row in _of_kind(await self.parts(), "implementation"):
            if row["source"] is not None:
                sharing.setdefault(row["source"], []).append(row["digest"])
        for digests in sharing.values():
            digests.sort()
        return sharing

    async def _read_ledger(self) -> RecordLedger:
        await check_analysed(self._snapshot)
        parts, rows = await asyncio.gather(self.parts(), self._store.read(reads_records.RUNS))
        projects = {row["digest"]: row["project"] for row in _of_kind(parts, "implementation")}
        environments = {
            row["digest"]: Environment(row["architecture"] or "unknown", row["product"])
            for row in _of_kind(parts, "environment")
        }
        return await asyncio.to_thread(record_ledger, rows, projects, environments)

    async def _read_projection(self) -> projection.Projection:
        parts, records = await asyncio.gather(self.parts(), self.ledger())
        return await asyncio.to_thread(projection.projection, parts, records)

    async def _read_influence(self) -> list[influence.Influence]:
        return await asyncio.to_thread(influence.influence, await self.projection())


def overview(snapshot: Snapshot) -> Overview:
    """The overview of a snapshot's revision."""
    return snapshot.part(Overview)


def _of_kind(parts: Iterable[dict[str, Any]], kind: str) -> Iterable[dict[str, Any]]:
    return (part["row"] for part in parts if part["what"] == kind)
