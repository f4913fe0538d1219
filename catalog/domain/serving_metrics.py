"""Metrics of serving runs: which way is better, in what unit values compare, which statistic is meant.

Source: docs/domain.md §3, §10.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

from catalog.domain.metrics import Direction, Measurement, Number, direction_of

LOWER_STEMS: Final = ("ttft", "tpot", "itl", "e2e_latency")
HIGHER_WORDS: Final = frozenset({"throughput", "goodput"})

KNOWN: Final = frozenset(
    {
        *("ttft_ms", "tpot_ms", "itl_ms", "e2e_latency_ms", "error_rate", "goodput", "throughput"),
        *("request_throughput_rps", "output_token_throughput_tps", "token_throughput_tps"),
    }
)
"""Metrics that may be asked for even where nothing reports them."""

MILLISECONDS: Final[Mapping[str, Decimal]] = {
    "ns": Decimal("0.000001"),
    "us": Decimal("0.001"),
    "µs": Decimal("0.001"),
    "ms": Decimal(1),
    "s": Decimal(1000),
}
"""Unit of time -> how many ms it is."""

TOKENS: Final = "tokens_s"
TOKEN_RATES: Final = frozenset({"tokens_s", "tokens/s", "tok/s", "tps"})
"""Spellings of tokens a second."""


class Axis(NamedTuple):
    """One thing that can be compared: a metric's statistic in a unit."""

    metric: str
    statistic: str
    unit: str

    def __str__(self) -> str:
        return f"{self.metric}·{self.statistic}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A measurement as it compares: ``value`` in the axis's unit, None for a number that says nothing."""

    axis: Axis
    value: Number | None
    stated: Measurement


def direction(metric: str) -> Direction | None:
    """Which values of a serving metric are better; None for one that is not compared."""
    if metric == "error_rate" or any(metric == s or metric.startswith(f"{s}_") for s in LOWER_STEMS):
        return Direction.LOWER
    if HIGHER_WORDS & set(metric.split("_")):
        return Direction.HIGHER
    return direction_of(metric)


def readings(measurements: Iterable[Measurement]) -> dict[tuple[str, str], Reading]:
    """(metric, statistic) -> what is read of it; of several numbers for one the first counts."""
    found: dict[tuple[str, str], Reading] = {}
    for m in measurements:
        found.setdefault((m.metric, m.statistic), reading(m))
    return found


def reading(m: Measurement) -> Reading:
    """A measurement in the unit that its metric's name asks for.

    Zero and negative numbers stand for "not known" and are none, but for an error rate of 0; so is a value
    of a metric in ms whose unit is no unit of time.
    """
    unit, value = m.unit, m.value if says_something(m.metric, m.value) else None
    if m.metric.endswith("_ms"):
        factor = MILLISECONDS.get(m.unit)
        unit = "ms"
        value = None if factor is None or value is None else _times(value, factor)
    elif m.metric.endswith("_tps") and m.unit in TOKEN_RATES:
        unit = TOKENS
    return Reading(Axis(m.metric, m.statistic, unit), value, m)


def says_something(metric: str, value: Number) -> bool:
    """Whether a number is a measurement and no stand-in for a missing one."""
    if isinstance(value, bool) or not math.isfinite(value):
        return False
    return value > 0 or (value == 0 and metric == "error_rate")


def default_statistic(known: Iterable[tuple[str, str]], metric: str) -> str | None:
    """The statistic of a metric that is meant when none is named.

    p99 where lower is better and mean where higher is, if it is there; else the only one there is; of
    several others none is meant.
    """
    there = [statistic for name, statistic in known if name == metric]
    usual = "mean" if direction(metric) is Direction.HIGHER else "p99"
    if usual in there:
        return usual
    return there[0] if len(there) == 1 else None


def _times(value: Number, factor: Decimal) -> Number:
    if factor == 1:
        return value
    product = Decimal(repr(value)) * factor
    return int(product) if product == product.to_integral_value() else float(product)
