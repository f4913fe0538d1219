"""BenchmarkProtocol: how time was taken."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from catalog.domain.manifests.base import (
    Commit,
    Duration,
    Identifier,
    Natural,
    Positive,
    PositiveNumber,
    Text100,
    Text200,
    Text500,
    Text1000,
    Url,
    strict,
)


@strict
class Harness(TypedDict):
    name: Text200
    version: NotRequired[Text100]
    repository: NotRequired[Url]
    commit: NotRequired[Commit]


@strict
class MeasurementPlan(TypedDict):
    timer: Identifier
    synchronization: NotRequired[Identifier]
    compileIncluded: NotRequired[bool]
    setupIncluded: NotRequired[bool]
    warmupIterations: NotRequired[Natural]
    warmupDuration: NotRequired[Duration]
    measuredIterations: NotRequired[Positive]
    samples: NotRequired[Positive]
    inputRegeneration: NotRequired[Identifier]
    outlierPolicy: NotRequired[Text500]
    primaryStatistic: Identifier


@strict
class ProtocolCorrectness(TypedDict):
    reference: Text500
    comparator: Identifier


@strict
class DevicePolicy(TypedDict):
    clocksLocked: NotRequired[bool]
    powerLimitWatts: NotRequired[PositiveNumber]
    persistenceMode: NotRequired[bool]


@strict
class Comparability(TypedDict):
    family: Identifier
    notes: NotRequired[Text1000]


@strict
class BenchmarkProtocol(TypedDict):
    harness: Harness
    measurement: MeasurementPlan
    correctness: NotRequired[ProtocolCorrectness]
    devicePolicy: NotRequired[DevicePolicy]
    comparability: NotRequired[Comparability]
