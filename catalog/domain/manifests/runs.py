"""BenchmarkRun: one measurement of an implementation on a workload."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from catalog.domain.manifests.base import (
    Artifact,
    Commit,
    Digest,
    Duration,
    Family,
    Identifier,
    Instant,
    Measurement,
    NonNegativeNumber,
    Number,
    Positive,
    Ratio,
    Text200,
    Text500,
    Url,
    strict,
)
from catalog.domain.manifests.checks import Finding, artifact, at, duration

STATISTICS: Final = ("median", "mean", "p05", "p95", "minimum", "maximum", "mad")
"""The statistics that a latency may state, beside the interval ``confidence95``."""


@strict
class RunCorrectness(TypedDict):
    comparator: Identifier
    maximumAbsoluteError: NotRequired[NonNegativeNumber]
    maximumRelativeError: NotRequired[NonNegativeNumber]
    matchedRatio: NotRequired[Ratio]


@strict
class Latency(TypedDict):
    median: NotRequired[Duration]
    mean: NotRequired[Duration]
    p05: NotRequired[Duration]
    p95: NotRequired[Duration]
    minimum: NotRequired[Duration]
    maximum: NotRequired[Duration]
    mad: NotRequired[Duration]
    confidence95: NotRequired[list[Duration]]


@strict
class Timing(TypedDict):
    primaryStatistic: Identifier
    samples: NotRequired[Positive]
    latencyNs: Latency
    rawSamples: NotRequired[Artifact]


@strict
class SourceNative(TypedDict):
    """The numbers as the source gave them, untouched."""

    source: Family
    benchmark: NotRequired[Text200]
    externalId: NotRequired[Text500]
    metrics: NotRequired[dict[Identifier, Number]]


@strict
class HarnessRevision(TypedDict):
    repository: Url
    commit: Commit


@strict
class Evidence(TypedDict):
    logs: NotRequired[Artifact]
    rawSamples: NotRequired[Artifact]
    harness: NotRequired[HarnessRevision]


@strict
class BenchmarkRun(TypedDict):
    implementationDigest: Digest
    workloadDigest: Digest
    protocolDigest: Digest
    environmentDigest: Digest
    status: Literal[
        "passed",
        "incorrect_shape",
        "incorrect_dtype",
        "incorrect_numerical",
        "compile_error",
        "runtime_error",
        "timeout",
        "resource_exceeded",
        "invalid_reference",
        "policy_violation",
        "suspected_reward_hack",
        "incomplete_evidence",
        "revoked",
    ]
    correctness: NotRequired[RunCorrectness]
    timing: NotRequired[Timing]
    measurements: NotRequired[list[Measurement]]
    sourceNative: NotRequired[SourceNative]
    evidence: NotRequired[Evidence]
    observedAt: Instant


def check_run(spec: Any) -> Iterator[Finding]:
    """A latency has a median or mean, the primary statistic is one it states, an interval is ordered."""
    latency = at(spec, "timing", "latencyNs")
    if isinstance(latency, dict):
        yield from _latency(latency, at(spec, "timing", "primaryStatistic"))
    yield from artifact(spec, "timing", "rawSamples")
    yield from artifact(spec, "evidence", "logs")
    yield from artifact(spec, "evidence", "rawSamples")


def _latency(latency: dict[str, Any], primary: Any) -> Iterator[Finding]:
    if "median" not in latency and "mean" not in latency:
        yield Finding(("timing", "latencyNs"), "missing_median_or_mean", "a latency needs a median or a mean")
    stated = [name for name in STATISTICS if name in latency]
    if isinstance(primary, str) and primary not in stated:
        message = f"must be one of the statistics beside it ({', '.join(stated) or 'there is none'})"
        yield Finding(("timing", "primaryStatistic"), "unknown_statistic", message, primary)
    interval = latency.get("confidence95")
    if isinstance(interval, list):
        where = ("timing", "latencyNs", "confidence95")
        bounds = [duration(bound) for bound in interval]
        if len(bounds) != 2:
            yield Finding(where, "invalid_interval", "must have exactly two bounds, low and high", interval)
        elif bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
            yield Finding(where, "invalid_interval", "must have its low bound first", interval)
