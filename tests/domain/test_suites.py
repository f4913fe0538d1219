"""Suites: which cases they mean, and when there is a computed score."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.identity import comparison_key
from catalog.domain.suites import Axes, CaseResult, SuiteScore, constants_of, matched, scores

GEOMEAN = {"metric": "score", "statistic": "geomean"}


def result(workload: str, value: float, code: str = "i", **other: str) -> CaseResult:
    parts: dict[str, Any] = {"protocol": "p", "environment": "e", "metric": "latency", "statistic": "median"}
    parts |= {"unit": "ns", **other}
    return CaseResult(workload, code, value=value, run=f"{code}-{workload}-{value}", **parts)


def test_constants_are_filled_in_on_both_sides() -> None:
    operation = {"axes": {"n": {"role": "variable"}, "lanes": {"role": "constant", "value": 4}}}
    constants = constants_of(operation)
    assert constants == {"lanes": 4}
    workloads = {"a": {"n": 1}, "b": {"n": 2, "lanes": 4}, "c": {"n": 3, "lanes": 8}}
    cases: list[Axes] = [
        {"n": 1, "lanes": 4},
        {"n": 2},
        {"n": 3},
        {"n": 3, "lanes": 8},
        {"n": 1.0},
        {"n": 1, "k": 1},
    ]
    assert matched(cases, workloads, constants) == ["a", "b", None, "c", "a", None]


def test_where_two_workloads_have_the_axes_none_is_meant() -> None:
    assert matched([{"n": 1}], {"bf16": {"n": 1}, "fp32": {"n": 1}}, {}) == [None]


def test_a_score_exists_only_with_every_case_covered() -> None:
    [first, second] = scores(["a", "b"], [result("a", 2), result("b", 8), result("a", 1, "j")], GEOMEAN)
    assert first == SuiteScore("i", "p", "e", "latency", "ns", 4.0, (), ("i-a-2", "i-b-8"))
    assert second == SuiteScore("j", "p", "e", "latency", "ns", None, (1,), ("j-a-1",))


@pytest.mark.parametrize(
    ("aggregation", "value"),
    [
        ({"metric": "score", "statistic": "mean"}, 5.0),
        ({"metric": "latency", "statistic": "mean"}, 5.0),
        ({"metric": "latency", "statistic": "geomean"}, 4.0),
        ({"metric": "score", "statistic": "unspecified"}, None),
    ],
)
def test_the_suite_says_how_to_sum_up(aggregation: dict[str, str], value: float | None) -> None:
    [score] = scores(["a", "b"], [result("a", 2), result("b", 8)], aggregation)
    assert (score.value, score.missing) == (value, ())


def test_a_suite_of_another_metric_sums_up_nothing() -> None:
    assert scores(["a"], [result("a", 2)], {"metric": "tflops", "statistic": "mean"}) == []


@pytest.mark.parametrize("part", ["protocol", "environment", "metric", "statistic", "unit"])
def test_runs_of_two_settings_are_never_summed_up(part: str) -> None:
    found = scores(["a", "b"], [result("a", 2), result("b", 8, **{part: "x"})], GEOMEAN)
    assert {(score.value, score.missing) for score in found} == {(None, (1,)), (None, (0,))}


def test_complete_scores_come_first_best_first_inside_a_setting() -> None:
    results = [result("a", 1, "partial"), result("a", 9, "slow"), result("b", 9, "slow")]
    results += [result("a", 2, "fast"), result("b", 2, "fast"), result("a", 1, "other", environment="f")]
    found = scores(["a", "b"], results, GEOMEAN)
    assert [score.implementation for score in found] == ["fast", "slow", "partial", "other"]
    higher = [result(w, v, code, metric="tflops") for w in "ab" for code, v in (("low", 1), ("high", 3))]
    assert [score.implementation for score in scores(["a", "b"], higher, GEOMEAN)] == ["high", "low"]


def test_a_case_that_no_workload_has_is_missing_for_all() -> None:
    [score] = scores(["a", None], [result("a", 2)], GEOMEAN)
    assert (score.value, score.missing) == (None, (1,))


def test_a_case_that_stands_twice_counts_twice() -> None:
    [score] = scores(["a", "a", "b"], [result("a", 2), result("b", 16)], GEOMEAN)
    assert score.value == pytest.approx(4)
    assert score.runs == ("i-a-2", "i-b-16")


@given(st.lists(st.integers(1, 10**15), min_size=1, max_size=50))
def test_a_mean_lies_between_the_extremes(values: list[int]) -> None:
    workloads = [str(n) for n in range(len(values))]
    results = [result(w, v) for w, v in zip(workloads, values, strict=True)]
    for statistic in ("mean", "geomean"):
        [score] = scores(workloads, results, {"metric": "score", "statistic": statistic})
        assert score.value is not None
        assert min(values) <= score.value * (1 + 1e-12)
        assert score.value <= max(values) * (1 + 1e-12)
        assert math.isfinite(score.value)


HEX = st.integers(0, 2**32).map("sha256:{:064x}".format)


@given(HEX, HEX, HEX, HEX, HEX, HEX)
def test_a_suite_and_a_case_never_share_a_key(
    operation: str, case: str, suite: str, protocol: str, environment: str, correctness: str
) -> None:
    def key(workload: str) -> str:
        return comparison_key(
            operation=operation,
            workload=workload,
            protocol=protocol,
            environment=environment,
            correctness=correctness,
            metric="score:geomean:s",
        )

    assert (key(case) == key(suite)) is (case == suite)
