"""Connections of the root fields: one edge and one connection type per kind."""

from __future__ import annotations

import strawberry

from catalog.api.fields import resolved
from catalog.api.node import Info, fetch_many
from catalog.api.paging import Connection
from catalog.api.types.group import ComparisonGroup, fetch_groups
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


@strawberry.type(description="A run in a list.")
class BenchmarkRunEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: BenchmarkRun = strawberry.field(description="The run.")


@strawberry.type(description="A page of runs.")
class BenchmarkRunConnection(Connection):
    @resolved(description="The runs of this page.")
    async def edges(self, info: Info) -> list[BenchmarkRunEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, BenchmarkRun, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [BenchmarkRunEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="A group in a list.")
class ComparisonGroupEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ComparisonGroup = strawberry.field(description="The group.")


@strawberry.type(description="A page of comparison groups.")
class ComparisonGroupConnection(Connection):
    @resolved(description="The comparison groups of this page.")
    async def edges(self, info: Info) -> list[ComparisonGroupEdge]:
        page = await self.deferred.page()
        groups = await fetch_groups(info, page.items)
        pairs = zip(page.cursors, groups, strict=True)
        return [ComparisonGroupEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="An implementation in a list.")
class ImplementationRevisionEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ImplementationRevision = strawberry.field(description="The implementation.")


@strawberry.type(description="A page of implementations.")
class ImplementationRevisionConnection(Connection):
    @resolved(description="The implementations of this page.")
    async def edges(self, info: Info) -> list[ImplementationRevisionEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ImplementationRevision, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ImplementationRevisionEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="An operation in a list.")
class OperationSpecEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: OperationSpec = strawberry.field(description="The operation.")


@strawberry.type(description="A page of operations.")
class OperationSpecConnection(Connection):
    @resolved(description="The operations of this page.")
    async def edges(self, info: Info) -> list[OperationSpecEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, OperationSpec, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [OperationSpecEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="A workload in a list.")
class BenchmarkWorkloadEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: BenchmarkWorkload = strawberry.field(description="The workload.")


@strawberry.type(description="A page of workloads.")
class BenchmarkWorkloadConnection(Connection):
    @resolved(description="The workloads of this page.")
    async def edges(self, info: Info) -> list[BenchmarkWorkloadEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, BenchmarkWorkload, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [BenchmarkWorkloadEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="A project in a list.")
class SoftwareProjectEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: SoftwareProject = strawberry.field(description="The project.")


@strawberry.type(description="A page of projects.")
class SoftwareProjectConnection(Connection):
    @resolved(description="The projects of this page.")
    async def edges(self, info: Info) -> list[SoftwareProjectEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, SoftwareProject, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [SoftwareProjectEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="An environment in a list.")
class ExecutionEnvironmentEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ExecutionEnvironment = strawberry.field(description="The environment.")


@strawberry.type(description="A page of environments.")
class ExecutionEnvironmentConnection(Connection):
    @resolved(description="The environments of this page.")
    async def edges(self, info: Info) -> list[ExecutionEnvironmentEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ExecutionEnvironment, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ExecutionEnvironmentEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="A protocol in a list.")
class BenchmarkProtocolEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: BenchmarkProtocol = strawberry.field(description="The protocol.")


@strawberry.type(description="A page of protocols.")
class BenchmarkProtocolConnection(Connection):
    @resolved(description="The protocols of this page.")
    async def edges(self, info: Info) -> list[BenchmarkProtocolEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, BenchmarkProtocol, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [BenchmarkProtocolEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.type(description="A source in a list.")
class EvidenceSourceEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: EvidenceSource = strawberry.field(description="The source.")


@strawberry.type(description="A page of sources.")
class EvidenceSourceConnection(Connection):
    @resolved(description="The sources of this page.")
    async def edges(self, info: Info) -> list[EvidenceSourceEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, EvidenceSource, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [EvidenceSourceEdge(cursor=cursor, node=node) for cursor, node in pairs]
