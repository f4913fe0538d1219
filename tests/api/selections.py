"""The heaviest selection of a field, made from the schema."""

from __future__ import annotations

from collections.abc import Iterator

from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)


def own_selection(schema: GraphQLSchema, field: GraphQLField) -> str:
    """All of a field's own answer: every field down to the first objects with an id, and of these what is
    stored with them."""
    return _Own(schema).below(get_named_type(field.type), ())


class _Own:
    def __init__(self, schema: GraphQLSchema) -> None:
        self.schema = schema

    def below(self, type_: GraphQLNamedType, within: tuple[GraphQLNamedType, ...]) -> str:
        """The selection set of a type; empty for a scalar, or where nothing may be selected."""
        if is_leaf_type(type_):
            return ""
        match type_:
            case GraphQLInterfaceType() | GraphQLUnionType():
                kinds = self.schema.get_possible_types(type_)
                parts = (
                    "__typename",
                    *(f"... on {kind.name} {{ {self._fields(kind, within)} }}" for kind in kinds),
                )
                return "{ " + " ".join(parts) + " }"
            case GraphQLObjectType():
                return f"{{ __typename {self._fields(type_, within)} }}"
        raise AssertionError(type_)

    def _fields(self, type_: GraphQLObjectType, within: tuple[GraphQLNamedType, ...]) -> str:
        return " ".join(self._selected(type_, (*within, type_)))

    def _selected(self, type_: GraphQLObjectType, within: tuple[GraphQLNamedType, ...]) -> Iterator[str]:
        inside = any(_is_node(each) for each in within)
        for name, field in type_.fields.items():
            below = get_named_type(field.type)
            if any(is_required_argument(argument) for argument in field.args.values()):
                continue
            if inside and (_is_node(below) or _looks_up(field)):
                continue
            if below in within:
                continue
            alias = f"{type_.name}_{name}"  # fields of several kinds may differ in type
            yield f"{alias}: {name} {self.below(below, within)}"


def _is_node(type_: GraphQLNamedType) -> bool:
    return type_.name == "Node" or any(each.name == "Node" for each in getattr(type_, "interfaces", ()))


def _looks_up(field: GraphQLField) -> bool:
    """Whether a resolver of its own gives the field, rather than what is stored with the object."""
    return field.extensions["strawberry-definition"].base_resolver is not None
