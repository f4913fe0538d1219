"""Serving policy: what decides a constraint, who ranks, and the Pareto frontier against a naive one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.metrics import Measurement
from catalog.domain.serving import (
    Answer,
    Bound,
    Constraint,
    Objective,
    Outcome,
    ServingFacts,
    State,
    outcome,
    resolve,
)
from catalog.domain.serving_metrics import direction

TTFT = ("ttft_ms", "p99", "ms")
TPS = ("output_token_throughput_tps", "mean", "tokens_s")


def run(digest: str, *numbers: tuple[Any, ...], **parts: Any) -> ServingFacts:
    measured = tuple(Measurement(*number) for number in numbers)
    facts = {"status": "valid", "observed_at": "2026-01-01T00:00:00.000000000Z"} | parts
    return ServingFacts(digest, measurements=measured, **facts)


DECLARED = [Bound("ttft_ms", "p99", "ms", 450)]


@pytest.mark.parametrize(
    ("numbers", "bounds", "constraint", "expected"),
    [
        ([(*TTFT, 300)], DECLARED, Constraint("ttft_ms", 400), (State.MEASURED, True, 300, "p99")),
        ([(*TTFT, 500)], DECLARED, Constraint("ttft_ms", 450), (State.MEASURED, False, 500, "p99")),
        ([(*TTFT, 450)], [], Constraint("ttft_ms", 450), (State.MEASURED, True, 450, "p99")),
        ([(*TTFT, 450)], [], Constraint("ttft_ms", 450, strict=True), (State.MEASURED, False, 450, "p99")),
        ([], DECLARED, Constraint("ttft_ms", 450), (State.DECLARED, True, 450, "p99")),
        ([], DECLARED, Constraint("ttft_ms", 449.9), (State.UNKNOWN, None, None, None)),
        ([], [], Constraint("ttft_ms", 450), (State.UNKNOWN, None, None, None)),
        ([], DECLARED, Constraint("tpot_ms", 450), (State.UNKNOWN, None, None, None)),
        ([], DECLARED, Constraint("ttft_ms", 450, statistic="mean"), (State.UNKNOWN, None, None, None)),
        ([("ttft_ms", "mean", "ms", 9)], [], Constraint("ttft_ms", 10), (State.MEASURED, True, 9, "mean")),
        (
            [("ttft_ms", "mean", "ms", 9), ("ttft_ms", "max", "ms", 11)],
            [],
            Constraint("ttft_ms", 10),
            (State.UNKNOWN, None, None, None),
        ),
        (
            [("ttft_ms", "mean", "ms", 9), ("ttft_ms", "p99", "ms", 11)],
            [],
            Constraint("ttft_ms", 10),
            (State.MEASURED, False, 11, "p99"),
        ),
        ([("ttft_ms", "p99", "s", 0.45)], [], Constraint("ttft_ms", 450), (State.MEASURED, True, 450, "p99")),
        (
            [("ttft_ms", "p99", "us", 450500)],
            [],
            Constraint("ttft_ms", 450),
            (State.MEASURED, False, 450.5, "p99"),
        ),
        (
            [],
            [Bound("ttft_ms", "p99", "s", 0.45)],
            Constraint("ttft_ms", 450),
            (State.DECLARED, True, 450, "p99"),
        ),
        ([("ttft_ms", "p99", "ticks", 1)], [], Constraint("ttft_ms", 450), (State.UNKNOWN, None, None, None)),
        ([(*TTFT, 0)], [], Constraint("ttft_ms", 450), (State.UNKNOWN, None, None, None)),
        ([(*TTFT, -1)], DECLARED, Constraint("ttft_ms", 450), (State.DECLARED, True, 450, "p99")),
        (
            [("error_rate", "mean", "ratio", 0)],
            [],
            Constraint("error_rate", 0.01, statistic="mean"),
            (State.MEASURED, True, 0, "mean"),
        ),
    ],
)
def test_what_decides_a_constraint(
    numbers: list[tuple[Any, ...]], bounds: list[Bound], constraint: Constraint, expected: tuple[Any, ...]
) -> None:
    assert outcome(run("r", *numbers), bounds, constraint) == Outcome(constraint, *expected)


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (Constraint("ttft_ms", 450.0), "ttft_ms <= 450"),
        (Constraint("ttft_ms", 450.5, strict=True, statistic="p99"), "ttft_ms·p99 < 450.5"),
    ],
)
def test_how_a_constraint_is_named(constraint: Constraint, text: str) -> None:
    assert str(constraint) == text


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("ttft_ms", "LOWER_IS_BETTER"),
        ("tpot", "LOWER_IS_BETTER"),
        ("itl_ms", "LOWER_IS_BETTER"),
        ("e2e_latency_s", "LOWER_IS_BETTER"),
        ("error_rate", "LOWER_IS_BETTER"),
        ("request_throughput_rps", "HIGHER_IS_BETTER"),
        ("output_token_throughput_tps", "HIGHER_IS_BETTER"),
        ("goodput", "HIGHER_IS_BETTER"),
        ("batch_size", None),
        ("ttfterror", None),
    ],
)
def test_which_way_is_better(metric: str, expected: str | None) -> None:
    assert direction(metric) == expected


def test_every_reason_against_a_run_is_told_in_order() -> None:
    bad = run(
        "bad", (*TTFT, 500), status="incomplete_evidence", published=False, retracted=True, superseded=True,
        complete=False,
    )  # fmt: skip
    asked = (Constraint("tpot_ms", 1), Constraint("ttft_ms", 400), Constraint("tpot_ms", 2))
    [excluded] = resolve([bad], constraints=asked).excluded
    assert excluded.reasons == (
        "UNPUBLISHED",
        "STATUS_INCOMPLETE_EVIDENCE",
        "RETRACTED",
        "SUPERSEDED",
        "INCOMPLETE",
        "METRIC_NOT_REPORTED:tpot_ms",
        "CONSTRAINT_UNSATISFIED:ttft_ms",
    )
    assert [o.state for o in excluded.outcomes] == [State.UNKNOWN, State.MEASURED, State.UNKNOWN]


def test_equal_values_share_a_dense_rank_and_the_newer_stands_first() -> None:
    runs = [
        run("a", (*TPS, 10)),
        run("b", (*TPS, 20), observed_at="2026-01-02T00:00:00.000000000Z"),
        run("c", (*TPS, 20), observed_at="2026-01-03T00:00:00.000000000Z"),
        run("d", ("output_token_throughput_tps", "mean", "samples_s", 99)),
        run("e"),
    ]
    answer = resolve(runs, objective=Objective("output_token_throughput_tps", maximize=True))
    assert [(row.run.digest, row.rank, row.value) for row in answer.ranked] == [
        ("c", 1, 20),
        ("b", 1, 20),
        ("a", 2, 10),
        ("d", None, None),
        ("e", None, None),
    ]
    lacking = {each.run.digest: each.missing for each in answer.not_comparable}
    samples = ("output_token_throughput_tps·mean in samples_s",)
    tokens = ("output_token_throughput_tps·mean in tokens_s",)
    neither = ("output_token_throughput_tps", "output_token_throughput_tps·mean")
    assert lacking == {"a": samples, "b": samples, "c": samples, "d": tokens, "e": neither}
    smallest = resolve(runs, objective=Objective("output_token_throughput_tps", maximize=False))
    assert [(row.run.digest, row.rank) for row in smallest.ranked][:3] == [("a", 1), ("c", 2), ("b", 2)]


def test_a_run_that_lacks_an_axis_is_compared_in_the_others_and_one_without_any_is_left_aside() -> None:
    runs = [
        run("a", (*TTFT, 10), (*TPS, 5)),
        run("b", (*TTFT, 20), (*TPS, 9)),
        run("c", (*TTFT, 10)),
        run("d", (*TTFT, -1)),
    ]
    answer = resolve(runs)
    assert [(p.run.digest, p.metrics) for p in answer.frontier] == [
        ("a", (Measurement(*TTFT, 10),)),
        ("c", (Measurement(*TTFT, 10),)),
    ]
    assert [(each.run.digest, each.missing) for each in answer.not_comparable] == [
        ("c", ("output_token_throughput_tps·mean",)),
        ("d", ("output_token_throughput_tps·mean", "ttft_ms·p99")),
    ]


def test_without_anything_to_compare_there_is_no_frontier() -> None:
    answer = resolve([run("a", ("batch_size", "max", "requests", 3)), run("b")])
    assert answer.frontier == ()
    assert [each.missing for each in answer.not_comparable] == [
        ("a metric whose better direction is known",)
    ] * 2


AXES = [TTFT, TPS, ("error_rate", "mean", "ratio"), ("batch_size", "max", "requests")]


@st.composite
def cohorts(draw: st.DrawFn) -> list[ServingFacts]:
    """Runs with few distinct values, so that ties and dominance are common; some lack some metrics."""
    size = draw(st.integers(0, 8))
    made = []
    for number in range(size):
        axes = [axis for axis in AXES if draw(st.integers(0, 5))]
        numbers = [(*axis, draw(st.sampled_from([0, 1, 2, 3]))) for axis in axes]
        status = draw(st.sampled_from(["valid", "valid", "valid", "invalid"]))
        made.append(run(f"r{number}", *numbers, status=status))
    return made


def naive(runs: Sequence[ServingFacts]) -> set[str]:
    """The frontier by the definition, pair by pair."""
    better = {"ttft_ms": -1, "output_token_throughput_tps": 1, "error_rate": -1}
    points = {}
    for each in runs:
        known = {m.metric: m.value * better[m.metric] for m in each.measurements if m.metric in better}
        usable = {k: v for k, v in known.items() if v != 0 or k == "error_rate"}
        if each.status == "valid" and usable:
            points[each.digest] = usable
    shared = set.intersection(*map(set, points.values())) if points else set()

    def dominates(a: dict[str, Any], b: dict[str, Any]) -> bool:
        return all(a[k] >= b[k] for k in shared) and any(a[k] > b[k] for k in shared)

    return {
        digest
        for digest, point in points.items()
        if shared and not any(dominates(other, point) for other in points.values())
    }


@given(cohorts())
def test_the_frontier_is_that_of_the_definition(runs: list[ServingFacts]) -> None:
    assert {point.run.digest for point in resolve(runs).frontier} == naive(runs)


@given(cohorts(), st.booleans(), st.randoms())
def test_every_run_is_told_once_and_the_order_of_runs_does_not_matter(
    runs: list[ServingFacts], maximize: bool, shuffler: Any
) -> None:
    def ask(given_runs: list[ServingFacts]) -> Answer:
        constraints = [Constraint("ttft_ms", 2)]
        return resolve(given_runs, [], Objective("output_token_throughput_tps", maximize), constraints)

    answer = ask(runs)
    told = [row.run.digest for row in answer.ranked] + [row.run.digest for row in answer.excluded]
    assert sorted(told) == sorted(each.digest for each in runs)
    ranks = [row.rank for row in answer.ranked if row.rank is not None]
    assert sorted(set(ranks)) == list(range(1, len(set(ranks)) + 1))
    assert all(row.outcomes[0].satisfied for row in answer.ranked)
    values = [row.value for row in answer.ranked if row.value is not None]
    assert values == sorted(values, reverse=maximize)
    shuffled = list(runs)
    shuffler.shuffle(shuffled)
    assert ask(shuffled) == answer
