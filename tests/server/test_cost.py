"""The estimate of what an operation asks for."""

from typing import Any

import pytest
from graphql import OperationDefinitionNode, build_schema, parse, validate

from catalog.server.cost import DEFAULT_PAGE, PLAIN_LIST, estimate
from catalog.server.execution import Executor, GraphQLRequest
from catalog.server.limits import Limits
from tests.server.sample import Watch, explain, schema

CYCLE = build_schema(
    """
    type Query { runs(first: Int, last: Int): Runs! nodes(ids: [ID!]!): [Node]! run: Run all: [Run!]! }
    interface Node { id: ID! }
    type Runs { edges: [Edge!]! totalCount: Int! }
    type Edge { node: Run! }
    type Run implements Node { id: ID! group: Group tags: [Tag!]! names: [String!]! }
    type Group { runs(first: Int = 20): Runs! }
    type Tag { name: String! }
    """
)


def cost(query: str, variables: dict[str, Any] | None = None) -> int:
    document = parse(query)
    assert validate(CYCLE, document) == []
    [operation] = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    return estimate(CYCLE, document, operation, variables or {})


@pytest.mark.parametrize(
    ("query", "variables", "expected"),
    [
        ("{run {id}}", {}, 2),
        ("{run {names}}", {}, 2),
        ("{run {tags {name}}}", {}, 1 + 1 + PLAIN_LIST),
        ("{runs {totalCount}}", {}, 1 + DEFAULT_PAGE),
        ("{runs(first: 7) {totalCount}}", {}, 8),
        ("{runs(first: -7) {totalCount}}", {}, 1),
        ("{runs(first: 7, last: 9) {totalCount}}", {}, 10),
        ("query($n: Int) {runs(first: $n) {totalCount}}", {"n": 7}, 8),
        ("query($n: Int) {runs(first: $n) {totalCount}}", {"n": "seven"}, 1 + DEFAULT_PAGE),
        ("query($n: Int) {runs(first: $n) {totalCount}}", {}, 1 + DEFAULT_PAGE),
        ("query($n: Int = 5) {runs(first: $n) {totalCount}}", {}, 6),
        ('{nodes(ids: ["a", "b"]) {id}}', {}, 3),
        ("query($ids: [ID!]!) {nodes(ids: $ids) {id}}", {"ids": ["a"] * 50}, 51),
        ("{run {...F}} fragment F on Run {id ... on Node {id} ... {id}}", {}, 4),
        ("{runs(first: 7) {edges {node {id}}}}", {}, 1 + 7 * (1 + 1 + 1)),
        (
            "{runs(first: 7) {...P}} fragment P on Runs {edges {node {tags {name}}}}",
            {},
            1 + 7 * (1 + 1 + 1 + 3),
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
    assert (reply.status, error["extensions"]) == (400, {"limit": "max_cost", "code": "LIMIT_EXCEEDED"})
    assert error["message"].startswith(
        "The query could ask for about 110000 values; at most 100000 are allowed."
    )
