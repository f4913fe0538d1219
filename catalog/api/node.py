"""The Node interface, its global ids, and how a type of the schema is reached from a key.

A view is made from an entity once and kept with it. `fetch` gives the view at once when its entity is in
memory, else an awaitable that joins the next batch: GraphQL takes either.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable, Generator, Sequence
from inspect import isawaitable
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast

import strawberry

from catalog.api.ahead import read_ahead
from catalog.api.context import Context
from catalog.domain.errors import InputError
from catalog.read import Entity, Group

Info = strawberry.Info[Context, None]


@strawberry.interface(description="An object with an id that is unique among all kinds.")
class Node:
    id: strawberry.ID = strawberry.field(description="Opaque; give it to `node` to get the object again.")


class View(Protocol):
    """A type of the schema that shows one node of the graph."""

    label: ClassVar[str]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        """The view of a node of that label."""


V = TypeVar("V", bound=View)
T = TypeVar("T")
R = TypeVar("R")


def global_id(type_name: str, key: str) -> strawberry.ID:
    """The id of the object of this type with this key."""
    return strawberry.ID(base64.b64encode(f"{type_name}:{key}".encode()).decode())


def parse_global_id(text: str) -> tuple[str, str]:
    """(type name, key) of an id; raises InputError for a text that is none."""
    try:
        type_name, separator, key = base64.b64decode(text, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        separator = ""
    if not separator:
        raise InputError("id", text, "must be an id that this server gave out")
    return type_name, key


def view(type_: type[V], entity: Entity | None) -> V | None:
    """The view of an entity, made on first use."""
    if entity is None:
        return None
    if entity.view is None:
        entity.view = type_.of(entity)
    return cast(V, entity.view)


class Later(Generic[T]):
    """An awaitable that is begun when it is awaited: one that never is leaves nothing behind."""

    __slots__ = ("_begin",)

    def __init__(self, begin: Callable[[], Awaitable[T]]) -> None:
        self._begin = begin

    def __await__(self) -> Generator[Any, Any, T]:
        return self._begin().__await__()


def find(info: Info, label: str, key: str | None) -> Entity | None:
    """The node of a label with this key. Typed as the value; it may be an awaitable of it."""
    if key is None:
        return None
    entity, nodes = info.context.snapshot.peek(label, key), info.context.loaders.nodes
    return entity if entity is not None else cast("Entity | None", Later(lambda: nodes.load(label, key)))


def find_group(info: Info, key: str | None) -> Group | None:
    """The comparison group with this key. Typed as the value; it may be an awaitable of it."""
    if key is None:
        return None
    group, groups = info.context.snapshot.peek_group(key), info.context.loaders.groups
    return group if group is not None else cast("Group | None", Later(lambda: groups.load(key)))


def then(value: T, make: Callable[[T], R]) -> R:
    """What is made of a value that may be an awaitable of it; so is the outcome, then."""
    return cast(R, _then(value, make)) if isawaitable(value) else make(value)


async def _then(value: Awaitable[T], make: Callable[[T], R]) -> R:
    return make(await value)


def fetch(info: Info, type_: type[V], key: str | None) -> V | None:
    """The object of a type with this key. Typed as the value; it may be an awaitable of it."""
    return then(find(info, type_.label, key), lambda entity: view(type_, entity))


async def fetch_many(info: Info, type_: type[V], keys: Sequence[str]) -> list[V]:
    """The objects of a type with these keys, in their order; keys that name nothing are left out."""
    snapshot = info.context.snapshot
    entities = [snapshot.peek(type_.label, key) for key in keys]
    if None in entities:
        entities = await info.context.loaders.nodes.load_many([(type_.label, key) for key in keys])
    there = [entity for entity in entities if entity is not None]
    await read_ahead(info, there)
    return [cast(V, view(type_, entity)) for entity in there]


async def settled(value: Any) -> Any:
    """The value of what may be an awaitable of it."""
    return await value if isawaitable(value) else value


def given(value: Any) -> Any:
    """The value of an optional argument: None when it was left out or given as null."""
    return None if value is strawberry.UNSET else value
