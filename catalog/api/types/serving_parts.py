"""What serving runs are made of: models, stacks and their configurations, workloads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import strawberry

from catalog.api.costs import long
from catalog.api.fields import SERVING, resolved
from catalog.api.node import Info, Node, fetch, fetch_many, global_id
from catalog.api.types.common import NamedNumber, named_numbers
from catalog.api.types.parts import COMPLETE, SoftwareProject
from catalog.domain.identity import Digest
from catalog.read import Entity


@strawberry.federation.type(tags=[SERVING], description="A text with a name.")
class NamedText:
    name: str = strawberry.field(description="The name.")
    value: str = strawberry.field(description="The text.")


@strawberry.federation.type(
    keys=["digest"], tags=[SERVING], description="One revision of a model that is served."
)
class ModelRevision(Node):
    label: ClassVar[str] = "Model"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    name: str | None = strawberry.field(description="Its name for people.")
    slug: str | None = strawberry.field(description="Its unique name.")
    repository: str | None = strawberry.field(description="Its name where it is published.")
    tokenizer: str | None = strawberry.field(description="Name of its tokenizer, where stated.")
    architecture: str | None = strawberry.field(description="The architecture of the network.")
    parameter_count: float | None = strawberry.field(description="How many parameters it has.")
    context_length: float | None = strawberry.field(description="Its longest context, in tokens.")
    license: str | None = strawberry.field(description="Its licence.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        spec = entity.spec
        return cls(
            id=global_id("ModelRevision", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            name=spec.get("model"),
            slug=entity.get("slug"),
            repository=spec.get("repository", {}).get("id"),
            tokenizer=spec.get("tokenizer", {}).get("name"),
            architecture=spec.get("architecture"),
            parameter_count=spec.get("parameterCount"),
            context_length=spec.get("contextLength"),
            license=spec.get("license"),
        )


@strawberry.federation.type(tags=[SERVING], description="A bound that a workload's harness enforces.")
class ServingWorkloadBound:
    metric: str = strawberry.field(description="The metric, such as ttft_ms.")
    statistic: str = strawberry.field(description="Its statistic, such as p99.")
    operator: str = strawberry.field(description="`<` or `<=`.")
    value: float = strawberry.field(description="The bound.")
    unit: str = strawberry.field(description="Its unit.")


@strawberry.federation.type(
    keys=["digest"], tags=[SERVING], description="The load that serving runs were put under."
)
class ServingWorkload(Node):
    label: ClassVar[str] = "ServingWorkload"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    name: str | None = strawberry.field(description="Its name for people.")
    slug: str | None = strawberry.field(description="Its unique name.")
    dataset: str | None = strawberry.field(description="Where its requests come from.")
    streaming: bool | None = strawberry.field(description="Whether answers are streamed.")
    load_generation: str | None = strawberry.field(description="One of open_loop, closed_loop or offline.")
    arrival: str | None = strawberry.field(description="How requests arrive, such as poisson.")
    request_rate_per_second: float | None = strawberry.field(description="How many a second, where fixed.")
    bounds: list[ServingWorkloadBound] = strawberry.field(description="Bounds that every run had to keep.")

    @classmethod
    def of(cls, entity: Entity) -> Self:
        spec = entity.spec
        return cls(
            id=global_id("ServingWorkload", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            name=entity.get("title") or entity.metadata.get("name"),
            slug=entity.get("slug"),
            dataset=spec.get("dataset", {}).get("name"),
            streaming=spec.get("streaming"),
            load_generation=spec.get("loadGeneration"),
            arrival=spec.get("arrival"),
            request_rate_per_second=spec.get("requestRatePerSecond"),
            bounds=[_bound(stated) for stated in spec.get("slo", ())],
        )


def _bound(stated: Mapping[str, Any]) -> ServingWorkloadBound:
    return ServingWorkloadBound(
        metric=stated["metric"],
        statistic=stated["statistic"],
        operator=stated["operator"],
        value=stated["value"],
        unit=stated["unit"],
    )


@strawberry.federation.type(
    keys=["digest"], tags=[SERVING], description="One revision of the software that serves."
)
class ServingStackRevision(Node):
    label: ClassVar[str] = "ServingStack"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    name: str | None = strawberry.field(description="The project as the manifest names it.")
    slug: str | None = strawberry.field(description="Its unique name.")
    version: str | None = strawberry.field(description="Its version.")
    commit: str | None = strawberry.field(description="The commit of its code.")
    backends: list[str] = strawberry.field(description="Backends that it uses.")
    api_protocol: str | None = strawberry.field(description="How it is talked to.")
    license: str | None = strawberry.field(description="Its licence.")
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        spec = entity.spec
        revision = spec.get("revision", {})
        return cls(
            id=global_id("ServingStackRevision", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            name=spec.get("project", {}).get("name"),
            slug=entity.get("slug"),
            version=revision.get("version"),
            commit=revision.get("commit"),
            backends=list(spec.get("backends", ())),
            api_protocol=spec.get("apiProtocol"),
            license=spec.get("license"),
            entity=entity,
        )

    @resolved(description="The projects that it is a revision of, by slug.")
    async def projects(self, info: Info) -> list[SoftwareProject]:
        return await fetch_many(info, SoftwareProject, self.entity.get("projects") or [])


@strawberry.federation.type(keys=["digest"], tags=[SERVING], description="A serving stack as it was set up.")
class ServingConfiguration(Node):
    label: ClassVar[str] = "ServingConfiguration"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    summary: str | None = strawberry.field(description="In a few words, as its source put it.")
    dtype: str | None = strawberry.field(description="Data type of the weights or activations.")
    quantization: str | None = strawberry.field(description="How weights were quantised.")
    attention_backend: str | None = strawberry.field(description="What computes attention.")
    speculative: str | None = strawberry.field(description="Method of speculative decoding.")
    parallelism: list[NamedNumber] = strawberry.field(description="Degrees of parallelism, by name.")
    options: list[NamedText] = strawberry.field(directives=long(10), description="Further options, by name.")
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        spec = entity.spec
        options = spec.get("options", {})
        return cls(
            id=global_id("ServingConfiguration", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            summary=entity.get("summary"),
            dtype=spec.get("dtype"),
            quantization=spec.get("quantization"),
            attention_backend=spec.get("attentionBackend"),
            speculative=spec.get("speculative", {}).get("method"),
            parallelism=named_numbers(spec.get("parallelism", {})),
            options=[NamedText(name=name, value=options[name]) for name in sorted(options)],
            entity=entity,
        )

    @resolved(description="The stack that is configured.")
    def stack(self, info: Info) -> ServingStackRevision | None:
        return fetch(info, ServingStackRevision, self.entity.get("stack"))
