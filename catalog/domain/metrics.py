"""Metrics of a run: its measurements, the primary one, and which direction is better (docs/domain.md §3).

Specs are the normalised mappings that are stored, so durations are integers of nanoseconds already.
Values are handed on as they are: integers stay integers, nothing is rounded or converted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

LATENCY: Final = "latency"
NANOSECONDS: Final = "ns"

Number = int | float


class Direction(StrEnum):
    """Which values of a metric are better."""

    LOWER = "LOWER_IS_BETTER"
    HIGHER = "HIGHER_IS_BETTER"


class Measurement(NamedTuple):
    """One number of a run, in ``unit``; ``sample_count`` is how many samples it sums up, if stated."""

    metric: str
    statistic: str
    unit: str
    value: Number
    sample_count: int | None = None


DIRECTIONS: Final[Mapping[str, Direction]] = {
    "latency": Direction.LOWER,
    "score": Direction.LOWER,
    "memory": Direction.LOWER,
    "error_rate": Direction.LOWER,
    "throughput": Direction.HIGHER,
    "goodput": Direction.HIGHER,
    "tflops": Direction.HIGHER,
    "bandwidth": Direction.HIGHER,
}
"""Metrics by their whole name: ``memory_bandwidth`` is neither memory nor bandwidth, but unknown."""

SUFFIX_DIRECTIONS: Final[Mapping[str, Direction]] = {
    "_ms": Direction.LOWER,
    "_tps": Direction.HIGHER,
}
"""Metrics by the end of their name, as ttft_ms and output_token_throughput_tps."""

LATENCY_STATISTICS: Final[Mapping[str, str]] = {
    "median": "median",
    "mean": "mean",
    "minimum": "min",
    "maximum": "max",
    "p05": "p05",
    "p95": "p95",
    "mad": "mad",
}
"""Keys of timing.latencyNs -> names of the statistics, in the order in which measurements list them."""


def direction_of(metric: str) -> Direction | None:
    """Which direction of ``metric`` is better; None when the table does not say: then nothing ranks."""
    if metric in DIRECTIONS:
        return DIRECTIONS[metric]
    for suffix, direction in SUFFIX_DIRECTIONS.items():
        if metric.endswith(suffix) and metric != suffix:
            return direction
    return None


def primary(run_spec: Mapping[str, Any], protocol_spec: Mapping[str, Any] | None) -> Measurement | None:
    """The measurement by which a run is compared, or None (docs/domain.md §3).

    With timing it is the latency that timing.primaryStatistic names, and its statistic is called as there
    (``minimum``, where :func:`measurements` says ``min``): that name goes into the metric key. Without, it
    is the first measurement whose statistic is the protocol's primary one. A value that is not finite and
    above 0 gives none; no other measurement takes its place.

    ``protocol_spec`` is None when the protocol is known only by its digest. A run with timing does not
    need it; for any other None then means that it is not known yet (:func:`primary_depends_on_protocol`).
    """
    if "timing" in run_spec:
        found = _primary_latency(as_mapping(run_spec["timing"]))
    else:
        wanted = as_mapping(as_mapping(protocol_spec).get("measurement")).get("primaryStatistic")
        stated = _stated_measurements(run_spec)
        found = next((m for m in stated if wanted is not None and m.statistic == wanted), None)
    return found if found is not None and is_comparable(found.value) else None


def primary_depends_on_protocol(run_spec: Mapping[str, Any]) -> bool:
    """Whether the protocol decides the primary measurement: no timing, but a measurement that may be it."""
    return "timing" not in run_spec and any(is_comparable(m.value) for m in _stated_measurements(run_spec))


def measurements(run_spec: Mapping[str, Any]) -> list[Measurement]:
    """All numbers of a run: one per statistic of timing.latencyNs, then spec.measurements in their order.

    ``confidence95`` is an interval, not a measurement (:func:`interval`).
    """
    timing = as_mapping(run_spec.get("timing"))
    latencies = as_mapping(timing.get("latencyNs"))
    samples = timing.get("samples")
    timed = [
        Measurement(LATENCY, statistic, NANOSECONDS, latencies[key], samples)
        for key, statistic in LATENCY_STATISTICS.items()
        if key in latencies
    ]
    return timed + _stated_measurements(run_spec)


def interval(run_spec: Mapping[str, Any]) -> tuple[Number, Number] | None:
    """The 95 % confidence interval (low, high) of a run's latency in ns, or None when it states none."""
    timing = as_mapping(run_spec.get("timing"))
    bounds = as_mapping(timing.get("latencyNs")).get("confidence95")
    if not bounds:
        return None
    low, high = bounds
    return low, high


def is_comparable(value: object) -> bool:
    """Whether a value may take part in a comparison: a finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and value > 0


def as_mapping(value: object) -> Mapping[str, Any]:
    """``value`` when it is a mapping, else an empty one: for optional parts of a spec."""
    return value if type(value) is dict or isinstance(value, Mapping) else {}


def _primary_latency(timing: Mapping[str, Any]) -> Measurement | None:
    key = str(timing.get("primaryStatistic"))
    latencies = as_mapping(timing.get("latencyNs"))
    if key not in LATENCY_STATISTICS or key not in latencies:
        return None
    return Measurement(LATENCY, key, NANOSECONDS, latencies[key], timing.get("samples"))


def _stated_measurements(run_spec: Mapping[str, Any]) -> list[Measurement]:
    return [
        Measurement(m["metric"], m["statistic"], m["unit"], m["value"], m.get("sampleCount"))
        for m in run_spec.get("measurements") or ()
    ]
