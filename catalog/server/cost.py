"""How much a validated operation may ask for, given its variables.

The estimate counts values: each field is one, and what the schema's ``@cost`` adds to it or to its type, as
often as the lists around it are long. A list is as long as the schema's ``@listSize`` says, else as the list
that is given as an argument (``_entities(representations:)``), else :data:`PLAIN_LIST`. Fragments are counted
once, so the pass is linear in the document.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cachetools import LRUCache
from graphql import (
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLList,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    InterfaceTypeDefinitionNode,
    IntValueNode,
    ListValueNode,
    ObjectTypeDefinitionNode,
    ObjectValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_interface_type,
    is_object_type,
    parse,
    value_from_ast_untyped,
)

PLAIN_LIST = 3
"""Length of a list that declares none, such as the axes of a case."""
INTROSPECTION: Mapping[str, int] = {"__schema": 10_000, "__type": 1_000}
"""Values that an introspection field stands for, whatever is selected below it."""


@dataclass(frozen=True, slots=True)
class FieldCost:
    """What the schema declares of one field or type: see the descriptions of its directives."""

    weight: int = 0
    assumed: int | None = None
    slicing: tuple[str, ...] = ()
    sized: tuple[str, ...] = ()


UNDECLARED = FieldCost()

KEPT: Final = 1000
"""Estimates that are kept: the operation is held with each, so that no other takes its identity."""
LONGEST_KEPT: Final = 1000
"""Characters that the sizes in variables may take for an estimate to be kept."""
DEEPEST: Final = 5
"""Levels of variables in which sizes are looked for: the longest path of a slicing argument, and a list."""


class Costs:
    """Estimates of operations on one schema."""

    def __init__(self, schema: GraphQLSchema, sdl: str) -> None:
        """Read what ``sdl``, the schema's own text, declares: what users see is what is charged."""
        self.schema = schema
        self.declared: Mapping[tuple[str, str], FieldCost] = dict(_declared(sdl))
        """(type, field) -> what is declared of it; without a field: of the type."""
        self._known: LRUCache[tuple[int, str], tuple[OperationDefinitionNode, int]] = LRUCache(KEPT)

    def estimate(
        self, document: DocumentNode, operation: OperationDefinitionNode, variables: Mapping[str, Any]
    ) -> int:
        """About how many values a valid operation asks for. ``variables`` are as the client sent them.

        Kept for the next time that the same operation comes with the same sizes in its variables.
        """
        key = (id(operation), repr(_sizes_in(variables, DEEPEST)))
        known = self._known.get(key)
        if known is None:
            known = (operation, self._estimate(document, operation, variables))
            if len(key[1]) <= LONGEST_KEPT:
                self._known[key] = known
        return known[1]

    def _estimate(
        self, document: DocumentNode, operation: OperationDefinitionNode, variables: Mapping[str, Any]
    ) -> int:
        root = self.schema.get_root_type(operation.operation)
        defaults = {
            node.variable.name.value: value_from_ast_untyped(node.default_value)
            for node in operation.variable_definitions or ()
            if node.default_value is not None
        }
        return _Estimate(self, document, {**defaults, **variables}).selections(
            operation.selection_set, root, {}
        )


def _declared(sdl: str) -> Iterable[tuple[tuple[str, str], FieldCost]]:
    for type_ in parse(sdl, no_location=True).definitions:
        if isinstance(type_, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode):
            if type_.directives:
                yield (type_.name.value, ""), _field_cost(type_.directives)
            for field in type_.fields or ():
                if field.directives:
                    yield (type_.name.value, field.name.value), _field_cost(field.directives)


def _field_cost(directives: Iterable[DirectiveNode]) -> FieldCost:
    stated = {
        (directive.name.value, argument.name.value): value_from_ast_untyped(argument.value)
        for directive in directives
        for argument in directive.arguments or ()
    }
    return FieldCost(
        stated.get(("cost", "weight"), 0),
        stated.get(("listSize", "assumedSize")),
        tuple(stated.get(("listSize", "slicingArguments"), ())),
        tuple(stated.get(("listSize", "sizedFields"), ())),
    )


Sizes = Mapping[str, int]
"""Fields of a selection whose list is as long as a field above said."""


class _Estimate:
    def __init__(self, costs: Costs, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self.costs = costs
        self.variables = variables
        self.fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self.known: dict[tuple[str, tuple[tuple[str, int], ...]], int] = {}

    def selections(
        self, selection_set: SelectionSetNode, parent: GraphQLNamedType | None, sizes: Sizes
    ) -> int:
        total = 0
        for selection in selection_set.selections:
            match selection:
                case FieldNode():
                    total += self.field(selection, parent, sizes)
                case InlineFragmentNode():
                    condition = selection.type_condition
                    named = self.costs.schema.get_type(condition.name.value) if condition else parent
                    total += self.selections(selection.selection_set, named, sizes)
                case FragmentSpreadNode():
                    total += self.fragment(selection.name.value, sizes)
        return total

    def fragment(self, name: str, sizes: Sizes) -> int:
        key = (name, tuple(sorted(sizes.items())))
        cost = self.known.get(key)
        if cost is None:
            node = self.fragments[name]
            condition = self.costs.schema.get_type(node.type_condition.name.value)
            cost = self.known[key] = self.selections(node.selection_set, condition, sizes)
        return cost

    def field(self, node: FieldNode, parent: GraphQLNamedType | None, sizes: Sizes) -> int:
        name = node.name.value
        if name in INTROSPECTION:
            return INTROSPECTION[name]
        definition = parent.fields.get(name) if is_object_type(parent) or is_interface_type(parent) else None
        if parent is None or definition is None:
            return 1
        declared = self.costs.declared.get((parent.name, name), UNDECLARED)
        if node.selection_set is None:
            return 1 + declared.weight
        size = sizes.get(name)
        if size is None:
            size = self.size(node, declared)
        type_ = get_named_type(definition.type)
        each = 1 + self.costs.declared.get((type_.name, ""), UNDECLARED).weight
        each += self.selections(node.selection_set, type_, dict.fromkeys(declared.sized, size))
        is_list = isinstance(get_nullable_type(definition.type), GraphQLList)
        return declared.weight + (size if is_list else 1) * each

    def size(self, node: FieldNode, declared: FieldCost) -> int:
        """How long the list is that a field gives, or that it is the size of."""
        given = {argument.name.value: self.value(argument.value) for argument in node.arguments or ()}
        if declared.assumed is None:
            lists = [len(value) for value in given.values() if isinstance(value, list)]
            return max(lists, default=PLAIN_LIST)
        sizes = [size for path in declared.slicing if (size := _size(given, path.split("."))) is not None]
        return max(0, *sizes) if sizes else declared.assumed

    def value(self, node: ValueNode) -> Any:
        """The value of an argument; a list or object in the query may hold variables."""
        match node:
            case VariableNode():
                return self.variables.get(node.name.value)
            case IntValueNode():
                return int(node.value) if len(node.value) < 20 else None
            case ListValueNode():
                return [None] * len(node.values)
            case ObjectValueNode():
                return {field.name.value: self.value(field.value) for field in node.fields}
        return None


def _sizes_in(value: Any, depth: int) -> Any:
    """What an estimate may look at in variables: numbers, lengths of lists, and where they stand."""
    if isinstance(value, Mapping):
        return {name: _sizes_in(member, depth - 1) for name, member in value.items()} if depth else None
    if isinstance(value, list):
        return [len(value)]
    return value if type(value) is int else None


def _size(given: Any, path: list[str]) -> int | None:
    """The number, or the length of the list, at a path of names."""
    for name in path:
        given = given.get(name) if isinstance(given, Mapping) else None
    if isinstance(given, list):
        return len(given)
    return given if type(given) is int else None
