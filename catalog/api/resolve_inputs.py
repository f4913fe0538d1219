"""Input objects of resolving, and the requests that they stand for."""

from __future__ import annotations

from typing import Any

import strawberry

from catalog.api.enums import EvidenceLevel
from catalog.api.node import given
from catalog.domain import evidence
from catalog.domain.identity import Digest
from catalog.domain.resolve_request import policy_of, request_of
from catalog.domain.resolve_types import Request


@strawberry.input(description="The value of an axis.")
class AxisInput:
    name: str = strawberry.field(description="Name of the axis, exact.")
    value: float = strawberry.field(description="Its value.")


@strawberry.input(
    description="What a run must fulfil to be chosen. It is still shown when it does not, with the reasons."
)
class ResolvePolicy:
    minimum_evidence: EvidenceLevel | None = strawberry.field(
        default=strawberry.UNSET, description="At least this evidence level."
    )
    require_source: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Only with public source."
    )
    require_installable: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Only with an install recipe."
    )
    allowed_licenses: list[str] | None = strawberry.field(
        default=strawberry.UNSET,
        description="Only under these licences: SPDX identifiers, one with an exception, or LicenseRefs. Of "
        "an expression OR needs one side, AND both. An empty list allows none.",
    )


@strawberry.input(description="What one wants to run, and where. What is left out is left open.")
class ResolveRequest:
    operation: str = strawberry.field(
        description="Slug, alias, family or digest of the operation; a family stands for all of its "
        "operations."
    )
    axes: list[AxisInput] | None = strawberry.field(
        default=strawberry.UNSET,
        description="Values of axes: looked up in the case, then in the operation's constants; a suite "
        "matches when one of its cases does.",
    )
    shape: list[float] | None = strawberry.field(
        default=strawberry.UNSET, description="A shape that one tensor of the case has exactly."
    )
    dtypes: list[str] | None = strawberry.field(
        default=strawberry.UNSET,
        description="Data types that the case has all of; bfloat16 is bf16, fp8 any such format.",
    )
    product: str | None = strawberry.field(default=strawberry.UNSET, description="The GPU, exact.")
    architecture: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Architecture of the GPU, exact. One that was not recorded never matches.",
    )
    protocol: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="The protocol, by its full digest."
    )
    policy: ResolvePolicy | None = strawberry.field(
        default=strawberry.UNSET, description="What a run must fulfil to be chosen."
    )


def resolve_request(stated: ResolveRequest) -> Request:
    """The request that an input stands for; raises InputError for one that can't be meant."""
    values: dict[str, Any] = {name: given(value) for name, value in vars(stated).items()}
    policy: ResolvePolicy | None = values["policy"]
    wanted = {} if policy is None else {name: given(value) for name, value in vars(policy).items()}
    level = wanted.get("minimum_evidence")
    return request_of(
        values["operation"],
        axes=[(axis.name, axis.value) for axis in values["axes"] or ()],
        shape=values["shape"],
        dtypes=values["dtypes"] or (),
        product=values["product"],
        architecture=values["architecture"],
        protocol=values["protocol"],
        policy=policy_of(
            None if level is None else evidence.EvidenceLevel(level.value),
            wanted.get("require_source"),
            wanted.get("require_installable"),
            wanted.get("allowed_licenses"),
        ),
    )
