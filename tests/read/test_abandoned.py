"""Reads that are abandoned."""

from __future__ import annotations

import asyncio

import pytest

from catalog.read import Snapshots
from graph import reads
from graph.store import Store


async def test_abandoned_reads_end_by_themselves(store: Store) -> None:
    for pause in (0, 0.0005, 0.002, 0.01):
        asked = [asyncio.create_task(store.read(reads.COUNTS)) for _ in range(20)]
        await asyncio.sleep(pause)
        for task in asked:
            task.cancel()
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(outcome, asyncio.CancelledError | list) for outcome in outcomes)
    assert await store.revision() == 0


async def test_a_snapshot_survives_the_client_that_began_it(store: Store) -> None:
    snapshots = Snapshots(store)
    snapshot = await snapshots.current()
    first, second = asyncio.create_task(snapshot.counts()), asyncio.create_task(snapshot.counts())
    await asyncio.sleep(0)
    first.cancel()
    assert dict(await second)["BenchmarkRun"] == 0
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await snapshots.current() is snapshot
