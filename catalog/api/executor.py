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

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from operator import attrgetter
from types import CoroutineType
from typing import Any, Final, Protocol, cast, runtime_checkable

from cachetools import LRUCache
from graphql import (
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    get_named_type,
    is_leaf_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetailsList, GroupedFieldSet
from graphql.pyutils import Path
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

from catalog.api.plans import (
    Leaf,
    Light,
    LongWayError,
    Plan,
    Read,
    attribute_of,
    leaf_of,
    leaf_value,
    list_of,
    never_null,
)

KEPT: Final = 256
"""Operations of which it is kept how their selections are read."""


@runtime_checkable
class Lasting(Protocol):
    """A request's context that can tell what of it holds for other requests as well."""

    @property
    def lasting(self) -> Any:
        """What holds as long as the views do that are read in it."""


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
        self._light = Light(context.lasting if isinstance(context, Lasting) else context)
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
        found = (self._leaf(parent_type, name, details) for name, details in fields.items())
        return Plan.of(reads, [leaf for leaf in found if leaf], kept=view)

    def _leaf(self, parent_type: GraphQLObjectType, name: str, details: FieldDetailsList) -> Leaf | None:
        """The field as one that can be read together with others, if it is such."""
        plain = self._plain_field(parent_type, details)
        if plain is None or plain[0].base_resolver is not None:
            return None
        return leaf_of(name, plain[0].python_name, plain[1])

    def _read(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> Read | None:
        """How a field is read at once, or None."""
        node = details[0].node
        if node.name.value == "__typename":
            return lambda _source, _light: parent_type.name
        plain = self._plain_field(parent_type, details)
        if plain is None:
            return None
        definition, type_ = plain
        if definition.base_resolver is None and (read := attribute_of(definition.python_name, type_)):
            return read
        value = self._value(definition)
        complete = value and self._completion(type_, details)
        if value is None or complete is None:
            return None
        return lambda source, light: complete(value(source, light), light)

    def _plain_field(
        self, parent_type: GraphQLObjectType, details: FieldDetailsList
    ) -> tuple[StrawberryField, GraphQLOutputType] | None:
        """Strawberry's definition and the type of a field without arguments and extensions; else None."""
        node = details[0].node
        field = self.schema.get_field(parent_type, node.name.value)
        if field is None or field.args or node.arguments:
            return None
        definition = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if not isinstance(definition, StrawberryField) or definition.extensions:
            return None
        return definition, field.type

    def _value(self, definition: StrawberryField) -> Read | None:
        """How the unfinished value is had: an attribute, or a method that is no coroutine function."""
        resolver = definition.base_resolver
        if resolver is None:
            attribute = attrgetter(definition.python_name)
            return lambda source, _: attribute(source)
        if resolver.is_async or resolver.self_parameter is None:
            return None
        method, info = cast(Callable[..., Any], resolver.wrapped_func), resolver.info_parameter

        def call(source: Any, light: Light) -> Any:
            value = method(source) if info is None else method(source, **{info.name: light})
            if type(value) is CoroutineType:
                value.close()
                raise LongWayError
            return value

        return call

    def _completion(self, type_: GraphQLOutputType, details: FieldDetailsList) -> Read | None:
        """How an unfinished value becomes the one that is answered."""
        if isinstance(type_, GraphQLNonNull):
            inner = self._completion(type_.of_type, details)
            return inner and never_null(inner)
        if is_leaf_type(type_):
            return leaf_value(type_)
        if isinstance(type_, GraphQLList):
            item = self._completion(type_.of_type, details)
            return item and list_of(item)
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

        def complete(value: Any, light: Light) -> Any:
            if value is None:
                return None
            if type(value) is not origin:
                raise LongWayError
            return whole(value, light)

        return complete


async def _joined(results: dict[str, Any], others: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    results.update(await others)
    return results
