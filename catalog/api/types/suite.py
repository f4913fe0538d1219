"""Suites: results reported as a whole, and scores computed from the runs of their cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Self

import strawberry

from catalog.api.costs import long
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch, fetch_many
from catalog.api.types.common import NamedNumber, named_numbers
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.parts import BenchmarkProtocol, ExecutionEnvironment
from catalog.domain.suites import SuiteScore
from catalog.read import Entity

if TYPE_CHECKING:
    from catalog.api.types.run import BenchmarkRun

Run = Annotated["BenchmarkRun", strawberry.lazy("catalog.api.types.run")]


@strawberry.type(description="One case of a suite.")
class SuiteCase:
    external_id: str = strawberry.field(description="What the suite calls it.")
    axes: list[NamedNumber] = strawberry.field(description="Its axis values, by name.")


def suite_cases(suite: Entity) -> list[SuiteCase]:
    """The cases of a suite, in its order; none of a case."""
    return [
        SuiteCase(external_id=case["externalId"], axes=named_numbers(case["axes"]))
        for case in suite.spec.get("cases", ())
    ]


@strawberry.type(description="How a suite sums up its cases.")
class SuiteAggregation:
    metric: str = strawberry.field(description="What the result is called, such as score.")
    statistic: str = strawberry.field(description="How cases are summed up, such as geomean.")

    @classmethod
    def of(cls, suite: Entity) -> Self | None:
        stated = suite.spec.get("aggregation")
        return cls(metric=stated["metric"], statistic=stated["statistic"]) if stated else None


@strawberry.type(
    description="A result on a whole suite as its source reported it. It is ranked among results on the same "
    "suite only, never with a case."
)
class ReportedSuiteResult:
    reported: bool = strawberry.field(description="Always true: the source summed it up, not the catalog.")
    case_count: int = strawberry.field(description="How many cases the suite has.")
    aggregation: SuiteAggregation | None = strawberry.field(description="How the suite says to sum up.")

    @classmethod
    def of(cls, suite: Entity) -> Self:
        cases = suite.spec.get("cases", ())
        return cls(reported=True, case_count=len(cases), aggregation=SuiteAggregation.of(suite))


@strawberry.type(
    description="A score computed by the catalog from the best ranked run of an implementation on each case, "
    "all under one protocol, in one environment, of one metric."
)
class ComputedSuiteScore:
    value: float | None = strawberry.field(
        description="The cases summed up as the suite says (mean or geomean). Null unless every case is "
        "covered, and for a statistic that is not known."
    )
    metric: str = strawberry.field(description="Metric of the runs.")
    unit: str = strawberry.field(description="Unit of the value.")
    statistic: str = strawberry.field(description="How the cases are summed up.")
    complete: bool = strawberry.field(description="Whether every case is covered.")
    missing: list[SuiteCase] = strawberry.field(
        directives=long(50),
        description="The cases without a run. A case is also missing when no workload, or more than one, of "
        "the operation has its axes.",
    )
    case_count: int = strawberry.field(description="How many cases the suite has.")
    found: strawberry.Private[SuiteScore]

    @classmethod
    def of(cls, score: SuiteScore, suite: Entity, cases: list[SuiteCase]) -> Self:
        return cls(
            value=score.value,
            metric=score.metric,
            unit=score.unit,
            statistic=suite.spec["aggregation"]["statistic"],
            complete=not score.missing,
            missing=[cases[place] for place in score.missing],
            case_count=len(cases),
            found=score,
        )

    @resolved(description="Whose score it is.")
    def implementation(self, info: Info) -> ImplementationRevision | None:
        return fetch(info, ImplementationRevision, self.found.implementation)

    @resolved(description="The protocol of all its runs.")
    def protocol(self, info: Info) -> BenchmarkProtocol | None:
        return fetch(info, BenchmarkProtocol, self.found.protocol)

    @resolved(description="The environment of all its runs.")
    def environment(self, info: Info) -> ExecutionEnvironment | None:
        return fetch(info, ExecutionEnvironment, self.found.environment)

    @resolved(costs=long(50), description="The runs that it is computed from, in the order of the cases.")
    async def runs(self, info: Info) -> list[Run]:
        from catalog.api.types.run import BenchmarkRun  # the two modules need each other

        return await fetch_many(info, BenchmarkRun, self.found.runs)
