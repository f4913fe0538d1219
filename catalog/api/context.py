"""What a request carries: the snapshot it reads, its loaders, and how links are made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import TypeVar

from catalog.api.loaders import Loaders
from catalog.read import Snapshot, Snapshots
from catalog.read.feed import Feed
from catalog.read.once import Once

T = TypeVar("T")


def _today() -> date:
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True)
class Lasting:
    """What of a request's context holds for every request of the same snapshot."""

    _context: Context

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the request."""
        return self._context.snapshot

    @property
    def loaders(self) -> Loaders:
        """What loads from that snapshot."""
        return self._context.loaders


@dataclass(slots=True)
class Context:
    """The context of one request: make a new one for each.

    The snapshot is taken when the first field needs it and kept until the request ends; what of it has
    not been read by then is read as it is when it is needed, never as of before. A request that needs no
    data asks the database nothing.
    `public_url` (no slash at its end) makes links absolute. `following` is what subscriptions follow; where
    nothing is served there is none.
    """

    snapshots: Snapshots
    public_url: str | None = None
    today: Callable[[], date] = _today
    following: Feed | None = None
    _snapshot: Snapshot | None = field(default=None, init=False)
    _loaders: Loaders | None = field(default=None, init=False)
    _opening: Once[Snapshot] | None = field(default=None, init=False)
    _done: int = field(default=0, init=False)
    """Statements that the snapshot had seen come back when this request took it."""

    async def open(self, at_least: int | None = None) -> Snapshot:
        """The snapshot of this request; one statement, the first time.

        `at_least`: a revision that is known to be there. Any snapshot from it on will do then, and one that
        is at hand costs nothing.
        """
        if self._opening is None:
            self._opening = Once(partial(self._open, at_least))
        return self._snapshot or await self._opening()

    @property
    def feed(self) -> Feed:
        """What subscriptions follow."""
        assert self.following is not None, "subscriptions are served with a feed"
        return self.following

    async def _open(self, at_least: int | None) -> Snapshot:
        snapshots = self.snapshots
        self._snapshot = await (snapshots.current() if at_least is None else snapshots.at_least(at_least))
        self._loaders = Loaders(self._snapshot)
        self._done = self._snapshot.store.done
        return self._snapshot

    async def version(self) -> str:
        """What an answer hangs on besides the request: the revision, and the day that citations name."""
        return f"{(await self.open()).revision} {self.today()}"

    async def holds(self) -> bool:
        """Whether all that this request has read is of its snapshot's revision.

        So it is when nothing was read since it began, be it for others; else the revision is asked for.
        """
        snapshot = self._snapshot
        if snapshot is None or snapshot.store.done == self._done:
            return True
        return (await self.snapshots.current()).revision == snapshot.revision

    async def without_writes(self, work: Callable[[], Awaitable[T]]) -> T:
        """The outcome of some work during which nobody writes."""
        return await self.snapshots.store.without_writes(work)

    def leave(self) -> None:
        """Nothing will be read any more."""
        if self._snapshot is not None and self.snapshots.leave(self._snapshot):
            self._loaders = Loaders(self._snapshot)

    @property
    def lasting(self) -> Lasting:
        """What views may look at whose finished values are kept: not the day, nor the links of a server."""
        return Lasting(self)

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot; a root field has opened it before any other is resolved."""
        assert self._snapshot is not None, "a root field must open the snapshot"
        return self._snapshot

    @property
    def loaders(self) -> Loaders:
        """Batches loads of the fields that are resolved at the same time."""
        assert self._loaders is not None, "a root field must open the snapshot"
        return self._loaders

    def link(self, path: str) -> str:
        """A link to a path of this server; relative unless there is a public URL."""
        return f"{self.public_url or ''}{path}"
