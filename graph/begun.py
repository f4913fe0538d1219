"""Work that is finished once it was begun, whether or not anybody still waits for it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Begun:
    """Runs work apart from whoever asks for it: a client that goes away cancels its wait, not the work."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """The outcome of the work; cancelling this leaves the work running to its end."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait for the work that nobody waits for."""
        while self._running:
            await asyncio.wait(self._running)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at here, in case that nobody is left who would
