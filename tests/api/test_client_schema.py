"""The schema without what federation adds."""

from graphql import GraphQLObjectType, build_schema, lexicographic_sort_schema, print_schema

from catalog.api.client_schema import client_sdl
from catalog.api.schema import schema, sdl

ROUTERS = {"_Any", "_Entity", "_FieldSet", "_Service", "link__Import", "link__Purpose"}


def test_what_is_for_routers_is_left_out_and_nothing_else() -> None:
    whole = schema._schema
    seen = build_schema(client_sdl(sdl()))
    assert set(whole.type_map) - set(seen.type_map) == ROUTERS
    assert {directive.name for directive in seen.directives} == {
        "deprecated",
        "include",
        "oneOf",
        "skip",
        "specifiedBy",
    }
    for name, kind in seen.type_map.items():
        if isinstance(kind, GraphQLObjectType) and not name.startswith("__"):
            served = whole.type_map[name]
            assert isinstance(served, GraphQLObjectType)
            assert set(served.fields) - set(kind.fields) <= {"_entities", "_service"}
            for field, definition in kind.fields.items():
                assert str(definition.type) == str(served.fields[field].type)
                assert definition.description == served.fields[field].description
                assert definition.args.keys() == served.fields[field].args.keys()


def test_it_is_stable() -> None:
    once = client_sdl(sdl())
    assert client_sdl(once) == once
    assert "_entities" not in print_schema(lexicographic_sort_schema(build_schema(once)))
