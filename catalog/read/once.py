"""A value that is read at most once, however many ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

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


def _retrieve(task: asyncio.Task[T]) -> None:
    """Look at the outcome, in case that nobody is left who would."""
    if not task.cancelled():
        task.exception()
