"""Connections: paged fields, page info, and pages that are read when something of them is selected."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, Generic, Protocol, Self, TypeVar

import strawberry

from catalog.api.costs import COUNT, page_sizes
from catalog.api.fields import resolved
from catalog.api.node import given
from catalog.read.once import Once
from catalog.read.paging import DEFAULT_PAGE, MAXIMUM_PAGE, Page, page_window

T = TypeVar("T")

First = Annotated[
    int | None,
    strawberry.argument(description="How many to give: 20 unless given, at most 100."),
]
HistoryFirst = Annotated[
    int | None,
    strawberry.argument(description="How many to give: 500 unless given, and at most."),
]


def paged(
    *, description: str, maximum: int = MAXIMUM_PAGE, costs: Sequence[object] = ()
) -> Callable[[Callable[..., Any]], Any]:
    """A field that gives a connection. Its method takes a `window`; clients give `first`, `after`, `last` and
    `before` instead, of which faulty ones are refused before the method runs."""

    def decorate(method: Callable[..., Any]) -> Any:
        def resolve(self: Any, **arguments: Any) -> Any:
            asked = {name: given(arguments.pop(name, None)) for name in ("first", "after", "last", "before")}
            return method(self, window=page_window(**asked, maximum=maximum), **arguments)

        signature = inspect.signature(method)
        own = [parameter for name, parameter in signature.parameters.items() if name != "window"]
        resolve.__signature__ = signature.replace(parameters=[*own, *_arguments(maximum)])  # type: ignore[attr-defined]
        resolve.__module__, resolve.__name__ = method.__module__, method.__name__
        directives = [*costs, *page_sizes(method)]
        return strawberry.field(resolve, description=description, directives=directives)

    return decorate


def _arguments(maximum: int) -> list[inspect.Parameter]:
    described = {
        "first": (int, f"How many to give from the front: {DEFAULT_PAGE} unless given, at most {maximum}."),
        "after": (str, "Give only what follows the edge with this cursor."),
        "last": (int, f"How many to give from the back, in place of first; at most {maximum}."),
        "before": (str, "Give only what goes before the edge with this cursor."),
    }
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=strawberry.UNSET,
            annotation=Annotated[type_ | None, strawberry.argument(description=description)],
        )
        for name, (type_, description) in described.items()
    ]


@strawberry.federation.type(shareable=True, description="Where a page stands in its list (Relay).")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether more follows.")
    has_previous_page: bool = strawberry.field(description="Whether something goes before.")
    start_cursor: str | None = strawberry.field(description="Cursor of the first edge.")
    end_cursor: str | None = strawberry.field(description="Cursor of the last edge.")


class Listing(Protocol[T]):
    """A page of a list, and how long the list is."""

    def page(self) -> Coroutine[Any, Any, Page[T]]: ...

    def count(self) -> Coroutine[Any, Any, int]: ...


class Deferred(Generic[T]):
    """A page and a count, each read once and only when asked for."""

    def __init__(self, listing: Listing[T]) -> None:
        self.page = Once(listing.page)
        self.count = listing.count


@strawberry.type
class Connection:
    """Base of the connections; each adds its own edges."""

    deferred: strawberry.Private[Deferred[Any]]

    @classmethod
    def of(cls, listing: Listing[Any], **own: Any) -> Self:
        """The connection of a list; `own`: fields that only this kind has."""
        return cls(deferred=Deferred(listing), **own)

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
