"""The executor: graphql-core's, with a short way for fields that need no waiting.

Completing a field one by one costs some ten microseconds, and a ranked page has thousands of them. Here the
selection on a type is taken apart once a request: attributes, and methods without arguments that answer at
once, become plain functions from the object to the finished value. Whatever does not fit (an awaitable, an
argument, a null where none may be, an exception) takes graphql-core's way from the start, for that field of
that object, so that values, nulls and errors are the same with and without the short way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from operator import attrgetter
from types import CoroutineType
from typing import Any, Final, cast

from graphql import (
    GraphQLLeafType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLString,
    is_leaf_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetailsList, GroupedFieldSet
from graphql.pyutils import Path
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

Read = Callable[[Any], Any]
"""From an object to the finished value of one of its fields; raises anything to ask for the long way."""


class _LongWayError(Exception):
    """This value needs graphql-core."""


@dataclass(frozen=True, slots=True)
class _Light:
    """What a method that answers at once may look at of its Info."""

    context: Any


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the selected fields of a type are read; None: the long way. `fields` is kept alive with it."""

    fields: GroupedFieldSet
    reads: tuple[tuple[str, FieldDetailsList, Read | None], ...]


class PlainExecutor(Executor[Any]):
    """Executes what can be read at once by the short way, the rest as its base does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._plans: dict[int, _Plan] = {}
        self._light = _Light(self.context_value)

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
        for name, details, read in self._plan(parent_type, grouped_field_set).reads:
            results[name] = None
            try:
                if read is None:
                    rest[name] = details
                else:
                    results[name] = read(source_value)
            except Exception:
                rest[name] = details
        if not rest:
            return results
        others = super().execute_fields(parent_type, source_value, path, rest, position_context)
        if self.is_awaitable(others):
            return _joined(results, cast(Awaitable[dict[str, Any]], others))
        results.update(cast(dict[str, Any], others))
        return results

    def _plan(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet) -> _Plan:
        plan = self._plans.get(id(fields))
        if plan is None:
            reads = tuple(
                (name, details, self._read(parent_type, details)) for name, details in fields.items()
            )
            plan = self._plans[id(fields)] = _Plan(fields, reads)
        return plan

    def _read(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> Read | None:
        """How a field is read at once, or None."""
        node = details[0].node
        if node.name.value == "__typename":
            return lambda _: parent_type.name
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
        return lambda source: complete(value(source))

    def _value(self, definition: StrawberryField) -> Read | None:
        """How the unfinished value is had: an attribute, or a method that is no coroutine function."""
        resolver = definition.base_resolver
        if resolver is None:
            return attrgetter(definition.python_name)
        if resolver.is_async or resolver.self_parameter is None:
            return None
        method, info = cast(Callable[..., Any], resolver.wrapped_func), resolver.info_parameter
        given = {} if info is None else {info.name: self._light}

        def call(source: Any) -> Any:
            value = method(source, **given)
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
        reads = self._plan(type_, self.collect_subfields(type_, details)[0]).reads
        if any(read is None for _, _, read in reads):
            return None
        known = [(name, cast(Read, read)) for name, _, read in reads]

        def complete(value: Any) -> Any:
            if value is None:
                return None
            if type(value) is not origin:
                raise _LongWayError
            return {name: read(value) for name, read in known}

        return complete


async def _joined(results: dict[str, Any], others: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    results.update(await others)
    return results


def _never_null(complete: Read) -> Read:
    def read(value: Any) -> Any:
        finished = complete(value)
        if finished is None:
            raise _LongWayError
        return finished

    return read


def _list(complete: Read) -> Read:
    def read(values: Any) -> Any:
        if values is None:
            return None
        if type(values) is not list:
            raise _LongWayError
        return [complete(value) for value in values]

    return read


def _leaf(type_: GraphQLLeafType) -> Read:
    plain: Final = str if type_ is GraphQLString else None
    coerce = type_.coerce_output_value

    def read(value: Any) -> Any:
        if value is None or type(value) is plain:
            return value
        finished = coerce(value)
        if finished is None:
            raise _LongWayError
        return finished

    return read
