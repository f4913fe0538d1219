"""The schema under a prefix: other names, the same answers."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLScalarType, parse, validate

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.prefix import ROOT_TYPES, Prefix
from catalog.api.registry import ENTITIES
from catalog.api.schema import build, moved, schema
from catalog.read import Snapshots
from catalog.server.ask import run_query
from catalog.server.execution import Executor, GraphQLRequest
from catalog.server.questions import load_questions
from graph.store import Store
from tests.read.samples import BEST, FAST, SMALL

KERNELS, TEAM = Prefix("kernels"), Prefix("team", entities=True)
PREFIXED = {prefix: build(prefix) for prefix in (KERNELS, TEAM)}
UNIQUE = {
    *ROOT_TYPES & schema._schema.type_map.keys(),
    "_Any",
    "_Entity",
    "_Service",
    "_FieldSet",
    "link__Import",
    "link__Purpose",
}


def _names(prefix: Prefix | None) -> set[str]:
    types = (PREFIXED[prefix] if prefix else schema)._schema.type_map
    return {name for name in types if not name.startswith("__")}


def _scalars() -> set[str]:
    return {name for name, type_ in schema._schema.type_map.items() if isinstance(type_, GraphQLScalarType)}


def test_types_get_the_prefix_but_for_what_others_join_by() -> None:
    plain, kept = _names(None), UNIQUE | _scalars()
    assert _names(KERNELS) == {n if n in kept | ENTITIES.keys() else f"Kernels{n}" for n in plain}
    assert _names(TEAM) == {n if n in kept else f"Team{n}" for n in plain}
    assert _names(None) & _names(TEAM) == kept


@pytest.mark.parametrize("prefix", PREFIXED, ids=str)
def test_root_fields_get_the_prefix_and_no_others(prefix: Prefix) -> None:
    types, names = PREFIXED[prefix]._schema.type_map, PREFIXED[prefix].config.name_converter
    for plain in schema._schema.type_map.values():
        if not isinstance(plain, GraphQLObjectType | GraphQLInterfaceType) or plain.name.startswith("__"):
            continue
        definition = schema.get_type_by_name(plain.name)
        name = plain.name if plain.name in UNIQUE else names.from_type(definition)  # type: ignore[arg-type]
        prefixed = types[name]
        assert isinstance(prefixed, type(plain))
        fields = list(plain.fields)
        if name in ROOT_TYPES:
            fields = [field if field.startswith("_") else prefix.field(field) for field in fields]
        assert list(prefixed.fields) == fields, name
        for field, other in zip(plain.fields.values(), prefixed.fields.values(), strict=True):
            assert list(field.args) == list(other.args)
            assert field.description == other.description


def test_the_default_is_no_prefix() -> None:
    assert build().as_str() == schema.as_str()
    assert moved("{ a } # as it is", None) == "{ a } # as it is"


@pytest.mark.parametrize("text", ["", "K", "kernels_", "9", "é", "a" * 33, "a b"])
def test_what_is_no_prefix_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a lower-case letter"):
        Prefix(text)


def test_a_query_is_put_over_and_nothing_else_of_it_changes() -> None:
    text = """query Q($f: RunFilter!, $o: [RunOrder!], $d: Digest) { # all of it
      mine: runs(filter: $f) { ...c } __typename catalog { revision } _service { sdl }
      node(id: "x") { ... on BenchmarkRun { id } ... on PageInfo { endCursor } ...No } }
    fragment c on BenchmarkRunConnection { totalCount edges { node { title } } }
    fragment q on Query { run(digest: $d) { title } }"""
    assert (
        moved(text, KERNELS)
        == """query Q($f: KernelsRunFilter!, $o: [KernelsRunOrder!], $d: Digest) { # all of it
      mine: kernelsRuns(filter: $f) { ...c } __typename catalog: kernelsCatalog { revision } _service { sdl }
      node: kernelsNode(id: "x") { ... on BenchmarkRun { id } ... on KernelsPageInfo { endCursor } ...No } }
    fragment c on KernelsBenchmarkRunConnection { totalCount edges { node { title } } }
    fragment q on Query { run: kernelsRun(digest: $d) { title } }"""
    )


@pytest.mark.parametrize("prefix", PREFIXED, ids=str)
def test_the_examples_of_graphiql_are_put_over(prefix: Prefix) -> None:
    questions = load_questions(partial(moved, prefix=prefix))
    for example in (example for question in questions for example in question.examples):
        assert validate(PREFIXED[prefix]._schema, parse(example.query)) == []


QUERIES: dict[str, tuple[str, dict[str, Any]]] = {
    "lists": (
        """query Lists($filter: RunFilter, $order: RunOrder) {
          runs(filter: $filter, orderBy: $order, first: 3) { ...page }
          again: runs(first: 2) { pageInfo { endCursor } }
          comparisonGroups(orderBy: OBSERVED_DESC) { edges { node { profile leader { title }
            runs(bestPer: NAME) { edges { rank node { title evidenceLevel } } } } } } }
        fragment page on BenchmarkRunConnection { totalCount edges { cursor node { title status } } }""",
        {"filter": {"minimumEvidence": "REPORTED", "status": ["PASSED"]}, "order": "OBSERVED_ASC"},
    ),
    "nodes": (
        """query Nodes($ids: [ID!]!) { nodes(ids: $ids) { id ... on BenchmarkRun { title }
          ... on ImplementationRevision { slug descendants { nodes { id } } } } }""",
        {"ids": [BEST.digest, FAST.digest, SMALL.digest]},
    ),
    "search": (
        """{ search(query: "sum") { intent { text }
            edges { matched node { id ... on OperationSpec { slug } } } }
          resolve(request: { operation: "sum-rows", axes: [{ name: "n", value: 1024 }] }) { match
            groups { size } } }""",
        {},
    ),
    "faults": ('{ runs(first: 101) { totalCount } other: run(digest: "zz") { title } }', {}),
}


@pytest.mark.parametrize("prefix", PREFIXED, ids=str)
@pytest.mark.parametrize("name", QUERIES)
async def test_the_answers_are_the_same(filled: Store, prefix: Prefix, name: str) -> None:
    text, variables = QUERIES[name]
    if name == "nodes":
        found = await run_query(filled, "{ runs { edges { node { id implementation { id } } } } }")
        edges = found["data"]["runs"]["edges"]
        ids = [edge["node"]["id"] for edge in edges] + [e["node"]["implementation"]["id"] for e in edges]
        variables = {"ids": ids}

    async def context() -> Context:
        return Context(Snapshots(filled), today=lambda: date(2026, 8, 16))

    plain = await Executor(schema, map_error).run(GraphQLRequest(text, None, variables), context)
    other = GraphQLRequest(moved(text, prefix), None, variables)
    prefixed = await Executor(PREFIXED[prefix], map_error).run(other, context)
    assert _without_places(prefixed.body) == _without_places(plain.body)
    assert ("errors" in plain.body) == (name == "faults")


def _without_places(answer: dict[str, Any]) -> dict[str, Any]:
    for error in answer.get("errors", ()):
        del error["locations"]  # the text is longer
    return answer


@pytest.mark.parametrize(("prefix", "type_name"), [(KERNELS, "BenchmarkRun"), (TEAM, "TeamBenchmarkRun")])
async def test_references_name_the_type_as_the_schema_does(
    filled: Store, prefix: Prefix, type_name: str
) -> None:
    executor = Executor(PREFIXED[prefix], map_error)

    async def context() -> Context:
        return Context(Snapshots(filled))

    fragment = f"fragment t on {type_name} {{ __typename title }}"
    text = f"query ($r: [_Any!]!) {{ _entities(representations: $r) {{ ...t }} }} {fragment}"
    references = [{"__typename": name, "digest": BEST.digest} for name in (type_name, "OtherBenchmarkRun")]
    answer = (await executor.run(GraphQLRequest(text, None, {"r": references}), context)).body
    assert answer["data"] == {"_entities": [{"__typename": type_name, "title": "Best"}, None]}
    [error] = answer["errors"]
    assert error["extensions"]["field"] == "__typename"
