"""Lists worked out in memory: a cursor names an item, and the list goes on from its present place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

from catalog.domain.errors import InputError
from catalog.read.once import Once
from catalog.read.paging import Cursors, Page, Position, Window

T = TypeVar("T")

Span = tuple[int, int]
"""The place where an item stands and the next one; for an item that is gone, twice where it would be."""


class MemoryListing(Generic[T]):
    """A page of a list in memory, and the length of the list; both are worked out when they are asked for.

    `read` gives the whole list, `key` the position of an item, of which its cursor is made. `order` makes of
    a position what the list is sorted by; with it a page goes on from where an item would be that is gone. It
    raises KeyError for what was never in the list. `find` looks for an item in another way.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[Sequence[T]]],
        key: Callable[[T], Position],
        cursors: Cursors,
        window: Window,
        *,
        types: tuple[type, ...] = (str,),
        order: Callable[[Position], Any] | None = None,
        find: Callable[[Sequence[T], Position], Span] | None = None,
    ) -> None:
        """Raises InputError for a cursor that is not of this list."""
        self._items = Once(read)
        self._key = key
        self._cursors = cursors
        self._window = window
        self._bounds = cursors.bounds(window, *types)
        self._order = order
        self._find = find

    async def count(self) -> int:
        """How many there are in all."""
        return len(await self._items())

    async def page(self) -> Page[T]:
        """The page. Raises InputError for a cursor whose item is gone, where nothing tells its place."""
        items, window, (after, before) = await self._items(), self._window, self._bounds
        low = 0 if after is None else self._span(items, after, "after", window.after)[1]
        high = len(items) if before is None else self._span(items, before, "before", window.before)[0]
        if window.backward:
            near = items[max(low, high - window.limit) : high][::-1]
        else:
            near = items[low : min(high, low + window.limit)]
        return window.page(near, lambda item: self._cursors.make(*self._key(item)))

    def _span(self, items: Sequence[T], position: Position, field: str, cursor: str | None) -> Span:
        try:
            return (self._find or self._by_key)(items, position)
        except KeyError as error:
            message = "must name an item of this list; what it named is not there"
            raise InputError(field, cursor, message) from error

    def _by_key(self, items: Sequence[T], position: Position) -> Span:
        if (order := self._order) is not None:
            wanted = order(position)
            place = bisect_left(items, wanted, key=lambda item: order(self._key(item)))
            there = place < len(items) and order(self._key(items[place])) == wanted
            return place, place + there
        for place, item in enumerate(items):
            if tuple(self._key(item)) == tuple(position):
                return place, place + 1
        raise KeyError(position)
