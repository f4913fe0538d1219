"""What root fields share: finding one object, listing many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypeVar, cast

import strawberry

from catalog.api.node import Info, View, fetch, fetch_many, given, settled
from catalog.domain.identity import Digest
from catalog.read.lists import Listing
from catalog.read.lookup import key_of
from catalog.read.paging import Cursors, Window
from catalog.read.totals import Conditions

V = TypeVar("V", bound=View)

DigestArgument = Annotated[
    Digest, strawberry.argument(description="Its digest, or the first 8 or more digits of it.")
]
SlugArgument = Annotated[str, strawberry.argument(description="Its slug.")]


async def by_digest(info: Info, type_: type[V], text: str) -> V | None:
    snapshot = await info.context.open()
    key = await key_of(snapshot, type_.label, text)
    found = await fetch_many(info, type_, [key] if key is not None else [])
    return found[0] if found else None


async def by_slug(info: Info, type_: type[V], slug: str) -> V | None:
    await info.context.open()
    return cast("V | None", await settled(fetch(info, type_, slug)))


def listed(
    info: Info, type_: type[View], conditions: Conditions | None, used: dict[str, Any], window: Window
) -> Listing:
    """A page of the objects of a type by key; `used`: the arguments that its cursors belong to."""
    cursors = Cursors(type_.label, filters=used)
    return Listing(info.context.snapshot, type_.label, conditions, cursors, window)


def named_used(**arguments: Any) -> dict[str, Any]:
    items: Iterable[tuple[str, Any]] = ((name, given(value)) for name, value in arguments.items())
    return {name: value for name, value in items if value is not None}
