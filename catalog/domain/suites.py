"""Suites: which cases they mean, and scores computed by us from runs of all their cases.

A suite result that a source reports is a run on the suite itself, whose key no case can share. A score
computed here exists only when every case of the suite is covered. Source: docs/domain.md §10.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from catalog.domain.identity import canonical_text
from catalog.domain.metrics import Direction, Number, direction_of

Axes = Mapping[str, Number]

ANY_METRIC: Final = "score"
"""What an aggregation calls its own number: it says nothing about the metric of the cases."""


def _mean(values: Sequence[Number]) -> float:
    return math.fsum(values) / len(values)


def _geometric_mean(values: Sequence[Number]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


STATISTICS: Final[Mapping[str, Callable[[Sequence[Number]], float]]] = {
    "mean": _mean,
    "geomean": _geometric_mean,
}
"""How an aggregation sums up its cases. One that is not here gives no score."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The best ranked run of an implementation on one case, under one protocol in one environment."""

    workload: str
    implementation: str
    protocol: str
    environment: str
    metric: str
    statistic: str
    unit: str
    value: Number
    run: str

    @property
    def setting(self) -> tuple[str, ...]:
        """Only results of one setting are ever summed up."""
        return (self.protocol, self.environment, self.metric, self.statistic, self.unit)


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """``value`` is None unless every case is covered and the aggregation's statistic is known.

    ``missing``: places of the cases without a run, in the suite's order. ``runs``: those that cover the
    others, in the same order.
    """

    implementation: str
    protocol: str
    environment: str
    metric: str
    unit: str
    value: float | None
    missing: tuple[int, ...]
    runs: tuple[str, ...]


def constants_of(operation_spec: Mapping[str, Any]) -> Axes:
    """The axes that an operation fixes, with their values."""
    axes = operation_spec.get("axes", {})
    return {name: axis["value"] for name, axis in axes.items() if axis.get("role") == "constant"}


def matched(cases: Iterable[Axes], workloads: Mapping[str, Axes], constants: Axes) -> list[str | None]:
    """For each case of a suite the WorkloadCase with equal axes, the operation's constants filled in.

    ``workloads``: digest -> axes of the WorkloadCases of the suite's operation. A suite states axes only:
    where several of them (of other data types, say) have these axes, none is known to be meant.
    """
    found: dict[str, list[str]] = {}
    for digest, axes in workloads.items():
        found.setdefault(canonical_text({**constants, **axes}), []).append(digest)
    meant = [found.get(canonical_text({**constants, **axes}), []) for axes in cases]
    return [digests[0] if len(digests) == 1 else None for digests in meant]


def scores(
    workloads: Sequence[str | None], results: Iterable[CaseResult], aggregation: Mapping[str, str]
) -> list[SuiteScore]:
    """A score for each implementation and setting with at least one covered case.

    ``workloads``: those of the suite's cases, as :func:`matched` gives them; a case that stands there
    twice counts twice. Ordered by setting, never across: inside one complete scores first, best first.
    """
    rows: dict[tuple[tuple[str, ...], str], dict[str, CaseResult]] = {}
    for result in results:
        if aggregation["metric"] in (ANY_METRIC, result.metric):
            rows.setdefault((result.setting, result.implementation), {})[result.workload] = result
    made = []
    for (setting, implementation), covered in sorted(rows.items()):
        score = _score(workloads, covered, aggregation["statistic"])
        made.append((setting, _worth(score), implementation, score))
    return [score for *_, score in sorted(made, key=lambda row: row[:3])]


def _score(workloads: Sequence[str | None], covered: Mapping[str, CaseResult], statistic: str) -> SuiteScore:
    found = [covered.get(digest) if digest is not None else None for digest in workloads]
    missing = tuple(place for place, result in enumerate(found) if result is None)
    there = [result for result in found if result is not None]
    summed = STATISTICS.get(statistic)
    value = summed([result.value for result in there]) if summed is not None and not missing else None
    one = next(iter(covered.values()))
    return SuiteScore(
        implementation=one.implementation,
        protocol=one.protocol,
        environment=one.environment,
        metric=one.metric,
        unit=one.unit,
        value=value,
        missing=missing,
        runs=tuple(dict.fromkeys(result.run for result in there)),
    )


def _worth(score: SuiteScore) -> tuple[bool, float]:
    if score.value is None:
        return (True, float(len(score.missing)))
    return (False, -score.value if direction_of(score.metric) is Direction.HIGHER else score.value)
