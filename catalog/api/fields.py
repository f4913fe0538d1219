"""Fields that a method resolves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import strawberry

from catalog.api.costs import page_sizes

F = TypeVar("F", bound=Callable[..., Any])


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
