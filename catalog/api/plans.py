"""How the selected fields of an object become finished values without waiting: plain functions, by field.

What does not fit (a null where none may be, a value of another type) raises, whatever it raises: then
graphql-core is asked for that field of that object (executor.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter, contains
from typing import Any, Final, Self, cast

from graphql import GraphQLEnumType, GraphQLLeafType, GraphQLOutputType, get_nullable_type, is_leaf_type

Read = Callable[[Any, "Light"], Any]
"""From an object to the finished value of one of its fields; raises anything to ask for the long way."""

_FINISHED: Final = "finished by the executor"
"""The attribute of a view that keeps what it was finished to, and by which plan."""

_PLAIN: Final[Mapping[str, type]] = {
    **dict.fromkeys(("String", "ID", "Digest", "DateTime"), str),
    "Boolean": bool,
}
"""Scalars of which values of one type are answered as they are."""

_NOTHING: Final = type(None)

_FEWEST_LEAVES: Final = 2
"""From how many leaves on reading them together pays."""


class LongWayError(Exception):
    """This value needs graphql-core."""


@dataclass(frozen=True, slots=True)
class Light:
    """What a method that answers at once may look at of its Info."""

    context: Any


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field that is an attribute, of a scalar that is answered as it is: of this type, or null where that
    is allowed."""

    field: str
    attribute: str
    types: frozenset[type]


def leaf_of(field: str, attribute: str, type_: GraphQLOutputType) -> Leaf | None:
    """The field that is this attribute, if it is of such a scalar."""
    leaf = get_nullable_type(type_)
    plain = _PLAIN.get(leaf.name) if is_leaf_type(leaf) else None
    if plain is None:
        return None
    return Leaf(field, attribute, frozenset({plain, _NOTHING} if leaf is type_ else {plain}))


class Leaves:
    """Several of them, read together; which types fit is found out once for each row of types."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self._names = [leaf.field for leaf in leaves]
        self._types = [leaf.types for leaf in leaves]
        self._row = attrgetter(*(leaf.attribute for leaf in leaves))
        self._fitting: set[tuple[type, ...]] = set()

    def read(self, source: Any) -> Iterable[tuple[str, Any]]:
        """The fields of an object; raises anything where one does not fit."""
        values = self._row(source)
        types = tuple(map(type, values))
        if types not in self._fitting:
            if not all(map(contains, self._types, types)):
                raise LongWayError
            self._fitting.add(types)
        return zip(self._names, values, strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How the selected fields of a type are read: by name, those that can be read at once, and the names of
    the others."""

    names: tuple[str, ...]
    reads: tuple[tuple[str, Read], ...]
    others: tuple[str, ...]
    leaves: Leaves | None
    rest: tuple[tuple[str, Read], ...]
    """Of `reads` those that are not among the leaves."""
    kept: bool
    """Whether objects of the type keep what they were finished to."""

    @classmethod
    def of(cls, reads: Mapping[str, Read | None], leaves: Sequence[Leaf], *, kept: bool) -> Self:
        """From each field how it is read, or None, and those of them that are leaves."""
        known = tuple((name, read) for name, read in reads.items() if read)
        together = {leaf.field for leaf in leaves} if len(leaves) >= _FEWEST_LEAVES else set()
        return cls(
            names=tuple(reads),
            reads=known,
            others=tuple(name for name, read in reads.items() if not read),
            leaves=Leaves(leaves) if together else None,
            rest=tuple((name, read) for name, read in known if name not in together),
            kept=kept,
        )

    def whole(self, source: Any, light: Light) -> dict[str, Any]:
        """All fields of an object, not to be changed; raises anything where one needs graphql-core."""
        if not self.kept:
            return self._finished(source, light)
        known = source.__dict__.get(_FINISHED)
        if known is None or known[0] is not self:
            known = source.__dict__[_FINISHED] = (self, self._finished(source, light))
        return cast(dict[str, Any], known[1])

    def _finished(self, source: Any, light: Light) -> dict[str, Any]:
        if self.leaves is None:
            return {name: read(source, light) for name, read in self.reads}
        results: dict[str, Any] = dict.fromkeys(self.names)
        results.update(self.leaves.read(source))
        for name, read in self.rest:
            results[name] = read(source, light)
        return results

    def partly(self, source: Any, light: Light) -> tuple[dict[str, Any], list[str]]:
        """The fields in their order, as far as they could be read, and the names of the others."""
        results: dict[str, Any] = dict.fromkeys(self.names)
        rest = set(self.others)
        for name, read in self.reads:
            try:
                results[name] = read(source, light)
            except Exception:
                rest.add(name)
        return results, [name for name in self.names if name in rest]


def attribute_of(name: str, type_: GraphQLOutputType) -> Read | None:
    """How an attribute is read that is a leaf: so are by far the most fields, so it is one step."""
    leaf = get_nullable_type(type_)
    if not is_leaf_type(leaf):
        return None
    attribute, complete = attrgetter(name), leaf_value(leaf)
    plain, nullable = _PLAIN.get(leaf.name), leaf is type_

    def read(source: Any, light: Light) -> Any:
        value = attribute(source)
        if type(value) is not plain:
            value = complete(value, light)
            if value is None and not nullable:
                raise LongWayError
        return value

    return read


def never_null(complete: Read) -> Read:
    def read(value: Any, light: Light) -> Any:
        finished = complete(value, light)
        if finished is None:
            raise LongWayError
        return finished

    return read


def list_of(complete: Read) -> Read:
    def read(values: Any, light: Light) -> Any:
        if values is None:
            return None
        if type(values) is not list:
            raise LongWayError
        return [complete(value, light) for value in values]

    return read


def leaf_value(type_: GraphQLLeafType) -> Read:
    plain: Final = _PLAIN.get(type_.name)
    coerce: Callable[[Any], Any] = type_.coerce_output_value
    if isinstance(type_, GraphQLEnumType):
        coerce = cache(coerce)

    def read(value: Any, _: Light) -> Any:
        if value is None or type(value) is plain:
            return value
        finished = coerce(value)
        if finished is None:
            raise LongWayError
        return finished

    return read
