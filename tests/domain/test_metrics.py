"""Metrics (docs/domain.md §3): measurements, the primary one, directions, intervals."""

from __future__ import annotations

import math
from typing import Any

import pytest

from catalog.domain.metrics import (
    Direction,
    Measurement,
    direction_of,
    interval,
    measurements,
    primary,
    primary_depends_on_protocol,
)

FULL_TIMING = {
    "primaryStatistic": "median",
    "samples": 20,
    "latencyNs": {
        "p95": 19,
        "confidence95": [9, 11],
        "maximum": 20,
        "mad": 1,
        "minimum": 8,
        "mean": 12,
        "p05": 9,
        "median": 10,
    },
}
SCORE = {"metric": "score", "statistic": "geomean", "unit": "s", "value": 1.5e-05}


def timed(statistic: str, **latencies: object) -> dict[str, Any]:
    return {"timing": {"primaryStatistic": statistic, "latencyNs": latencies}}


def protocol(statistic: str) -> dict[str, Any]:
    return {"measurement": {"timer": "wall_clock", "primaryStatistic": statistic}}


def test_measurements_of_timing_come_first_and_in_a_fixed_order() -> None:
    spec = {"timing": FULL_TIMING, "measurements": [SCORE, {**SCORE, "statistic": "min", "sampleCount": 3}]}
    assert measurements(spec) == [
        Measurement("latency", "median", "ns", 10, 20),
        Measurement("latency", "mean", "ns", 12, 20),
        Measurement("latency", "min", "ns", 8, 20),
        Measurement("latency", "max", "ns", 20, 20),
        Measurement("latency", "p05", "ns", 9, 20),
        Measurement("latency", "p95", "ns", 19, 20),
        Measurement("latency", "mad", "ns", 1, 20),
        Measurement("score", "geomean", "s", 1.5e-05, None),
        Measurement("score", "min", "s", 1.5e-05, 3),
    ]


def test_a_failed_run_has_no_measurements() -> None:
    assert measurements({"status": "compile_error"}) == []


@pytest.mark.parametrize(
    ("run", "protocol_spec", "expected"),
    [
        ({"timing": FULL_TIMING}, protocol("mean"), Measurement("latency", "median", "ns", 10, 20)),
        ({"timing": FULL_TIMING}, None, Measurement("latency", "median", "ns", 10, 20)),
        (timed("mean", mean=34_822_486_568), None, Measurement("latency", "mean", "ns", 34_822_486_568)),
        (timed("mean", mean=3 * 10**15), None, Measurement("latency", "mean", "ns", 3 * 10**15)),
        (timed("minimum", minimum=8), None, Measurement("latency", "minimum", "ns", 8)),
        (timed("median", mean=8), None, None),
        (timed("mean", mean=0), None, None),
        (timed("confidence95", mean=8, confidence95=[1, 2]), None, None),
        # timing decides alone: an unusable latency is not replaced by a measurement
        ({**timed("mean", mean=0), "measurements": [SCORE]}, protocol("geomean"), None),
        ({"measurements": [SCORE]}, protocol("geomean"), Measurement("score", "geomean", "s", 1.5e-05)),
        ({"measurements": [SCORE]}, protocol("mean"), None),
        ({"measurements": [SCORE]}, None, None),
        ({"measurements": []}, protocol("geomean"), None),
        ({}, protocol("geomean"), None),
        # the first of that statistic decides, usable or not
        ({"measurements": [{**SCORE, "value": 0}, SCORE]}, protocol("geomean"), None),
        (
            {"measurements": [{**SCORE, "statistic": "min"}, {**SCORE, "metric": "tflops"}, SCORE]},
            protocol("geomean"),
            Measurement("tflops", "geomean", "s", 1.5e-05),
        ),
    ],
)
def test_primary(
    run: dict[str, Any], protocol_spec: dict[str, Any] | None, expected: Measurement | None
) -> None:
    found = primary(run, protocol_spec)
    assert found == expected
    if expected is not None and found is not None:
        assert type(found.value) is type(expected.value)


@pytest.mark.parametrize("value", [0, 0.0, -0.0, -1, -1e-9, math.nan, math.inf, -math.inf])
def test_no_value_that_is_not_finite_and_above_zero_is_primary(value: float) -> None:
    assert primary({"measurements": [{**SCORE, "value": value}]}, protocol("geomean")) is None


@pytest.mark.parametrize(
    ("run", "depends"),
    [
        ({"timing": FULL_TIMING, "measurements": [SCORE]}, False),
        ({"measurements": [SCORE]}, True),
        ({"measurements": [{**SCORE, "value": 0}]}, False),
        ({"measurements": []}, False),
        ({}, False),
    ],
)
def test_only_runs_without_timing_wait_for_their_protocol(run: dict[str, Any], depends: bool) -> None:
    assert primary_depends_on_protocol(run) is depends


@pytest.mark.parametrize(
    ("metric", "direction"),
    [
        ("latency", Direction.LOWER),
        ("score", Direction.LOWER),
        ("memory", Direction.LOWER),
        ("error_rate", Direction.LOWER),
        ("ttft_ms", Direction.LOWER),
        ("e2e_latency_ms", Direction.LOWER),
        ("throughput", Direction.HIGHER),
        ("goodput", Direction.HIGHER),
        ("output_token_throughput_tps", Direction.HIGHER),
        ("tflops", Direction.HIGHER),
        ("bandwidth", Direction.HIGHER),
        ("memory_bandwidth", None),
        ("request_throughput", None),
        ("peak_memory", None),
        ("latency_p99", None),
        ("_ms", None),
        ("ms", None),
        ("tps", None),
        ("Latency", None),
        ("accuracy", None),
        ("", None),
    ],
)
def test_direction(metric: str, direction: Direction | None) -> None:
    assert direction_of(metric) is direction


def test_direction_names_are_those_of_the_contract() -> None:
    assert [direction.value for direction in Direction] == ["LOWER_IS_BETTER", "HIGHER_IS_BETTER"]


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ({"timing": FULL_TIMING}, (9, 11)),
        (timed("mean", mean=3), None),
        ({"measurements": [SCORE]}, None),
        ({}, None),
    ],
)
def test_interval(run: dict[str, Any], expected: tuple[int, int] | None) -> None:
    assert interval(run) == expected
