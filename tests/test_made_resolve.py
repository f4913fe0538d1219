"""Requests on the made data: every answer in tests/data/made/resolve-expected.json, on both engines."""

from __future__ import annotations

import io
import json
import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.api.node import global_id
from catalog.ingest.pipeline import import_paths
from catalog.keep.export import export
from catalog.keep.verify import verify
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from tests.asking import ask
from tests.data.made.resolve import NEARLY, SAME, SCALE, TWIN, WITHIN
from tests.engines import Engine

pytestmark = pytest.mark.usefixtures("size")

MADE = Path(__file__).parent / "data" / "made"
EXPECTED = json.loads((MADE / "resolve-expected.json").read_text())

FIELDS = """
    match policies { ranking deployability }
    groups { size profile operation { title } }
    bestVerified { run { title } reasons } bestDeployable { run { title } reasons }
    alternatives { rank run { title } excluded relation { relation } group { key } }
    nearMatches { run { title } mismatches { field requested observed } relation { digest } }
    bracket { axis requested below { value workload { digest } } above { value workload { digest } } }
    supportedBy { slug } unresolved issues { token message suggestion } truncated
"""
RESOLVE = f"query ($request: ResolveRequest!) {{ resolve(request: $request) {{ {FIELDS} }} }}"
MANY = f"query ($requests: [ResolveRequest!]!) {{ resolveMany(requests: $requests) {{ {FIELDS} }} }}"


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        report = await import_paths(store, [MADE / "resolve.jsonl"])
        assert not report.rejected
        yield store


def shown(found: dict[str, Any], workloads: dict[str, str]) -> dict[str, Any]:
    """An answer in the words of the file of expected ones."""

    def choice(name: str) -> Any:
        return found[name] and [found[name]["run"]["title"], found[name]["reasons"]]

    def side(name: str) -> Any:
        end = found["bracket"][name]
        return end and [end["value"], workloads[end["workload"]["digest"]]]

    bracket = found["bracket"]
    near = [n for n in found["nearMatches"] if n["relation"] is None]
    return {
        "match": found["match"],
        "groups": [[g["operation"]["title"], g["size"], g["profile"]] for g in found["groups"]],
        "bestVerified": choice("bestVerified"),
        "bestDeployable": choice("bestDeployable"),
        "alternatives": [
            [a["rank"], a["run"]["title"], a["excluded"], a["relation"] and a["relation"]["relation"]]
            for a in found["alternatives"]
        ],
        "nearMatches": [[n["run"]["title"], [told(m) for m in n["mismatches"]]] for n in near],
        "joined": sorted(n["run"]["title"] for n in found["nearMatches"] if n["relation"] is not None),
        "bracket": bracket and [bracket["axis"], bracket["requested"], side("below"), side("above")],
        "supportedBy": [code["slug"] for code in found["supportedBy"]],
        "unresolved": found["unresolved"],
        "issues": [
            f"{issue['token']}: {issue['message']}".replace(WITHIN.digest, "WITHIN")
            for issue in found["issues"]
        ],
    }


def told(mismatch: dict[str, str]) -> str:
    return f"{mismatch['field']}: {mismatch['requested']}, not {mismatch['observed']}"


def nearness(near: dict[str, Any]) -> tuple[int, float]:
    """The documented order of near matches, told from their mismatches."""
    axes = [m for m in near["mismatches"] if m["field"].startswith("axes.")]
    apart = (abs(math.log(float(m["observed"]) / float(m["requested"]))) for m in axes)
    return len(near["mismatches"]), round(sum(apart), 9)


@pytest.mark.parametrize("name", EXPECTED)
async def test_an_answer_is_the_one_worked_out_by_hand(made: Store, name: str) -> None:
    expected = EXPECTED[name]
    listed = await ask(made, "{ workloads(first: 100) { edges { node { digest title } } } }")
    nodes = [edge["node"] for edge in listed["workloads"]["edges"]]
    workloads = {node["digest"]: node["title"].replace(" ", "-") for node in nodes}
    found = (await ask(made, RESOLVE, {"request": expected["request"]}))["resolve"]
    answer = shown(found, workloads)
    for each in (answer, expected):  # equally near ones stand in the order of their digests
        each["nearMatches"] = sorted(each["nearMatches"])
    wanted = {key: value for key, value in expected.items() if key != "request"}
    wanted["joined"] = sorted(wanted["joined"])
    assert answer == wanted
    places = [nearness(near) for near in found["nearMatches"]]
    assert places == sorted(places)
    assert not found["truncated"]


async def test_many_requests_are_answered_as_each_alone_with_one_load(made: Store) -> None:
    requests = [case["request"] for case in EXPECTED.values()]
    costs = {}
    for size in (1, len(requests)):
        before = made.statements
        answer = await run_query(made, MANY, {"requests": requests[:size]}, context=Context(Snapshots(made)))
        costs[size] = made.statements - before
        assert "errors" not in answer
    alone = [(await ask(made, RESOLVE, {"request": request}))["resolve"] for request in requests]
    assert answer["data"]["resolveMany"] == alone
    assert costs[1] <= 15 + 7  # the index; then groups, runs, operations, workloads, relations, code
    assert costs[len(requests)] <= costs[1] + 5  # the five statements of another operation's load
    before = made.statements
    fields = " ".join(
        f'r{n}: resolve(request: {{operation: "{name}"}}) {{ match }}'
        for n, name in enumerate(("made-scale", "made-twin", "made-wide", "made-rough", "nothing"))
    )
    await run_query(made, f"{{ {fields} }}", context=Context(Snapshots(made)))
    assert made.statements - before <= 15


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("operation", {"operation": ""}),
        ("axes", {"operation": "o", "axes": [{"name": "n", "value": 1}, {"name": "n", "value": 2}]}),
        ("shape", {"operation": "o", "shape": [1.5]}),
        ("protocol", {"operation": "o", "protocol": "12345678"}),
        ("allowedLicenses", {"operation": "o", "policy": {"allowedLicenses": ["free"]}}),
    ],
)
async def test_what_cannot_be_meant_is_an_error_that_names_the_field(
    made: Store, field: str, request_: dict[str, Any]
) -> None:
    answer = await run_query(made, RESOLVE, {"request": request_})
    [error] = answer["errors"]
    assert (error["extensions"]["code"], error["extensions"]["field"]) == ("BAD_USER_INPUT", field)


async def test_null_means_not_given(made: Store) -> None:
    open_ = dict.fromkeys(("axes", "shape", "dtypes", "product", "architecture", "protocol", "policy"))
    requests = [{"operation": "made-scale"}, {"operation": "made-scale"} | open_]
    bare, nulls = [(await ask(made, RESOLVE, {"request": each}))["resolve"] for each in requests]
    assert bare == nulls
    assert len(bare["groups"]) == 6


@pytest.mark.real_data
async def test_the_query_of_the_contract_is_answered_as_written(made: Store, real_data: Path) -> None:
    query = (real_data.parent / "contract" / "queries" / "resolve.graphql").read_text(encoding="utf-8")
    request = EXPECTED["policy"]["request"]
    found = (await ask(made, query, {"request": request}))["resolve"]
    assert found["policies"] == {"ranking": "ranking-v1", "deployability": "deployability-v1"}
    assert [group["environment"]["product"] for group in found["groups"]] == ["Made GPU"] * 3
    assert found["bestDeployable"]["run"]["implementation"]["installs"] == [{"command": None}]
    many = {"requests": [request] * 50}
    answers = (await ask(made, MANY, many))["resolveMany"]
    assert len(answers) == 50


async def test_at_most_fifty_requests(made: Store) -> None:
    answer = await run_query(made, MANY, {"requests": [{"operation": "made-scale"}] * 51})
    [error] = answer["errors"]
    assert error["extensions"] == {"code": "BAD_USER_INPUT", "field": "requests"} | error["extensions"]


RELATIONS = """query ($slug: String!) { operation(slug: $slug) { relations {
  digest relation reviewer reviewedAt from { slug } to { slug } constraints { axis operator value } } } }"""


async def test_an_operation_shows_its_relations_from_both_ends(made: Store) -> None:
    scale = (await ask(made, RELATIONS, {"slug": "made-scale"}))["operation"]["relations"]
    assert [each["digest"] for each in scale] == sorted(r.digest for r in (SAME, WITHIN, NEARLY))
    [twin] = (await ask(made, RELATIONS, {"slug": "made-twin"}))["operation"]["relations"]
    assert twin == {
        "digest": SAME.digest,
        "relation": "EXACTLY_EQUIVALENT",
        "reviewer": "made-reviewer",
        "reviewedAt": "2026-02-02T00:00:00Z",
        "from": {"slug": "made-twin"},
        "to": {"slug": "made-scale"},
        "constraints": [],
    }
    [wide] = (await ask(made, RELATIONS, {"slug": "made-wide"}))["operation"]["relations"]
    assert wide["constraints"] == [
        {"axis": "n", "operator": "LTE", "value": 2048},
        {"axis": "lanes", "operator": "EQ", "value": 4},
    ]


async def test_a_relation_is_kept_verified_and_exported_like_any_manifest(
    engine: Engine, store: Store, tmp_path: Path
) -> None:
    await import_paths(store, [MADE / "resolve.jsonl"])
    assert (await verify(store, strict=True)).problems == []
    written = io.StringIO()
    assert (await export(store, written))["OperationRelation"] == 3
    revision = await store.revision()
    await import_paths(store, [MADE / "resolve.jsonl"])
    assert await store.revision() == revision
    counts = (await ask(store, "{ catalog { counts { kind count } } }"))["catalog"]["counts"]
    assert counts[-1] == {"kind": "OperationRelation", "count": 3}
    path = tmp_path / "again.jsonl"
    path.write_text(written.getvalue())
    await engine.reset()
    async with engine.store() as second:
        await import_paths(second, [path])
        again = io.StringIO()
        await export(second, again)
        assert again.getvalue() == written.getvalue()
        relations = (await ask(second, RELATIONS, {"slug": "made-scale"}))["operation"]["relations"]
        assert len(relations) == 3


async def test_a_relation_that_comes_before_its_operations_waits_for_them(
    store: Store, tmp_path: Path
) -> None:
    lines = (MADE / "resolve.jsonl").read_text().splitlines(keepends=True)
    mentions = [line for line in lines[1:] if '"OperationRelation"' in line]
    first = tmp_path / "relations.jsonl"
    first.write_text(lines[0] + "".join(mentions))
    await import_paths(store, [first])
    text = "query ($id: ID!) { node(id: $id) { ... on OperationRelation { from { digest complete slug } } } }"
    found = await ask(store, text, {"id": global_id("OperationRelation", SAME.digest)})
    assert found["node"] == {"from": {"digest": TWIN.digest, "complete": False, "slug": None}}
    await import_paths(store, [MADE / "resolve.jsonl"])
    assert (await verify(store)).ok
    request = EXPECTED["best"]["request"] | {"operation": SCALE.digest}
    found = (await ask(store, RESOLVE, {"request": request}))["resolve"]
    assert [group["profile"] for group in found["groups"]] == [g[2] for g in EXPECTED["best"]["groups"]]
