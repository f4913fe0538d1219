"""Keyset pages: sizes, cursors, and the page itself.

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
from typing import Any, Final, Generic, TypeVar

from catalog.domain.errors import InputError
from catalog.domain.identity import canonical_bytes

T = TypeVar("T")

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


class Cursors:
    """Makes and reads the cursors of one list in one order under one filter."""

    def __init__(self, listing: str, order: str = "", filters: Mapping[str, Any] | None = None) -> None:
        used = {name: value for name, value in (filters or {}).items() if value is not None}
        digest = hashlib.sha256(canonical_bytes([listing, order, used])).digest()
        self._of = base64.urlsafe_b64encode(digest[:9]).decode()

    def make(self, *position: str | int | None) -> str:
        """The cursor of the item at this position."""
        text = json.dumps([self._of, *position], separators=(",", ":"), ensure_ascii=False)
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def position(self, after: str | None, *types: type) -> list[Any] | None:
        """The position that `after` names, one value of each type; None without a cursor.

        Raises InputError for what is no cursor of this list, order and filter.
        """
        if after is None:
            return None
        fault = "must be a cursor that this list gave out under the same order and filter"
        if len(after) > MAXIMUM_CURSOR:
            raise InputError("after", after, fault)
        try:
            padded = after + "=" * (-len(after) % 4)
            found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        except (binascii.Error, ValueError, RecursionError) as error:
            raise InputError("after", after, fault) from error
        if not isinstance(found, list) or len(found) != len(types) + 1 or found[0] != self._of:
            raise InputError("after", after, fault)
        for value, expected in zip(found[1:], types, strict=True):
            if type(value) is not expected:
                raise InputError("after", after, fault)
        return found[1:]


def page_from(
    items: Sequence[T], start: int, size: int, cursor: Callable[[T], str], *, has_previous: bool
) -> Page[T]:
    """The page of a list in memory that begins at place `start`; `cursor` makes that of an item."""
    page = list(items[start : start + size])
    return Page(page, [cursor(item) for item in page], start + size < len(items), has_previous)
