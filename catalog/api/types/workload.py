"""Workloads: one concrete case of an operation, or a suite of cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

import strawberry

from catalog.api.costs import long
from catalog.api.enums import WorkloadKind
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, fetch, given, global_id
from catalog.api.types.common import ManifestWarning, NamedNumber, manifest_warnings, named_numbers
from catalog.api.types.parts import COMPLETE, OperationSpec
from catalog.api.types.suite import ComputedSuiteScore, SuiteAggregation, SuiteCase, suite_cases
from catalog.domain.consistency import workload_warnings
from catalog.domain.identity import Digest
from catalog.read import Entity
from catalog.read.paging import MAXIMUM_GROUP_PAGE, page_size

WHOLE_LIST = 50
ScoresFirst = Annotated[
    int | None,
    strawberry.argument(description="How many to give: 50 unless given, at most 500."),
]


@strawberry.type(description="A tensor of a case.")
class WorkloadTensor:
    name: str = strawberry.field(description="Its name in the operation.")
    dtype: str = strawberry.field(description="Its data type.")
    shape: list[float] = strawberry.field(description="Its extents, whole numbers.")


@strawberry.type(description="A scalar of a case.")
class WorkloadScalar:
    name: str = strawberry.field(description="Its name in the operation.")
    dtype: str = strawberry.field(description="Its data type.")
    value: float = strawberry.field(description="Its value.")


@strawberry.federation.type(keys=["key"], description="When an output counts as correct.")
class WorkloadCorrectness:
    key: Digest = strawberry.field(description="Digest of the rule; part of every comparison key.")
    comparator: str = strawberry.field(description="How outputs are compared.")
    max_absolute_error: float | None = strawberry.field(description="Largest absolute error allowed.")
    max_relative_error: float | None = strawberry.field(description="Largest relative error allowed.")
    required_matched_ratio: float | None = strawberry.field(description="Share of elements that must match.")

    @classmethod
    def of(cls, key: str, rule: Mapping[str, Any]) -> Self:
        return cls(
            key=Digest(key),
            comparator=rule["comparator"],
            max_absolute_error=rule.get("maxAbsoluteError"),
            max_relative_error=rule.get("maxRelativeError"),
            required_matched_ratio=rule.get("requiredMatchedRatio"),
        )


async def fetch_correctness(info: Info, key: str) -> WorkloadCorrectness | None:
    """The rule with this key; None when no workload states it."""
    rule = await info.context.loaders.correctness_rules.load(key)
    return None if rule is None else WorkloadCorrectness.of(key, rule)


@strawberry.federation.type(
    keys=["digest"], description="One concrete case of an operation, or a suite of cases."
)
class BenchmarkWorkload(Node):
    label: ClassVar[str] = "Workload"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    kind: WorkloadKind | None = strawberry.field(description="Case or suite.")
    title: str | None = strawberry.field(description="Its name for people.")
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        return cls(
            id=global_id("BenchmarkWorkload", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            kind=WorkloadKind(entity.kind) if entity.kind else None,
            title=entity.get("title"),
            entity=entity,
        )

    @resolved(description="Axis values of a case, by name; empty for a suite.")
    def axes(self) -> list[NamedNumber]:
        return named_numbers(self.entity.spec.get("axes", {}))

    @resolved(description="Tensors of a case, by name; empty for a suite.")
    def tensors(self) -> list[WorkloadTensor]:
        tensors = self.entity.spec.get("tensors", {})
        return [
            WorkloadTensor(name=name, dtype=tensors[name]["dtype"], shape=tensors[name]["shape"])
            for name in sorted(tensors)
        ]

    @resolved(description="Scalars of a case, by name; empty for a suite.")
    def scalars(self) -> list[WorkloadScalar]:
        scalars = self.entity.spec.get("scalars", {})
        return [
            WorkloadScalar(name=name, dtype=scalars[name]["dtype"], value=scalars[name]["value"])
            for name in sorted(scalars)
        ]

    @resolved(costs=long(50), description="Cases of a suite, in its order; empty for a case.")
    def cases(self) -> list[SuiteCase]:
        return suite_cases(self.entity)

    @resolved(description="How a suite sums up its cases; null for a case.")
    def aggregation(self) -> SuiteAggregation | None:
        return SuiteAggregation.of(self.entity)

    @resolved(
        description="Scores of a suite computed from runs of its cases; none for a case. By protocol, "
        "environment and metric, and inside these complete ones first, best first; never sorted across them."
    )
    async def computed_scores(
        self,
        info: Info,
        complete: Annotated[
            bool | None,
            strawberry.argument(description="True: only with every case covered. False: the others."),
        ] = strawberry.UNSET,
        first: ScoresFirst = strawberry.UNSET,
    ) -> list[ComputedSuiteScore]:
        size = page_size(given(first), default=WHOLE_LIST, maximum=MAXIMUM_GROUP_PAGE)
        scores, wanted = await info.context.loaders.suite_scores.load(self.digest), given(complete)
        chosen = [score for score in scores if wanted is None or wanted == (not score.missing)]
        cases = suite_cases(self.entity)
        return [ComputedSuiteScore.of(score, self.entity, cases) for score in chosen[:size]]

    @resolved(description="When an output counts as correct.")
    def correctness_policy(self) -> WorkloadCorrectness | None:
        rule = self.entity.spec.get("correctness")
        return None if rule is None else WorkloadCorrectness.of(self.entity.props["correctnessKey"], rule)

    @resolved(description="The operation it is a case of.")
    def operation(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.entity.get("operation"))

    @resolved(description="Where it disagrees with what its operation declares.")
    async def warnings(self, info: Info) -> list[ManifestWarning]:
        key = self.entity.get("operation")
        operation = (await info.context.loaders.nodes.load("Operation", key)) if key else None
        if operation is None or not operation.complete:
            return []
        return manifest_warnings(workload_warnings(self.entity.spec, operation.spec))
