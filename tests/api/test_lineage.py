"""Lineage of the made data: the answers in lineage-expected.json, on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.api.node import global_id
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots, totals
from graph.store import Store
from tests.api.lineage_made import (
    CODES,
    EXPECTED,
    MADE,
    UNKNOWN,
    ask,
    code_of,
    fault,
    id_of,
    shown,
)
from tests.data.made.lineage import IMPLEMENTATIONS, RUNS, SUPERSEDED, SUPERSEDING
from tests.data.made.make import OPERATION, artifact
from tests.engines import Engine
from tests.read.samples import write


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, [MADE / "lineage.jsonl"])).rejected
        yield store


@pytest.fixture(scope="module")
def snapshots(made: Store, size: int) -> Snapshots:
    assert size == totals.IN_MEMORY
    return Snapshots(made)


OF_ONE = """query ($d: Digest!, $first: Int) { implementation(digest: $d) {
  sharesSourceWith(first: $first) { digest }
  beat(first: $first) { at improvement won { digest } lost { digest } }
  beatenBy(first: $first) { at improvement won { digest } lost { digest } } } }"""


async def test_who_beat_whom_and_who_shares_source(made: Store, snapshots: Snapshots) -> None:
    beaten: dict[str, list[str]] = {}
    for name, code in IMPLEMENTATIONS.items():
        found = (await ask(made, OF_ONE, snapshots, d=code.digest))["implementation"]
        assert [CODES[each["digest"]] for each in found["sharesSourceWith"]] == EXPECTED["sharing"][name]
        assert sorted(str(code_of(each["lost"])) for each in found["beat"]) == EXPECTED["beat"].get(name, [])
        for side, own in (("beat", "won"), ("beatenBy", "lost")):
            assert {code_of(each[own]) for each in found[side]} <= {name}
            assert [each["at"] for each in found[side]] == sorted(each["at"] for each in found[side])
        for each in found["beatenBy"]:
            beaten.setdefault(str(code_of(each["won"])), []).append(name)
    assert {name: sorted(losers) for name, losers in beaten.items()} == EXPECTED["beat"]
    one = (await ask(made, OF_ONE, snapshots, d=IMPLEMENTATIONS["a3"].digest, first=1))["implementation"]
    assert [(each["at"], round(each["improvement"], 12)) for each in one["beat"]] == [(shown(4), 0.5)]


WALKS = """query ($d: Digest!, $depth: Int) { implementation(digest: $d) {
  ancestors(depth: $depth) { ...parts } descendants(depth: $depth) { ...parts } } }
  fragment parts on LineageGraph {
    truncated nodes { __typename id } edges { from to relation provenance } }"""


async def test_ancestors_and_descendants(made: Store, snapshots: Snapshots) -> None:
    found = (await ask(made, WALKS, snapshots, d=IMPLEMENTATIONS["a3"].digest))["implementation"]
    lib, axpy = global_id("SoftwareProject", "made-lib"), global_id("OperationSpec", OPERATION.digest)
    files = {name: global_id("EvidenceArtifact", artifact(name)) for name in "ab"}
    assert {(e["from"], e["relation"], e["to"], e["provenance"]) for e in found["ancestors"]["edges"]} == {
        (id_of("a3"), "FOLLOWS", id_of("a2"), "derived:first-observation"),
        *((id_of(name), "REVISION_OF", lib, "catalog-fact") for name in ("a2", "a3")),
        *((id_of(name), "IMPLEMENTS", axpy, "manifest") for name in ("a2", "a3")),
        (id_of("a3"), "HAS_SOURCE", files["b"], "manifest"),
        (id_of("a2"), "HAS_SOURCE", files["a"], "manifest"),
    }
    assert found["ancestors"]["nodes"][0] == {"__typename": "ImplementationRevision", "id": id_of("a3")}
    assert {node["id"] for node in found["ancestors"]["nodes"]} == {
        *(id_of(name) for name in ("a2", "a3")),
        *files.values(),
        lib,
        axpy,
    }
    assert found["ancestors"]["truncated"] is False
    assert found["descendants"] == {
        "truncated": False,
        "nodes": [{"__typename": "ImplementationRevision", "id": id_of("a3")}],
        "edges": [],
    }
    before = (await ask(made, WALKS, snapshots, d=IMPLEMENTATIONS["a2"].digest, depth=1))["implementation"]
    assert [(e["from"], e["relation"]) for e in before["descendants"]["edges"]] == [(id_of("a3"), "FOLLOWS")]
    none = (await ask(made, WALKS, snapshots, d=IMPLEMENTATIONS["a3"].digest, depth=0))["implementation"]
    assert none["ancestors"] == {
        "truncated": True,
        "nodes": [{"__typename": "ImplementationRevision", "id": id_of("a3")}],
        "edges": [],
    }
    assert await fault(made, WALKS, d=IMPLEMENTATIONS["a3"].digest, depth=-1) == ("BAD_USER_INPUT", "depth")


async def test_only_consecutive_revisions_of_other_content_follow(made: Store, snapshots: Snapshots) -> None:
    pairs = set()
    for code in IMPLEMENTATIONS.values():
        found = (await ask(made, WALKS, snapshots, d=code.digest, depth=9))["implementation"]
        pairs |= {(e["from"], e["to"]) for e in found["ancestors"]["edges"] if e["relation"] == "FOLLOWS"}
    assert pairs == {(id_of(later), id_of(earlier)) for later, earlier in EXPECTED["follows"]}


LINEAGE = """query ($id: ID!, $depth: Int, $r: [LineageRelation!]) {
  lineage(id: $id, depth: $depth, relations: $r) {
    truncated nodes { __typename id } edges { from to relation provenance } } }"""
PATH = """query ($a: ID!, $b: ID!, $r: [LineageRelation!]) {
  pathBetween(from: $a, to: $b, relations: $r) {
    truncated nodes { __typename id } edges { from to relation provenance } } }"""


async def test_lineage_goes_round_in_a_circle_once(made: Store, snapshots: Snapshots) -> None:
    found = (await ask(made, LINEAGE, snapshots, id=id_of("a1"), depth=99, r=["BEAT"]))["lineage"]
    assert {(e["from"], e["to"]) for e in found["edges"]} == {
        (id_of(winner), id_of(loser)) for winner, losers in EXPECTED["beat"].items() for loser in losers
    }
    assert {e["provenance"] for e in found["edges"]} == {"derived:record-history"}
    assert found["truncated"] is False


async def test_lineage_of_any_kind_of_node(made: Store, snapshots: Snapshots) -> None:
    ids = {
        "SoftwareProject": ("made-lib", ["a1", "a2", "a3", "a4", "a5"]),
        "OperationSpec": (OPERATION.digest, list(IMPLEMENTATIONS)),
        "EvidenceArtifact": (artifact("c"), ["a4", "r1"]),
        "BenchmarkRun": (SUPERSEDED.digest, ["a1"]),
    }
    for type_name, (key, codes) in ids.items():
        found = (await ask(made, LINEAGE, snapshots, id=global_id(type_name, key), depth=1))["lineage"]
        start, *others = found["nodes"]
        assert start == {"__typename": type_name, "id": global_id(type_name, key)}
        seen = {node["id"] for node in others if node["__typename"] == "ImplementationRevision"}
        assert seen == {id_of(name) for name in codes}
    names = {node["id"] for node in others if node["__typename"] == "BenchmarkRun"}
    assert names == {global_id("BenchmarkRun", SUPERSEDING.digest)}


async def test_lineage_of_a_run_outside_any_supersession(made: Store, snapshots: Snapshots) -> None:
    run = RUNS["made-r2-sm90-n1024-d5"]
    id_ = global_id("BenchmarkRun", run.digest)
    found = (await ask(made, LINEAGE, snapshots, id=id_, depth=1))["lineage"]
    assert [node["id"] for node in found["nodes"]] == [id_, id_of("r2")]
    assert found["edges"] == [
        {"from": id_, "to": id_of("r2"), "relation": "MEASURES", "provenance": "manifest"}
    ]
    assert found["truncated"] is True
    whole = (await ask(made, LINEAGE, snapshots, id=id_, depth=20))["lineage"]
    assert whole["truncated"] is False
    assert (
        len(whole["nodes"]) == 1 + 8 + 2 + 1 + 5 + 2
    )  # itself, implementations, projects, operation, files, runs


async def test_what_does_not_exist_is_null_and_what_has_no_edges_is_alone(
    made: Store, snapshots: Snapshots
) -> None:
    unknown = [
        global_id(name, UNKNOWN)
        for name in ("ImplementationRevision", "OperationSpec", "EvidenceArtifact", "BenchmarkRun")
    ]
    for id_ in [*unknown, global_id("SoftwareProject", "nobody")]:
        assert await ask(made, LINEAGE, snapshots, id=id_) == {"lineage": None}
        assert await ask(made, PATH, snapshots, a=id_of("a1"), b=id_) == {"pathBetween": None}
        assert await ask(made, PATH, snapshots, a=id_, b=id_of("a1")) == {"pathBetween": None}
    assert (await ask(made, WALKS, snapshots, d=UNKNOWN))["implementation"] is None
    found = (await ask(made, LINEAGE, snapshots, id=id_of("a5"), r=["BEAT"]))["lineage"]
    alone = {"__typename": "ImplementationRevision", "id": id_of("a5")}
    assert found == {"truncated": False, "nodes": [alone], "edges": []}
    for bad in ("rubbish", str(global_id("ComparisonGroup", UNKNOWN))):
        assert await fault(made, LINEAGE, id=bad) == ("BAD_USER_INPUT", "id")
        assert await fault(made, PATH, a=id_of("a1"), b=bad) == ("BAD_USER_INPUT", "to")


async def test_paths_keep_every_shortest_way(made: Store, snapshots: Snapshots) -> None:
    found = (await ask(made, PATH, snapshots, a=id_of("a1"), b=id_of("a2")))["pathBetween"]
    middle = {node["id"] for node in found["nodes"]} - {id_of("a1"), id_of("a2")}
    assert middle == {
        global_id("SoftwareProject", "made-lib"),
        global_id("OperationSpec", OPERATION.digest),
        global_id("EvidenceArtifact", artifact("a")),
        id_of("r1"),  # it beat one and was beaten by the other
        id_of("a3"),  # it follows one and was beaten by the other
    }
    assert len(found["edges"]) == 10
    beaten = (await ask(made, PATH, snapshots, a=id_of("r2"), b=id_of("a1"), r=["BEAT"]))["pathBetween"]
    assert [(e["from"], e["to"]) for e in beaten["edges"]] == [
        (id_of("a3"), id_of("r2")),
        (id_of("a1"), id_of("a3")),
    ]
    apart = (await ask(made, PATH, snapshots, a=id_of("a1"), b=id_of("n1"), r=["BEAT"]))["pathBetween"]
    assert apart == {"truncated": False, "nodes": [], "edges": []}


async def test_influence(made: Store, snapshots: Snapshots) -> None:
    text = """query ($o: String, $first: Int) { influence(operation: $o, first: $first) {
      rank score takeOvers losses successors implementation { digest } } }"""
    found = (await ask(made, text, snapshots))["influence"]
    by_code = {CODES[each["implementation"]["digest"]]: each for each in found}
    assert set(by_code) == set(IMPLEMENTATIONS)
    assert sum(each["score"] for each in found) == pytest.approx(1, abs=1e-9)
    for name, each in by_code.items():
        losses = sum(losers.count(name) for losers in EXPECTED["beat"].values())
        assert (each["takeOvers"], each["losses"]) == (len(EXPECTED["beat"].get(name, [])), losses)
        assert each["successors"] == sum(earlier == name for _, earlier in EXPECTED["follows"])
    assert by_code["a5"]["rank"] == by_code["n1"]["rank"] == found[-1]["rank"]
    assert (await ask(made, text, snapshots, o="never-heard-of"))["influence"] == []
    assert (await ask(made, text, snapshots, o="made-axpy", first=2))["influence"] == found[:2]


COSTS: list[tuple[str, dict[str, Any], int]] = [
    ("{ records { totalCount edges { node { architecture } } } }", {}, 5),
    ('{ records(filter: {operation: "made-axpy"}) { totalCount } }', {}, 6),
    ("{ recordHolders { totalCount edges { node { since } } } }", {}, 5),
    ("{ recordLeaders { architecture since } }", {}, 5),
    (LINEAGE, {"id": global_id("OperationSpec", OPERATION.digest), "depth": 10}, 5),
    (LINEAGE, {"id": global_id("BenchmarkRun", UNKNOWN)}, 6),
    (LINEAGE, {"id": global_id("BenchmarkRun", RUNS["made-n1-sm90-n2048-d5"].digest), "depth": 10}, 6),
    (PATH, {"a": id_of("a1"), "b": global_id("BenchmarkRun", UNKNOWN)}, 6),
    ("{ influence { rank } }", {}, 5),
    ('{ influence(operation: "made-axpy") { rank implementation { slug } } }', {}, 7),
    (
        "query ($i: Digest) { blastRadius(implementation: $i) { runCount } }",
        {"i": IMPLEMENTATIONS["a1"].digest[:20]},
        6,
    ),
]


@pytest.mark.parametrize(("text", "variables", "most"), COSTS)
async def test_statements(
    made: Store, text: str, variables: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "IN_MEMORY", 20_000)
    fresh = Snapshots(made)
    before = made.statements
    await ask(made, text, fresh, **variables)
    assert made.statements - before == most


async def test_whole_nodes_of_any_kind_are_one_more_statement(made: Store) -> None:
    text = """query ($id: ID!) { lineage(id: $id, depth: 10) { nodes { id
      ... on ImplementationRevision { slug }
      ... on SoftwareProject { name } ... on OperationSpec { family } ... on BenchmarkRun { title } } } }"""
    before = made.statements
    found = await ask(made, text, id=id_of("a1"))
    assert made.statements - before == 6
    assert len(found["lineage"]["nodes"]) == 18
    assert {"id": global_id("SoftwareProject", "made-lib"), "name": "Made library"} in found["lineage"][
        "nodes"
    ]


async def test_an_implementation_known_only_by_digest_has_no_lineage(store: Store, tmp_path: Path) -> None:
    run = RUNS["made-r2-sm90-n1024-d5"]
    write(tmp_path / "one.jsonl", [run])
    await import_paths(store, [tmp_path / "one.jsonl"])
    digest = IMPLEMENTATIONS["r2"].digest
    found = (await ask(store, WALKS, d=digest))["implementation"]
    nothing = {"truncated": False, "nodes": [], "edges": []}
    assert found == {"ancestors": nothing, "descendants": nothing}
    assert (await ask(store, OF_ONE, d=digest))["implementation"] == {
        "sharesSourceWith": [],
        "beat": [],
        "beatenBy": [],
    }
    text = "query ($i: Digest) { blastRadius(implementation: $i) { runCount groupCount } }"
    assert (await ask(store, text, i=digest))["blastRadius"] == {"runCount": 1, "groupCount": 0}
