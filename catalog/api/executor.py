"""The executor: graphql-core's, with a short way for fields that need no waiting.

Completing a field one by one costs some ten microseconds, and a ranked page has thousands of them. Here the
selection on a type is taken apart once: attributes, and methods without arguments that answer at once, become
plain functions from the object to the finished value. Whatever does not fit (an awaitable, an argument, a
null where none may be, an exception) takes graphql-core's way from the start, for that field of that object,
so that values, nulls and errors are the same with and without the short way.

How an operation is taken apart is kept for the next request with it, unless it has directives, which may
select otherwise by its variables.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from operator import attrgetter
from types import CoroutineType
from typing import Any, Final, cast

from cachetools import LRUCache
from graphql import (
    GraphQLLeafType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    GraphQLString,
    OperationDefinitionNode,
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

KEPT: Final = 256
"""Operations of which it is kept how their selections are read."""


class _LongWayError(Exception):
    """This value needs graphql-core."""


@dataclass(frozen=True, slots=True)
class _Light:
    """What a method that answers at once may look at of its Info."""

    context: Any


Plan = tuple[Read | None, ...]
"""How each of the selected fields of a type is read; None: the long way."""


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
        self._light = _Light(self.context_value)
        self._shared = self._kept_plans()
        self._plans: dict[int, tuple[GroupedFieldSet, Plan]] = {}
        """The plans that this request has used, by the identity of what was collected, which is held too."""

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
        results: dict[str, Any] = {}
        rest: GroupedFieldSet = {}
        light = self._light
        plan = self._plan(parent_type, grouped_field_set)
        for (name, details), read in zip(grouped_field_set.items(), plan, strict=True):
            results[name] = None
            try:
                if read is None:
                    rest[name] = details
                else:
                    results[name] = read(source_value, light)
            except Exception:
                rest[name] = details
        if not rest:
            return results
        others = super().execute_fields(parent_type, source_value, path, rest, position_context)
        if self.is_awaitable(others):
            return _joined(results, cast(Awaitable[dict[str, Any]], others))
        results.update(cast(dict[str, Any], others))
        return results

    def _plan(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet) -> Plan:
        used = self._plans.get(id(fields))
        if used is None:
            nodes = (id(detail.node) for details in fields.values() for detail in details)
            key = (parent_type.name, *nodes)
            plan = self._shared.get(key)
            if plan is None:
                plan = tuple(self._read(parent_type, details) for details in fields.values())
                self._shared[key] = plan
            used = self._plans[id(fields)] = (fields, plan)
        return used[1]

    def _read(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> Read | None:
        """How a field is read at once, or None."""
        node = details[0].node
        if node.name.value == "__typename":
            return lambda _source, _light: parent_type.name
        field = self.schema.get_field(parent_type, node.name.value)
        if field is None or field.args or node.arguments:
            return None
        definition = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryField) or definition.extensions:
            return None
        value = self._value(definition)
        complete = value and self._completion(field.type, details)
        if value is None or complete is None:
            return None
        return lambda source, light: complete(value(source, light), light)

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
        fields = self.collect_subfields(type_, details)[0]
        known = [(name, read) for name, read in zip(fields, self._plan(type_, fields), strict=True) if read]
        if len(known) < len(fields):
            return None

        def complete(value: Any, light: _Light) -> Any:
            if value is None:
                return None
            if type(value) is not origin:
                raise _LongWayError
            return {name: read(value, light) for name, read in known}

        return complete


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
    plain: Final = str if type_ is GraphQLString else None
    coerce = type_.coerce_output_value

    def read(value: Any, _: _Light) -> Any:
        if value is None or type(value) is plain:
            return value
        finished = coerce(value)
        if finished is None:
            raise _LongWayError
        return finished

    return read
