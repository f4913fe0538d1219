"""Fields that a method resolves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import strawberry

F = TypeVar("F", bound=Callable[..., Any])


def resolved(*, description: str, name: str | None = None) -> Callable[[F], F]:
    """`strawberry.field` for a method, which keeps the method's type; its own signature gives Any."""
    return cast(Callable[[F], F], strawberry.field(description=description, name=name))
