"""The serving kinds: models, serving stacks and their configurations, loads and runs.

They share no list and no key with kernel results (docs/domain.md §10).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from catalog.domain.manifests.base import (
    Commit,
    Digest,
    Family,
    Identifier,
    Instant,
    Measurement,
    Number,
    NumberOrText,
    Positive,
    PositiveNumber,
    Text100,
    Text120,
    Text200,
    Text500,
    Url,
    strict,
)
from catalog.domain.manifests.checks import Finding, at_most


@strict
class ModelRepository(TypedDict):
    host: Literal["huggingface", "github", "other"]
    id: Text200
    revision: NotRequired[Text100]


@strict
class Tokenizer(TypedDict):
    name: NotRequired[Text200]
    revision: NotRequired[Text100]
    digest: NotRequired[Digest]


@strict
class ModelRevision(TypedDict):
    model: Text200
    repository: NotRequired[ModelRepository]
    tokenizer: NotRequired[Tokenizer]
    architecture: NotRequired[Text100]
    parameterCount: NotRequired[Positive]
    contextLength: NotRequired[Positive]
    modality: NotRequired[Identifier]
    license: NotRequired[Text200]


@strict
class StackProject(TypedDict):
    name: Text200
    repository: NotRequired[Url]


@strict
class StackRevision(TypedDict):
    version: NotRequired[Text120]
    commit: NotRequired[Commit]
    containerDigest: NotRequired[Digest]


@strict
class ServingStackRevision(TypedDict):
    project: StackProject
    revision: StackRevision
    backends: NotRequired[list[Identifier]]
    apiProtocol: NotRequired[Identifier]
    license: NotRequired[Text200]


@strict
class Parallelism(TypedDict):
    tensor: NotRequired[Positive]
    pipeline: NotRequired[Positive]
    data: NotRequired[Positive]
    expert: NotRequired[Positive]
    context: NotRequired[Positive]


@strict
class KvCache(TypedDict):
    dtype: NotRequired[Identifier]
    capacityTokens: NotRequired[Positive]


@strict
class Limits(TypedDict):
    maxSequenceLength: NotRequired[Positive]
    maxBatchSize: NotRequired[Positive]
    maxNumTokens: NotRequired[Positive]


@strict
class Speculative(TypedDict):
    method: Identifier
    draftModel: NotRequired[Text200]


@strict
class ServingConfiguration(TypedDict):
    stackDigest: Digest
    dtype: NotRequired[Identifier]
    quantization: NotRequired[Identifier]
    parallelism: NotRequired[Parallelism]
    attentionBackend: NotRequired[Identifier]
    kvCache: NotRequired[KvCache]
    limits: NotRequired[Limits]
    speculative: NotRequired[Speculative]
    options: NotRequired[dict[Identifier, Text500]]


@strict
class Dataset(TypedDict):
    name: Text200
    digest: NotRequired[Digest]


@strict
class TokenLengths(TypedDict):
    distribution: Identifier
    mean: NotRequired[PositiveNumber]
    maximum: NotRequired[Positive]
    artifactDigest: NotRequired[Digest]


@strict
class Tokens(TypedDict):
    prompt: NotRequired[TokenLengths]
    output: NotRequired[TokenLengths]


@strict
class Objective(TypedDict):
    """A service-level objective."""

    metric: Identifier
    statistic: Identifier
    operator: Literal["<=", "<"]
    value: PositiveNumber
    unit: Identifier


@strict
class Sampling(TypedDict):
    temperature: NotRequired[Number]
    seeded: NotRequired[bool]


@strict
class ServingWorkload(TypedDict):
    dataset: NotRequired[Dataset]
    tokens: NotRequired[Tokens]
    streaming: bool
    loadGeneration: Literal["open_loop", "closed_loop", "offline"]
    arrival: NotRequired[Identifier]
    requestRatePerSecond: NotRequired[PositiveNumber]
    slo: NotRequired[list[Objective]]
    sampling: NotRequired[Sampling]
    durationSeconds: NotRequired[Positive]
    requestCount: NotRequired[Positive]


@strict
class Topology(TypedDict):
    acceleratorVendor: NotRequired[Identifier]
    acceleratorModel: Text200
    acceleratorsPerNode: Positive
    nodeCount: Positive
    interconnect: NotRequired[Text200]


@strict
class ServingHarness(TypedDict):
    name: Identifier
    version: Text100


@strict
class ServingSourceNative(TypedDict):
    """The source's own words and numbers, untouched."""

    source: Family
    benchmark: Text200
    scenario: Identifier
    division: Identifier
    category: Identifier
    externalId: Text500
    metrics: NotRequired[dict[Identifier, NumberOrText]]


@strict
class ServingRun(TypedDict):
    modelDigest: Digest
    configurationDigest: Digest
    workloadDigest: Digest
    topology: Topology
    harness: ServingHarness
    placement: NotRequired[Identifier]
    qualityPolicy: Identifier
    status: Literal["valid", "invalid", "incomplete_evidence"]
    measurements: Annotated[list[Measurement], Field(min_length=1)]
    sourceNative: NotRequired[ServingSourceNative]
    caveats: NotRequired[list[Text500]]
    observedAt: Instant


def check_stack(spec: Any) -> Iterator[Finding]:
    yield from at_most(spec, 8, "backends")


def check_serving_workload(spec: Any) -> Iterator[Finding]:
    yield from at_most(spec, 8, "slo")


def check_serving_run(spec: Any) -> Iterator[Finding]:
    yield from at_most(spec, 64, "measurements")
    yield from at_most(spec, 16, "caveats")
