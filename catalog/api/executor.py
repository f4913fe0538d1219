"""The executor: graphql-core's, with a short way for fields that need no waiting.

Completing a field one by one costs some ten microseconds, and a ranked page has thousands of them. Here the
selection on a type is taken apart once: attributes, and methods without arguments that answer at once, become
plain functions from the object to the finished value. Whatever does not fit (an awaitable, an argument, a
null where none may be, an exception) takes graphql-core's way from the start, for that field of that object,
so that values, nulls and errors are the same with and without the short way.

How an operation is taken apart is kept for the next request with it, unless it has directives, which may
select otherwise by its variables. A view of a node (catalog/api/node.py) lives as long as its snapshot and
keeps what it was last finished to: so long as the same is selected of it, it is not read again. Methods that
answer at once see of the request only what holds for every request of the snapshot (:class:`Lasting`);
those that look at more go the long way, and their objects keep nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter, contains
from types import CoroutineType
from typing import Any, Final, Protocol, cast, runtime_checkable

from cachetools import LRUCache
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLLeafType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    get_named_type,
    get_nullable_type,
    is_leaf_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetailsList, GroupedFieldSet
from graphql.pyutils import Path
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

Read = Callable[[Any, "_Light"], Any]
"""From an object to the finished value of one of its fields; raises anything to ask for the long way."""

_FINISHED: Final = "finished by the executor"
"""The attribute of a view that keeps what it was finished to, and by which plan."""

KEPT: Final = 256
"""Operations of which it is kept how their selections are read."""


_PLAIN: Final[Mapping[str, type]] = {
    **dict.fromkeys(("String", "ID", "Digest", "DateTime"), str),
    "Boolean": bool,
}
"""Scalars of which values of one type are answered as they are."""

_NOTHING: Final = type(None)

_FEWEST_LEAVES: Final = 2
"""From how many leaves on reading them together pays."""


class _LongWayError(Exception):
    """This value needs graphql-core."""


@runtime_checkable
class Lasting(Protocol):
    """A request's context that can tell what of it holds for other requests as well."""

    @property
    def lasting(self) -> Any:
        """What holds as long as the views do that are read in it."""


@dataclass(frozen=True, slots=True)
class _Light:
    """What a method that answers at once may look at of its Info."""

    context: Any


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field that is an attribute, of a scalar that is answered as it is: of this type, or null where that
    is allowed."""

    field: str
    attribute: str
    types: frozenset[type]


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
                raise _LongWayError
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

    def whole(self, source: Any, light: _Light) -> dict[str, Any]:
        """All fields of an object, not to be changed; raises anything where one needs graphql-core."""
        if not self.kept:
            return self._finished(source, light)
        known = source.__dict__.get(_FINISHED)
        if known is None or known[0] is not self:
            known = source.__dict__[_FINISHED] = (self, self._finished(source, light))
        return cast(dict[str, Any], known[1])

    def _finished(self, source: Any, light: _Light) -> dict[str, Any]:
        if self.leaves is None:
            return {name: read(source, light) for name, read in self.reads}
        results: dict[str, Any] = dict.fromkeys(self.names)
        results.update(self.leaves.read(source))
        for name, read in self.rest:
            results[name] = read(source, light)
        return results

    def partly(self, source: Any, light: _Light) -> tuple[dict[str, Any], list[str]]:
        """The fields in their order, as far as they could be read, and the names of the others."""
        results: dict[str, Any] = dict.fromkeys(self.names)
        rest = set(self.others)
        for name, read in self.reads:
            try:
                results[name] = read(source, light)
            except Exception:
                rest.add(name)
        return results, [name for name in self.names if name in rest]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The plans of one operation, by the type and the nodes that are selected on it. Schema and operation are
    held, so that no others take the identity that it is found by."""

    schema: GraphQLSchema
    operation: OperationDefinitionNode
    plans: dict[Hashable, Plan]


_kept: LRUCache[tuple[int, int], _Kept] = LRUCache(KEPT)


class PlainExecutor(Executor[Any]):
    """Executes what can be read at once by the short way, the rest as its base does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        context = self.context_value
        self._light = _Light(context.lasting if isinstance(context, Lasting) else context)
        self._shared = self._kept_plans()
        self._plans: dict[int, tuple[GroupedFieldSet, Plan]] = {}
        """The plans that this request has used, by the identity of what was collected, which is held too."""
        self._lists: dict[int, tuple[FieldDetailsList, Read | None]] = {}
        """How lists of objects are completed, by the identity of the selection, which is held too."""

    def _kept_plans(self) -> dict[Hashable, Plan]:
        location = self.operation.loc
        if location is None or "@" in location.source.body:
            return {}
        key = (id(self.schema), id(self.operation))
        kept = _kept.get(key)
        if kept is None:
            kept = _kept[key] = _Kept(self.schema, self.operation, {})
        return kept.plans

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: GroupedFieldSet,
        position_context: Any,
    ) -> Any:
        """The selected fields of one object: a mapping, or an awaitable of it."""
        if path is None:  # the root: everything there waits
            return super().execute_fields(
                parent_type, source_value, path, grouped_field_set, position_context
            )
        plan = self._plan(parent_type, grouped_field_set)
        if not plan.others:
            try:
                return plan.whole(source_value, self._light)
            except Exception:
                pass  # field by field, then
        results, names = plan.partly(source_value, self._light)
        if not names:
            return results
        rest = {name: grouped_field_set[name] for name in names}
        others = super().execute_fields(parent_type, source_value, path, rest, position_context)
        if self.is_awaitable(others):
            return _joined(results, cast(Awaitable[dict[str, Any]], others))
        results.update(cast(dict[str, Any], others))
        return results

    def complete_list_value(
        self,
        return_type: GraphQLList[GraphQLOutputType],
        field_details_list: FieldDetailsList,
        info: GraphQLResolveInfo[Any],
        path: Path,
        result: Any,
        position_context: Any,
    ) -> Any:
        """A list, at once where all that is selected of its objects can be."""
        known = self._lists.get(id(field_details_list))
        if known is None:
            objects = isinstance(get_named_type(return_type), GraphQLObjectType)
            complete = self._completion(return_type, field_details_list) if objects else None
            known = self._lists[id(field_details_list)] = (field_details_list, complete)
        if known[1] is not None:
            try:
                return known[1](result, self._light)
            except Exception:
                pass  # item by item, then
        return super().complete_list_value(
            return_type, field_details_list, info, path, result, position_context
        )

    def _plan(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet) -> Plan:
        used = self._plans.get(id(fields))
        if used is None:
            nodes = (id(detail.node) for details in fields.values() for detail in details)
            key = (parent_type.name, *nodes)
            plan = self._shared.get(key)
            if plan is None:
                plan = self._shared[key] = self._taken_apart(parent_type, fields)
            used = self._plans[id(fields)] = (fields, plan)
        return used[1]

    def _taken_apart(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet) -> Plan:
        definition = parent_type.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        view = isinstance(definition, StrawberryObjectDefinition) and isinstance(
            getattr(definition.origin, "label", None), str
        )
        reads = {name: self._read(parent_type, details) for name, details in fields.items()}
        known = tuple((name, read) for name, read in reads.items() if read)
        others = tuple(name for name, read in reads.items() if not read)
        found = (self._leaf(parent_type, name, details) for name, details in fields.items())
        leaves = {leaf.field: leaf for leaf in found if leaf}
        if len(leaves) < _FEWEST_LEAVES:
            return Plan(tuple(reads), known, others, None, known, view)
        rest = tuple((name, read) for name, read in known if name not in leaves)
        return Plan(tuple(reads), known, others, Leaves(list(leaves.values())), rest, view)

    def _leaf(self, parent_type: GraphQLObjectType, name: str, details: FieldDetailsList) -> Leaf | None:
        """The field as one that can be read together with others, if it is such."""
        definition, field = self._plain_field(parent_type, details)
        if definition is None or definition.base_resolver is not None:
            return None
        leaf = get_nullable_type(field.type)
        plain = _PLAIN.get(leaf.name) if is_leaf_type(leaf) else None
        if plain is None:
            return None
        return Leaf(
            name, definition.python_name, frozenset({plain, _NOTHING} if leaf is field.type else {plain})
        )

    def _read(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> Read | None:
        """How a field is read at once, or None."""
        node = details[0].node
        if node.name.value == "__typename":
            return lambda _source, _light: parent_type.name
        definition, field = self._plain_field(parent_type, details)
        if definition is None:
            return None
        if definition.base_resolver is None and (read := _attribute(definition.python_name, field.type)):
            return read
        value = self._value(definition)
        complete = value and self._completion(field.type, details)
        if value is None or complete is None:
            return None
        return lambda source, light: complete(value(source, light), light)

    def _plain_field(
        self, parent_type: GraphQLObjectType, details: FieldDetailsList
    ) -> tuple[StrawberryField | None, GraphQLField]:
        """Strawberry's definition of a field, None unless it is one without arguments and extensions."""
        node = details[0].node
        field = cast(GraphQLField, self.schema.get_field(parent_type, node.name.value))
        definition = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        fits = isinstance(definition, StrawberryField) and not (
            definition.extensions or field.args or node.arguments
        )
        return (definition if fits else None), field

    def _value(self, definition: StrawberryField) -> Read | None:
        """How the unfinished value is had: an attribute, or a method that is no coroutine function."""
        resolver = definition.base_resolver
        if resolver is None:
            attribute = attrgetter(definition.python_name)
            return lambda source, _: attribute(source)
        if resolver.is_async or resolver.self_parameter is None:
            return None
        method, info = cast(Callable[..., Any], resolver.wrapped_func), resolver.info_parameter

        def call(source: Any, light: _Light) -> Any:
            value = method(source) if info is None else method(source, **{info.name: light})
            if type(value) is CoroutineType:
                value.close()
                raise _LongWayError
            return value

        return call

    def _completion(self, type_: GraphQLOutputType, details: FieldDetailsList) -> Read | None:
        """How an unfinished value becomes the one that is answered."""
        if isinstance(type_, GraphQLNonNull):
            inner = self._completion(type_.of_type, details)
            return inner and _never_null(inner)
        if is_leaf_type(type_):
            return _leaf(type_)
        if isinstance(type_, GraphQLList):
            item = self._completion(type_.of_type, details)
            return item and _list(item)
        if isinstance(type_, GraphQLObjectType):
            return self._object(type_, details)
        return None

    def _object(self, type_: GraphQLObjectType, details: FieldDetailsList) -> Read | None:
        definition = type_.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryObjectDefinition):
            return None
        origin = definition.origin
        plan = self._plan(type_, self.collect_subfields(type_, details)[0])
        if plan.others:
            return None
        whole = plan.whole

        def complete(value: Any, light: _Light) -> Any:
            if value is None:
                return None
            if type(value) is not origin:
                raise _LongWayError
            return whole(value, light)

        return complete


def _attribute(name: str, type_: GraphQLOutputType) -> Read | None:
    """How an attribute is read that is a leaf: so are by far the most fields, so it is one step."""
    leaf = get_nullable_type(type_)
    if not is_leaf_type(leaf):
        return None
    attribute, complete = attrgetter(name), _leaf(leaf)
    plain, nullable = _PLAIN.get(leaf.name), leaf is type_

    def read(source: Any, light: _Light) -> Any:
        value = attribute(source)
        if type(value) is not plain:
            value = complete(value, light)
            if value is None and not nullable:
                raise _LongWayError
        return value

    return read


async def _joined(results: dict[str, Any], others: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    results.update(await others)
    return results


def _never_null(complete: Read) -> Read:
    def read(value: Any, light: _Light) -> Any:
        finished = complete(value, light)
        if finished is None:
            raise _LongWayError
        return finished

    return read


def _list(complete: Read) -> Read:
    def read(values: Any, light: _Light) -> Any:
        if values is None:
            return None
        if type(values) is not list:
            raise _LongWayError
        return [complete(value, light) for value in values]

    return read


def _leaf(type_: GraphQLLeafType) -> Read:
    plain: Final = _PLAIN.get(type_.name)
    coerce: Callable[[Any], Any] = type_.coerce_output_value
    if isinstance(type_, GraphQLEnumType):
        coerce = cache(coerce)

    def read(value: Any, _: _Light) -> Any:
        if value is None or type(value) is plain:
            return value
        finished = coerce(value)
        if finished is None:
            raise _LongWayError
        return finished

    return read
