"""Lists worked out in memory: a cursor names an item, and the list goes on behind its present place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from catalog.domain.errors import InputError
from catalog.read.paging import Cursors, Page, page_from

T = TypeVar("T")


class MemoryListing(Generic[T]):
    """A list in memory; ``key`` gives each item a name of its own, of which cursors are made."""

    def __init__(self, items: Sequence[T], key: Callable[[T], str], cursors: Cursors) -> None:
        self.items = items
        self._key = key
        self._cursors = cursors

    async def count(self) -> int:
        """How many there are in all."""
        return len(self.items)

    async def page(self, size: int, after: str | None) -> Page[T]:
        """The items behind the present place of the one that `after` names."""
        return page_from(
            self.items,
            self.start(after),
            size,
            lambda item: self._cursors.make(self._key(item)),
            has_previous=after is not None,
        )

    def start(self, after: str | None) -> int:
        """Where the page begins; raises InputError for a cursor that is not of this list."""
        position = self._cursors.position(after, str)
        if position is None:
            return 0
        for place, item in enumerate(self.items):
            if self._key(item) == position[0]:
                return place + 1
        raise InputError("after", after, "must name an item of this list")
