"""Root fields for what runs are made of."""

from __future__ import annotations

from typing import Annotated, cast

import strawberry

from catalog.api.enums import WorkloadKind
from catalog.api.fields import resolved
from catalog.api.inputs import (
    ImplementationFilter,
    implementation_filter,
)
from catalog.api.node import Info, fetch, given, settled
from catalog.api.paging import paged
from catalog.api.roots.common import (
    DigestArgument,
    SlugArgument,
    by_digest,
    by_slug,
    listed,
    named_used,
)
from catalog.api.types.connections import (
    BenchmarkProtocolConnection,
    BenchmarkWorkloadConnection,
    EvidenceSourceConnection,
    ExecutionEnvironmentConnection,
    ImplementationRevisionConnection,
    OperationSpecConnection,
    SoftwareProjectConnection,
)
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.parts import (
    BenchmarkProtocol,
    EvidenceSource,
    ExecutionEnvironment,
    OperationSpec,
    SoftwareProject,
)
from catalog.api.types.workload import BenchmarkWorkload
from catalog.domain.errors import InputError
from catalog.domain.identity import Digest
from catalog.read.filters import implementation_conditions
from catalog.read.lookup import by_name
from catalog.read.paging import Window
from catalog.read.totals import Conditions


@strawberry.type(description="What runs are made of.")
class PartFields:
    @resolved(
        description="One implementation. At most 4 statements: the revision twice, a shortened digest, the "
        "implementation."
    )
    async def implementation(self, info: Info, digest: DigestArgument) -> ImplementationRevision | None:
        return await by_digest(info, ImplementationRevision, digest)

    @paged(
        description="Implementations, by digest. A filter by slug finds all that share it. At most 6 "
        "statements: the revision twice, the operation's name, keys, count, implementations."
    )
    async def implementations(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            ImplementationFilter | None, strawberry.argument(description="Which implementations.")
        ] = strawberry.UNSET,
    ) -> ImplementationRevisionConnection:
        chosen = implementation_filter(given(filter))
        conditions = await implementation_conditions(await info.context.open(), chosen)
        return ImplementationRevisionConnection.of(
            listed(info, ImplementationRevision, conditions, chosen.used(), window)
        )

    @resolved(
        description="One operation, by digest or by slug or alias: give exactly one. At most 4 statements: "
        "the revision twice, the name or shortened digest, the operation."
    )
    async def operation(
        self,
        info: Info,
        digest: Annotated[
            Digest | None, strawberry.argument(description="Its digest, or the first 8 or more digits of it.")
        ] = strawberry.UNSET,
        slug: Annotated[
            str | None, strawberry.argument(description="Its slug or one of its aliases.")
        ] = strawberry.UNSET,
    ) -> OperationSpec | None:
        by, name = given(digest), given(slug)
        if (by is None) == (name is None):
            raise InputError("digest", by, "give exactly one of digest and slug")
        if by is not None:
            return await by_digest(info, OperationSpec, by)
        snapshot = await info.context.open()
        entity = await by_name(snapshot, "OperationSpec", "Operation", name)
        return cast(
            "OperationSpec | None", await settled(fetch(info, OperationSpec, entity.key if entity else None))
        )

    @paged(
        description="Operations, by digest. At most 5 statements: the revision twice, keys, count, "
        "operations."
    )
    async def operations(
        self,
        info: Info,
        window: Window,
        family: Annotated[
            str | None, strawberry.argument(description="Of this family only.")
        ] = strawberry.UNSET,
    ) -> OperationSpecConnection:
        used = named_used(family=family)
        await info.context.open()
        return OperationSpecConnection.of(listed(info, OperationSpec, used, used, window))

    @resolved(
        description="One workload. At most 4 statements: the revision twice, a shortened digest, the "
        "workload."
    )
    async def workload(self, info: Info, digest: DigestArgument) -> BenchmarkWorkload | None:
        return await by_digest(info, BenchmarkWorkload, digest)

    @paged(
        description="Workloads, by digest. At most 6 statements: the revision twice, the operation's name, "
        "keys, "
        "count, workloads."
    )
    async def workloads(
        self,
        info: Info,
        window: Window,
        operation: Annotated[
            str | None, strawberry.argument(description="Slug, alias, family or digest of their operation.")
        ] = strawberry.UNSET,
        kind: Annotated[
            WorkloadKind | None, strawberry.argument(description="Of this kind only.")
        ] = strawberry.UNSET,
    ) -> BenchmarkWorkloadConnection:
        snapshot = await info.context.open()
        chosen = given(kind)
        used = named_used(operation=operation, kind=chosen and chosen.value)
        conditions: Conditions | None = named_used(kind=chosen and chosen.value)
        if (name := given(operation)) is not None:
            meant = await snapshot.operations_meant(name)
            conditions = {**conditions, "operations": meant} if meant and conditions is not None else None
        return BenchmarkWorkloadConnection.of(listed(info, BenchmarkWorkload, conditions, used, window))

    @resolved(description="One project. At most 3 statements: the revision twice, the project.")
    async def project(self, info: Info, slug: SlugArgument) -> SoftwareProject | None:
        return await by_slug(info, SoftwareProject, slug)

    @paged(description="Projects, by slug. At most 5 statements: the revision twice, keys, count, projects.")
    async def projects(self, info: Info, window: Window) -> SoftwareProjectConnection:
        await info.context.open()
        return SoftwareProjectConnection.of(listed(info, SoftwareProject, {}, {}, window))

    @resolved(
        description="One environment. At most 4 statements: the revision twice, a shortened digest, the "
        "environment."
    )
    async def environment(self, info: Info, digest: DigestArgument) -> ExecutionEnvironment | None:
        return await by_digest(info, ExecutionEnvironment, digest)

    @paged(
        description="Environments, by digest. At most 5 statements: the revision twice, keys, count, "
        "environments."
    )
    async def environments(
        self,
        info: Info,
        window: Window,
        architecture: Annotated[
            str | None, strawberry.argument(description="With this GPU architecture only, exact.")
        ] = strawberry.UNSET,
        product: Annotated[
            str | None, strawberry.argument(description="With this GPU only, exact.")
        ] = strawberry.UNSET,
    ) -> ExecutionEnvironmentConnection:
        used = named_used(architecture=architecture, product=product)
        await info.context.open()
        return ExecutionEnvironmentConnection.of(listed(info, ExecutionEnvironment, used, used, window))

    @resolved(
        description="One protocol. At most 4 statements: the revision twice, a shortened digest, the "
        "protocol."
    )
    async def protocol(self, info: Info, digest: DigestArgument) -> BenchmarkProtocol | None:
        return await by_digest(info, BenchmarkProtocol, digest)

    @paged(
        description="Protocols, by digest. At most 5 statements: the revision twice, keys, count, protocols."
    )
    async def protocols(self, info: Info, window: Window) -> BenchmarkProtocolConnection:
        await info.context.open()
        return BenchmarkProtocolConnection.of(listed(info, BenchmarkProtocol, {}, {}, window))

    @resolved(description="One source. At most 3 statements: the revision twice, the source.")
    async def source(self, info: Info, slug: SlugArgument) -> EvidenceSource | None:
        return await by_slug(info, EvidenceSource, slug)

    @paged(description="Sources, by slug. At most 5 statements: the revision twice, keys, count, sources.")
    async def sources(self, info: Info, window: Window) -> EvidenceSourceConnection:
        await info.context.open()
        return EvidenceSourceConnection.of(listed(info, EvidenceSource, {}, {}, window))
