"""Inputs of the serving fields, and what of catalog.read they stand for."""

from __future__ import annotations

import math

import strawberry

from catalog.api.enums import ConstraintOperator, ServingRunStatus
from catalog.api.node import given
from catalog.domain.errors import InputError
from catalog.domain.identity import Digest
from catalog.domain.serving import Constraint, Objective
from catalog.read.serving import MOST_CONSTRAINTS, Question
from catalog.read.serving_lists import CohortFilter
from catalog.read.serving_lists import ServingRunFilter as RunSelection

MODEL = "Slug, name or digest of the model."
WORKLOAD = "Slug, name or digest of the serving workload."
ACCELERATOR = "Words of the accelerator's name, in a row: `H100` means NVIDIA H100-SXM-80GB, not GH200."
STATISTIC = (
    "Which statistic; unless given p99 where lower is better and mean where higher is, else the only one."
)


@strawberry.input(description="A bound that results must keep.")
class ServingConstraint:
    metric: str = strawberry.field(description="The metric, such as ttft_ms.")
    statistic: str | None = strawberry.field(default=strawberry.UNSET, description=STATISTIC)
    operator: ConstraintOperator = strawberry.field(description="Whether the bound itself is allowed.")
    value: float = strawberry.field(
        description="The bound: in ms where the metric's name ends in `_ms`, else in the unit reported."
    )


@strawberry.input(description="What to rank by.")
class ServingObjective:
    metric: str = strawberry.field(description="The metric, such as output_token_throughput_tps.")
    statistic: str | None = strawberry.field(default=strawberry.UNSET, description=STATISTIC)
    maximize: bool = strawberry.field(description="Whether larger is better.")


@strawberry.input(description="Which cohorts, and what to ask of them.")
class ResolveServingRequest:
    model: str | None = strawberry.field(default=strawberry.UNSET, description=MODEL)
    workload: str | None = strawberry.field(default=strawberry.UNSET, description=WORKLOAD)
    accelerator_model: str | None = strawberry.field(default=strawberry.UNSET, description=ACCELERATOR)
    maximum_accelerators: int | None = strawberry.field(
        default=strawberry.UNSET, description="At most so many accelerators, over all nodes."
    )
    quality_policy: str | None = strawberry.field(
        default=strawberry.UNSET, description="The quality that results had to keep, exact."
    )
    objective: ServingObjective | None = strawberry.field(
        default=strawberry.UNSET, description="What to rank by; without it nothing has a rank."
    )
    constraints: list[ServingConstraint] | None = strawberry.field(
        default=strawberry.UNSET, description="Bounds that must all be kept; at most 32."
    )
    first: int | None = strawberry.field(
        default=strawberry.UNSET, description="How many cohorts to give: 20 unless given, at most 100."
    )


@strawberry.input(description="Conditions on serving cohorts; all that are given must hold.")
class ServingCohortFilter:
    model: str | None = strawberry.field(default=strawberry.UNSET, description=MODEL)
    workload: str | None = strawberry.field(default=strawberry.UNSET, description=WORKLOAD)
    accelerator_model: str | None = strawberry.field(default=strawberry.UNSET, description=ACCELERATOR)
    maximum_accelerators: int | None = strawberry.field(
        default=strawberry.UNSET, description="At most so many accelerators, over all nodes."
    )
    quality_policy: str | None = strawberry.field(
        default=strawberry.UNSET, description="The quality that results had to keep, exact."
    )
    source: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug of a source that reported one of the runs."
    )
    metric: str | None = strawberry.field(default=strawberry.UNSET, description="With runs that report it.")


@strawberry.input(description="Conditions on serving runs; all that are given must hold.")
class ServingRunFilter:
    model: str | None = strawberry.field(default=strawberry.UNSET, description=MODEL)
    workload: str | None = strawberry.field(default=strawberry.UNSET, description=WORKLOAD)
    configuration: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="Of this configuration."
    )
    cohort: Digest | None = strawberry.field(default=strawberry.UNSET, description="Of this cohort.")
    status: list[ServingRunStatus] | None = strawberry.field(
        default=strawberry.UNSET, description="How they ended: one of these."
    )
    source: str | None = strawberry.field(default=strawberry.UNSET, description="Slug of who reported them.")


def cohort_filter(chosen: ServingCohortFilter | ResolveServingRequest | None) -> CohortFilter:
    """What the input selects."""
    if chosen is None:
        return CohortFilter()
    common = CohortFilter(
        model=given(chosen.model),
        workload=given(chosen.workload),
        accelerator_model=given(chosen.accelerator_model),
        maximum_accelerators=given(chosen.maximum_accelerators),
        quality_policy=given(chosen.quality_policy),
        source=None if isinstance(chosen, ResolveServingRequest) else given(chosen.source),
        metric=None if isinstance(chosen, ResolveServingRequest) else given(chosen.metric),
    )
    if common.maximum_accelerators is not None and common.maximum_accelerators < 1:
        raise InputError("maximumAccelerators", common.maximum_accelerators, "must be at least 1")
    return common


def run_selection(chosen: ServingRunFilter | None) -> RunSelection:
    """What the input selects."""
    if chosen is None:
        return RunSelection()
    status = given(chosen.status)
    return RunSelection(
        model=given(chosen.model),
        workload=given(chosen.workload),
        configuration=given(chosen.configuration),
        cohort=given(chosen.cohort),
        status=None if status is None else tuple(member.value for member in status),
        source=given(chosen.source),
    )


def question(request: ResolveServingRequest) -> Question:
    """What a request asks of every cohort; raises InputError for a bound that is no finite number."""
    objective, constraints = given(request.objective), given(request.constraints) or []
    if len(constraints) > MOST_CONSTRAINTS:
        raise InputError("constraints", len(constraints), f"must be at most {MOST_CONSTRAINTS} constraints")
    for each in constraints:
        if not math.isfinite(each.value):
            raise InputError("constraints", each.value, f"the bound of {each.metric} must be a finite number")
    return Question(
        objective=None
        if objective is None
        else Objective(objective.metric, objective.maximize, given(objective.statistic)),
        constraints=tuple(
            Constraint(c.metric, c.value, c.operator is ConstraintOperator.LT, given(c.statistic))
            for c in constraints
        ),
    )
