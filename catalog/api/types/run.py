"""Benchmark runs: one measurement each, with everything a run's page shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import strawberry
from graphql import GRAPHQL_MAX_INT

from catalog.api.enums import EvidenceLevel, RunStatus
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, fetch, fetch_many, find, find_group, global_id, then
from catalog.api.paging import paged
from catalog.api.scalars import JSON, DateTime, printed
from catalog.api.types.attestation import RunAttestationConnection, no_attestations
from catalog.api.types.citation import RunCitation, cite
from catalog.api.types.common import (
    BenchmarkMeasurement,
    ManifestLabel,
    ManifestWarning,
    NamedNumber,
    SubmittedName,
    manifest_warnings,
    named_numbers,
    submitted_name,
)
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.parts import (
    COMPLETE,
    BenchmarkProtocol,
    EvidenceArtifact,
    EvidenceSource,
    ExecutionEnvironment,
)
from catalog.api.types.standing import RecordEvent, RunStanding, record_event
from catalog.api.types.suite import ReportedSuiteResult
from catalog.api.types.workload import BenchmarkWorkload
from catalog.domain import metrics
from catalog.domain.consistency import run_warnings
from catalog.domain.identity import Digest
from catalog.read import Entity, Group
from catalog.read.paging import Window
from catalog.read.runs import artifact_digests, known_notes, standing_of
from catalog.read.suites import SUITE

if TYPE_CHECKING:
    from catalog.api.types.group import ComparisonGroup


@strawberry.type(description="A run taken back by its source.")
class RunRetraction:
    at: DateTime = strawberry.field(description="From when on it no longer counts.")
    reason: str | None = strawberry.field(description="Why, if stated.")


@strawberry.type(description="What the source itself recorded, in its own units.")
class SourceNativeResult:
    source: str = strawberry.field(description="Slug of the source.")
    benchmark: str | None = strawberry.field(description="What the source calls the benchmark.")
    external_id: str | None = strawberry.field(description="What the source calls the run.")
    metrics: list[NamedNumber] = strawberry.field(description="Its raw numbers, by name.")


@strawberry.type(description="How far the output was off.")
class ObservedCorrectness:
    comparator: str = strawberry.field(description="How outputs were compared.")
    maximum_absolute_error: float | None = strawberry.field(description="Largest absolute error seen.")
    maximum_relative_error: float | None = strawberry.field(description="Largest relative error seen.")
    matched_ratio: float | None = strawberry.field(description="Share of elements that matched.")


@strawberry.type(description="How a fact came into the catalog: its first arrival.")
class ImportProvenance:
    importer: str = strawberry.field(description="The importer that read it.")
    file: str | None = strawberry.field(description="The file it was in.")
    row: int | None = strawberry.field(description="Its row, line or document there, from 1.")
    revision: int = strawberry.field(description="The catalog revision that it came with.")
    notes: list[str] = strawberry.field(description="Remarks of the importer, as stable codes.")


@strawberry.federation.type(
    keys=["digest"], description="One measurement of an implementation on a workload."
)
class BenchmarkRun(Node):
    label: ClassVar[str] = "Run"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    title: str | None = strawberry.field(description="Its name for people.")
    status: RunStatus | None = strawberry.field(description="How it ended.")
    evidence_level: EvidenceLevel | None = strawberry.field(description="How far it can be trusted.")
    observed_at: DateTime | None = strawberry.field(description="When it was measured.")
    published_at: DateTime | None = strawberry.field(
        description="When its source published it, if it says so; never the time of import."
    )
    retraction: RunRetraction | None = strawberry.field(description="Set when its source took it back.")
    comparison_key: Digest | None = strawberry.field(
        description="Runs with the same key may be ranked together; null while a part is missing."
    )
    primary: BenchmarkMeasurement | None = strawberry.field(description="The number it is ranked by.")
    measurements: list[BenchmarkMeasurement] = strawberry.field(description="All its numbers.")
    submitted_as: SubmittedName | None = strawberry.field(
        description="Under what name it was submitted, if its source says so."
    )
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        props = entity.props
        retracted, stated = printed(props.get("retractedAt")), None
        if props.get("submittedSlug") is not None:
            stated = entity.stated("BenchmarkRun", "submittedAs")
        measurements = [shown_measurement(m) for m in metrics.measurements(entity.spec)]
        status, evidence = props.get("status"), props.get("evidence")
        return cls(
            id=global_id("BenchmarkRun", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            title=props.get("title"),
            status=RunStatus(status) if status else None,
            evidence_level=EvidenceLevel(evidence) if evidence else None,
            observed_at=printed(props.get("observedAt")),
            published_at=printed(props.get("publishedAt")),
            retraction=RunRetraction(at=retracted, reason=props.get("retractionReason"))
            if retracted
            else None,
            comparison_key=props.get("comparisonKey"),
            primary=_primary(props, measurements),
            measurements=measurements,
            submitted_as=submitted_name(stated) if stated else None,
            entity=entity,
        )

    @resolved(description="Editorial labels, by name.")
    def labels(self) -> list[ManifestLabel]:
        labels = self.entity.metadata.get("labels", {})
        return [ManifestLabel(name=name, value=labels[name]) for name in sorted(labels)]

    @resolved(description="The run that replaces it.")
    async def superseded_by(self, info: Info) -> BenchmarkRun | None:
        if not self.entity.get("superseded"):
            return None
        digest = await info.context.loaders.superseders.load(self.digest)
        [found] = await fetch_many(info, BenchmarkRun, [digest]) if digest else [None]
        return found

    @resolved(description="What to know about it before using it.")
    def warnings(self, info: Info) -> list[ManifestWarning]:
        def stated(code: Entity | None) -> list[ManifestWarning]:
            found = run_warnings(self.entity.get("operation"), code.get("operation") if code else None)
            return manifest_warnings([*found, *known_notes(self.entity)])

        return then(find(info, "Implementation", self.entity.get("implementation")), stated)

    @resolved(description="The same result as its source recorded it.")
    def source_native(self) -> SourceNativeResult | None:
        native = self.entity.spec.get("sourceNative")
        return native and SourceNativeResult(
            source=native["source"],
            benchmark=native.get("benchmark"),
            external_id=native.get("externalId"),
            metrics=named_numbers(native.get("metrics", {})),
        )

    @resolved(description="How far its output was off.")
    def correctness(self) -> ObservedCorrectness | None:
        seen = self.entity.spec.get("correctness")
        return seen and ObservedCorrectness(
            comparator=seen["comparator"],
            maximum_absolute_error=seen.get("maximumAbsoluteError"),
            maximum_relative_error=seen.get("maximumRelativeError"),
            matched_ratio=seen.get("matchedRatio"),
        )

    @resolved(description="Where it stands in its comparison group.")
    def standing(self, info: Info) -> RunStanding:
        return then(find_group(info, self.comparison_key), self._standing)

    def _standing(self, group: Group | None) -> RunStanding:
        standing = standing_of(self.entity, group)
        return RunStanding(
            rank=standing.rank,
            eligible_count=standing.eligible_count,
            tied=standing.tied,
            eligible=not standing.reasons,
            reasons=list(standing.reasons),
            policy=standing.policy,
            ratio_to_best=standing.ratio_to_best,
            speedup_over_baseline=standing.speedup_over_baseline,
            leader_digest=standing.leader,
        )

    @resolved(description="The runs that it may be compared with, itself included.")
    def group(
        self, info: Info
    ) -> Annotated[ComparisonGroup, strawberry.lazy("catalog.api.types.group")] | None:
        from catalog.api.types.group import group_view  # the two modules need each other

        return then(find_group(info, self.comparison_key), group_view)

    @resolved(description="What was measured.")
    def implementation(self, info: Info) -> ImplementationRevision | None:
        return fetch(info, ImplementationRevision, self.entity.get("implementation"))

    @resolved(description="What it was measured on.")
    def workload(self, info: Info) -> BenchmarkWorkload | None:
        return fetch(info, BenchmarkWorkload, self.entity.get("workload"))

    @resolved(description="Set for a result on a whole suite: what its source summed up; null for a case.")
    async def suite_result(self, info: Info) -> ReportedSuiteResult | None:
        key = self.entity.get("workload")
        workload = (await info.context.loaders.nodes.load("Workload", key)) if key else None
        suite = workload is not None and workload.kind == SUITE
        return ReportedSuiteResult.of(workload) if workload is not None and suite else None

    @resolved(description="How it was measured.")
    def protocol(self, info: Info) -> BenchmarkProtocol | None:
        return fetch(info, BenchmarkProtocol, self.entity.get("protocol"))

    @resolved(description="Where it was measured.")
    def environment(self, info: Info) -> ExecutionEnvironment | None:
        return fetch(info, ExecutionEnvironment, self.entity.get("environment"))

    @resolved(description="Who reported it.")
    def source(self, info: Info) -> EvidenceSource | None:
        return fetch(info, EvidenceSource, self.entity.get("source"))

    @resolved(description="The implementation's source, then every file that the evidence names.")
    async def artifacts(self, info: Info) -> list[EvidenceArtifact]:
        implementation = self.entity.get("implementation")
        if implementation is None:
            return []
        code = await info.context.loaders.nodes.load("Implementation", implementation)
        return await fetch_many(info, EvidenceArtifact, artifact_digests(self.entity, code))

    @paged(description="What others say about it.")
    def attestations(self, window: Window) -> RunAttestationConnection:
        return no_attestations(window)

    @resolved(description="The events by which it became the record of its group.")
    def record_events(self, info: Info) -> list[RecordEvent]:
        def stated(group: Group | None) -> list[RecordEvent]:
            return [record_event(event) for event in group.events_of(self.digest)] if group else []

        return then(find_group(info, self.comparison_key), stated)

    @resolved(description="How it came into the catalog.")
    def provenance(self) -> ImportProvenance | None:
        props = self.entity.props
        if props.get("importer") is None:
            return None
        return ImportProvenance(
            importer=props["importer"],
            file=props.get("importFile"),
            row=props.get("importRow"),
            revision=props["importRevision"],
            notes=list(props.get("importNotes") or ()),
        )

    @resolved(description="The full document {apiVersion, kind, metadata, spec}; metadata as shown.")
    def manifest(self) -> JSON | None:
        if not self.complete:
            return None
        return JSON({**self.entity.document, "metadata": self.entity.metadata})

    @resolved(description="How to cite it.")
    def citation(self, info: Info) -> RunCitation:
        context = info.context
        link = context.link(f"/manifests/{self.digest}")
        return cite(self.digest, self.title, self.entity, link, context.today())


def shown_measurement(m: metrics.Measurement) -> BenchmarkMeasurement:
    return BenchmarkMeasurement(
        metric=m.metric,
        statistic=m.statistic,
        unit=m.unit,
        value=m.value,
        sample_count=m.sample_count if (m.sample_count or 0) <= GRAPHQL_MAX_INT else None,
    )


def _primary(
    props: Mapping[str, Any], measurements: list[BenchmarkMeasurement]
) -> BenchmarkMeasurement | None:
    if props.get("value") is None:
        return None
    stored = BenchmarkMeasurement(
        metric=props["metric"],
        statistic=props["statistic"],
        unit=props["unit"],
        value=props["value"],
        sample_count=None,
    )
    for m in measurements:
        if (m.metric, m.statistic, m.unit, m.value) == (
            stored.metric,
            stored.statistic,
            stored.unit,
            stored.value,
        ):
            return m
    return stored
