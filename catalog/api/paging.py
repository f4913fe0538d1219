"""Connections: arguments, page info, and pages that are read when something of them is selected."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Generic, TypeVar

import strawberry

from catalog.api.costs import COUNT
from catalog.api.fields import resolved
from catalog.read.once import Once
from catalog.read.paging import Page

T = TypeVar("T")

First = Annotated[
    int | None,
    strawberry.argument(description="How many to give: 20 unless given, at most 100."),
]
GroupFirst = Annotated[
    int | None,
    strawberry.argument(description="How many to give: 20 unless given, at most 500."),
]
HistoryFirst = Annotated[
    int | None,
    strawberry.argument(description="How many to give: 500 unless given, and at most."),
]
After = Annotated[
    str | None,
    strawberry.argument(description="Give what follows the edge with this cursor."),
]


@strawberry.federation.type(shareable=True, description="Where a page stands in its list (Relay).")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether more follows.")
    has_previous_page: bool = strawberry.field(description="Whether something goes before.")
    start_cursor: str | None = strawberry.field(description="Cursor of the first edge.")
    end_cursor: str | None = strawberry.field(description="Cursor of the last edge.")


class Deferred(Generic[T]):
    """A page and a count, each read once and only when asked for."""

    def __init__(self, page: Callable[[], Awaitable[Page[T]]], count: Callable[[], Awaitable[int]]) -> None:
        self.page = Once(page)
        self.count = count


@strawberry.type
class Connection:
    """Base of the connections; each adds its own edges."""

    deferred: strawberry.Private[Deferred[Any]]

    @resolved(
        costs=COUNT, description="How many there are in all, on every page; counted only when selected."
    )
    async def total_count(self) -> int:
        return await self.deferred.count()

    @resolved(description="Where this page stands.")
    async def page_info(self) -> PageInfo:
        page = await self.deferred.page()
        return PageInfo(
            has_next_page=page.has_next,
            has_previous_page=page.has_previous,
            start_cursor=page.cursors[0] if page.cursors else None,
            end_cursor=page.cursors[-1] if page.cursors else None,
        )
