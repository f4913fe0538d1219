"""The root fields. Each takes its arguments apart, asks catalog.read, and shows what comes back."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import isawaitable
from typing import Annotated, Any, TypeVar, cast

import strawberry

from catalog.api.enums import ComparisonGroupOrder, RunOrder, WorkloadKind
from catalog.api.fields import resolved
from catalog.api.inputs import (
    ComparisonGroupFilter,
    ImplementationFilter,
    RunFilter,
    group_filter,
    implementation_filter,
    run_filter,
)
from catalog.api.node import Info, Node, View, fetch, given, parse_global_id
from catalog.api.paging import After, Deferred, First
from catalog.api.registry import REACHABLE
from catalog.api.types.catalog_info import KernelCatalog, kernel_catalog
from catalog.api.types.connections import (
    BenchmarkProtocolConnection,
    BenchmarkRunConnection,
    BenchmarkWorkloadConnection,
    ComparisonGroupConnection,
    EvidenceSourceConnection,
    ExecutionEnvironmentConnection,
    ImplementationRevisionConnection,
    OperationSpecConnection,
    SoftwareProjectConnection,
)
from catalog.api.types.group import ComparisonGroup, fetch_group
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.parts import (
    BenchmarkProtocol,
    EvidenceSource,
    ExecutionEnvironment,
    OperationSpec,
    SoftwareProject,
)
from catalog.api.types.run import BenchmarkRun
from catalog.api.types.workload import BenchmarkWorkload
from catalog.domain.errors import CatalogError, InputError
from catalog.domain.identity import Digest
from catalog.read.filters import Conditions, implementation_conditions, run_conditions
from catalog.read.lists import GroupListing, Listing, RunListing
from catalog.read.lookup import by_name, key_of
from catalog.read.paging import Cursors, page_size
from graph.browse import RunSort

V = TypeVar("V", bound=View)

MAXIMUM_NODES = 100

DigestArgument = Annotated[
    Digest, strawberry.argument(description="Its digest, or the first 8 or more digits of it.")
]
SlugArgument = Annotated[str, strawberry.argument(description="Its slug.")]


@strawberry.type(description="What can be asked.")
class Query:
    @resolved(description="The object with this id; null when there is none.")
    async def node(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The id of a Node.")],  # noqa: A002
    ) -> Node | None:
        await info.context.open()
        return cast("Node | None", await _settled(_node(info, id)))

    @resolved(description="The objects with these ids, in their order; at most 100.")
    async def nodes(
        self,
        info: Info,
        ids: Annotated[list[strawberry.ID], strawberry.argument(description="Ids of Nodes.")],
    ) -> list[Node | None]:
        if len(ids) > MAXIMUM_NODES:
            raise InputError("ids", len(ids), f"must be at most {MAXIMUM_NODES} ids")
        await info.context.open()
        return [_node_or_fault(info, each) for each in ids]

    @resolved(description="The catalog as a whole.")
    async def catalog(self, info: Info) -> KernelCatalog:
        return kernel_catalog(await info.context.open())

    @resolved(description="One run.")
    async def run(self, info: Info, digest: DigestArgument) -> BenchmarkRun | None:
        return await _by_digest(info, BenchmarkRun, digest)

    @resolved(description="Runs by time. There is no order by latency outside a comparison group.")
    async def runs(
        self,
        info: Info,
        filter: Annotated[  # noqa: A002 - the argument's public name
            RunFilter | None, strawberry.argument(description="Which runs.")
        ] = strawberry.UNSET,
        order_by: Annotated[
            RunOrder | None, strawberry.argument(description="In which order.")
        ] = RunOrder.OBSERVED_DESC,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> BenchmarkRunConnection:
        size, position = page_size(given(first)), given(after)
        order = RunSort[(given(order_by) or RunOrder.OBSERVED_DESC).name]
        chosen = run_filter(given(filter))
        snapshot = await info.context.open()
        cursors = Cursors("runs", order.name, chosen.used())
        listing = RunListing(snapshot, await run_conditions(snapshot, chosen), order, cursors)
        listing.position(position)
        return BenchmarkRunConnection(deferred=Deferred(lambda: listing.page(size, position), listing.count))

    @resolved(description="One comparison group, ranked.")
    async def comparison_group(
        self,
        info: Info,
        key: Annotated[
            Digest, strawberry.argument(description="Its key, or the first 8 or more digits of it.")
        ],
    ) -> ComparisonGroup | None:
        snapshot = await info.context.open()
        full = await key_of(snapshot, "ComparisonGroup", key, field="key")
        return cast("ComparisonGroup | None", await _settled(fetch_group(info, full)))

    @resolved(description="Comparison groups: what can be ranked at all.")
    async def comparison_groups(
        self,
        info: Info,
        filter: Annotated[  # noqa: A002 - the argument's public name
            ComparisonGroupFilter | None, strawberry.argument(description="Which groups.")
        ] = strawberry.UNSET,
        order_by: Annotated[
            ComparisonGroupOrder | None, strawberry.argument(description="In which order.")
        ] = ComparisonGroupOrder.SIZE_DESC,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> ComparisonGroupConnection:
        size, position = page_size(given(first)), given(after)
        order = (given(order_by) or ComparisonGroupOrder.SIZE_DESC).name
        chosen = group_filter(given(filter))
        snapshot = await info.context.open()
        listing = GroupListing(snapshot, chosen, order, Cursors("groups", order, chosen.used()))
        listing.position(position)
        return ComparisonGroupConnection(
            deferred=Deferred(lambda: listing.page(size, position), listing.count)
        )

    @resolved(description="One implementation.")
    async def implementation(self, info: Info, digest: DigestArgument) -> ImplementationRevision | None:
        return await _by_digest(info, ImplementationRevision, digest)

    @resolved(description="Implementations, by digest. A filter by slug finds all that share it.")
    async def implementations(
        self,
        info: Info,
        filter: Annotated[  # noqa: A002 - the argument's public name
            ImplementationFilter | None, strawberry.argument(description="Which implementations.")
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> ImplementationRevisionConnection:
        size = page_size(given(first))
        chosen = implementation_filter(given(filter))
        conditions = await implementation_conditions(await info.context.open(), chosen)
        listed = _listed(info, ImplementationRevision, conditions, chosen.used(), size, given(after))
        return ImplementationRevisionConnection(deferred=listed)

    @resolved(description="One operation, by digest or by slug or alias: give exactly one.")
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
            return await _by_digest(info, OperationSpec, by)
        snapshot = await info.context.open()
        entity = await by_name(snapshot, "OperationSpec", "Operation", name)
        return cast(
            "OperationSpec | None", await _settled(fetch(info, OperationSpec, entity.key if entity else None))
        )

    @resolved(description="Operations, by digest.")
    async def operations(
        self,
        info: Info,
        family: Annotated[
            str | None, strawberry.argument(description="Of this family only.")
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> OperationSpecConnection:
        size, used = page_size(given(first)), _used(family=family)
        await info.context.open()
        return OperationSpecConnection(deferred=_listed(info, OperationSpec, used, used, size, given(after)))

    @resolved(description="One workload.")
    async def workload(self, info: Info, digest: DigestArgument) -> BenchmarkWorkload | None:
        return await _by_digest(info, BenchmarkWorkload, digest)

    @resolved(description="Workloads, by digest.")
    async def workloads(
        self,
        info: Info,
        operation: Annotated[
            str | None, strawberry.argument(description="Slug, alias, family or digest of their operation.")
        ] = strawberry.UNSET,
        kind: Annotated[
            WorkloadKind | None, strawberry.argument(description="Of this kind only.")
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> BenchmarkWorkloadConnection:
        size, snapshot = page_size(given(first)), await info.context.open()
        chosen = given(kind)
        used = _used(operation=operation, kind=chosen and chosen.value)
        conditions: Conditions | None = _used(kind=chosen and chosen.value)
        if (name := given(operation)) is not None:
            meant = await snapshot.operations_meant(name)
            conditions = {**conditions, "operations": meant} if meant and conditions is not None else None
        listed = _listed(info, BenchmarkWorkload, conditions, used, size, given(after))
        return BenchmarkWorkloadConnection(deferred=listed)

    @resolved(description="One project.")
    async def project(self, info: Info, slug: SlugArgument) -> SoftwareProject | None:
        return await _by_slug(info, SoftwareProject, slug)

    @resolved(description="Projects, by slug.")
    async def projects(
        self, info: Info, first: First = strawberry.UNSET, after: After = strawberry.UNSET
    ) -> SoftwareProjectConnection:
        size = page_size(given(first))
        await info.context.open()
        return SoftwareProjectConnection(deferred=_listed(info, SoftwareProject, {}, {}, size, given(after)))

    @resolved(description="One environment.")
    async def environment(self, info: Info, digest: DigestArgument) -> ExecutionEnvironment | None:
        return await _by_digest(info, ExecutionEnvironment, digest)

    @resolved(description="Environments, by digest.")
    async def environments(
        self,
        info: Info,
        architecture: Annotated[
            str | None, strawberry.argument(description="With this GPU architecture only, exact.")
        ] = strawberry.UNSET,
        product: Annotated[
            str | None, strawberry.argument(description="With this GPU only, exact.")
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> ExecutionEnvironmentConnection:
        size, used = page_size(given(first)), _used(architecture=architecture, product=product)
        await info.context.open()
        listed = _listed(info, ExecutionEnvironment, used, used, size, given(after))
        return ExecutionEnvironmentConnection(deferred=listed)

    @resolved(description="One protocol.")
    async def protocol(self, info: Info, digest: DigestArgument) -> BenchmarkProtocol | None:
        return await _by_digest(info, BenchmarkProtocol, digest)

    @resolved(description="Protocols, by digest.")
    async def protocols(
        self, info: Info, first: First = strawberry.UNSET, after: After = strawberry.UNSET
    ) -> BenchmarkProtocolConnection:
        size = page_size(given(first))
        await info.context.open()
        listed = _listed(info, BenchmarkProtocol, {}, {}, size, given(after))
        return BenchmarkProtocolConnection(deferred=listed)

    @resolved(description="One source.")
    async def source(self, info: Info, slug: SlugArgument) -> EvidenceSource | None:
        return await _by_slug(info, EvidenceSource, slug)

    @resolved(description="Sources, by slug.")
    async def sources(
        self, info: Info, first: First = strawberry.UNSET, after: After = strawberry.UNSET
    ) -> EvidenceSourceConnection:
        size = page_size(given(first))
        await info.context.open()
        return EvidenceSourceConnection(deferred=_listed(info, EvidenceSource, {}, {}, size, given(after)))


def _node(info: Info, text: str) -> Any:
    type_name, key = parse_global_id(text)
    reachable = REACHABLE.get(type_name)
    if reachable is None:
        raise InputError("id", text, "must be an id that this server gave out")
    return reachable.load(info, key, "id")


def _node_or_fault(info: Info, text: str) -> Any:
    try:
        return _node(info, text)
    except CatalogError as fault:
        return fault  # the executor reports it at the item's place


async def _settled(value: Any) -> Any:
    return await value if isawaitable(value) else value


async def _by_digest(info: Info, type_: type[V], text: str) -> V | None:
    snapshot = await info.context.open()
    key = await key_of(snapshot, type_.label, text)
    return cast("V | None", await _settled(fetch(info, type_, key)))


async def _by_slug(info: Info, type_: type[V], slug: str) -> V | None:
    await info.context.open()
    return cast("V | None", await _settled(fetch(info, type_, slug)))


def _listed(
    info: Info,
    type_: type[View],
    conditions: Conditions | None,
    used: dict[str, Any],
    size: int,
    after: str | None,
) -> Deferred[str]:
    listing = Listing(info.context.snapshot, type_.label, conditions, Cursors(type_.label, filters=used))
    listing.position(after)
    return Deferred(lambda: listing.page(size, after), listing.count)


def _used(**arguments: Any) -> dict[str, Any]:
    items: Iterable[tuple[str, Any]] = ((name, given(value)) for name, value in arguments.items())
    return {name: value for name, value in items if value is not None}
