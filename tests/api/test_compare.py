"""Comparing runs, key differences, best per owner, baselines and suites over GraphQL, on made data."""

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
from graph.store import Store
from tests.asking import ask
from tests.data.made.compare import CASES, DOUBTFUL, HERE, MEDIAN, THERE, UNSAID, WHOLE
from tests.engines import Engine

MADE = Path(__file__).parent.parent / "data" / "made"
EXPECTED = json.loads((MADE / "compare-expected.json").read_text())
SUITES = {each.metadata["name"]: each.digest for each in (WHOLE, DOUBTFUL, UNSAID)}

COMPARE = """query Compare($digests: [Digest!]!) {
  compare(runs: $digests) {
    comparable firstMaterialMismatch { field values } winner { digest } rows { field material values agree }
    runs { digest primary { metric statistic unit value } standing { rank } }
  }
}"""
DIFF = """query ($run: Digest!, $other: Digest, $change: KeyChange) {
  keyDiff(run: $run, other: $other, change: $change) {
    same differing key otherKey run { title } other { title } group { size } otherGroup { size }
    parts { part differs value other joins fields { field value other } }
  }
}"""
RANKED = """query ($key: Digest!, $bestPer: BestPer, $first: Int, $after: String, $filter: RankedFilter) {
  comparisonGroup(key: $key) { runs(bestPer: $bestPer, first: $first, after: $after, filter: $filter) {
    totalCount pageInfo { hasNextPage hasPreviousPage }
    edges { cursor rank speedupOverBaseline node { title standing { rank speedupOverBaseline } } }
  } }
}"""
SCORES = """query ($digest: Digest!, $complete: Boolean, $first: Int) {
  workload(digest: $digest) { aggregation { metric statistic }
    computedScores(complete: $complete, first: $first) {
    value metric unit statistic complete caseCount missing { externalId axes { name value } }
    implementation { slug } environment { formFactor } protocol { name } runs { title }
  } }
}"""


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, [MADE / "compare.jsonl"])).rejected
        yield store


@pytest.fixture(scope="module")
async def digests(made: Store) -> dict[str, str]:
    """Title -> digest of every run."""
    data = await ask(made, "{ runs(first: 100) { edges { node { title digest } } } }")
    return {edge["node"]["title"]: edge["node"]["digest"] for edge in data["runs"]["edges"]}


async def key_of(store: Store, workload: str, environment: str = HERE.digest) -> str:
    text = "query ($w: Digest!, $e: Digest!) { runs(filter: { workload: $w, environment: $e }) {"
    data = await ask(
        store, f"{text} edges {{ node {{ comparisonKey }} }} }} }}", {"w": workload, "e": environment}
    )
    return str(data["runs"]["edges"][0]["node"]["comparisonKey"])


async def failure(store: Store, text: str, **variables: Any) -> tuple[str, str, str]:
    """Code, field and message of the one error of an answer."""
    [error] = (await run_query(store, text, variables))["errors"]
    return error["extensions"]["code"], error["extensions"].get("field", ""), error["message"]


async def test_runs_of_one_group_have_a_winner(made: Store, digests: dict[str, str]) -> None:
    names = ["made ref", "made quick now", "made ref failed"]
    found = (await ask(made, COMPARE, {"digests": [digests[name][7:20] for name in names]}))["compare"]
    assert found["comparable"] is True
    assert found["firstMaterialMismatch"] is None
    assert found["winner"] == {"digest": digests["made quick now"]}
    assert [run["digest"] for run in found["runs"]] == [digests[name] for name in names]
    assert [run["standing"]["rank"] for run in found["runs"]] == [3, 1, None]
    rows = {row["field"]: row for row in found["rows"]}
    assert rows["metrics.value"] == {
        "field": "metrics.value",
        "material": False,
        "values": ["200", "100", "10"],
        "agree": False,
    }
    assert all(row["agree"] for row in found["rows"] if row["material"])


async def test_runs_of_two_machines_have_none(made: Store, digests: dict[str, str]) -> None:
    names = ["made quick now", "made quick there"]
    found = (await ask(made, COMPARE, {"digests": [digests[name] for name in names]}))["compare"]
    assert (found["comparable"], found["winner"]) == (False, None)
    mismatch = {"field": "environment.hardware.formFactor", "values": ["SXM5", "PCIe"]}
    assert found["firstMaterialMismatch"] == mismatch
    assert [row["field"] for row in found["rows"] if row["field"].startswith("metrics.")] == [
        "metrics.primary",
        "metrics.value",
        "metrics.latency.median.ns",
    ]


async def test_a_faulty_list_of_runs_is_refused_by_value(made: Store, digests: dict[str, str]) -> None:
    one, other = digests["made ref"], digests["made quick now"]
    absent = "sha256:" + "0" * 64
    for given, quoted in (
        ([], "0"),
        ([one], "1"),
        ([one] * 9, "9"),
        ([one, other, one[7:20]], f'"{one[7:20]}"'),
        ([one, absent], f'"{absent}"'),
        ([one, "0" * 12], f'"{"0" * 12}"'),
        ([one, "sha256:xyz"], '"sha256:xyz"'),
        ([one, WHOLE.digest], f'"{WHOLE.digest}"'),
    ):
        code, field, message = await failure(made, COMPARE, digests=given)
        assert (code, field) == ("BAD_USER_INPUT", "runs")
        assert quoted in message


async def test_a_key_diff_names_the_field_and_counts_who_would_join(
    made: Store, digests: dict[str, str]
) -> None:
    variables = {"run": digests["made quick now"], "other": digests["made quick there"]}
    found = (await ask(made, DIFF, variables))["keyDiff"]
    assert (found["same"], found["differing"]) == (False, ["ENVIRONMENT"])
    assert (found["group"], found["otherGroup"]) == ({"size": 7}, {"size": 1})
    assert (found["run"], found["other"]) == ({"title": "made quick now"}, {"title": "made quick there"})
    parts = {each.pop("part"): each for each in found["parts"]}
    assert list(parts) == ["OPERATION", "WORKLOAD", "PROTOCOL", "ENVIRONMENT", "CORRECTNESS", "METRIC"]
    assert parts["ENVIRONMENT"] == {
        "differs": True,
        "value": HERE.digest,
        "other": THERE.digest,
        "joins": 1,
        "fields": [{"field": "environment.hardware.formFactor", "value": "SXM5", "other": "PCIe"}],
    }
    # n=64 has two runs here, n=256 two, n=1024 one
    assert {name: each["joins"] for name, each in parts.items()} == {
        "OPERATION": 0,
        "WORKLOAD": 5,
        "PROTOCOL": 0,
        "ENVIRONMENT": 1,
        "CORRECTNESS": 0,
        "METRIC": 0,
    }


async def test_a_changed_field_leads_to_the_group_that_is_there(made: Store, digests: dict[str, str]) -> None:
    there = (await ask(made, DIFF, {"run": digests["made quick now"], "other": digests["made quick there"]}))[
        "keyDiff"
    ]
    change = {"field": "environment.hardware.formFactor", "value": "PCIe"}
    found = (await ask(made, DIFF, {"run": digests["made quick now"], "change": change}))["keyDiff"]
    assert found == there | {"other": None}


async def test_a_changed_field_may_lead_to_no_group(made: Store, digests: dict[str, str]) -> None:
    change = {"field": "environment.hardware.memoryBytes", "value": 85899345920}
    found = (await ask(made, DIFF, {"run": digests["made quick now"], "change": change}))["keyDiff"]
    assert found["otherGroup"] is None
    assert found["otherKey"] not in (None, found["key"])
    [environment] = [each for each in found["parts"] if each["differs"]]
    assert environment["fields"] == [
        {"field": "environment.hardware.memoryBytes", "value": None, "other": "85899345920"}
    ]


async def test_a_key_diff_of_a_run_with_itself_is_empty(made: Store, digests: dict[str, str]) -> None:
    run = digests["made ref"]
    for other in ({"other": run}, {"change": {"field": "environment.hardware.formFactor", "value": "SXM5"}}):
        found = (await ask(made, DIFF, {"run": run, **other}))["keyDiff"]
        assert (found["same"], found["differing"], found["key"]) == (True, [], found["otherKey"])


async def test_a_suite_differs_from_a_case_of_it(made: Store, digests: dict[str, str]) -> None:
    found = await ask(made, DIFF, {"run": digests["made quick suite"], "other": digests["made quick now"]})
    assert found["keyDiff"]["differing"] == ["WORKLOAD", "PROTOCOL", "METRIC"]


async def test_a_faulty_key_diff_is_refused_by_name(made: Store, digests: dict[str, str]) -> None:
    run = digests["made ref"]
    for given, named in (
        ({}, "other"),
        ({"other": run, "change": {"field": "metric"}}, "other"),
        ({"other": "0" * 12}, "other"),
        ({"run": "0" * 12, "other": run}, "run"),
        ({"change": {"field": "hardware.product", "value": "x"}}, "change.field"),
        ({"change": {"field": "environment.hardware.product", "value": 3}}, "change.value"),
        ({"change": {"field": "environment.hardware.product"}}, "change.value"),
    ):
        code, field, _ = await failure(made, DIFF, **{"run": run, **given})
        assert (code, field) == ("BAD_USER_INPUT", named)


@pytest.mark.parametrize("best_per", EXPECTED["runs"])
async def test_the_best_of_each_owner_keeps_rank_and_speedup(made: Store, best_per: str) -> None:
    key = await key_of(made, CASES[16].digest)
    found = (await ask(made, RANKED, {"key": key, "bestPer": best_per}))["comparisonGroup"]["runs"]
    assert [
        (edge["node"]["title"], edge["rank"], edge["speedupOverBaseline"]) for edge in found["edges"]
    ] == [(title, rank, over and over[0] / over[1]) for title, rank, over in EXPECTED["runs"][best_per]]
    assert found["totalCount"] == len(EXPECTED["runs"][best_per])
    for edge in found["edges"]:
        standing = {"rank": edge["rank"], "speedupOverBaseline": edge["speedupOverBaseline"]}
        assert edge["node"]["standing"] == standing


@pytest.mark.parametrize("best_per", EXPECTED["runs"])
async def test_pages_of_the_best_join_without_gap(made: Store, best_per: str) -> None:
    key = await key_of(made, CASES[16].digest)
    seen: list[str] = []
    after, more = None, True
    while more:
        variables = {"key": key, "bestPer": best_per, "first": 2, "after": after}
        page = (await ask(made, RANKED, variables))["comparisonGroup"]["runs"]
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        seen += [edge["node"]["title"] for edge in page["edges"]]
        after, more = page["edges"][-1]["cursor"], page["pageInfo"]["hasNextPage"]
    assert seen == [title for title, *_ in EXPECTED["runs"][best_per]]


async def test_a_cursor_is_good_for_one_owner_only(made: Store) -> None:
    key = await key_of(made, CASES[16].digest)
    page = (await ask(made, RANKED, {"key": key, "bestPer": "NAME"}))["comparisonGroup"]["runs"]
    cursor = page["edges"][0]["cursor"]
    for best_per in (None, "RUN", "PROJECT"):
        code, field, _ = await failure(made, RANKED, key=key, bestPer=best_per, after=cursor)
        assert (code, field) == ("BAD_USER_INPUT", "after")


async def test_a_filter_goes_before_the_choice(made: Store) -> None:
    key = await key_of(made, CASES[16].digest)
    variables = {"key": key, "bestPer": "NAME", "filter": {"project": "made-reference"}}
    found = (await ask(made, RANKED, variables))["comparisonGroup"]["runs"]
    assert [edge["node"]["title"] for edge in found["edges"]] == ["made ref", "made ref slow"]
    variables["filter"] = {"deployable": True}
    assert (await ask(made, RANKED, variables))["comparisonGroup"]["runs"]["totalCount"] == 0


async def test_a_group_without_a_baseline_gives_no_speedup(made: Store) -> None:
    key = await key_of(made, CASES[256].digest)
    found = (await ask(made, RANKED, {"key": key}))["comparisonGroup"]["runs"]
    assert [edge["speedupOverBaseline"] for edge in found["edges"]] == [None, None]


@pytest.mark.parametrize("name", SUITES)
async def test_a_score_is_computed_only_with_every_case_covered(made: Store, name: str) -> None:
    workload = (await ask(made, SCORES, {"digest": SUITES[name]}))["workload"]
    scores = workload["computedScores"]
    shown = [
        {
            "code": score["implementation"]["slug"],
            "where": score["environment"]["formFactor"],
            "value": score["value"] and pytest.approx(score["value"]),
            "missing": [case["externalId"] for case in score["missing"]],
            "runs": [run["title"] for run in score["runs"]],
        }
        for score in scores
    ]
    order = ["made-fold-quick", "made-fold-plain", "made-fold-lone"]
    by_place = sorted(shown, key=lambda s: (s["where"] == "PCIe", order.index(s["code"])))
    assert by_place == EXPECTED["scores"][name]
    here = [score["code"] for score in shown if score["where"] == "SXM5"]
    assert here[0] == "made-fold-quick" or name != "made-fold-suite"
    for score in scores:
        assert (score["metric"], score["unit"]) == ("latency", "ns")
        assert score["protocol"]["name"] == MEDIAN.metadata["name"]
        assert score["complete"] is (score["missing"] == [])
        assert score["statistic"] == workload["aggregation"]["statistic"]


async def test_scores_can_be_had_complete_or_not(made: Store) -> None:
    for complete, expected in ((True, [[]]), (False, [["n256"], ["n64", "n256"], ["n64", "n256"]])):
        workload = (await ask(made, SCORES, {"digest": WHOLE.digest, "complete": complete}))["workload"]
        missing = [[case["externalId"] for case in score["missing"]] for score in workload["computedScores"]]
        assert sorted(missing) == sorted(expected)
    workload = (await ask(made, SCORES, {"digest": WHOLE.digest, "first": 1}))["workload"]
    assert len(workload["computedScores"]) == 1
    few = "query ($d: Digest!) { workload(digest: $d) { computedScores(first: 501) { complete } } }"
    assert await failure(made, few, d=WHOLE.digest) == (
        "BAD_USER_INPUT",
        "first",
        "first: must be at most 500, the maximum page of this list, not 501",
    )


async def test_a_case_has_no_scores(made: Store) -> None:
    workload = (await ask(made, SCORES, {"digest": CASES[16].digest}))["workload"]
    assert workload == {"aggregation": None, "computedScores": []}


async def test_a_reported_suite_result_is_shown_as_such_and_ranks_with_no_case(
    made: Store, digests: dict[str, str]
) -> None:
    text = """query ($run: Digest!) { run(digest: $run) {
      suiteResult { reported caseCount aggregation { metric statistic } }
      group { size workload { kind } metric { metric } runs { edges { node { workload { kind } } } } } } }"""
    assert (await ask(made, text, {"run": digests["made quick suite"]}))["run"] == {
        "suiteResult": {
            "reported": True,
            "caseCount": 3,
            "aggregation": {"metric": "score", "statistic": "geomean"},
        },
        "group": {
            "size": 1,
            "workload": {"kind": "SUITE"},
            "metric": {"metric": "score"},
            "runs": {"edges": [{"node": {"workload": {"kind": "SUITE"}}}]},
        },
    }
    assert (await ask(made, text, {"run": digests["made quick now"]}))["run"]["suiteResult"] is None


@pytest.mark.parametrize(
    ("axes", "found"),
    [
        ([("n", "EQ", 64)], ["made plain 64", "made quick 64", "made quick suite"]),
        ([("n", "EQ", 64), ("lanes", "EQ", 4)], ["made plain 64", "made quick 64", "made quick suite"]),
        ([("n", "GT", 64), ("n", "LT", 1024)], ["made plain 256", "made quick 256", "made quick suite"]),
        ([("n", "GT", 16), ("n", "LT", 64)], []),
    ],
)
async def test_a_suite_is_found_by_the_axes_of_one_of_its_cases(
    made: Store, axes: list[tuple[str, str, int]], found: list[str]
) -> None:
    given = [{"name": name, "operator": operator, "value": value} for name, operator, value in axes]
    text = "query ($f: RunFilter) { runs(filter: $f) { edges { node { title } } } }"
    data = await ask(made, text, {"f": {"operation": "made-fold", "axes": given}})
    assert sorted(edge["node"]["title"] for edge in data["runs"]["edges"]) == found


async def counted(store: Store, text: str, **variables: Any) -> int:
    before = store.statements
    answer = await run_query(store, text, variables, context=Context(Snapshots(store)))
    assert "errors" not in answer, answer["errors"]
    return store.statements - before


async def test_comparing_eight_runs_costs_what_two_do(made: Store, digests: dict[str, str]) -> None:
    text = (
        "query ($runs: [Digest!]!) { compare(runs: $runs) { comparable winner { digest } rows { field } } }"
    )
    apart = [digests["made quick now"], digests["made quick there"]]
    more = [digest for digest in digests.values() if digest not in apart][:6]
    assert await counted(made, text, runs=apart) == await counted(made, text, runs=apart + more) == 8


async def test_scores_of_many_suites_cost_what_those_of_one_do(made: Store) -> None:
    text = """query ($first: Int) { workloads(operation: "made-fold", kind: SUITE, first: $first) {
      edges { node { computedScores {
        value implementation { slug } runs { title } missing { externalId } } } } } }"""
    costs = [await counted(made, text, first=first) for first in (1, 2, 3)]
    assert len(set(costs)) == 1
    assert costs[0] <= 12
