"""Input objects of the schema, and the filters of catalog.read that they stand for."""

from __future__ import annotations

from typing import Any

import strawberry

from catalog.api.enums import AxisOperator, EvidenceLevel, RunStatus
from catalog.api.node import given
from catalog.api.scalars import DateTime
from catalog.domain import evidence
from catalog.domain.errors import InputError
from catalog.domain.identity import Digest
from catalog.read import filters
from catalog.read.axes import AxisCondition


@strawberry.input(
    description="A condition on an axis. The axis is looked up in the case, then in the operation's "
    "constants; a suite matches when one of its cases does."
)
class AxisFilter:
    name: str = strawberry.field(description="Name of the axis, exact.")
    operator: AxisOperator | None = strawberry.field(
        default=AxisOperator.EQ, description="How to compare; EQ unless given."
    )
    value: float = strawberry.field(description="What to compare with; finite.")


@strawberry.input(description="Conditions on runs; all that are given must hold.")
class RunFilter:
    comparison_key: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="Runs of this comparison group."
    )
    architecture: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Architecture of the GPU, exact; `unknown` selects runs without a recorded one.",
    )
    product: str | None = strawberry.field(default=strawberry.UNSET, description="The GPU, exact.")
    status: list[RunStatus] | None = strawberry.field(
        default=strawberry.UNSET, description="How they ended: one of these."
    )
    source: str | None = strawberry.field(default=strawberry.UNSET, description="Slug of who reported them.")
    operation: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug, alias, family or digest of the workload's operation."
    )
    project: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Slug of the project that the run was submitted for, else of its implementation's.",
    )
    implementation: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="Runs of this implementation."
    )
    workload: Digest | None = strawberry.field(default=strawberry.UNSET, description="Runs on this workload.")
    protocol: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="Runs under this protocol."
    )
    environment: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="Runs in this environment."
    )
    minimum_evidence: EvidenceLevel | None = strawberry.field(
        default=strawberry.UNSET, description="Runs of at least this evidence level."
    )
    deployable: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True: only of deployable implementations. False: only of the others.",
    )
    observed_from: DateTime | None = strawberry.field(
        default=strawberry.UNSET, description="Observed at or after this instant."
    )
    observed_before: DateTime | None = strawberry.field(
        default=strawberry.UNSET, description="Observed before this instant."
    )
    language: str | None = strawberry.field(
        default=strawberry.UNSET, description="Language of the implementation."
    )
    axes: list[AxisFilter] | None = strawberry.field(
        default=strawberry.UNSET, description="Conditions on axes; all must hold in one case."
    )


@strawberry.input(description="Conditions on comparison groups; all that are given must hold.")
class ComparisonGroupFilter:
    operation: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug, alias, family or digest of the operation."
    )
    workload: Digest | None = strawberry.field(default=strawberry.UNSET, description="On this workload.")
    protocol: Digest | None = strawberry.field(default=strawberry.UNSET, description="Under this protocol.")
    architecture: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Architecture of the GPU, exact; `unknown` selects groups without a recorded one.",
    )
    product: str | None = strawberry.field(default=strawberry.UNSET, description="The GPU, exact.")
    source: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug of a source that reported one of the runs."
    )
    axes: list[AxisFilter] | None = strawberry.field(
        default=strawberry.UNSET, description="Conditions on axes; all must hold in one case."
    )
    minimum_size: int | None = strawberry.field(
        default=strawberry.UNSET, description="With at least so many runs."
    )


@strawberry.input(description="Which runs of a group to list; ranks stay those of the whole group.")
class RankedFilter:
    architecture: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Architecture of the GPU. A group has one, so this keeps all of its runs or none.",
    )
    minimum_evidence: EvidenceLevel | None = strawberry.field(
        default=strawberry.UNSET, description="Runs of at least this evidence level."
    )
    deployable: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True: only of deployable implementations. False: only of the others.",
    )
    project: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Slug of the project that the run was submitted for, else of its implementation's.",
    )


@strawberry.input(description="Conditions on implementations; all that are given must hold.")
class ImplementationFilter:
    slug: str | None = strawberry.field(
        default=strawberry.UNSET, description="All that answer to this name; it need not be unique."
    )
    operation: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug, alias, family or digest of the operation they declare."
    )
    project: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug of one of their projects."
    )
    language: str | None = strawberry.field(
        default=strawberry.UNSET, description="The language they are written in."
    )
    architecture: str | None = strawberry.field(
        default=strawberry.UNSET, description="A GPU architecture that they say they support."
    )
    deployable: bool | None = strawberry.field(
        default=strawberry.UNSET, description="True: only deployable ones. False: only the others."
    )


def run_filter(given_filter: RunFilter | None) -> filters.RunFilter:
    """What the input selects."""
    if given_filter is None:
        return filters.RunFilter()
    values = _values(given_filter)
    status = values.pop("status")
    return filters.RunFilter(
        **values, status=None if status is None else tuple(member.value for member in status)
    )


def group_filter(given_filter: ComparisonGroupFilter | None) -> filters.GroupFilter:
    """What the input selects."""
    return filters.GroupFilter() if given_filter is None else filters.GroupFilter(**_values(given_filter))


def ranked_filter(given_filter: RankedFilter | None) -> filters.RankedFilter:
    """What the input selects."""
    return filters.RankedFilter() if given_filter is None else filters.RankedFilter(**_values(given_filter))


def implementation_filter(given_filter: ImplementationFilter | None) -> filters.ImplementationFilter:
    """What the input selects."""
    if given_filter is None:
        return filters.ImplementationFilter()
    return filters.ImplementationFilter(**_values(given_filter))


def _values(given_filter: Any) -> dict[str, Any]:
    values = {name: given(value) for name, value in vars(given_filter).items()}
    if values.get("minimum_evidence") is not None:
        values["minimum_evidence"] = evidence.EvidenceLevel(values["minimum_evidence"].value)
    if "axes" in values:
        values["axes"] = tuple(_condition(axis) for axis in values["axes"] or ())
    return values


def _condition(axis: AxisFilter) -> AxisCondition:
    if not axis.name:
        raise InputError("axes", axis.name, "the name of an axis must not be empty")
    return AxisCondition(axis.name, (given(axis.operator) or AxisOperator.EQ).value, axis.value)
