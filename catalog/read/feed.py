"""The live end of the log of changes, for any number of followers in this process.

A follower is a place in the log. What lies before the newest revision is read from there, by stretches; then
the follower waits. One task asks for the revision while anybody follows, so writers in any process are seen.
Followers at the same place share what is read. Nothing is queued for a follower: a slow one reads on from
where it is when it comes back, and holds up nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextvars import Context
from functools import partial
from typing import Final, TypeVar

from cachetools import LRUCache

from catalog.read.changes import Place, Stretch, Summary, read_stretch, read_summary
from catalog.read.feed_filter import Facts, Sieve, read_facts
from catalog.read.once import Once
from catalog.read.snapshot import Snapshots
from graph.errors import StoreError, Unavailable
from graph.store import Store

STRETCH: Final = 500
"""About how many events are read at a time."""

KEPT: Final = 16
"""How many stretches are kept for followers that come by the same place."""

log = logging.getLogger(__name__)

K = TypeVar("K")
T = TypeVar("T")


class SharedStretch:
    """A stretch of the log, and the facts of the runs that it names, read when a filter asks for them."""

    def __init__(self, store: Store, stretch: Stretch) -> None:
        self.events = stretch.events
        self.end = stretch.end
        self.facts: Once[Facts] = Once(lambda: read_facts(store, stretch.events))


class Feed:
    """Follows the log of a catalog; `seconds` between two looks at its revision."""

    def __init__(self, snapshots: Snapshots, seconds: float) -> None:
        self.followers = 0
        """How many follow right now."""
        self._snapshots = snapshots
        self._store = snapshots.store
        self._seconds = seconds
        self._head = 0
        self._moved = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._stretches: LRUCache[tuple[Place, int], Once[SharedStretch]] = LRUCache(KEPT)
        self._summaries: LRUCache[tuple[int, int], Once[Summary]] = LRUCache(KEPT)

    async def events(self, place: Place, sieve: Sieve[T]) -> AsyncGenerator[T, None]:
        """Everything from a place on that passes the sieve, as it comes, without end. Raises StoreError."""
        self._join()
        try:
            while True:
                await self._reached(place.revision)
                stretch = await self._stretch(place, self._head)
                place = stretch.end
                for found in await self._patiently(partial(self._sift, sieve, stretch)):
                    yield found
        finally:
            self._leave()

    async def summaries(self, previous: int) -> AsyncGenerator[Summary, None]:
        """What came after a revision, in sum, whenever something came. Raises StoreError."""
        self._join()
        try:
            while True:
                await self._reached(previous + 1)
                summary = await self._summary(previous, self._head)
                previous = summary.revision
                yield summary
        finally:
            self._leave()

    async def _stretch(self, place: Place, head: int) -> SharedStretch:
        async def read() -> SharedStretch:
            return SharedStretch(self._store, await read_stretch(self._store, place, head, STRETCH))

        return await self._shared(self._stretches, (place, head), read)

    async def _summary(self, previous: int, head: int) -> Summary:
        return await self._shared(
            self._summaries, (previous, head), partial(read_summary, self._store, previous, head)
        )

    async def _sift(self, sieve: Sieve[T], stretch: SharedStretch) -> list[T]:
        snapshot = await self._snapshots.at_least(stretch.end.revision - 1)
        return await sieve.sift(snapshot, stretch.events, stretch.facts)

    async def _shared(self, kept: MutableMapping[K, Once[T]], key: K, read: Callable[[], Awaitable[T]]) -> T:
        """The value of one read, made once for all who ask for it."""
        once = kept.get(key)
        if once is None:
            once = kept[key] = Once(read)
        return await self._patiently(once)

    async def _patiently(self, read: Callable[[], Awaitable[T]]) -> T:
        """What is read, after waiting for as long as the database is away."""
        while True:
            try:
                return await read()
            except Unavailable:
                await asyncio.sleep(self._seconds)

    def _join(self) -> None:
        self.followers += 1
        if self._watching is None:
            # In a context of its own: it outlives the request that happens to begin it.
            self._watching = asyncio.create_task(self._watch(), context=Context())

    def _leave(self) -> None:
        self.followers -= 1
        if not self.followers and self._watching is not None:
            self._watching.cancel()
            self._watching = None
            self._forget()

    def _forget(self) -> None:
        self._stretches.clear()
        self._summaries.clear()

    async def _watch(self) -> None:
        """Learn of new revisions for as long as somebody follows."""
        while True:
            try:
                self._advance((await self._snapshots.current()).revision)
            except StoreError as error:
                log.warning("the feed can't read the revision: %s", error)
            except Exception:  # nobody would be told anything any more
                log.exception("the feed can't read the revision")
            await asyncio.sleep(self._seconds)

    def _advance(self, revision: int) -> None:
        if revision < self._head:  # another catalog took the place of the one that was read
            self._forget()
        if revision != self._head:
            self._head = revision
            self._moved.set()
            self._moved = asyncio.Event()

    async def _reached(self, revision: int) -> None:
        while self._head < revision:
            await self._moved.wait()
