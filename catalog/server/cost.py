"""How much a validated operation may ask for, given its variables.

The estimate counts values: one for each field, and what is below a list as often as the list is long. Lengths
come from ``first`` or ``last``, from the length of a list argument (``nodes(ids:)``,
``_entities(representations:)``), else from the constants here. Fragments are counted once, so the pass is
linear in the document.
"""

from collections.abc import Mapping
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLList,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_interface_type,
    is_object_type,
)

DEFAULT_PAGE = 20
"""Length of a page whose ``first`` is not given."""
WHOLE_LIST = 50
"""Length of a list, no connection, whose ``first`` is not given: all of it comes, which is rarely more."""
PLAIN_LIST = 3
"""Length of a list that takes no arguments, such as the axes of a case."""
INTROSPECTION: Mapping[str, int] = {"__schema": 10_000, "__type": 1_000}
"""Values that an introspection field stands for, whatever is selected below it."""


def estimate(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
) -> int:
    """About how many values a valid operation asks for. ``variables`` are as the client sent them."""
    root = schema.get_root_type(operation.operation)
    defaults = {
        node.variable.name.value: _literal(node.default_value)
        for node in operation.variable_definitions or ()
        if node.default_value is not None
    }
    return _Estimate(schema, document, {**defaults, **variables}).selections(operation.selection_set, root)


class _Estimate:
    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self.schema = schema
        self.variables = variables
        self.fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self.known: dict[tuple[str, bool], int] = {}

    def selections(
        self, selection_set: SelectionSetNode, parent: GraphQLNamedType | None, *, in_page: bool = False
    ) -> int:
        """The cost of a selection set. ``in_page``: of a connection, whose own lists are already counted."""
        total = 0
        for selection in selection_set.selections:
            match selection:
                case FieldNode():
                    total += self.field(selection, parent, in_page)
                case InlineFragmentNode():
                    condition = selection.type_condition
                    named = self.schema.get_type(condition.name.value) if condition else parent
                    total += self.selections(selection.selection_set, named, in_page=in_page)
                case FragmentSpreadNode():
                    total += self.fragment(selection.name.value, in_page)
        return total

    def fragment(self, name: str, in_page: bool) -> int:
        cost = self.known.get((name, in_page))
        if cost is None:
            node = self.fragments[name]
            condition = self.schema.get_type(node.type_condition.name.value)
            cost = self.selections(node.selection_set, condition, in_page=in_page)
            self.known[name, in_page] = cost
        return cost

    def field(self, node: FieldNode, parent: GraphQLNamedType | None, in_page: bool) -> int:
        name = node.name.value
        if name in INTROSPECTION:
            return INTROSPECTION[name]
        definition = parent.fields.get(name) if is_object_type(parent) or is_interface_type(parent) else None
        if definition is None or node.selection_set is None:
            return 1
        paged = "first" in definition.args
        is_list = isinstance(get_nullable_type(definition.type), GraphQLList)
        below = self.selections(
            node.selection_set, get_named_type(definition.type), in_page=paged and not is_list
        )
        counted = in_page and is_list and not definition.args
        return 1 + (1 if counted else self.length(node, definition)) * below

    def length(self, node: FieldNode, definition: GraphQLField) -> int:
        """How often what is below a field is asked for."""
        given = {argument.name.value: self.value(argument.value) for argument in node.arguments or ()}
        paged = [name for name in ("first", "last") if name in definition.args]
        sizes = [size for name in paged if type(size := given.get(name)) is int]
        is_list = isinstance(get_nullable_type(definition.type), GraphQLList)
        if paged:
            return max(0, *sizes) if sizes else WHOLE_LIST if is_list else DEFAULT_PAGE
        if is_list:
            lists = [len(value) for value in given.values() if isinstance(value, list)]
            return max(lists, default=PLAIN_LIST)
        return 1

    def value(self, node: ValueNode) -> Any:
        return self.variables.get(node.name.value) if isinstance(node, VariableNode) else _literal(node)


def _literal(node: ValueNode | None) -> Any:
    """An integer as such, a list by its length; nothing else matters here."""
    match node:
        case IntValueNode():
            return int(node.value) if len(node.value) < 20 else None
        case ListValueNode():
            return list(node.values)
    return None
