"""Values that are read once."""

from __future__ import annotations

import asyncio

import pytest

from catalog.read.once import Once


class Source:
    """Counts how often it is read; fails as often as told."""

    def __init__(self, failures: int = 0) -> None:
        self.reads = 0
        self.failures = failures
        self.open = asyncio.Event()

    async def __call__(self) -> int:
        self.reads += 1
        await self.open.wait()
        if self.reads <= self.failures:
            raise OSError("gone")
        return self.reads


async def test_all_who_ask_share_one_read() -> None:
    source = Source()
    once = Once(source)
    waiting = [asyncio.create_task(once()) for _ in range(20)]
    await asyncio.sleep(0)
    source.open.set()
    assert await asyncio.gather(*waiting) == [1] * 20
    assert await once() == 1
    assert source.reads == 1


async def test_one_who_leaves_does_not_disturb_the_others() -> None:
    source = Source()
    once = Once(source)
    first, second = asyncio.create_task(once()), asyncio.create_task(once())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    source.open.set()
    assert await second == 1
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_a_failed_read_is_made_again() -> None:
    source = Source(failures=1)
    source.open.set()
    once = Once(source)
    with pytest.raises(OSError, match="gone"):
        await once()
    assert await once() == 2


async def test_a_read_that_nobody_waits_for_is_ended() -> None:
    source = Source()
    once = Once(source)
    waiting = [asyncio.create_task(once()) for _ in range(3)]
    await asyncio.sleep(0.01)
    for task in waiting:
        task.cancel()
    await asyncio.wait(waiting)
    await asyncio.sleep(0)
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
    source.open.set()
    assert await once() == 2
