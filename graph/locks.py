"""Advisory file locks between processes, waited for without blocking the event loop.

A lock lasts while its file is open: a process that dies, however it dies, has let go. Lock files are never
deleted, because deleting one would let two processes lock two files of one name.
"""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import portalocker

from graph.errors import TimedOut

_POLL: Final = 0.02


class FileLock:
    """A shared or exclusive lock on a file; not reentrant."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def try_acquire(self, *, shared: bool = False) -> bool:
        """Take the lock if it is free now."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        mode = portalocker.LockFlags.SHARED if shared else portalocker.LockFlags.EXCLUSIVE
        try:
            portalocker.lock(file, mode | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException:
            os.close(file)
            return False
        self._file = file
        return True

    async def acquire(self, *, shared: bool = False, within: float) -> None:
        """Wait for the lock, at most `within` seconds; TimedOut after that."""
        deadline = time.monotonic() + within
        while not self.try_acquire(shared=shared):
            if time.monotonic() > deadline:
                raise TimedOut
            await asyncio.sleep(_POLL * (0.5 + random.random()))

    def release(self) -> None:
        """Let go; does nothing when the lock is not held."""
        if self._file is not None:
            file, self._file = self._file, None
            os.close(file)

    def free(self) -> bool:
        """Whether nobody holds the lock at this moment."""
        if self.try_acquire():
            self.release()
            return True
        return False

    def write_pid(self) -> None:
        """Leave the pid of this process, which holds the lock, for others to read."""
        assert self._file is not None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def read_pid(self) -> int | None:
        """The pid that the holder left, if any."""
        try:
            return int(self.path.read_text())
        except (OSError, ValueError):
            return None


class WriterQueue:
    """One writer at a time on a data directory, over all tasks and processes, each in its turn.

    Who waits holds the place in the queue; so a writer with many batches lets the next one in between.
    """

    def __init__(self, queue: Path, writer: Path, within: float) -> None:
        self._queue = queue
        self._writer = writer
        self._within = within
        self._tasks = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold the right to write. TimedOut when the turn does not come."""
        queue, writer = FileLock(self._queue), FileLock(self._writer)
        async with self._tasks:
            try:
                await queue.acquire(within=self._within)
                await writer.acquire(within=self._within)
                queue.release()
                yield
            finally:
                queue.release()
                writer.release()
