"""The estimate of what an operation asks for."""

from typing import Any

import pytest
from graphql import OperationDefinitionNode, build_schema, parse, validate

from catalog.server.cost import PLAIN_LIST, Costs
from catalog.server.execution import Executor, GraphQLRequest
from catalog.server.limits import Limits
from tests.server.sample import Watch, explain, schema

SDL = """
    directive @cost(weight: Int!) on OBJECT | FIELD_DEFINITION
    directive @listSize(assumedSize: Int!, slicingArguments: [String!], sizedFields: [String!])
      on FIELD_DEFINITION
    type Query {
      runs(first: Int, last: Int): Runs!
        @listSize(assumedSize: 20, slicingArguments: ["first", "last"], sizedFields: ["edges"])
      nodes(ids: [ID!]!): [Node]! @listSize(assumedSize: 100, slicingArguments: ["ids"])
      entities(representations: [ID!]!): [Node]!
      run: Run
      all: [Run!]! @listSize(assumedSize: 500)
      best(request: Request): Best! @cost(weight: 5)
        @listSize(assumedSize: 20, slicingArguments: ["request.first"], sizedFields: ["groups", "others"])
      bestOf(requests: [Request!]!): [Best!]! @listSize(assumedSize: 50, slicingArguments: ["requests"])
    }
    input Request { first: Int }
    interface Node { id: ID! }
    type Runs { edges: [Edge!]! totalCount: Int! @cost(weight: 5) }
    type Edge { node: Run! }
    type Run implements Node { id: ID! group: Group tags: [Tag!]! names: [String!]! }
    type Group {
      runs(first: Int = 20): Runs!
        @listSize(assumedSize: 20, slicingArguments: ["first"], sizedFields: ["edges"])
    }
    type Best @cost(weight: 100) { groups: [Group!]! others: [Group!]! match: String! }
    type Tag { name: String! }
"""
CYCLE = build_schema(SDL)


def cost(query: str, variables: dict[str, Any] | None = None) -> int:
    document = parse(query)
    assert validate(CYCLE, document) == []
    [operation] = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    return Costs(CYCLE, SDL).estimate(document, operation, variables or {})


@pytest.mark.parametrize(
    ("query", "variables", "expected"),
    [
        ("{run {id}}", {}, 2),
        ("{run {names}}", {}, 2),
        ("{run {tags {name}}}", {}, 1 + PLAIN_LIST * 2),
        ("{all {id}}", {}, 500 * 2),
        ("{runs {totalCount}}", {}, 2 + 5),
        ("{runs {edges {__typename}}}", {}, 1 + 20 * 2),
        ("{runs(first: 7) {edges {__typename}}}", {}, 1 + 7 * 2),
        ("{runs(first: 0) {edges {__typename}}}", {}, 1),
        ("{runs(first: -7) {edges {__typename}}}", {}, 1),
        ("{runs(first: null) {edges {__typename}}}", {}, 1 + 20 * 2),
        ("{runs(first: 7, last: 9) {edges {__typename}}}", {}, 1 + 9 * 2),
        ("{runs(last: 9) {a: edges {__typename} b: edges {__typename}}}", {}, 1 + 2 * 9 * 2),
        ("query($n: Int) {runs(first: $n) {edges {__typename}}}", {"n": 7}, 1 + 7 * 2),
        ("query($n: Int) {runs(first: $n) {edges {__typename}}}", {"n": "seven"}, 1 + 20 * 2),
        ("query($n: Int) {runs(first: $n) {edges {__typename}}}", {}, 1 + 20 * 2),
        ("query($n: Int = 5) {runs(first: $n) {edges {__typename}}}", {}, 1 + 5 * 2),
        ('{nodes(ids: ["a", "b"]) {id}}', {}, 2 * 2),
        ("query($ids: [ID!]!) {nodes(ids: $ids) {id}}", {"ids": ["a"] * 50}, 50 * 2),
        ("query($ids: [ID!]!) {entities(representations: $ids) {id}}", {"ids": ["a"] * 50}, 50 * 2),
        ("{best {match}}", {}, 106 + 1),
        ("{best {groups {__typename}}}", {}, 106 + 20 * 2),
        ("{best(request: {first: 3}) {groups {__typename}}}", {}, 106 + 3 * 2),
        ("query($n: Int) {best(request: {first: $n}) {groups {__typename}}}", {"n": 4}, 106 + 4 * 2),
        (
            "query($r: Request) {best(request: $r) {...G}} fragment G on Best {others {__typename}}",
            {"r": {"first": 5}},
            106 + 5 * 2,
        ),
        ("query($r: Request) {best(request: $r) {groups {__typename}}}", {"r": 7}, 106 + 20 * 2),
        ("{bestOf(requests: [{first: 1}, {}]) {match}}", {}, 2 * (101 + 1)),
        ("query($r: [Request!]!) {bestOf(requests: $r) {match}}", {"r": [{}] * 9}, 9 * (101 + 1)),
        ("{run {...F}} fragment F on Run {id ... on Node {id} ... {id}}", {}, 4),
        ("{runs(first: 7) {edges {node {id}}}}", {}, 1 + 7 * (1 + 1 + 1)),
        (
            "{runs(first: 7) {...P}} fragment P on Runs {edges {node {tags {name}}}}",
            {},
            1 + 7 * (1 + 1 + 3 * 2),
        ),
        (
            "{a: runs(first: 7) {...P} b: runs(first: 9) {...P}} fragment P on Runs {edges {__typename}}",
            {},
            2 + 16 * 2,
        ),
        (
            "{runs(first: 2) {edges {node {group {runs(first: 3) {edges {node {id}}}}}}}}",
            {},
            1 + 2 * (1 + 1 + 1 + 1 + 3 * (1 + 1 + 1)),
        ),
        ("{__typename __schema {types {name}}}", {}, 10_001),
    ],
)
def test_an_estimate_counts_values(query: str, variables: dict[str, Any], expected: int) -> None:
    assert cost(query, variables) == expected


def cycle(levels: int) -> str:
    inner = "id"
    for _ in range(levels):
        inner = "group{runs(first: 100){edges{node{" + inner + "}}}}"
    return "{runs(first: 100){edges{node{" + inner + "}}}}"


def test_a_cycle_of_connections_multiplies_and_fragments_are_counted_once() -> None:
    assert [cost(cycle(levels)) > Limits().max_cost for levels in range(4)] == [False, False, True, True]
    fragments = "".join(
        f"fragment F{number} on Run {{group{{runs{{edges{{node{{...F{number + 1} ...F{number + 1}}}}}}}}}}} "
        for number in range(12)
    )
    assert cost("{run{...F0}}" + fragments + "fragment F12 on Run {id}") > 10**12


async def test_a_costly_query_is_refused_before_it_runs() -> None:
    async def context() -> Watch:
        raise AssertionError("it ran")

    schemas = " ".join(f"a{number}: __schema {{types {{name}}}}" for number in range(11))
    reply = await Executor(schema, explain).run(GraphQLRequest("{" + schemas + "}"), context)
    [error] = reply.body["errors"]
    cost = {"requested": 110_000, "maximum": 100_000}
    assert reply.status == 400
    assert error["extensions"] == {"limit": "max_cost", **cost, "code": "LIMIT_EXCEEDED"}
    assert error["message"].startswith(
        "The query could ask for about 110000 values; at most 100000 are allowed."
    )


@pytest.mark.parametrize(
    ("extensions", "always", "reported"),
    [
        (None, False, False),
        ({}, False, False),
        ({"cost": False}, False, False),
        ({"cost": "yes"}, False, False),
        ({"cost": True}, False, True),
        (None, True, True),
    ],
)
async def test_the_cost_is_in_the_answer_when_asked_for(
    extensions: dict[str, Any] | None, always: bool, reported: bool
) -> None:
    async def context() -> Watch:
        return Watch()

    request = GraphQLRequest("{hello board {name}}", extensions=extensions)
    reply = await Executor(schema, explain, report_cost=always).run(request, context)
    expected = {"cost": {"requested": 3, "maximum": 100_000}} if reported else None
    assert reply.body.get("extensions") == expected
    assert reply.body["data"] == {"hello": "world", "board": {"name": "jsd"}}
