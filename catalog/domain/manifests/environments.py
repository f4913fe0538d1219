"""ExecutionEnvironment: the hardware and software a measurement ran on."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from catalog.domain.manifests.base import (
    Digest,
    Identifier,
    Positive,
    PositiveNumber,
    Text100,
    Text200,
    Text500,
    strict,
)


@strict
class Hardware(TypedDict):
    vendor: Identifier
    product: Text200
    architecture: Identifier
    formFactor: NotRequired[Text100]
    memoryBytes: NotRequired[Positive]
    count: NotRequired[Positive]
    interconnect: NotRequired[Text200]


@strict
class Framework(TypedDict):
    name: Identifier
    version: Text100


@strict
class Software(TypedDict):
    operatingSystem: NotRequired[Text200]
    kernel: NotRequired[Text200]
    driver: NotRequired[Text100]
    cudaToolkit: NotRequired[Text100]
    compiler: NotRequired[Text200]
    framework: NotRequired[Framework]
    libraries: NotRequired[dict[Identifier, Text100]]


@strict
class Settings(TypedDict):
    clocksLocked: NotRequired[bool]
    powerLimitWatts: NotRequired[PositiveNumber]
    persistenceMode: NotRequired[bool]
    eccEnabled: NotRequired[bool]
    environmentVariables: NotRequired[dict[Text200, Text500]]


@strict
class ExecutionEnvironment(TypedDict):
    hardware: Hardware
    software: Software
    settings: NotRequired[Settings]
    imageDigest: NotRequired[Digest]
