"""Keyset pages, read from either end: the window asked for, cursors, and the page itself.

A cursor names the item it stands at, never an offset; it is good for the list, order and filter it came
from only. Where imports can move items (size, rank), the list goes on behind the item's present place.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from catalog.domain.errors import InputError
from catalog.domain.identity import canonical_bytes

T = TypeVar("T")
U = TypeVar("U")

DEFAULT_PAGE: Final = 20
MAXIMUM_PAGE: Final = 100
MAXIMUM_GROUP_PAGE: Final = 500
MAXIMUM_HISTORY: Final = 500
MAXIMUM_CURSOR: Final = 2_000


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list, each with its cursor, and whether there are more on either side."""

    items: list[T]
    cursors: list[str]
    has_next: bool
    has_previous: bool

    def of(self, made: Callable[[T], U]) -> Page[U]:
        """The same page of what is made of each item."""
        return Page([made(item) for item in self.items], self.cursors, self.has_next, self.has_previous)


@dataclass(frozen=True, slots=True)
class Window:
    """Which page of a list is asked for: at most `size` items from one end of what two cursors bound.

    A list is read from that end, one item more than the page holds. Whatever the end, a page is in the order
    of its list. Source: the connections specification of Relay.
    """

    size: int = DEFAULT_PAGE
    backward: bool = False
    after: str | None = None
    before: str | None = None

    @property
    def limit(self) -> int:
        """How many items to read: the last of them only says whether there are more."""
        return self.size + 1

    def page(self, read: Sequence[T], cursor: Callable[[T], str]) -> Page[T]:
        """The page of at most `limit` items, read from its end; `cursor` makes that of an item."""
        items, more = list(read[: self.size]), len(read) > self.size
        if self.backward:
            items.reverse()
        return Page(
            items,
            [cursor(item) for item in items],
            has_next=self.before is not None if self.backward else more,
            has_previous=more if self.backward else self.after is not None,
        )


def page_window(
    first: int | None,
    after: str | None,
    last: int | None,
    before: str | None,
    *,
    maximum: int = MAXIMUM_PAGE,
) -> Window:
    """The page that the four arguments of a connection ask for.

    Raises InputError for `first` and `last` together, and for a size that is negative or above the maximum.
    """
    if last is None:
        return Window(page_size(first, maximum=maximum), False, after, before)
    if first is not None:
        raise InputError("last", last, f"must not be given together with first ({first})")
    return Window(page_size(last, maximum=maximum, field="last"), True, after, before)


def page_size(
    first: int | None, *, default: int = DEFAULT_PAGE, maximum: int = MAXIMUM_PAGE, field: str = "first"
) -> int:
    """How many items to give; raises InputError for a negative number or one above the maximum."""
    if first is None:
        return default
    if first < 0:
        raise InputError(field, first, f"must be from 0 to {maximum}")
    if first > maximum:
        raise InputError(field, first, f"must be at most {maximum}, the maximum page of this list")
    return first


Position = Sequence[Any]
"""The values that a cursor is made of; they name an item of its list."""


class Bounds(NamedTuple):
    """The positions that the cursors of a window name."""

    after: Position | None
    before: Position | None


class Cursors:
    """Makes and reads the cursors of one list in one order under one filter."""

    def __init__(self, listing: str, order: str = "", filters: Mapping[str, Any] | None = None) -> None:
        used = {name: value for name, value in (filters or {}).items() if value is not None}
        digest = hashlib.sha256(canonical_bytes([listing, order, used])).digest()
        self._of = base64.urlsafe_b64encode(digest[:9]).decode()

    def make(self, *position: str | int | None) -> str:
        """The cursor of the item at this position."""
        return base64.urlsafe_b64encode(msgspec.json.encode([self._of, *position])).decode().rstrip("=")

    def bounds(self, window: Window, *types: type) -> Bounds:
        """The positions that the cursors of a window name, one value of each type.

        Raises InputError, naming `after` or `before`, for what is no cursor of this list, order and filter.
        """
        return Bounds(
            self.position("after", window.after, *types), self.position("before", window.before, *types)
        )

    def position(self, field: str, cursor: str | None, *types: type) -> Position | None:
        """The position that one cursor names; None without one. Raises InputError, naming `field`."""
        if cursor is None:
            return None
        fault = InputError(
            field, cursor, "must be a cursor that this list gave out under the same order and filter"
        )
        if len(cursor) > MAXIMUM_CURSOR:
            raise fault
        try:
            padded = cursor + "=" * (-len(cursor) % 4)
            found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        except (binascii.Error, ValueError, RecursionError) as error:
            raise fault from error
        if not isinstance(found, list) or len(found) != len(types) + 1 or found[0] != self._of:
            raise fault
        if any(type(value) is not expected for value, expected in zip(found[1:], types, strict=True)):
            raise fault
        return found[1:]
