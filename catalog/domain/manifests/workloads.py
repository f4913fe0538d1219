"""WorkloadCase and WorkloadSuite: one concrete case of an operation, or a set of cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from catalog.domain.manifests.base import (
    Artifact,
    AxisValues,
    Digest,
    Identifier,
    Integer,
    Natural,
    NonNegativeNumber,
    Number,
    Positive,
    Ratio,
    Text200,
    Text500,
    strict,
)
from catalog.domain.manifests.checks import Finding, artifact, at, members

Policy = Literal["reject", "exact_match", "ignore"]


@strict
class TensorData(TypedDict):
    generator: Identifier
    seed: NotRequired[Natural]
    parameters: NotRequired[dict[Identifier, Number]]
    artifact: NotRequired[Artifact]


@strict
class Tensor(TypedDict):
    shape: Annotated[list[Natural], Field(min_length=1)]
    dtype: Identifier
    strides: NotRequired[list[Integer]]
    alignmentBytes: NotRequired[Positive]
    data: NotRequired[TensorData]


@strict
class Scalar(TypedDict):
    dtype: Identifier
    value: Number


@strict
class CaseCorrectness(TypedDict):
    comparator: Identifier
    maxAbsoluteError: NotRequired[NonNegativeNumber]
    maxRelativeError: NotRequired[NonNegativeNumber]
    requiredMatchedRatio: NotRequired[Ratio]
    nanPolicy: NotRequired[Policy]
    infinityPolicy: NotRequired[Policy]


@strict
class WorkloadCase(TypedDict):
    operationSpecDigest: Digest
    axes: AxisValues
    tensors: dict[Identifier, Tensor]
    scalars: NotRequired[dict[Identifier, Scalar]]
    correctness: CaseCorrectness


@strict
class SuiteCase(TypedDict):
    externalId: Text200
    axes: AxisValues


@strict
class SuiteCorrectness(TypedDict):
    comparator: Identifier
    description: NotRequired[Text500]


@strict
class Aggregation(TypedDict):
    metric: Identifier
    statistic: Identifier


@strict
class WorkloadSuite(TypedDict):
    operationSpecDigest: Digest
    cases: Annotated[list[SuiteCase], Field(min_length=1)]
    correctness: SuiteCorrectness
    aggregation: Aggregation


def check_case(spec: Any) -> Iterator[Finding]:
    """The data of a tensor names its artifact's own digest."""
    for name, tensor in members(at(spec, "tensors")):
        if at(tensor, "data", "artifact") is not None:
            yield from artifact(spec, "tensors", name, "data", "artifact")
