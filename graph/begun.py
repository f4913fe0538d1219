"""Work on connections whose askers may go away at any time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Asked:
    """Whether somebody still waits for a piece of work, and whether it may be broken off."""

    def __init__(self) -> None:
        self.abandoned = False
        self.connected = False


class Begun:
    """Runs work apart from whoever asks for it, a number of pieces at a time.

    The driver does not take well to being cancelled while it opens a connection: the socket leaks. So the
    work is a task of its own. When its asker is cancelled, work that has a connection is cancelled too, work
    that is about to get one is told so (:class:`Asked`), and who still waits for a place has begun nothing.
    """

    def __init__(self, places: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._running: set[asyncio.Task[Any]] = set()

    async def finish(self, begin: Callable[[Asked], Coroutine[Any, Any, T]]) -> T:
        """The outcome of the work."""
        await self._places.acquire()
        asked = Asked()
        task = asyncio.create_task(begin(asked))
        self._running.add(task)
        task.add_done_callback(self._forget)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            asked.abandoned = True
            if asked.connected:
                task.cancel()
            raise

    async def settle(self) -> None:
        """Wait for the work that nobody waits for."""
        while self._running:
            await asyncio.wait(self._running)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        self._places.release()
        if not task.cancelled():
            task.exception()  # looked at here, in case that nobody is left who would
