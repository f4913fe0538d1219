"""What the schema declares of costs: complete for pages, and as large as what fields may bring."""

import pytest
from graphql import GraphQLField, OperationDefinitionNode, parse, validate

from catalog.api.schema import schema, sdl
from catalog.server.cost import Costs
from catalog.server.limits import Limits

COSTS = Costs(schema._schema, sdl())
OBJECTS = {
    type_.name: type_.fields
    for type_ in schema._schema.type_map.values()
    if hasattr(type_, "fields") and not hasattr(type_, "out_type") and not type_.name.startswith("__")
}


def fields() -> list[tuple[str, str, GraphQLField]]:
    return [
        (type_, name, field)
        for type_, named in OBJECTS.items()
        for name, field in named.items()
        if isinstance(field, GraphQLField)
    ]


def test_every_page_is_as_long_as_its_arguments_say() -> None:
    pages = [(type_, name, field) for type_, name, field in fields() if "first" in field.args]
    assert len(pages) > 30
    for type_, name, field in pages:
        declared = COSTS.declared[type_, name]
        assert declared.slicing == tuple(each for each in ("first", "last") if each in field.args)
        connection = str(field.type).rstrip("!").endswith("Connection")
        assert declared.sized == (("edges",) if connection else ())


def test_every_connection_is_a_page() -> None:
    for type_, name, field in fields():
        if str(field.type).rstrip("!").endswith("Connection"):
            assert "first" in field.args, (type_, name)


def test_what_is_declared_names_arguments_and_fields_that_there_are() -> None:
    for (type_, name), declared in COSTS.declared.items():
        if not name:
            continue
        field = schema._schema.type_map[type_].fields[name]  # type: ignore[attr-defined]
        for path in declared.slicing:
            first, *_ = path.split(".")
            assert first in field.args, (type_, name)
        for below in declared.sized:
            assert below in OBJECTS[str(field.type).strip("!")], (type_, name)


def cost(query: str) -> int:
    document = parse(query)
    assert validate(schema._schema, document) == []
    [operation] = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    return COSTS.estimate(document, operation, {})


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("{runs(first: 100) {totalCount edges {node {digest status}}}}", 1000 + 1 + 101 + 100 * 4),
        ('{lineage(id: "x") {nodes {id}}}', 1000 + 1 + 500 * 2),
        ('{resolve(request: {operation: "x"}) {match}}', 300 + 1 + 1),
        (
            '{resolveMany(requests: [{operation: "x"}, {operation: "y"}]) {alternatives {__typename}}}',
            2 * (300 + 1 + 100 * 2),
        ),
        ('{compare(runs: ["a", "b", "c"]) {runs {digest}}}', 1000 + 1 + 3 * 2),
        ("{resolveServing(request: {first: 7}) {cohorts {key}}}", 1 + 7 * 2),
        ("{resolveServing(request: {}) {cohorts {key}}}", 1 + 20 * 2),
        (
            "{_entities(representations: [{}, {}]) {... on SoftwareProject {slug}}}",
            2 * 2,
        ),
    ],
)
def test_a_query_costs_what_it_may_bring(query: str, expected: int) -> None:
    assert cost(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "{resolveMany(requests: [%s]) {alternatives {run {measurements {value unit metric statistic}}}}}"
        % ('{operation: "x"},' * 50),
        "{runs(first: 100) {edges {node {implementation {ancestors {nodes {id}}}}}}}",
        "{runs(first: 100) {edges {node {implementation {ancestors {edges {from to}}}}}}}",
    ],
)
def test_lists_inside_of_lists_are_refused(query: str) -> None:
    assert cost(query) > Limits().max_cost
