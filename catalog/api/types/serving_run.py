"""Serving runs: measurements of a model as it is served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import strawberry

from catalog.api.costs import long
from catalog.api.enums import ServingRunStatus
from catalog.api.fields import SERVING, resolved
from catalog.api.node import Info, Node, fetch, global_id
from catalog.api.scalars import JSON, DateTime, printed
from catalog.api.types.common import BenchmarkMeasurement
from catalog.api.types.parts import COMPLETE, EvidenceSource
from catalog.api.types.run import RunRetraction, shown_measurement
from catalog.api.types.serving_parts import ModelRevision, ServingConfiguration, ServingWorkload
from catalog.domain import metrics, serving
from catalog.domain.identity import Digest
from catalog.read import Entity
from catalog.read.serving import standing_reasons

if TYPE_CHECKING:
    from catalog.api.types.serving_cohort import ServingCohort

Cohort = Annotated["ServingCohort", strawberry.lazy("catalog.api.types.serving_cohort")]


@strawberry.federation.type(tags=[SERVING], description="The accelerators that a serving run had.")
class ServingTopology:
    accelerator_vendor: str | None = strawberry.field(description="Who makes them.")
    accelerator_model: str = strawberry.field(description="Which they are.")
    accelerators_per_node: float = strawberry.field(description="How many in each node.")
    node_count: float = strawberry.field(description="How many nodes.")
    accelerators: float = strawberry.field(description="How many over all nodes.")
    interconnect: str | None = strawberry.field(description="How they are connected.")


@strawberry.federation.type(
    keys=["digest"],
    tags=[SERVING],
    description="One measurement of a model as it is served. It never meets kernel results.",
)
class ServingRun(Node):
    label: ClassVar[str] = "ServingRun"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    title: str | None = strawberry.field(description="Its name for people.")
    status: ServingRunStatus | None = strawberry.field(description="How it ended.")
    observed_at: DateTime | None = strawberry.field(description="When it was measured.")
    published_at: DateTime | None = strawberry.field(
        description="When its source published it, if it says so; never the time of import."
    )
    retraction: RunRetraction | None = strawberry.field(description="Set when its source took it back.")
    cohort_key: Digest | None = strawberry.field(
        description="Runs with the same key may be ranked together; null while a part is missing."
    )
    measurements: list[BenchmarkMeasurement] = strawberry.field(
        directives=long(10), description="Its numbers, as stated."
    )
    topology: ServingTopology | None = strawberry.field(description="The accelerators that it had.")
    harness: str | None = strawberry.field(description="Name and version of the program that measured.")
    placement: str | None = strawberry.field(description="Where the load came from.")
    quality_policy: str | None = strawberry.field(description="The quality that it had to keep.")
    caveats: list[str] = strawberry.field(description="What to mind, in its source's words.")
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        spec, get = entity.spec, entity.get
        retracted, status, harness = printed(get("retractedAt")), get("status"), spec.get("harness")
        return cls(
            id=global_id("ServingRun", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            title=get("title"),
            status=ServingRunStatus(status) if status else None,
            observed_at=printed(get("observedAt")),
            published_at=printed(get("publishedAt")),
            retraction=RunRetraction(at=retracted, reason=get("retractionReason")) if retracted else None,
            cohort_key=get("cohortKey"),
            measurements=[shown_measurement(m) for m in metrics.measurements(spec)],
            topology=_topology(spec["topology"]) if spec else None,
            harness=f"{harness['name']} {harness['version']}" if harness else None,
            placement=spec.get("placement"),
            quality_policy=spec.get("qualityPolicy"),
            caveats=list(spec.get("caveats", ())),
            entity=entity,
        )

    @resolved(description="Why it does not rank, whatever is asked: every code that applies.")
    async def reasons(self, info: Info) -> list[str]:
        configuration = self.entity.get("configuration")
        if configuration is not None:  # joins the batch of the other runs
            await info.context.loaders.nodes.load("ServingConfiguration", configuration)
        return list(await standing_reasons(info.context.snapshot, self.entity))

    @resolved(description="The policy that ranks it.")
    def policy(self) -> str:
        return serving.POLICY

    @resolved(description="The runs that it may be ranked with.")
    def cohort(self, info: Info) -> Cohort | None:
        from catalog.api.types.serving_cohort import fetch_cohort  # the two modules need each other

        return fetch_cohort(info, self.cohort_key)

    @resolved(description="The model that was served.")
    def model(self, info: Info) -> ModelRevision | None:
        return fetch(info, ModelRevision, self.entity.get("model"))

    @resolved(description="What served it.")
    def configuration(self, info: Info) -> ServingConfiguration | None:
        return fetch(info, ServingConfiguration, self.entity.get("configuration"))

    @resolved(description="The load it was put under.")
    def workload(self, info: Info) -> ServingWorkload | None:
        return fetch(info, ServingWorkload, self.entity.get("workload"))

    @resolved(description="Who reported it.")
    def source(self, info: Info) -> EvidenceSource | None:
        return fetch(info, EvidenceSource, self.entity.get("source"))

    @resolved(description="The full document {apiVersion, kind, metadata, spec}; metadata as shown.")
    def manifest(self) -> JSON | None:
        if not self.complete:
            return None
        return JSON({**self.entity.document, "metadata": self.entity.metadata})


def _topology(stated: Mapping[str, Any]) -> ServingTopology:
    each, nodes = stated["acceleratorsPerNode"], stated["nodeCount"]
    return ServingTopology(
        accelerator_vendor=stated.get("acceleratorVendor"),
        accelerator_model=stated["acceleratorModel"],
        accelerators_per_node=each,
        node_count=nodes,
        accelerators=each * nodes,
        interconnect=stated.get("interconnect"),
    )
