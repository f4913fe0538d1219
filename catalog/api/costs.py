"""What fields cost, declared beside them in the schema: the server charges what the SDL says.

The directives are named as in the cost specifications of IBM and Apollo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import get_annotations
from typing import Any, Final

import strawberry
from strawberry.schema_directive import Location

from catalog.read.paging import DEFAULT_PAGE


@strawberry.schema_directive(
    locations=[Location.OBJECT, Location.FIELD_DEFINITION],
    name="cost",
    description="How many values more than others a field, or each object of a type, counts for in the cost "
    "of a query.",
)
class Cost:
    weight: int = strawberry.directive_field(name="weight")


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION],
    name="listSize",
    description="How long a list is taken to be in the cost of a query: as its largest slicing argument says "
    "(a number, a list, or one of these in an input object, after a dot), else as the assumed size. With "
    "sized fields it is those of the object below that are so long.",
)
class ListSize:
    assumed_size: int = strawberry.directive_field(name="assumedSize")
    slicing_arguments: list[str] | None = strawberry.directive_field(
        name="slicingArguments", default=strawberry.UNSET
    )
    sized_fields: list[str] | None = strawberry.directive_field(name="sizedFields", default=strawberry.UNSET)


SEARCH: Final = [Cost(weight=1000)]
"""The directives of what looks through the catalog, which takes some milliseconds."""
RESOLVE: Final = [Cost(weight=300)]
"""The directives of an answer to one resolve request; `resolveMany` may ask for all of 50."""
COUNT: Final = [Cost(weight=100)]
"""The directives of what counts, or walks from one object to others."""


def long(size: int) -> list[ListSize]:
    """The directives of a list that is usually about, or at most, so long."""
    return [ListSize(assumed_size=size)]


WHOLE: Final[Mapping[str, int]] = {"HistoryFirst": 50, "ScoresFirst": 50}
"""Kinds of `first` that stand for all of the list unless given, and how much that usually is."""


def sized(size: int, argument: str, *fields: str) -> list[ListSize]:
    """The directives of a field whose list, or whose `fields` below, an argument makes longer or shorter."""
    return [
        ListSize(
            assumed_size=size,
            slicing_arguments=[argument],
            sized_fields=list(fields) or strawberry.UNSET,
        )
    ]


def page_sizes(method: Callable[..., Any]) -> list[ListSize]:
    """The list size of a page: of a connection, whose method takes a `window`, or of a list with `first`."""
    annotations = get_annotations(method)
    if "window" in annotations:
        return [
            ListSize(assumed_size=DEFAULT_PAGE, slicing_arguments=["first", "last"], sized_fields=["edges"])
        ]
    if "first" in annotations:
        return sized(WHOLE.get(annotations["first"], DEFAULT_PAGE), "first")
    return []
