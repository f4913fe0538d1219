"""Values that are read once."""

from __future__ import annotations

import asyncio

import pytest

from catalog.read.once import Keyed, Once


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


class Shelf:
    """Gives each key back; counts the keys of each read, and fails as often as told."""

    def __init__(self, failures: int = 0) -> None:
        self.reads: list[list[str]] = []
        self.failures = failures
        self.open = asyncio.Event()

    async def __call__(self, keys: list[str]) -> dict[str, str]:
        self.reads.append(keys)
        await self.open.wait()
        if len(self.reads) <= self.failures:
            raise OSError("gone")
        return {key: key.upper() for key in keys}


async def test_a_key_that_is_being_read_is_not_read_again() -> None:
    shelf = Shelf()
    keyed = Keyed(shelf)
    waiting = [asyncio.create_task(keyed(keys)) for keys in (["a", "b"], ["b", "c"], ["a", "c"])]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    shelf.open.set()
    first, second, third = await asyncio.gather(*waiting)
    assert shelf.reads == [["a", "b"], ["c"]]
    assert (first["b"], second["b"], second["c"], third["a"]) == ("B", "B", "C", "A")
    assert await keyed(["a"]) == {"a": "A"}  # nothing is kept
    assert shelf.reads == [["a", "b"], ["c"], ["a"]]


async def test_the_one_who_reads_for_others_may_leave() -> None:
    shelf = Shelf()
    keyed = Keyed(shelf)
    mine = asyncio.create_task(keyed(["a"]))
    await asyncio.sleep(0)
    other = asyncio.create_task(keyed(["a"]))
    await asyncio.sleep(0)
    mine.cancel()
    await asyncio.sleep(0)
    shelf.open.set()
    assert await other == {"a": "A"}
    assert shelf.reads == [["a"]]


async def test_keys_that_could_not_be_read_are_read_again() -> None:
    shelf = Shelf(failures=1)
    shelf.open.set()
    keyed = Keyed(shelf)
    with pytest.raises(OSError, match="gone"):
        await keyed(["a"])
    assert await keyed(["a"]) == {"a": "A"}
