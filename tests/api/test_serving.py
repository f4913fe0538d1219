"""Serving results over GraphQL: the made data against answers worked out by hand; on both engines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from tests.asking import ask
from tests.data.made import serving as made_serving
from tests.engines import Engine

MADE = Path(__file__).parent.parent / "data" / "made"
EXPECTED = json.loads((MADE / "serving-expected.json").read_text())
MODEL, STACK, CHAT = made_serving.MODEL.digest, made_serving.STACK.digest, made_serving.CHAT.digest

RESOLVE = """
query ($request: ResolveServingRequest!) {
  resolveServing(request: $request) { truncated cohorts {
    key size policy model { name } workload { name }
    ranked { rank value run { title } configuration { summary }
      outcomes { constraint state satisfied observed statistic } }
    excluded { run { title } reasons outcomes { constraint state } }
    frontier { run { title } metrics { metric statistic unit value } }
    notComparable { run { title } missing }
  } }
}
"""


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, [MADE / "serving.jsonl"])).rejected
        yield store


def told(cohort: dict[str, Any]) -> dict[str, Any]:
    """A cohort as the expected answers have it: what lists say in an order that ties leave open is a map."""
    return {
        "size": cohort["size"],
        "ranked": {row["run"]["title"]: [row["rank"], row["value"]] for row in cohort["ranked"]},
        "excluded": {row["run"]["title"]: row["reasons"] for row in cohort["excluded"]},
        "frontier": {row["run"]["title"]: [m["value"] for m in row["metrics"]] for row in cohort["frontier"]},
        "notComparable": {row["run"]["title"]: row["missing"] for row in cohort["notComparable"]},
    }


@pytest.mark.parametrize("name", EXPECTED)
async def test_answers_are_those_worked_out_by_hand(made: Store, name: str) -> None:
    expected = EXPECTED[name]
    found = (await ask(made, RESOLVE, {"request": expected["request"]}))["resolveServing"]
    assert found["truncated"] == expected["truncated"]
    assert [told(cohort) for cohort in found["cohorts"]] == [
        {part: value for part, value in cohort.items() if part != "outcomes"}
        for cohort in expected["cohorts"]
    ]
    for cohort, wanted in zip(found["cohorts"], expected["cohorts"], strict=True):
        ranks = [row["rank"] for row in cohort["ranked"]]
        assert ranks == sorted(ranks, key=lambda rank: (rank is None, rank or 0))
        if any(ranks):
            assert list(told(cohort)["ranked"]) == list(wanted["ranked"])
        fields = ("constraint", "state", "satisfied", "observed", "statistic")
        outcomes = {
            r["run"]["title"]: [[o[f] for f in fields] for o in r["outcomes"]] for r in cohort["ranked"]
        }
        assert {title: outcomes[title] for title in wanted.get("outcomes", {})} == wanted.get("outcomes", {})


async def test_a_page_of_cohorts_says_that_there_are_more(made: Store) -> None:
    found = await ask(made, RESOLVE, {"request": {"first": 2}})
    assert found["resolveServing"]["truncated"] is True
    assert [cohort["size"] for cohort in found["resolveServing"]["cohorts"]] == [10, 3]
    none = await ask(made, RESOLVE, {"request": {"first": 0}})
    assert none["resolveServing"] == {"truncated": True, "cohorts": []}


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"first": -1}, "first"),
        ({"first": 101}, "first"),
        ({"maximumAccelerators": 0}, "maximumAccelerators"),
        ({"objective": {"metric": "tftt_ms", "maximize": False}}, "objective"),
        ({"constraints": [{"metric": "ttft_ms", "operator": "LT", "value": 1}] * 33}, "constraints"),
    ],
)
async def test_a_faulty_request_names_its_fault(made: Store, request_: dict[str, Any], field: str) -> None:
    text = "query ($request: ResolveServingRequest!) { resolveServing(request: $request) { truncated } }"
    answer = await run_query(made, text, {"request": request_})
    [error] = answer["errors"]
    assert (error["extensions"]["code"], error["extensions"]["field"]) == ("BAD_USER_INPUT", field)


LISTS = """{
  servingRuns(filter: { model: "made-llm", status: [INVALID] }) { totalCount edges { node {
    title status reasons policy observedAt harness qualityPolicy placement caveats
    topology { acceleratorModel acceleratorsPerNode nodeCount accelerators interconnect }
    measurements { metric value } source { slug } cohort { size key } cohortKey
    configuration { summary dtype parallelism { name value }
      stack { name version backends projects { slug } } }
    workload { name slug streaming bounds { metric statistic operator value unit } } model { name slug }
  } } }
  retracted: servingRuns(filter: { workload: "made-chat" }) { totalCount }
  models { totalCount edges { node { slug name tokenizer } } }
  servingStacks { totalCount } servingConfigurations { totalCount } servingWorkloads { totalCount }
  servingCohorts(filter: { metric: "ttft_ms", acceleratorModel: "GH200" }) {
    totalCount edges { node { size metrics topologyKey protocolKey qualityPolicy } } }
  runs { totalCount } comparisonGroups { totalCount }
}"""


async def test_lists_and_what_they_show(made: Store) -> None:
    found = await ask(made, LISTS)
    [edge] = found["servingRuns"]["edges"]
    key = edge["node"].pop("cohortKey")
    assert edge["node"] == {
        "title": "zeta",
        "status": "INVALID",
        "reasons": ["STATUS_INVALID"],
        "policy": "serving-v1",
        "observedAt": "2026-01-06T00:00:00Z",
        "harness": "made_loadgen 1",
        "qualityPolicy": "made_99",
        "placement": None,
        "caveats": [],
        "topology": {
            "acceleratorModel": "NVIDIA H100-SXM-80GB",
            "acceleratorsPerNode": 8,
            "nodeCount": 1,
            "accelerators": 8,
            "interconnect": None,
        },
        "measurements": [
            {"metric": "ttft_ms", "value": 1},
            {"metric": "tpot_ms", "value": 1},
            {"metric": "output_token_throughput_tps", "value": 9000},
        ],
        "source": None,
        "cohort": {"size": 10, "key": key},
        "configuration": {
            "summary": "bf16",
            "dtype": "bf16",
            "parallelism": [{"name": "tensor", "value": 8}],
            "stack": {"name": "Made server", "version": "1.0", "backends": ["cuda"], "projects": []},
        },
        "workload": {
            "name": "Chat",
            "slug": "made-chat",
            "streaming": True,
            "bounds": [
                {"metric": "ttft_ms", "statistic": "p99", "operator": "<=", "value": 450, "unit": "ms"},
                {"metric": "tpot_ms", "statistic": "p99", "operator": "<=", "value": 40, "unit": "ms"},
            ],
        },
        "model": {"name": "Made LLM 7B", "slug": "made-llm"},
    }
    assert found["retracted"] == {"totalCount": 13}
    models = sorted(({**edge["node"]} for edge in found["models"]["edges"]), key=lambda node: node["slug"])
    assert models == [
        {"slug": "made-llm", "name": "Made LLM 7B", "tokenizer": None},
        {"slug": "made-other-llm", "name": "Other LLM", "tokenizer": "bpe"},
    ]
    counts = [
        found[name]["totalCount"] for name in ("servingStacks", "servingConfigurations", "servingWorkloads")
    ]
    assert counts == [1, 2, 2]
    assert found["servingCohorts"] == {
        "totalCount": 1,
        "edges": [
            {
                "node": {
                    "size": 3,
                    "metrics": ["output_token_throughput_tps·mean", "ttft_ms·p99"],
                    "topologyKey": "nvidia/NVIDIA GH200/4x4/unspecified",
                    "protocolKey": "made_loadgen/1/unspecified/non_streaming/offline",
                    "qualityPolicy": "made_99",
                }
            }
        ],
    }
    assert found["runs"] == found["comparisonGroups"] == {"totalCount": 0}


async def test_cohorts_page_by_page(made: Store) -> None:
    text = """query ($after: String) { servingCohorts(first: 1, after: $after) {
      totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { node { key size } } } }"""
    sizes, after = [], None
    for page in range(4):
        found = (await ask(made, text, {"after": after}))["servingCohorts"]
        after = found["pageInfo"]["endCursor"]
        sizes += [edge["node"]["size"] for edge in found["edges"]]
        assert (found["totalCount"], found["pageInfo"]["hasPreviousPage"]) == (4, page > 0)
    assert (sizes, found["pageInfo"]["hasNextPage"]) == ([10, 3, 2, 1], False)
    answer = await run_query(made, text, {"after": "garbage"})
    assert answer["errors"][0]["extensions"] == {"code": "BAD_USER_INPUT", "field": "after"}


async def test_one_object_by_digest_slug_or_key(made: Store) -> None:
    found = await ask(
        made,
        f"""{{ a: model(slug: "made-llm") {{ id digest }} b: model(digest: "{MODEL[7:20]}") {{ digest }}
          c: model(slug: "nobody") {{ digest }} stack: servingStack(slug: "made-server") {{ digest }}
          load: servingWorkload(slug: "made-chat") {{ digest }}
          none: servingRun(digest: "sha256:{"0" * 64}") {{ digest }}
          cohorts: servingCohorts(first: 1) {{ edges {{ node {{ id key }} }} }} }}""",
    )
    assert found["a"]["digest"] == found["b"]["digest"] == MODEL
    assert (found["c"], found["none"]) == (None, None)
    assert (found["stack"]["digest"], found["load"]["digest"]) == (STACK, CHAT)
    cohort = found["cohorts"]["edges"][0]["node"]
    again = await ask(
        made,
        """query ($id: ID!, $key: Digest!, $r: [_Any!]!) { node(id: $id) { ... on ServingCohort { key size } }
          servingCohort(key: $key) { key frontier { run { title } } }
          nope: servingCohort(key: "00000000") { key }
          _entities(representations: $r) { ... on ServingCohort { size } ... on ModelRevision { name } } }""",
        {
            "id": cohort["id"],
            "key": cohort["key"][7:20],
            "r": [
                {"__typename": "ServingCohort", "key": cohort["key"]},
                {"__typename": "ModelRevision", "digest": MODEL},
                {"__typename": "ServingRun", "digest": "sha256:" + "0" * 64},
            ],
        },
    )
    assert again["node"] == {"key": cohort["key"], "size": 10}
    assert {point["run"]["title"] for point in again["servingCohort"]["frontier"]} == {
        *("alpha", "beta", "gamma", "epsilon")
    }
    assert again["nope"] is None
    assert again["_entities"] == [{"size": 10}, {"name": "Made LLM 7B"}, None]


@pytest.mark.parametrize("arguments", ["", '(slug: "a", digest: "12345678")'])
async def test_one_object_needs_exactly_one_name(made: Store, arguments: str) -> None:
    answer = await run_query(made, f"{{ model{arguments} {{ digest }} }}")
    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


RUN, KEY = "servingRuns(first: 1) { edges { node { digest } } }", "servingCohorts { edges { node { key } } }"


async def test_the_number_of_statements_does_not_grow_with_cohorts(made: Store) -> None:
    costs = {}
    for first in (1, 4):
        snapshots, before = Snapshots(made), made.statements
        request = {
            "first": first,
            "model": "made-llm",
            "objective": {"metric": "batch_size", "maximize": True},
            "constraints": [{"metric": "ttft_ms", "operator": "LTE", "value": 450}],
        }
        for expected in (7, 1):  # cold; warm: the revision
            answer = await run_query(made, RESOLVE, {"request": request}, context=Context(snapshots))
            assert "errors" not in answer
            costs[first, expected] = made.statements - before
            before = made.statements
    assert costs == {(1, 7): 7, (1, 1): 1, (4, 7): 7, (4, 1): 1}
