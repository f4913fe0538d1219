"""Comparison groups: runs that may be ranked together, and how they stand."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self, cast

import strawberry

from catalog.api.ahead import read_ahead, read_listed
from catalog.api.enums import BestPer, ComparisonProfile, MetricDirection
from catalog.api.fields import resolved
from catalog.api.inputs import RankedFilter, ranked_filter
from catalog.api.node import Info, Node, fetch, fetch_many, find_group, given, global_id, then
from catalog.api.paging import Connection, HistoryFirst, paged
from catalog.api.types.parts import BenchmarkProtocol, ExecutionEnvironment, OperationSpec
from catalog.api.types.run import BenchmarkRun
from catalog.api.types.standing import SPEEDUP, RecordEvent, record_event
from catalog.api.types.workload import BenchmarkWorkload
from catalog.domain import best_per as best_per_domain
from catalog.domain import ranking
from catalog.domain.identity import NO_METRIC, Digest
from catalog.read import Entity, Group
from catalog.read.lists import ranked_listing
from catalog.read.paging import MAXIMUM_GROUP_PAGE, MAXIMUM_HISTORY, Window, page_size


@strawberry.type(description="What the runs of a group are compared by.")
class BenchmarkMetric:
    metric: str = strawberry.field(description="Its name; `none` for a group of runs without one.")
    statistic: str | None = strawberry.field(description="How samples were summed up.")
    unit: str | None = strawberry.field(description="The unit of the values.")
    direction: MetricDirection | None = strawberry.field(
        description="Which values are better; null when that is not known: then nothing is ranked."
    )


@strawberry.type(description="A run in the list of its group.")
class RankedRunEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    rank: int | None = strawberry.field(description="Its rank in the whole group; null when not ranked.")
    tied_with_previous: bool = strawberry.field(
        description="Whether it shares its rank with the run that stands just before it in the whole group."
    )
    ratio_to_best: float | None = strawberry.field(description="As in the run's standing.")
    node: BenchmarkRun = strawberry.field(description="The run.")
    whole: strawberry.Private[Group]
    digest: strawberry.Private[str]

    @resolved(description=SPEEDUP)
    def speedup_over_baseline(self) -> float | None:
        return self.whole.speedups.get(self.digest)


@strawberry.type(description="Runs of a group: ranked ones first, then those that are not.")
class RankedRunConnection(Connection):
    whole: strawberry.Private[Group]

    @resolved(description="The runs of this page.")
    async def edges(self, info: Info) -> list[RankedRunEdge]:
        page = await self.deferred.page()
        digests = [row.run.digest for row in page.items]
        await read_listed(info, self.whole, digests)
        runs = await fetch_many(info, BenchmarkRun, digests)
        return [
            RankedRunEdge(
                cursor=cursor,
                rank=row.rank,
                tied_with_previous=row.tied_with_previous,
                ratio_to_best=row.ratio_to_best,
                node=run,
                whole=self.whole,
                digest=row.run.digest,
            )
            for cursor, row, run in zip(page.cursors, page.items, runs, strict=True)
        ]


@strawberry.federation.type(keys=["key"], description="All runs that share a comparison key.")
class ComparisonGroup(Node):
    label: ClassVar[str] = "ComparisonGroup"

    key: Digest = strawberry.field(description="The comparison key.")
    profile: ComparisonProfile = strawberry.field(description="How alike the conditions are known to be.")
    ranking_policy: str = strawberry.field(description="The policy that ranks it.")
    metric: BenchmarkMetric = strawberry.field(description="What it is ranked by.")
    size: int = strawberry.field(description="How many runs it has.")
    eligible_count: int = strawberry.field(description="How many of them are ranked.")
    whole: strawberry.Private[Group]

    @classmethod
    def of_group(cls, group: Group) -> Self:
        get, standings, direction = group.entity.get, group.standings, group.direction
        return cls(
            id=global_id("ComparisonGroup", group.key),
            key=Digest(group.key),
            profile=ComparisonProfile(standings.profile.value),
            ranking_policy=ranking.POLICY,
            metric=BenchmarkMetric(
                metric=get("metric") or NO_METRIC,
                statistic=get("statistic"),
                unit=get("unit"),
                direction=MetricDirection(direction.value) if direction else None,
            ),
            size=standings.size,
            eligible_count=standings.eligible_count,
            whole=group,
        )

    @property
    def _entity(self) -> Entity:
        return self.whole.entity

    @resolved(description="The operation of its workload.")
    def operation(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self._entity.get("operation"))

    @resolved(description="The workload that all its runs share.")
    def workload(self, info: Info) -> BenchmarkWorkload | None:
        return fetch(info, BenchmarkWorkload, self._entity.get("workload"))

    @resolved(description="The protocol that all its runs share.")
    def protocol(self, info: Info) -> BenchmarkProtocol | None:
        return fetch(info, BenchmarkProtocol, self._entity.get("protocol"))

    @resolved(description="The environment that all its runs share.")
    def environment(self, info: Info) -> ExecutionEnvironment | None:
        return fetch(info, ExecutionEnvironment, self._entity.get("environment"))

    @resolved(description="The first of the best runs; null when none is ranked.")
    def leader(self, info: Info) -> BenchmarkRun | None:
        leader = self.whole.standings.leader
        return fetch(info, BenchmarkRun, leader.digest) if leader is not None else None

    @paged(
        description="Its runs: ranked ones first, then the others. A filter leaves out runs; ranks, ratios "
        "and ties stay those of the whole group. At most 500 a page. With bestPer the filter goes first, "
        "then of the ranked runs of one owner the first is kept, and those that are not ranked are left out.",
        maximum=MAXIMUM_GROUP_PAGE,
    )
    async def runs(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            RankedFilter | None, strawberry.argument(description="Which of its runs.")
        ] = strawberry.UNSET,
        best_per: Annotated[
            BestPer | None, strawberry.argument(description="Whose best run to list: every run unless given.")
        ] = BestPer.RUN,
    ) -> RankedRunConnection:
        chosen = ranked_filter(given(filter))
        architecture = None
        if chosen.architecture is not None:
            nodes = info.context.loaders.nodes
            environment = await nodes.load("Environment", self._entity.props["environment"])
            architecture = environment.get("architecture") if environment is not None else None
        best_of = best_per_domain.BestPer((given(best_per) or BestPer.RUN).value)
        listing = ranked_listing(self.whole, chosen, architecture, window, best_of)
        return RankedRunConnection.of(listing, whole=self.whole)

    @resolved(description="How the record went, by time, then digest; at most 500 events.")
    def record_history(self, first: HistoryFirst = strawberry.UNSET) -> list[RecordEvent]:
        size = page_size(given(first), default=MAXIMUM_HISTORY, maximum=MAXIMUM_HISTORY)
        return [record_event(event) for event in self.whole.history[:size]]


def group_view(group: Group | None) -> ComparisonGroup | None:
    """The view of a group, made on first use."""
    if group is None:
        return None
    if group.entity.view is None:
        group.entity.view = ComparisonGroup.of_group(group)
    return cast(ComparisonGroup, group.entity.view)


def fetch_group(info: Info, key: str | None) -> ComparisonGroup | None:
    """The group with this key. Typed as the value; it may be an awaitable of it."""
    return then(find_group(info, key), group_view)


async def fetch_groups(info: Info, keys: list[str]) -> list[ComparisonGroup]:
    """The groups with these keys, in their order; keys that name nothing are left out."""
    groups = [group for group in await info.context.loaders.groups.load_many(keys) if group is not None]
    await read_ahead(info, [group.entity for group in groups])
    return [cast(ComparisonGroup, group_view(group)) for group in groups]
