"""Fields that a method resolves, and the tags of an area's fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import strawberry
from strawberry.federation.schema_directives import Tag
from strawberry.types.base import get_object_definition

from catalog.api.costs import page_sizes

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=type)

SERVING: Final = "serving"
"""Serving results: a supergraph about kernels alone can leave them out."""
ANALYSIS: Final = "analysis"
"""Fields that look at the whole catalog: a public supergraph may keep them to itself."""


def resolved(*, description: str, name: str | None = None, costs: Sequence[object] = ()) -> Callable[[F], F]:
    """`strawberry.field` for a method, which keeps the method's type; its own signature gives Any.

    A page declares its size by itself; `costs` are directives for what else costs more than one value.
    """

    def decorate(method: F) -> F:
        directives = [*costs, *page_sizes(method)]
        return cast(F, strawberry.field(method, description=description, name=name, directives=directives))

    return decorate


def followed(*, description: str) -> Callable[[F], F]:
    """`strawberry.subscription` for a method, which keeps the method's type."""
    return cast(Callable[[F], F], strawberry.subscription(description=description))


def tagged(tag: str) -> Callable[[T], T]:
    """Puts a federation tag on every field of a type: along tags contract variants are cut."""

    def mark(type_: T) -> T:
        for field in get_object_definition(type_, strict=True).fields:
            field.directives = [*field.directives, Tag(name=tag)]
        return type_

    return mark
