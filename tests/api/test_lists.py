"""Lists of the sample catalog: order, pages, filters, counts; on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.domain.manifests import Manifest
from tests.api.conftest import Ask
from tests.read import samples as s
from tests.read.samples import (
    B200,
    BEST,
    FAILED,
    FAST,
    HUGE,
    HUGER,
    LARGE,
    MEDIAN,
    MISMATCHED,
    PLAIN,
    RETRACTED,
    SCAN,
    SCORED,
    SMALL,
    SUPERSEDED,
    THIRD,
    TIED,
    TWIN,
    UNKNOWN,
    WAITING,
    ZERO,
)

pytestmark = pytest.mark.usefixtures("size")


def needs_an_operation(size: int, chosen: dict[str, Any]) -> bool:
    """Whether a filter asks for axes of all operations of a large catalog."""
    return size < 0 and bool(chosen.get("axes")) and "operation" not in chosen


def of(*runs: Manifest) -> frozenset[str]:
    """Their digests."""
    return frozenset(run.digest for run in runs)


ALL_RUNS = [WAITING, *sorted([SCORED, MISMATCHED], key=lambda run: run.digest), HUGER, HUGE]
ALL_RUNS += [RETRACTED, ZERO, FAILED, BEST, TIED, *sorted([THIRD, SUPERSEDED], key=lambda run: run.digest)]
OLDEST_FIRST = [*sorted([THIRD, SUPERSEDED], key=lambda run: run.digest), TIED, BEST, FAILED, ZERO, RETRACTED]
OLDEST_FIRST += [HUGE, HUGER, *sorted([SCORED, MISMATCHED], key=lambda run: run.digest), WAITING]
UNDATED = sorted((run for run in ALL_RUNS if run not in (BEST, TIED)), key=lambda run: run.digest)


@pytest.mark.parametrize("first", [1, 5, 100])
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("OBSERVED_DESC", ALL_RUNS),
        ("OBSERVED_ASC", OLDEST_FIRST),
        ("PUBLISHED_DESC", [BEST, TIED, *UNDATED]),
        ("PUBLISHED_ASC", [TIED, BEST, *UNDATED]),
        (None, ALL_RUNS),
    ],
)
async def test_runs_page_by_page(ask: Ask, order: str | None, expected: list[Manifest], first: int) -> None:
    seen: list[str] = []
    after = None
    while True:
        answer = await ask(
            """query ($order: RunOrder, $first: Int, $after: String) {
              runs(orderBy: $order, first: $first, after: $after) { totalCount
                pageInfo { hasNextPage endCursor } edges { cursor node { digest } } } }""",
            order=order,
            first=first,
            after=after,
        )
        runs = answer["data"]["runs"]
        assert runs["totalCount"] == len(expected)
        assert len(runs["edges"]) == min(first, len(expected) - len(seen))
        seen += [edge["node"]["digest"] for edge in runs["edges"]]
        after = runs["pageInfo"]["endCursor"]
        if not runs["pageInfo"]["hasNextPage"]:
            break
    assert seen == [run.digest for run in expected]


EVERY = of(*ALL_RUNS)
ON_SMALL = {
    BEST.digest,
    TIED.digest,
    THIRD.digest,
    FAILED.digest,
    ZERO.digest,
    RETRACTED.digest,
    SUPERSEDED.digest,
}


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, EVERY),
        ({"architecture": "sm_90"}, ON_SMALL | of(WAITING)),
        ({"architecture": "unknown"}, of(SCORED, MISMATCHED)),
        ({"architecture": "sm_9"}, of()),
        ({"product": "B200"}, of(HUGE, HUGER)),
        ({"product": "B200", "architecture": "sm_90"}, of()),
        ({"status": ["TIMEOUT"]}, of(FAILED)),
        ({"status": ["TIMEOUT", "PASSED"], "product": "B200"}, of(HUGE, HUGER)),
        ({"status": None, "product": None}, EVERY),
        ({"source": "bench"}, EVERY),
        ({"source": "nobody"}, of()),
        ({"operation": "sum-rows"}, ON_SMALL | of(HUGE, HUGER)),
        ({"operation": "row-sum"}, ON_SMALL | of(HUGE, HUGER)),
        ({"operation": "scans"}, of(SCORED, MISMATCHED)),
        ({"operation": SCAN.digest}, of(SCORED, MISMATCHED)),
        ({"operation": "nothing"}, of()),
        ({"project": "other-library"}, of(TIED, HUGER)),
        ({"project": "library"}, ON_SMALL - of(TIED) | of(HUGE, MISMATCHED, WAITING)),
        ({"implementation": TWIN.digest}, of(HUGER)),
        ({"workload": LARGE.digest}, of(HUGE, HUGER)),
        ({"protocol": MEDIAN.digest, "environment": B200.digest}, of(HUGE, HUGER)),
        ({"environment": UNKNOWN.digest}, of(SCORED, MISMATCHED)),
        ({"minimumEvidence": "VERIFIED"}, of(BEST, TIED)),
        ({"minimumEvidence": "REPORTED"}, EVERY),
        (
            {"deployable": True},
            of(BEST, FAILED, ZERO, RETRACTED, SUPERSEDED),
        ),
        ({"deployable": False, "product": "H100"}, of(TIED, THIRD, WAITING)),
        (
            {"language": "triton"},
            of(BEST, FAILED, ZERO, RETRACTED, SUPERSEDED),
        ),
        (
            {"observedFrom": "2026-02-02T00:00:00Z"},
            of(HUGER, SCORED, MISMATCHED, WAITING),
        ),
        (
            {"observedFrom": "2026-01-01T00:00:00.000Z", "observedBefore": "2026-01-02T00:00:00.5Z"},
            of(THIRD, SUPERSEDED),
        ),
        (
            {"observedBefore": "2026-01-02T00:00:00.500000001Z"},
            of(THIRD, SUPERSEDED, TIED),
        ),
        ({"axes": [{"name": "n", "value": 1024}]}, ON_SMALL),
        (
            {"axes": [{"name": "n", "operator": "GTE", "value": 4096}]},
            of(HUGE, HUGER, SCORED, MISMATCHED),
        ),
        ({"axes": [{"name": "n", "operator": "LT", "value": 1024}]}, of(SCORED, MISMATCHED)),
        ({"axes": [{"name": "n", "operator": "LTE", "value": 1024.5}], "operation": "sums"}, ON_SMALL),
        ({"axes": [{"name": "n", "operator": "GT", "value": 1023}], "workload": SMALL.digest}, ON_SMALL),
        ({"axes": [{"name": "lanes", "value": 4}]}, ON_SMALL),
        ({"axes": [{"name": "lanes", "value": 8}]}, of(HUGE, HUGER)),
        (
            {"axes": [{"name": "n", "value": 16}, {"name": "m", "value": 2}]},
            of(SCORED, MISMATCHED),
        ),
        ({"axes": [{"name": "n", "value": 16}, {"name": "m", "value": 3}]}, of()),
        ({"axes": [{"name": "absent", "operator": "GT", "value": 0}]}, of()),
        ({"axes": []}, EVERY),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else f"{len(value)} runs",
)
async def test_runs_filtered(ask: Ask, size: int, chosen: dict[str, Any], expected: frozenset[str]) -> None:
    answer = await ask(
        "query ($f: RunFilter) { runs(filter: $f, first: 100) { totalCount edges { node { digest } } }"
        " some: runs(filter: $f, first: 2) { edges { node { digest } } } }",
        f=chosen,
    )
    if needs_an_operation(size, chosen):
        assert "must come with an operation" in answer["errors"][0]["message"]
        return
    runs = answer["data"]["runs"]
    found = [edge["node"]["digest"] for edge in runs["edges"]]
    in_order = [run.digest for run in ALL_RUNS if run.digest in expected]
    assert found == in_order
    assert runs["totalCount"] == len(expected)
    assert [edge["node"]["digest"] for edge in answer["data"]["some"]["edges"]] == in_order[:2]


async def test_runs_of_one_group(ask: Ask) -> None:
    key = (await ask("query ($d: Digest!) { run(digest: $d) { comparisonKey } }", d=BEST.digest))["data"][
        "run"
    ]
    answer = await ask(
        "query ($k: Digest!) { runs(filter: {comparisonKey: $k}) { totalCount } }", k=key["comparisonKey"]
    )
    assert answer["data"]["runs"]["totalCount"] == 6


@pytest.mark.parametrize(
    ("chosen", "sizes"),
    [
        ({}, [6, 2, 1, 1, 1]),
        ({"minimumSize": 2}, [6, 2]),
        ({"operation": "scans"}, [1, 1]),
        ({"architecture": "sm_100"}, [2]),
        ({"architecture": "unknown"}, [1, 1]),
        ({"product": "H100"}, [6, 1]),
        ({"source": "bench"}, [6, 2, 1, 1, 1]),
        ({"source": "nobody"}, []),
        ({"workload": SMALL.digest}, [6, 1]),
        ({"protocol": MEDIAN.digest}, [6, 2, 1]),
        ({"axes": [{"name": "n", "operator": "LTE", "value": 1024}]}, [6, 1, 1, 1]),
        ({"axes": [{"name": "n", "value": 4096}], "operation": "sum-rows"}, [2]),
    ],
    ids=str,
)
async def test_groups_filtered_and_paged(
    ask: Ask, size: int, chosen: dict[str, Any], sizes: list[int]
) -> None:
    text = """query ($f: ComparisonGroupFilter, $first: Int, $after: String) {
      comparisonGroups(filter: $f, first: $first, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } edges { node { key size } } } }"""
    answer = await ask(text, f=chosen, first=100)
    if needs_an_operation(size, chosen):
        assert "must come with an operation" in answer["errors"][0]["message"]
        return
    whole = answer["data"]["comparisonGroups"]
    nodes = [edge["node"] for edge in whole["edges"]]
    assert [node["size"] for node in nodes] == sizes
    assert nodes == sorted(nodes, key=lambda node: (-node["size"], node["key"]))
    assert whole["totalCount"] == len(sizes)
    paged: list[Any] = []
    after = None
    while len(paged) < len(sizes):
        page = (await ask(text, f=chosen, first=2, after=after))["data"]["comparisonGroups"]
        paged += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
    assert paged == nodes


async def test_groups_by_newest_run(ask: Ask) -> None:
    answer = await ask(
        "{ comparisonGroups(orderBy: OBSERVED_DESC) { edges { node {"
        " runs { edges { node { observedAt } } } } } } }"
    )
    newest = [
        max(edge["node"]["observedAt"] for edge in group["node"]["runs"]["edges"])
        for group in answer["data"]["comparisonGroups"]["edges"]
    ]
    assert newest == sorted(newest, reverse=True)
    assert len(newest) == 5


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, [FAST, PLAIN, TWIN, s.SCANNER]),
        ({"slug": "shared"}, [PLAIN, TWIN]),
        ({"slug": "also-fast"}, [FAST]),
        ({"slug": "plain-sum-twin"}, [TWIN]),
        ({"slug": "nothing"}, []),
        ({"operation": "sums"}, [FAST, PLAIN, TWIN]),
        ({"project": "library"}, [FAST, PLAIN]),
        ({"language": "triton"}, [FAST]),
        ({"architecture": "sm_90", "slug": "shared"}, [PLAIN, TWIN]),
        ({"architecture": "sm_100"}, []),
        ({"deployable": True}, [FAST]),
        ({"deployable": False}, [PLAIN, TWIN, s.SCANNER]),
    ],
    ids=str,
)
async def test_implementations_filtered(ask: Ask, chosen: dict[str, Any], expected: list[Manifest]) -> None:
    answer = await ask(
        "query ($f: ImplementationFilter) {"
        " implementations(filter: $f) { totalCount edges { node { digest } } } }",
        f=chosen,
    )
    found = answer["data"]["implementations"]
    digests = sorted(implementation.digest for implementation in expected)
    assert [edge["node"]["digest"] for edge in found["edges"]] == digests
    assert found["totalCount"] == len(digests)
