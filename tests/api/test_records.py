"""The record ledger of the made data: the answers in lineage-expected.json, on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots, totals
from graph.store import Store
from tests.api.lineage_made import (
    EXPECTED,
    MADE,
    ask,
    code_of,
    comparable,
    fault,
    size_of,
)
from tests.data.made.lineage import IMPLEMENTATIONS
from tests.engines import Engine


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


LEDGER = """query ($f: RecordFilter, $o: RecordOrder, $first: Int, $after: String) {
  records(filter: $f, orderBy: $o, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage hasPreviousPage } edges { cursor node {
      event { at cause improvement policy run { digest } previous { digest } }
      architecture takeOver leadChanges group { key workload { axes { name value } } } } } } }"""


def row(node: dict[str, Any]) -> list[Any]:
    event = node["event"]
    improvement = event["improvement"]
    return [
        node["architecture"],
        size_of(node["group"]),
        int(event["at"][8:10]),
        event["cause"],
        code_of(event["run"]),
        code_of(event["previous"]),
        None if improvement is None else round(improvement, 12),
    ]


def rows(found: dict[str, Any]) -> list[list[Any]]:
    return [row(edge["node"]) for edge in found["records"]["edges"]]


async def test_the_ledger_has_every_event(made: Store, snapshots: Snapshots) -> None:
    found = await ask(made, LEDGER, snapshots)
    assert found["records"]["totalCount"] == len(EXPECTED["events"])
    assert comparable(rows(found)) == comparable(EXPECTED["events"])
    days = [entry[2] for entry in rows(found)]
    assert days == sorted(days, reverse=True)
    for edge in found["records"]["edges"]:
        node = edge["node"]
        of = row(node)
        assert node["leadChanges"] == EXPECTED["leadChanges"][f"{of[0]}/{of[1]}"]
        assert node["takeOver"] == (of[3] == "NEW_RUN" and of[5] is not None and of[4] != of[5])


async def test_the_other_orders(made: Store, snapshots: Snapshots) -> None:
    largest = [entry[6] for entry in rows(await ask(made, LEDGER, snapshots, o="LARGEST_IMPROVEMENT"))]
    assert largest[:8] == [0.5, 0.5, 0.25, 0.25, 0.25, 0.1, 0.1, 0.012345679012]
    assert set(largest[8:]) == {None}
    changes = await ask(made, LEDGER, snapshots, o="MOST_LEAD_CHANGES")
    assert [(entry[1], entry[2]) for entry in rows(changes)][:9] == [
        *((1024, at) for at in (6, 5, 4, 3, 2, 1)),
        *((2048, at) for at in (6, 4, 1)),
    ]


@pytest.mark.parametrize("order", ["NEWEST", "LARGEST_IMPROVEMENT", "MOST_LEAD_CHANGES"])
async def test_pages_are_the_whole(made: Store, snapshots: Snapshots, order: str) -> None:
    whole = await ask(made, LEDGER, snapshots, o=order)
    seen: list[Any] = []
    after = None
    while True:
        page = (await ask(made, LEDGER, snapshots, o=order, first=4, after=after))["records"]
        assert page["totalCount"] == 15
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        seen += page["edges"]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["edges"][-1]["cursor"]
    assert seen == whole["records"]["edges"]


@pytest.mark.parametrize(
    ("chosen", "keep"),
    [
        ({"architecture": "sm_100"}, lambda e: e[0] == "sm_100"),
        ({"architecture": "unknown"}, lambda _: False),
        ({"product": "NVIDIA H100"}, lambda e: e[0] == "sm_90"),
        ({"operation": "made-axpy"}, lambda _: True),
        ({"operation": "never-heard-of"}, lambda _: False),
        ({"source": "made-rival-bench"}, lambda e: e[4].startswith("r")),
        ({"project": "made-lib"}, lambda e: e[4].startswith("a")),
        ({"implementation": IMPLEMENTATIONS["a2"].digest}, lambda e: e[4] == "a2"),
        ({"minimumEvidence": "REPORTED"}, lambda _: True),
        ({"minimumEvidence": "VERIFIED"}, lambda _: False),
        ({"cause": "RETRACTION"}, lambda e: e[3] == "RETRACTION"),
        ({"takeOver": True}, lambda e: e[3] == "NEW_RUN" and e[5] and e[4] != e[5]),
        ({"takeOver": False}, lambda e: not (e[3] == "NEW_RUN" and e[5] and e[4] != e[5])),
        ({"since": "2026-07-04T00:00:00Z", "before": "2026-07-06T00:00:00Z"}, lambda e: e[2] in (4, 5)),
        ({"takeOver": True, "architecture": "sm_100", "source": None}, lambda e: e[0] == "sm_100" and e[5]),
    ],
)
async def test_filters(made: Store, snapshots: Snapshots, chosen: dict[str, Any], keep: Any) -> None:
    found = await ask(made, LEDGER, snapshots, f=chosen)
    expected = [entry for entry in EXPECTED["events"] if keep(entry)]
    assert comparable(rows(found)) == comparable(expected)
    assert found["records"]["totalCount"] == len(expected)


async def test_a_group_is_its_history(made: Store, snapshots: Snapshots) -> None:
    found = (await ask(made, LEDGER, snapshots))["records"]["edges"]
    key = found[0]["node"]["group"]["key"]
    only = (await ask(made, LEDGER, snapshots, f={"comparisonKey": key}))["records"]["edges"]
    text = "query ($k: Digest!) { comparisonGroup(key: $k) { recordHistory { at run { digest } } } }"
    history = (await ask(made, text, snapshots, k=key))["comparisonGroup"]["recordHistory"]
    events = [{name: edge["node"]["event"][name] for name in ("at", "run")} for edge in reversed(only)]
    assert events == history


@pytest.mark.parametrize(
    ("variables", "field"),
    [
        ({"first": -1}, "first"),
        ({"first": 101}, "first"),
        ({"after": "x"}, "after"),
        ({"after": ""}, "after"),
        ({"f": {"since": "2026-07-04T00:00:00"}}, "since"),
        ({"f": {"implementation": "c0ffee00"}}, "implementation"),
        ({"f": {"comparisonKey": "?"}}, "comparisonKey"),
    ],
)
async def test_bad_input_names_the_field(made: Store, variables: dict[str, Any], field: str) -> None:
    assert await fault(made, LEDGER, **variables) == ("BAD_USER_INPUT", field)


async def test_a_cursor_is_good_for_its_order_and_filter_only(made: Store) -> None:
    [edge] = (await ask(made, LEDGER, first=1))["records"]["edges"]
    for other in ({"o": "MOST_LEAD_CHANGES"}, {"f": {"takeOver": True}}):
        assert await fault(made, LEDGER, after=edge["cursor"], **other) == ("BAD_USER_INPUT", "after")


HOLDERS = """query ($p: String, $first: Int, $after: String) {
  recordHolders(project: $p, operation: "made-axpy", first: $first, after: $after) { totalCount
    pageInfo { hasNextPage endCursor } edges { node {
      architecture product since run { digest } group { workload { axes { name value } } } } } } }"""


async def test_holders(made: Store, snapshots: Snapshots) -> None:
    seen: list[list[Any]] = []
    after, more = None, True
    while more:
        page = (await ask(made, HOLDERS, snapshots, first=4, after=after))["recordHolders"]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        for node in (edge["node"] for edge in page["edges"]):
            at = int(node["since"][8:10])
            seen.append([node["architecture"], size_of(node["group"]), code_of(node["run"]), at])
    assert [entry[0] for entry in seen] == sorted(entry[0] for entry in seen)
    assert comparable(seen) == comparable(EXPECTED["holders"])
    assert page["totalCount"] == 6
    assert (await ask(made, HOLDERS, snapshots, p="made-rival"))["recordHolders"]["totalCount"] == 0


async def test_leaders(made: Store, snapshots: Snapshots) -> None:
    text = """{ recordLeaders { architecture recordCount since project { slug }
      shares { count project { slug } } } }"""
    found = (await ask(made, text, snapshots))["recordLeaders"]
    assert [
        {
            **each,
            "since": int(each["since"][8:10]),
            "project": each["project"]["slug"],
            "shares": [[share["project"]["slug"], share["count"]] for share in each["shares"]],
        }
        for each in found
    ] == EXPECTED["leaders"]
