"""Operations, protocols, environments, projects, sources, artifacts: what runs hang on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Self

import strawberry

from catalog.api.fields import resolved
from catalog.api.node import Info, Node, global_id
from catalog.api.scalars import DateTime, printed
from catalog.domain.identity import Digest
from catalog.read import Entity

if TYPE_CHECKING:
    from catalog.api.types.relation import OperationRelation

Relation = Annotated["OperationRelation", strawberry.lazy("catalog.api.types.relation")]

COMPLETE = "False while the object is known only by its digest: then the rest is null or empty."


@strawberry.federation.type(
    keys=["digest"], description="An abstract computation with named axes, such as a matrix product."
)
class OperationSpec(Node):
    label: ClassVar[str] = "Operation"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    slug: str | None = strawberry.field(description="Its unique name.")
    title: str | None = strawberry.field(description="Its name for people.")
    family: str | None = strawberry.field(description="The family it belongs to.")
    aliases: list[str] = strawberry.field(description="Other names that it answers to, sorted.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        return cls(
            id=global_id("OperationSpec", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            slug=entity.get("slug"),
            title=entity.get("title"),
            family=entity.get("family"),
            aliases=entity.stated("OperationSpec", "alias"),
        )

    @resolved(description="Reviewed relations to other operations, in either direction, by digest.")
    async def relations(self, info: Info) -> list[Relation]:
        from catalog.api.types.relation import operation_relations  # the two modules need each other

        return await operation_relations(info, self.digest)


@strawberry.type(description="The program that took the measurements.")
class BenchmarkHarness:
    name: str = strawberry.field(description="Its name.")
    version: str | None = strawberry.field(description="Its version.")
    repository: str | None = strawberry.field(description="Where its code is.")
    commit: str | None = strawberry.field(description="The commit of its code.")


@strawberry.federation.type(keys=["digest"], description="How time was taken.")
class BenchmarkProtocol(Node):
    label: ClassVar[str] = "Protocol"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    name: str | None = strawberry.field(description="Its name in the manifest.")
    title: str | None = strawberry.field(description="Its name for people.")
    timer: str | None = strawberry.field(description="What clock was read, such as cuda_events.")
    primary_statistic: str | None = strawberry.field(description="The statistic that runs are ranked by.")
    harness: BenchmarkHarness | None = strawberry.field(description="The program that measured.")
    comparability_family: str | None = strawberry.field(description="Protocols that were made to be alike.")
    notes: str | None = strawberry.field(description="What to mind when comparing.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        measurement = entity.spec.get("measurement", {})
        comparability = entity.spec.get("comparability", {})
        harness = entity.spec.get("harness")
        return cls(
            id=global_id("BenchmarkProtocol", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            name=entity.metadata.get("name"),
            title=entity.get("title"),
            timer=measurement.get("timer"),
            primary_statistic=measurement.get("primaryStatistic"),
            harness=harness
            and BenchmarkHarness(
                name=harness["name"],
                version=harness.get("version"),
                repository=harness.get("repository"),
                commit=harness.get("commit"),
            ),
            comparability_family=comparability.get("family"),
            notes=comparability.get("notes"),
        )


@strawberry.federation.type(keys=["digest"], description="The hardware and software that runs ran on.")
class ExecutionEnvironment(Node):
    label: ClassVar[str] = "Environment"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    title: str | None = strawberry.field(description="Its name for people.")
    vendor: str | None = strawberry.field(description="Who makes the GPU.")
    product: str | None = strawberry.field(description="The GPU, such as NVIDIA B200.")
    architecture: str | None = strawberry.field(
        description="The GPU's architecture, such as sm_100; `unknown` where none was recorded."
    )
    form_factor: str | None = strawberry.field(description="Such as SXM or PCIe.")
    memory_bytes: float | None = strawberry.field(description="Memory of the GPU, in bytes.")
    driver: str | None = strawberry.field(description="Version of the driver.")
    cuda_toolkit: str | None = strawberry.field(description="Version of the CUDA toolkit.")
    framework: str | None = strawberry.field(description="Name and version of the framework.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        hardware = entity.spec.get("hardware", {})
        software = entity.spec.get("software", {})
        framework = software.get("framework")
        return cls(
            id=global_id("ExecutionEnvironment", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            title=entity.get("title"),
            vendor=hardware.get("vendor"),
            product=hardware.get("product"),
            architecture=hardware.get("architecture"),
            form_factor=hardware.get("formFactor"),
            memory_bytes=hardware.get("memoryBytes"),
            driver=software.get("driver"),
            cuda_toolkit=software.get("cudaToolkit"),
            framework=f"{framework['name']} {framework['version']}" if framework else None,
        )


@strawberry.federation.type(keys=["slug"], description="A library, a vendor or a person behind code.")
class SoftwareProject(Node):
    label: ClassVar[str] = "Project"

    slug: str = strawberry.field(description="Its unique name.")
    name: str | None = strawberry.field(description="Its name for people; null while only the slug is known.")
    repository: str | None = strawberry.field(description="Where its code is.")
    kind: str | None = strawberry.field(description="What it is: library, individual or vendor.")
    homepage: str | None = strawberry.field(description="Its home page.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        return cls(
            id=global_id("SoftwareProject", entity.key),
            slug=entity.key,
            name=entity.get("name"),
            repository=entity.get("repository"),
            kind=entity.get("kind"),
            homepage=entity.get("homepage"),
        )


@strawberry.federation.type(keys=["slug"], description="Who reported results, and under which terms.")
class EvidenceSource(Node):
    label: ClassVar[str] = "Source"

    slug: str = strawberry.field(description="Its unique name.")
    name: str | None = strawberry.field(description="Its name for people; null while only the slug is known.")
    kind: str | None = strawberry.field(description="Such as leaderboard or benchmark.")
    license: str | None = strawberry.field(description="Licence of what it reports.")
    attribution: str | None = strawberry.field(description="Whom to name when using it.")
    terms_url: str | None = strawberry.field(description="Where its terms are.")
    verified_on: str | None = strawberry.field(description="The day on which the terms were looked up.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        return cls(
            id=global_id("EvidenceSource", entity.key),
            slug=entity.key,
            name=entity.get("name"),
            kind=entity.get("kind"),
            license=entity.get("license"),
            attribution=entity.get("attribution"),
            terms_url=entity.get("termsUrl"),
            verified_on=entity.get("verifiedOn"),
        )

    @resolved(description="How many kernel runs it reported.")
    async def run_count(self, info: Info) -> int:
        tally = await info.context.snapshot.source_tally()
        return tally[self.slug].runs if self.slug in tally else 0

    @resolved(description="How many serving runs it reported.")
    async def serving_run_count(self, info: Info) -> int:
        tally = await info.context.snapshot.source_tally()
        return tally[self.slug].serving_runs if self.slug in tally else 0

    @resolved(description="When the newest of its runs was observed.")
    async def last_observed_at(self, info: Info) -> DateTime | None:
        tally = await info.context.snapshot.source_tally()
        return printed(tally[self.slug].newest) if self.slug in tally else None


@strawberry.federation.type(keys=["contentDigest"], description="A file that evidence or code is in.")
class EvidenceArtifact(Node):
    label: ClassVar[str] = "Artifact"

    content_digest: Digest = strawberry.field(description="SHA-256 of its bytes.")
    kind: str | None = strawberry.field(description="What it is, such as source or log.")
    media_type: str | None = strawberry.field(description="Its media type.")
    size_bytes: float | None = strawberry.field(description="Its size in bytes.")
    uri: str | None = strawberry.field(description="Where it can be had.")
    license: str | None = strawberry.field(description="Its licence.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        return cls(
            id=global_id("EvidenceArtifact", entity.key),
            content_digest=Digest(entity.key),
            kind=entity.get("kind"),
            media_type=entity.get("mediaType"),
            size_bytes=entity.get("sizeBytes"),
            uri=entity.get("uri"),
            license=entity.get("license"),
        )
