"""Search on the sample catalog: order, conditions, facets, issues, pages, statements, on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph.store import Store
from tests.api.conftest import Ask
from tests.engines import Engine
from tests.read.samples import (
    BEST,
    CATALOG,
    FAST,
    H100,
    LARGE,
    PLAIN,
    SCAN,
    SCANNER,
    SMALL,
    SUM,
    TWIN,
    fill,
    says,
)
from tests.read.samples import operation as made_operation

QUERY = """query Search($query: String!, $first: Int = 20, $after: String) {
  search(query: $query, first: $first, after: $after) {
    totalCount
    intent { text family operation product architecture dtypes shape axes { name operator value }
      minimumEvidence license requireSource requireInstallable }
    issues { token message suggestion }
    facets { field values { value count } }
    pageInfo { hasNextPage hasPreviousPage endCursor }
    edges { cursor score matched node { __typename
      ... on OperationSpec { slug } ... on ImplementationRevision { digest }
      ... on SoftwareProject { projectSlug: slug } ... on BenchmarkRun { runDigest: digest }
      ... on BenchmarkWorkload { workloadDigest: digest } } }
  }
}"""


@pytest.fixture(scope="module")
async def filled(size: int, engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """As in conftest.py, and filled again for the other size: tests of this file write to the same engine."""
    await engine.reset()
    async with engine.store() as store:
        await fill(store, tmp_path_factory.mktemp(f"filled{size}"), CATALOG)
        yield store


NAMES = {
    **{manifest.digest: manifest.metadata["name"] for manifest in (FAST, PLAIN, TWIN, SCANNER, BEST, SMALL)},
}


async def found(ask: Ask, query: str, **more: Any) -> dict[str, Any]:
    answer = await ask(QUERY, query=query, **more)
    assert "errors" not in answer, answer
    search: dict[str, Any] = answer["data"]["search"]
    return search


def names(search: dict[str, Any]) -> list[str]:
    shown = []
    for edge in search["edges"]:
        node = {name: value for name, value in edge["node"].items() if name != "__typename"}
        [value] = node.values()
        shown.append(NAMES.get(value, value))
    return shown


def issues(search: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(issue["token"], issue["message"], issue["suggestion"]) for issue in search["issues"]]


@pytest.mark.parametrize(
    ("query", "expected", "score"),
    [
        ("sum-rows", ["sum-rows"], 5.023),  # an exact slug; a replicated run
        ("row-sum", ["sum-rows"], 5.023),  # an exact alias
        ("sums", ["sum-rows", "fast-sum", "plain-sum", "plain-sum-twin"], 4.023),  # a family
        ("scan-r", ["scan-rows"], 3.02),  # the beginning of a name
        ("rows", ["sum-rows", "scan-rows"], 2.023),  # a word
        ("fast", ["fast-sum"], 5.013),  # a stated name
        ("entri", [], None),
        ("fsat-sum", ["fast-sum"], 1.013),  # a typo
        ("shared", ["plain-sum", "plain-sum-twin"], 5.012),  # a name of two
        ("library", ["library", "other-library", "fast-sum", "plain-sum", "plain-sum-twin"], 5.003),
    ],
)
async def test_what_is_found_by_text(ask: Ask, query: str, expected: list[str], score: float | None) -> None:
    search = await found(ask, query)
    got = names(search)
    assert sorted(got) == sorted(expected)
    if expected:
        assert got[0] == expected[0]
        assert search["edges"][0]["score"] == score
    assert search["totalCount"] == len(expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("family:sums gpu:H100", {"sum-rows", "fast-sum", "plain-sum", "library", "other-library"}),
        ("op:sum arch:sm_100", {"sum-rows", "plain-sum", "plain-sum-twin", "library", "other-library"}),
        ("op:row-sum n=1024", {"sum-rows", "fast-sum", "plain-sum", "library", "other-library"}),
        ("m=3 n>4000", {"scan-rows", "scanner", "plain-sum", "library"}),  # one case of a suite
        ("m=2 n>4000", set()),  # no case has both
        ("lanes=8", {"sum-rows", "plain-sum", "plain-sum-twin", "library", "other-library"}),  # of the case
        ("lanes=4 family:sums arch:sm_90 language:triton", {"sum-rows", "fast-sum", "library"}),
        ("language:triton", {"sum-rows", "fast-sum", "library"}),
        ("license:MIT installable:true", {"sum-rows", "fast-sum", "library"}),
        ("license:permissive", {"sum-rows", "fast-sum", "library"}),
        ("evidence:replicated", {"sum-rows", "fast-sum", "library"}),
        ("verified", {"sum-rows", "fast-sum", "plain-sum", "library", "other-library"}),
        ("source:bench shape:1024", {"sum-rows", "fast-sum", "plain-sum", "library", "other-library"}),
        ("shape:77", set()),
        (
            "framework:torch arch:sm_100",
            {"sum-rows", "plain-sum", "plain-sum-twin", "library", "other-library"},
        ),
        ('framework:"PyTorch 2.7" op:scan-rows', {"scan-rows", "scanner", "plain-sum", "library"}),
        ("framework:torch-2.8", set()),
        ("dtype:fp32 op:scan-rows", {"scan-rows", "scanner", "plain-sum", "library"}),  # the operation's
        ("dtype:bf16", set()),
    ],
)
async def test_what_conditions_select(ask: Ask, query: str, expected: set[str]) -> None:
    search = await found(ask, query)
    assert set(names(search)) == expected
    assert search["totalCount"] == len(expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("dtype:bf17", [("dtype:bf17", "unknown data type `bf17`", "dtype:bf16")]),
        ("gpu:B200 family:summs", [("family:summs", "nothing here meets this", "family:sums")]),
        ("op:scan-rows lane=4", [("lane=4", "no operation here has an axis `lane`", None)]),
        (
            "op:sum-rows lanez=4",
            [
                (
                    "lanez=4",
                    "no operation here has an axis `lanez`; there is `lanes` in 1 operation",
                    "lanes=4",
                )
            ],
        ),
        ("sha256:00000000", [("sha256:00000000", "nothing here has this digest", None)]),
        (
            "zzzz rows",
            [("zzzz", "nothing here has a word that begins with `zzzz`; it is left out", None)],
        ),
        ("rwos", [("rwos", "no such word here; taken for `rows`", "rows")]),
        (
            "scan twin",
            [("scan twin", "nothing has all of these 2 words; what has 1 of them is shown", None)],
        ),
        ("A100", [("A100", "nothing here meets this", None)]),
    ],
)
async def test_what_is_said(ask: Ask, query: str, expected: list[Any]) -> None:
    assert issues(await found(ask, query)) == expected


async def test_runs_without_an_architecture_are_counted(ask: Ask) -> None:
    message = "2 runs on this GPU have no architecture recorded; `arch:` is exact and leaves them out"
    search = await found(ask, "gpu:GPU arch:sm_90")
    assert (search["totalCount"], issues(search)) == (0, [("arch:sm_90", message, None)])


async def test_the_intent_as_the_contract_has_it(ask: Ask) -> None:
    query = "rows op:sum gpu:H100 sm_90 [fp32] 4x4 n>=2 trust:verified license:mit source:true installable:1"
    assert (await found(ask, query))["intent"] == {
        "text": ["rows"],
        "family": None,
        "operation": "sum",
        "product": "H100",
        "architecture": "sm_90",
        "dtypes": ["fp32"],
        "shape": [4.0, 4.0],
        "axes": [{"name": "n", "operator": "GTE", "value": 2.0}],
        "minimumEvidence": "VERIFIED",
        "license": "MIT",
        "requireSource": True,
        "requireInstallable": True,
    }


async def test_a_digest_finds_any_object(ask: Ask) -> None:
    for digest, kind in ((BEST.digest, "BenchmarkRun"), (SMALL.digest, "BenchmarkWorkload")):
        for text in (digest, digest.removeprefix("sha256:"), digest[7:19]):
            search = await found(ask, text)
            assert [
                (edge["score"], edge["matched"], edge["node"]["__typename"]) for edge in search["edges"]
            ] == [(6.0, ["digest"], kind)]
            assert search["issues"] == []


async def test_an_operation_by_its_digest_goes_first_and_once(ask: Ask) -> None:
    search = await found(ask, f"rows {SUM.digest}")
    assert names(search) == ["sum-rows", "scan-rows"]
    assert search["edges"][0]["score"] == 6.0


async def test_an_empty_search_finds_everything_and_nonsense_nothing(ask: Ask) -> None:
    everything = await found(ask, " ")
    assert everything["totalCount"] == 8
    assert everything["facets"][0] == {
        "field": "kind",
        "values": [
            {"value": "ImplementationRevision", "count": 4},
            {"value": "OperationSpec", "count": 2},
            {"value": "SoftwareProject", "count": 2},
        ],
    }
    nothing = await found(ask, "colour:red ---")
    assert (nothing["totalCount"], nothing["facets"], len(nothing["issues"])) == (0, [], 2)


async def test_facets_count_the_results_under_the_filter(ask: Ask) -> None:
    facets = {
        facet["field"]: {value["value"]: value["count"] for value in facet["values"]}
        for facet in (await found(ask, "op:sum-rows arch:sm_100"))["facets"]
    }
    assert facets == {
        "kind": {"ImplementationRevision": 2, "OperationSpec": 1, "SoftwareProject": 2},
        "family": {"sums": 5},
        "architecture": {"sm_100": 5},
        "product": {"B200": 5},
        "dtype": {"fp32": 5},
        "language": {"cuda": 5},
        "evidence": {"REPORTED": 5},
        "source": {"bench": 5},
    }


async def test_pages_go_on_behind_the_named_result(ask: Ask) -> None:
    whole = names(await found(ask, ""))
    got, after = [], None
    while True:
        page = await found(ask, "", first=3, after=after)
        got += names(page)
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert got == whole
    assert (await found(ask, "", first=0))["edges"] == []


@pytest.mark.parametrize("after", ["", "nonsense", "W10"])
async def test_a_foreign_cursor_is_refused(ask: Ask, after: str) -> None:
    for given in (after, (await found(ask, "rows", first=1))["pageInfo"]["endCursor"]):
        answer = await ask(QUERY, query="scan", after=given)
        assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
        assert answer["errors"][0]["extensions"]["field"] == "after"


@pytest.mark.parametrize("noise", ["[ " * 5000, "x" * 10_000, 'a:"' * 3333, "\u6f22 " * 5000, "q7z " * 2500])
async def test_noise_is_answered(ask: Ask, noise: str) -> None:
    search = await found(ask, noise)
    assert search["totalCount"] == 0
    assert search["issues"]
    assert all(issue["token"] in noise for issue in search["issues"])


async def test_suggestions(ask: Ask) -> None:
    text = "query ($prefix: String!) { suggest(prefix: $prefix, first: 3) { text field count } }"

    async def suggested(prefix: str) -> list[tuple[str, str, int]]:
        rows = (await ask(text, prefix=prefix))["data"]["suggest"]
        return [(row["text"], row["field"], row["count"]) for row in rows]

    assert await suggested("sum") == [("family:sums", "family", 1), ("sum-rows", "operation", 1)]
    assert await suggested("rows arch:") == [
        ("arch:sm_90", "architecture", 8),
        ("arch:sm_100", "architecture", 2),
    ]
    assert await suggested("gpu:h") == [("gpu:H100", "product", 8)]
    assert await suggested("") == await suggested("rows ") == await suggested("colour:r") == []


async def _counted(store: Store, snapshots: Snapshots, query: str, text: str = QUERY) -> int:
    before = store.statements
    answer = await run_query(store, text, {"query": query}, context=Context(snapshots))
    assert "errors" not in answer
    return store.statements - before


async def test_what_is_in_memory_is_not_asked_again(filled: Store, size: int) -> None:
    snapshots = Snapshots(filled)
    most = f"rows {BEST.digest[7:19]} op:sum-rows sha256:{SMALL.digest[7:]}"
    cold = await _counted(filled, snapshots, most)
    # another search: the digests again and a new word, but not the index, the name and what is shown
    assert await _counted(filled, snapshots, f"{most} fast") <= cold - (12 if size > 0 else 6)
    assert await _counted(filled, snapshots, most) == 1
    if size < 0:
        return
    suggest = "query ($query: String!) { suggest(prefix: $query) { text } }"
    assert await _counted(filled, snapshots, "r", suggest) == 1


async def test_what_arrives_later_is_found(store: Store, tmp_path: Path) -> None:
    """Names and aliases that come in another import, of an operation known before."""
    snapshots = Snapshots(store)

    async def asked(query: str) -> list[str]:
        answer = await run_query(store, QUERY, {"query": query}, context=Context(snapshots))
        return names(answer["data"]["search"])

    await fill(store, tmp_path, [SUM, LARGE])
    assert await asked("zebra") == []
    await fill(store, tmp_path, [says(SUM, "alias", "zebra-crossing")], "alias.jsonl")
    assert await asked("zebra") == await asked("sums") == await asked("sum-rows") == ["sum-rows"]
    await fill(
        store, tmp_path, [PLAIN, says(PLAIN, "name", {"slug": "striped", "title": "Giraffe"})], "p.jsonl"
    )
    assert await asked("giraffe") == ["plain-sum"]


async def test_a_page_goes_on_where_the_named_result_stands_now(store: Store, tmp_path: Path) -> None:
    snapshots = Snapshots(store)
    await fill(store, tmp_path, [made_operation(f"op-{n}", lanes=n) for n in range(0, 8, 2)])

    async def page(after: str | None) -> dict[str, Any]:
        variables = {"query": "op", "first": 2, "after": after}
        answer = await run_query(store, QUERY, variables, context=Context(snapshots))
        search: dict[str, Any] = answer["data"]["search"]
        return search

    first = await page(None)
    assert names(first) == ["op-0", "op-2"]
    await fill(
        store,
        tmp_path,
        [made_operation("op-1", lanes=1), made_operation("op-5", lanes=5), SCAN, H100],
        "more.jsonl",
    )
    second = await page(first["pageInfo"]["endCursor"])
    assert names(second) == ["op-4", "op-5"]
