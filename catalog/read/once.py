"""Values that are read at most once, however many ask for them at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Reading(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class Once(Generic[T]):
    """Call it for the value.

    All who ask while it is being read wait for that one read and go on together, so that what they load next
    falls into one batch. One of them being cancelled does not disturb the others; when all are, so is the
    read. A read that failed is made again when somebody asks again.
    """

    def __init__(self, read: Callable[[], Awaitable[T]]) -> None:
        self._read = read
        self._value: tuple[T] | None = None
        self._reading: _Reading[T] | None = None

    async def __call__(self) -> T:
        """The value."""
        if self._value is not None:
            return self._value[0]
        reading = self._reading
        if reading is None:
            reading = self._reading = _Reading(asyncio.create_task(self._run()))
            reading.task.add_done_callback(_retrieve)
        reading.waiting += 1
        try:
            return await asyncio.shield(reading.task)
        finally:
            reading.waiting -= 1
            if not reading.waiting and not reading.task.done():
                reading.task.cancel()
                self._reading = None

    async def _run(self) -> T:
        mine = self._reading
        try:
            value = await self._read()
        finally:
            if self._reading is mine:
                self._reading = None
        self._value = (value,)
        return value


class Keyed(Generic[K, T]):
    """Reads many keys at a time; a key that somebody is reading already is waited for, not read again."""

    def __init__(self, read: Callable[[list[K]], Awaitable[Mapping[K, T]]]) -> None:
        self._read = read
        self._reading: dict[K, Once[Mapping[K, T]]] = {}

    async def __call__(self, keys: Iterable[K]) -> dict[K, T]:
        """The values of the keys; may hold others beside them."""
        wanted = list(keys)
        mine = [key for key in wanted if key not in self._reading]
        if mine:
            self._reading |= dict.fromkeys(mine, Once(partial(self._read, mine)))
        found: dict[K, T] = {}
        try:
            for reading in dict.fromkeys(self._reading[key] for key in wanted):
                found |= await reading()
        finally:
            for key in mine:
                del self._reading[key]
        return found


def _retrieve(task: asyncio.Task[T]) -> None:
    """Look at the outcome, in case that nobody is left who would."""
    if not task.cancelled():
        task.exception()
