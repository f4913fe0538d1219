"""The log of changes over GraphQL: pages that repeat nothing and leave out nothing, whatever is imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catalog.api.node import global_id
from catalog.ingest.pipeline import import_paths
from catalog.read.changes import Place
from catalog.server.ask import run_query
from graph import Store
from tests.asking import ask
from tests.read.samples import BEST, CATALOG, H100, MEDIAN, ON, PLAIN, SMALL, TIED, Item, fill, run, says

CHANGES = """
query ($since: Int!, $first: Int, $after: String) {
  changes(sinceRevision: $since, first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    edges { cursor node {
      __typename revision cursor
      ... on RunPublished { run { digest comparisonKey } }
      ... on RecordBroken { architecture takeOver group { key }
        event { at cause improvement run { digest } previous { digest } } }
    } }
  }
}
"""
RECORD = run("record", ON, 40, "2026-01-08T00:00:00Z")
SLOWER = run("slower", (PLAIN, SMALL, MEDIAN, H100), 400, "2026-01-09T00:00:00Z")


async def page(store: Store, **variables: Any) -> dict[str, Any]:
    return dict((await ask(store, CHANGES, {"since": 0} | variables))["changes"])


async def walk(store: Store, size: int, after: str | None = None, **variables: Any) -> list[dict[str, Any]]:
    """All edges behind a cursor, page by page."""
    edges: list[dict[str, Any]] = []
    while True:
        found = await page(store, first=size, after=after, **variables)
        edges += found["edges"]
        if not found["pageInfo"]["hasNextPage"]:
            return edges
        after = found["pageInfo"]["endCursor"]


async def test_a_write_is_told_with_its_revision(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, CATALOG)
    before = await store.revision()
    assert await page(store, since=before) == {
        "totalCount": 0,
        "pageInfo": {
            "hasNextPage": False,
            "hasPreviousPage": False,
            "startCursor": None,
            "endCursor": None,
        },
        "edges": [],
    }
    await fill(store, tmp_path, [RECORD, SLOWER])
    found = await page(store, since=before)
    assert found["totalCount"] == 3
    nodes = [edge["node"] for edge in found["edges"]]
    assert [edge["cursor"] for edge in found["edges"]] == [node.pop("cursor") for node in nodes]
    group = nodes[0]["run"]["comparisonKey"]
    published = [
        {
            "__typename": "RunPublished",
            "revision": before + 1,
            "run": {"digest": digest, "comparisonKey": group},
        }
        for digest in sorted([RECORD.digest, SLOWER.digest])
    ]
    broken = {
        "__typename": "RecordBroken",
        "revision": before + 1,
        "architecture": "sm_90",
        "takeOver": True,
        "group": {"key": group},
        "event": {
            "at": "2026-01-08T00:00:00Z",
            "cause": "NEW_RUN",
            "improvement": pytest.approx(0.6),
            "run": {"digest": RECORD.digest},
            "previous": {"digest": TIED.digest},
        },
    }
    assert nodes == [*published, broken]


async def test_a_retraction_passes_a_record_on(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, [*CATALOG, RECORD])
    before = await store.revision()
    retraction = {"at": "2026-02-01T00:00:00Z", "reason": "clocks"}
    await fill(store, tmp_path, [says(RECORD, "retraction", retraction)])
    [edge] = (await page(store, since=before))["edges"]
    event = edge["node"]["event"]
    assert event == {
        "at": "2026-02-01T00:00:00Z",
        "cause": "RETRACTION",
        "improvement": None,
        "run": {"digest": event["run"]["digest"]},
        "previous": {"digest": RECORD.digest},
    }
    assert event["run"]["digest"] != RECORD.digest


async def test_an_older_observation_adds_an_event_in_the_past(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, CATALOG)
    before = await store.revision()
    early = run("early", ON, 150, "2026-01-01T12:00:00Z")
    await fill(store, tmp_path, [early])
    nodes = [edge["node"] for edge in (await page(store, since=before))["edges"]]
    assert [node["event"]["at"] for node in nodes if node["__typename"] == "RecordBroken"] == [
        "2026-01-01T12:00:00Z",
        "2026-01-02T00:00:00.500Z",
    ]


@pytest.mark.parametrize("size", [1, 3, 100])
async def test_pages_join_without_a_gap_while_more_is_imported(
    store: Store, tmp_path: Path, size: int
) -> None:
    made = [run(f"run-{n}", ON, 1000 - n, f"2026-05-{n + 1:02}T00:00:00Z") for n in range(9)]
    await fill(store, tmp_path, CATALOG)
    start = await page(store, first=size)
    for one in made[:5]:
        await fill(store, tmp_path, [one])
    rest = await walk(store, size, after=start["pageInfo"]["endCursor"])
    for one in made[5:]:
        await fill(store, tmp_path, [one])
    rest += await walk(store, size, after=rest[-1]["cursor"])
    whole = await walk(store, 100)
    assert start["edges"] + rest == whole
    assert len({edge["cursor"] for edge in whole}) == len(whole) == (await page(store))["totalCount"]
    digests = [e["node"]["run"]["digest"] for e in whole if e["node"]["__typename"] == "RunPublished"]
    assert len(digests) == len(set(digests))
    assert {one.digest for one in made} < set(digests)


async def test_a_cursor_goes_before_a_revision_only_when_it_is_further(store: Store, tmp_path: Path) -> None:
    batches: list[list[Item]] = [[*CATALOG], [RECORD], [SLOWER]]
    for items in batches:
        await fill(store, tmp_path, items)
    whole = await walk(store, 100)
    revision = await store.revision()
    last = [edge for edge in whole if edge["node"]["revision"] == revision]
    early = whole[0]["cursor"]
    assert await walk(store, 100, after=early, since=revision - 1) == last
    assert await walk(store, 100, after=early) == whole[1:]


async def test_an_event_is_found_again_by_its_id(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, CATALOG)
    fields = """__typename id revision cursor ... on RunPublished { run { digest } }
      ... on RecordBroken { takeOver architecture event { at } group { key } }"""
    listed = await ask(store, f"{{ changes(sinceRevision: 0) {{ edges {{ node {{ {fields} }} }} }} }}")
    nodes = [edge["node"] for edge in listed["changes"]["edges"]]
    assert {node["__typename"] for node in nodes} == {"RunPublished", "RecordBroken"}
    query = f"query ($ids: [ID!]!) {{ nodes(ids: $ids) {{ id ... on CatalogEvent {{ {fields} }} }} }}"
    assert (await ask(store, query, {"ids": [node["id"] for node in nodes]}))["nodes"] == nodes
    absent = [global_id("RunPublished", Place(*place).cursor) for place in ((1, 99), (9, 0), (0, 0), (1, -1))]
    absent.append(global_id("RecordBroken", "nothing"))
    assert (await ask(store, query, {"ids": absent}))["nodes"] == [None] * 5


async def test_a_revision_without_events_is_stepped_over(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, CATALOG)
    await fill(store, tmp_path, [says(BEST, "replications", 5)])
    await fill(store, tmp_path, [RECORD])
    whole = await walk(store, 2)
    assert {edge["node"]["revision"] for edge in whole} == {1, 3}


@pytest.mark.parametrize(
    ("variables", "field", "message"),
    [
        ({"since": -1}, "sinceRevision", "must be from 0 to"),
        ({"since": 1_000_000}, "sinceRevision", "must be from 0 to"),
        ({"after": "nonsense"}, "after", "must be a cursor"),
        ({"after": "cursor of runs"}, "after", "must be a cursor"),
        ({"first": 101}, "first", "must be at most 100"),
    ],
)
async def test_what_can_not_be_read_is_refused_by_name(
    store: Store, tmp_path: Path, variables: dict[str, Any], field: str, message: str
) -> None:
    await fill(store, tmp_path, CATALOG)
    if variables.get("after") == "cursor of runs":
        runs = await ask(store, "{ runs(first: 1) { edges { cursor } } }")
        variables = {"after": runs["runs"]["edges"][0]["cursor"]}
    answer = await run_query(store, CHANGES, {"since": 0} | variables)
    [error] = answer["errors"]
    assert (error["extensions"]["code"], error["extensions"]["field"]) == ("BAD_USER_INPUT", field)
    assert message in error["message"]


async def test_an_import_that_brings_nothing_is_no_change(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, CATALOG)
    whole = await walk(store, 100)
    await import_paths(store, [tmp_path / "items.jsonl"])
    assert await walk(store, 100) == whole
