"""Serving cohorts: serving runs that may be ranked together, and how they answer a question."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Self, cast

import strawberry

from catalog.api.costs import long
from catalog.api.enums import ConstraintState
from catalog.api.fields import SERVING, resolved
from catalog.api.node import Info, Node, fetch, fetch_many, global_id
from catalog.api.types.common import BenchmarkMeasurement
from catalog.api.types.run import shown_measurement
from catalog.api.types.serving_parts import ModelRevision, ServingConfiguration, ServingWorkload
from catalog.api.types.serving_run import ServingRun
from catalog.domain import serving
from catalog.domain.identity import Digest
from catalog.domain.serving import Answer, Outcome
from catalog.read.serving import Cohort, Question


@strawberry.federation.type(tags=[SERVING], description="What became of a constraint.")
class ConstraintOutcome:
    constraint: str = strawberry.field(description="The constraint, such as `ttft_ms <= 450`.")
    state: ConstraintState = strawberry.field(description="How the answer is known.")
    satisfied: bool | None = strawberry.field(description="The answer; null when it is not known.")
    observed: float | None = strawberry.field(
        description="The measured value or the declared bound, in the constraint's unit."
    )
    statistic: str | None = strawberry.field(description="The statistic that decided.")


@strawberry.federation.type(tags=[SERVING], description="A run that meets the constraints.")
class RankedServingRun:
    rank: int | None = strawberry.field(
        description="1 is best; equals share a rank. Null without an objective that the run reports."
    )
    value: float | None = strawberry.field(description="Its value of the objective, in the unit compared.")
    outcomes: list[ConstraintOutcome] = strawberry.field(description="What became of each constraint.")
    run: ServingRun = strawberry.field(description="The run.")

    @resolved(description="What served the model.")
    def configuration(self, info: Info) -> ServingConfiguration | None:
        return fetch(info, ServingConfiguration, self.run.entity.get("configuration"))


@strawberry.federation.type(tags=[SERVING], description="A run that is left out.")
class ExcludedServingRun:
    run: ServingRun = strawberry.field(description="The run.")
    reasons: list[str] = strawberry.field(
        description="Every reason: UNPUBLISHED, STATUS_<STATUS>, RETRACTED, SUPERSEDED, INCOMPLETE, then "
        "METRIC_NOT_REPORTED:<metric> and CONSTRAINT_UNSATISFIED:<metric> in the order of the constraints."
    )
    outcomes: list[ConstraintOutcome] = strawberry.field(description="What became of each constraint.")


@strawberry.federation.type(
    tags=[SERVING], description="A run that no other one betters in one axis without losing in another."
)
class ServingFrontierPoint:
    run: ServingRun = strawberry.field(description="The run.")
    metrics: list[BenchmarkMeasurement] = strawberry.field(
        description="Its values on the axes that were compared, as stated, by metric and statistic."
    )


@strawberry.federation.type(tags=[SERVING], description="A run that could not be compared in everything.")
class IncomparableServingRun:
    run: ServingRun = strawberry.field(description="The run.")
    missing: list[str] = strawberry.field(description="What it lacks, as `metric·statistic`.")


@strawberry.federation.type(
    keys=["key"],
    tags=[SERVING],
    description="Serving runs that share a cohort key: model, tokenizer, workload, protocol, topology, "
    "quality policy and set of metrics. Below `resolveServing` it answers the request; elsewhere it has "
    "neither objective nor constraints. `ranked` and `excluded` together are all its runs.",
)
class ServingCohort(Node):
    label: ClassVar[str] = "ServingCohort"

    key: Digest = strawberry.field(description="The cohort key.")
    size: int = strawberry.field(description="How many runs it has.")
    policy: str = strawberry.field(description="The policy that ranks it.")
    protocol_key: str = strawberry.field(
        description="As harness/version/placement/streaming/loadGeneration of all its runs."
    )
    topology_key: str = strawberry.field(
        description="As vendor/model/<per node>x<nodes>/interconnect of all its runs."
    )
    quality_policy: str = strawberry.field(description="The quality that all its runs had to keep.")
    metrics: list[str] = strawberry.field(description="What its runs report, as `metric·statistic`.")
    whole: strawberry.Private[Cohort]
    question: strawberry.Private[Question]

    @classmethod
    def of_cohort(cls, cohort: Cohort, question: Question) -> Self:
        get = cohort.entity.get
        return cls(
            id=global_id("ServingCohort", cohort.key),
            key=Digest(cohort.key),
            size=cohort.size,
            policy=serving.POLICY,
            protocol_key=get("protocolKey"),
            topology_key=get("topologyKey"),
            quality_policy=get("qualityPolicy"),
            metrics=get("metricSetKey").split(","),
            whole=cohort,
            question=question,
        )

    @cached_property
    def _answer(self) -> Answer:
        return self.whole.answer(self.question)

    @resolved(description="The model that all its runs served.")
    def model(self, info: Info) -> ModelRevision:
        return cast(ModelRevision, fetch(info, ModelRevision, self.whole.entity.props["model"]))

    @resolved(description="The load that all its runs were put under.")
    def workload(self, info: Info) -> ServingWorkload:
        return cast(ServingWorkload, fetch(info, ServingWorkload, self.whole.entity.props["workload"]))

    @resolved(
        costs=long(20),
        description="Runs that meet the constraints: best first by the objective, equals newer first; those "
        "without a rank last, by digest.",
    )
    async def ranked(self, info: Info) -> list[RankedServingRun]:
        rows = self._answer.ranked
        runs = await fetch_many(info, ServingRun, [row.run.digest for row in rows])
        return [
            RankedServingRun(rank=row.rank, value=row.value, outcomes=_outcomes(row.outcomes), run=run)
            for row, run in zip(rows, runs, strict=True)
        ]

    @resolved(costs=long(20), description="Its other runs and why they are left out, by digest.")
    async def excluded(self, info: Info) -> list[ExcludedServingRun]:
        rows = self._answer.excluded
        runs = await fetch_many(info, ServingRun, [row.run.digest for row in rows])
        return [
            ExcludedServingRun(run=run, reasons=list(row.reasons), outcomes=_outcomes(row.outcomes))
            for row, run in zip(rows, runs, strict=True)
        ]

    @resolved(
        costs=long(20),
        description="The Pareto frontier of the runs that meet the constraints, over the axes that every "
        "one of them reports: best on the first axis first.",
    )
    async def frontier(self, info: Info) -> list[ServingFrontierPoint]:
        rows = self._answer.frontier
        runs = await fetch_many(info, ServingRun, [row.run.digest for row in rows])
        return [
            ServingFrontierPoint(run=run, metrics=[shown_measurement(m) for m in row.metrics])
            for row, run in zip(rows, runs, strict=True)
        ]

    @resolved(
        costs=long(20),
        description="Runs that meet the constraints but lack the objective's metric or an axis that another "
        "one has, by digest.",
    )
    async def not_comparable(self, info: Info) -> list[IncomparableServingRun]:
        rows = self._answer.not_comparable
        runs = await fetch_many(info, ServingRun, [row.run.digest for row in rows])
        pairs = zip(rows, runs, strict=True)
        return [IncomparableServingRun(run=run, missing=list(row.missing)) for row, run in pairs]


@strawberry.federation.type(
    tags=[SERVING], description="The cohorts that a request selects, each with its answer."
)
class ServingResolution:
    cohorts: list[ServingCohort] = strawberry.field(
        description="Those with most runs that the request ranks (without an objective: keeps) first, then "
        "the largest, then by key."
    )
    truncated: bool = strawberry.field(description="Whether more cohorts are selected than given.")


def fetch_cohort(info: Info, key: str | None) -> ServingCohort | None:
    """The cohort with this key, asked nothing. Typed as the value; it may be an awaitable of it."""
    return None if key is None else cast("ServingCohort | None", _load(info, key))


async def fetch_cohorts(info: Info, keys: list[str], question: Question | None = None) -> list[ServingCohort]:
    """The cohorts with these keys, in their order; keys that name nothing are left out."""
    cohorts = await info.context.loaders.cohorts.load_many(keys)
    return [ServingCohort.of_cohort(c, question or Question()) for c in cohorts if c is not None]


async def _load(info: Info, key: str) -> ServingCohort | None:
    cohort = await info.context.loaders.cohorts.load(key)
    return None if cohort is None else ServingCohort.of_cohort(cohort, Question())


def _outcomes(found: tuple[Outcome, ...]) -> list[ConstraintOutcome]:
    return [
        ConstraintOutcome(
            constraint=str(each.constraint),
            state=ConstraintState(each.state.value),
            satisfied=each.satisfied,
            observed=each.observed,
            statistic=each.statistic,
        )
        for each in found
    ]
