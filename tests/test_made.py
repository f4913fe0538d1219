"""The made data, asked over GraphQL: every answer in tests/data/made/expected.json, on both engines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.domain.identity import load_canonical
from catalog.ingest.pipeline import import_paths
from catalog.ingest.sources import catalog_export as lines
from graph import Store
from tests.asking import ask
from tests.data.made.make import WORKLOADS, manifest
from tests.engines import Engine

MADE = Path(__file__).parent / "data" / "made"
EXPECTED = json.loads((MADE / "expected.json").read_text())

GROUPS = """
query ($workload: Digest!) {
  comparisonGroups(filter: { workload: $workload }) {
    edges { node {
      profile size eligibleCount metric { metric }
      leader { name: title }
      runs { edges { rank tiedWithPrevious ratioToBest node {
        title evidenceLevel primary { value }
        standing { rank tied eligible eligibleCount reasons ratioToBest leader { title } }
      } } }
      recordHistory { at cause run { title } previous { title } improvement }
    } }
  }
}
"""

ONE_RUN = """
query ($digest: Digest!) {
  run(digest: $digest) {
    comparisonKey publishedAt evidenceLevel supersededBy { title } retraction { at reason }
    submittedAs { slug title role project { slug } }
    group { size }
    standing { rank reasons eligible }
    artifacts { contentDigest kind sizeBytes license }
    workload { operation { aliases } }
  }
}
"""


def key_of(name: str) -> str:
    """The manifest name behind a title: titles are the names with spaces."""
    return name.replace(" ", "-")


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        report = await import_paths(store, [MADE / "evidence.jsonl"])
        assert not report.rejected
        yield store


async def group(store: Store, name: str) -> dict[str, Any]:
    size, _, metric = name.partition(" ")
    answer = await ask(store, GROUPS, {"workload": WORKLOADS[int(size)].digest})
    groups = [edge["node"] for edge in answer["comparisonGroups"]["edges"]]
    [found] = [g for g in groups if g["metric"]["metric"] == (metric or "latency")]
    return dict(found)


@pytest.mark.parametrize("name", EXPECTED["groups"])
async def test_ranks_reasons_and_records_are_those_worked_out_by_hand(made: Store, name: str) -> None:
    expected = EXPECTED["groups"][name]
    found = await group(made, name)
    rows = found["runs"]["edges"]
    ranked = [row for row in rows if row["rank"] is not None]
    assert [
        {
            "run": key_of(row["node"]["title"]),
            "rank": row["rank"],
            "tied": row["node"]["standing"]["tied"],
            "ratio": row["ratioToBest"],
        }
        for row in ranked
    ] == [
        {k: v for k, v in row.items() if k in ("run", "rank", "tied")}
        | {"ratio": row["ratio"][0] / row["ratio"][1]}
        for row in expected["ranked"]
    ]
    assert {
        key_of(row["node"]["title"]): row["node"]["standing"]["reasons"]
        for row in rows
        if row["rank"] is None
    } == expected["excluded"]
    assert [
        event | {end: event[end] and key_of(event[end]["title"]) for end in ("run", "previous")}
        for event in found["recordHistory"]
    ] == expected["records"]
    assert found["profile"] == expected["profile"]
    assert (found["size"], found["eligibleCount"]) == (len(rows), len(ranked))
    leader = ranked[0]["node"]["title"] if ranked else None
    assert (found["leader"] and found["leader"]["name"]) == leader
    for row, wanted in zip(ranked, expected["ranked"], strict=True):
        if "evidence" in wanted:
            assert row["node"]["evidenceLevel"] == wanted["evidence"]
        if "value" in wanted:
            assert row["node"]["primary"]["value"] == wanted["value"]


@pytest.mark.parametrize("name", EXPECTED["groups"])
async def test_a_run_says_of_itself_what_its_group_says(made: Store, name: str) -> None:
    found = await group(made, name)
    leader = found["leader"] and {"title": found["leader"]["name"]}
    previous = None
    for row in found["runs"]["edges"]:
        standing = row["node"]["standing"]
        assert (standing["rank"], standing["ratioToBest"]) == (row["rank"], row["ratioToBest"])
        assert standing["eligible"] == (row["rank"] is not None) == (standing["reasons"] == [])
        assert (standing["eligibleCount"], standing["leader"]) == (found["eligibleCount"], leader)
        assert row["tiedWithPrevious"] == (row["rank"] is not None and row["rank"] == previous)
        previous = row["rank"]


async def test_deployability_has_reasons(made: Store) -> None:
    fields = "slug deployability { eligible reasons } license { permissive }"
    answer = await ask(made, f"{{ implementations {{ edges {{ node {{ {fields} }} }} }} }}")
    assert {
        edge["node"]["slug"]: {
            "reasons": edge["node"]["deployability"]["reasons"],
            "permissive": edge["node"]["license"]["permissive"],
        }
        for edge in answer["implementations"]["edges"]
    } == EXPECTED["deployability"]


async def digest_of(store: Store, title: str) -> str:
    answer = await ask(store, "{ runs(first: 100) { edges { node { digest title } } } }")
    [digest] = [e["node"]["digest"] for e in answer["runs"]["edges"] if e["node"]["title"] == title]
    return str(digest)


async def test_of_sources_that_disagree_the_rules_decide(made: Store) -> None:
    run = (await ask(made, ONE_RUN, {"digest": await digest_of(made, "made contested")}))["run"]
    expected = EXPECTED["contested"]
    assert run["submittedAs"] == expected["submittedAs"]
    assert run["publishedAt"] == expected["publishedAt"]
    assert run["evidenceLevel"] == expected["evidenceLevel"]
    assert run["workload"]["operation"]["aliases"] == expected["operationAliases"]
    [source] = run["artifacts"]
    assert (source["license"], source["sizeBytes"]) == (expected["artifactLicense"], 2048)


async def test_retraction_and_supersession_are_shown(made: Store) -> None:
    record = (await ask(made, ONE_RUN, {"digest": await digest_of(made, "made record")}))["run"]
    assert record["retraction"] == {"at": "2026-01-04T00:00:00Z", "reason": "clocks were not locked"}
    first = (await ask(made, ONE_RUN, {"digest": await digest_of(made, "made first")}))["run"]
    assert first["supersededBy"] == {"title": "made redone"}


async def test_a_run_whose_workload_comes_later_is_incomplete_until_then(store: Store) -> None:
    await import_paths(store, [MADE / "evidence.jsonl", MADE / "late-run.jsonl"])
    digest = await digest_of(store, "made waiting")
    before = (await ask(store, ONE_RUN, {"digest": digest}))["run"]
    expected = EXPECTED["waiting"]
    assert {
        "comparisonKey": before["comparisonKey"],
        "group": before["group"],
        "rank": before["standing"]["rank"],
        "reasons": before["standing"]["reasons"],
    } == expected["before"]
    await import_paths(store, [MADE / "late-workload.jsonl"])
    after = (await ask(store, ONE_RUN, {"digest": digest}))["run"]
    assert {"rank": after["standing"]["rank"], "reasons": after["standing"]["reasons"]} == expected["after"]
    assert after["group"] == {"size": 1}


async def test_a_workload_warns_where_it_disagrees_with_its_operation(store: Store, tmp_path: Path) -> None:
    odd = manifest("WorkloadCase", "made-odd", WORKLOADS[1024].spec | {"axes": {"n": 1024, "k": 2}})
    path = tmp_path / "odd.jsonl"
    path.write_text(lines.header_line() + lines.manifest_line(load_canonical(odd.canonical), odd.metadata))
    await import_paths(store, [MADE / "evidence.jsonl", path])
    text = "query ($d: Digest!) { workload(digest: $d) { warnings { code message } } }"
    assert (await ask(store, text, {"d": WORKLOADS[1024].digest}))["workload"]["warnings"] == []
    assert (await ask(store, text, {"d": odd.digest}))["workload"]["warnings"] == [
        {
            "code": "CONSTANT_AXIS_OMITTED",
            "message": "the workload leaves out axes that the operation fixes: lanes",
        },
        {
            "code": "UNDECLARED_AXIS",
            "message": "the workload states axes that the operation does not declare: k",
        },
    ]
