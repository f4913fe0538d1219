"""Connections of the serving lists."""

from __future__ import annotations

import strawberry

from catalog.api.fields import SERVING, resolved
from catalog.api.node import Info, fetch_many
from catalog.api.paging import Connection
from catalog.api.types.serving_cohort import ServingCohort, fetch_cohorts
from catalog.api.types.serving_parts import (
    ModelRevision,
    ServingConfiguration,
    ServingStackRevision,
    ServingWorkload,
)
from catalog.api.types.serving_run import ServingRun


@strawberry.federation.type(tags=[SERVING], description="A cohort in a list.")
class ServingCohortEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ServingCohort = strawberry.field(description="The cohort.")


@strawberry.federation.type(tags=[SERVING], description="A page of serving cohorts.")
class ServingCohortConnection(Connection):
    @resolved(description="The cohorts of this page.")
    async def edges(self, info: Info) -> list[ServingCohortEdge]:
        page = await self.deferred.page()
        cohorts = await fetch_cohorts(info, [cohort.key for cohort in page.items])
        pairs = zip(page.cursors, cohorts, strict=True)
        return [ServingCohortEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.federation.type(tags=[SERVING], description="A serving run in a list.")
class ServingRunEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ServingRun = strawberry.field(description="The serving run.")


@strawberry.federation.type(tags=[SERVING], description="A page of serving runs.")
class ServingRunConnection(Connection):
    @resolved(description="The runs of this page.")
    async def edges(self, info: Info) -> list[ServingRunEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ServingRun, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ServingRunEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.federation.type(tags=[SERVING], description="A model in a list.")
class ModelRevisionEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ModelRevision = strawberry.field(description="The model.")


@strawberry.federation.type(tags=[SERVING], description="A page of models.")
class ModelRevisionConnection(Connection):
    @resolved(description="The models of this page.")
    async def edges(self, info: Info) -> list[ModelRevisionEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ModelRevision, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ModelRevisionEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.federation.type(tags=[SERVING], description="A serving stack in a list.")
class ServingStackRevisionEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ServingStackRevision = strawberry.field(description="The serving stack.")


@strawberry.federation.type(tags=[SERVING], description="A page of serving stacks.")
class ServingStackRevisionConnection(Connection):
    @resolved(description="The serving stacks of this page.")
    async def edges(self, info: Info) -> list[ServingStackRevisionEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ServingStackRevision, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ServingStackRevisionEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.federation.type(tags=[SERVING], description="A serving configuration in a list.")
class ServingConfigurationEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ServingConfiguration = strawberry.field(description="The serving configuration.")


@strawberry.federation.type(tags=[SERVING], description="A page of serving configurations.")
class ServingConfigurationConnection(Connection):
    @resolved(description="The serving configurations of this page.")
    async def edges(self, info: Info) -> list[ServingConfigurationEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ServingConfiguration, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ServingConfigurationEdge(cursor=cursor, node=node) for cursor, node in pairs]


@strawberry.federation.type(tags=[SERVING], description="A serving workload in a list.")
class ServingWorkloadEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ServingWorkload = strawberry.field(description="The serving workload.")


@strawberry.federation.type(tags=[SERVING], description="A page of serving workloads.")
class ServingWorkloadConnection(Connection):
    @resolved(description="The serving workloads of this page.")
    async def edges(self, info: Info) -> list[ServingWorkloadEdge]:
        page = await self.deferred.page()
        nodes = await fetch_many(info, ServingWorkload, page.items)
        pairs = zip(page.cursors, nodes, strict=True)
        return [ServingWorkloadEdge(cursor=cursor, node=node) for cursor, node in pairs]
