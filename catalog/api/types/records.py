"""The record ledger as the schema shows it: events with their groups, holders, leading projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import strawberry

from catalog.api.costs import COUNT
from catalog.api.fields import ANALYSIS, resolved
from catalog.api.node import Info, Node, fetch, given, global_id
from catalog.api.paging import Connection
from catalog.api.scalars import DateTime, printed
from catalog.api.types.parts import SoftwareProject
from catalog.api.types.standing import RecordEvent, Run, record_event
from catalog.domain.instants import print_instant
from catalog.read.paging import MAXIMUM_HISTORY, page_size
from catalog.read.record_ledger import Entry
from catalog.read.record_lists import ArchitectureLead, RecordListing

if TYPE_CHECKING:
    from catalog.api.types.group import ComparisonGroup
    from catalog.api.types.run import BenchmarkRun

Group = Annotated["ComparisonGroup", strawberry.lazy("catalog.api.types.group")]


@strawberry.type(description="A record that fell to another implementation.")
class RecordTakeOver:
    at: DateTime = strawberry.field(description="When it fell.")
    improvement: float = strawberry.field(description="The part that was gained on the record that fell.")
    won_digest: strawberry.Private[str]
    lost_digest: strawberry.Private[str]

    @resolved(description="The run that took the record.")
    def won(self, info: Info) -> Run:
        return _required(fetch(info, _run_type(), self.won_digest))

    @resolved(description="The run that lost it.")
    def lost(self, info: Info) -> Run:
        return _required(fetch(info, _run_type(), self.lost_digest))


def take_over(entry: Entry) -> RecordTakeOver:
    """A ledger entry that is a take-over, as the schema shows it."""
    event = entry.event
    assert entry.take_over
    assert event.run is not None
    assert event.previous is not None
    assert event.improvement is not None
    return RecordTakeOver(
        at=DateTime(print_instant(event.at)),
        improvement=event.improvement,
        won_digest=event.run,
        lost_digest=event.previous,
    )


@strawberry.federation.type(tags=[ANALYSIS], description="A record event and where it happened.")
class RecordEntry(Node):
    event: RecordEvent = strawberry.field(description="What happened.")
    architecture: str = strawberry.field(description="GPU architecture; `unknown` where none was recorded.")
    take_over: bool = strawberry.field(description="Whether the record fell to another implementation.")
    lead_changes: int = strawberry.field(
        description="How often the record of this group passed from one run to another, in all."
    )
    group_key: strawberry.Private[str]

    @resolved(description="The comparison group whose record it is.")
    def group(self, info: Info) -> Group | None:
        return _group(info, self.group_key)


def event_of(entry: Entry) -> str:
    """What tells an entry from the others: a group has at most one event at an instant."""
    return f"{entry.event.at} {entry.group}"


def record_entry(entry: Entry) -> RecordEntry:
    """A ledger entry as the schema shows it."""
    return RecordEntry(
        id=global_id("RecordEntry", event_of(entry)),
        event=record_event(entry.event),
        architecture=entry.environment.architecture,
        take_over=entry.take_over,
        lead_changes=entry.lead_changes,
        group_key=entry.group,
    )


@strawberry.federation.type(tags=[ANALYSIS], description="A record event in the ledger.")
class RecordEntryEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: RecordEntry = strawberry.field(description="The event.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of the record ledger.")
class RecordEntryConnection(Connection):
    found: strawberry.Private[RecordListing]

    @resolved(
        costs=COUNT,
        description="Whether totalCount tells all events. In a catalog of more than 20,000 runs it stops at "
        "200, in the order NEWEST where neither operation, implementation nor comparisonKey is given.",
    )
    async def total_count_is_exact(self) -> bool:
        return await self.found.exact()

    @resolved(description="The events of this page.")
    async def edges(self) -> list[RecordEntryEdge]:
        page = await self.deferred.page()
        pairs = zip(page.cursors, page.items, strict=True)
        return [RecordEntryEdge(cursor=cursor, node=record_entry(entry)) for cursor, entry in pairs]


@strawberry.federation.type(tags=[ANALYSIS], description="Who holds the record of a comparison group now.")
class RecordHolder(Node):
    architecture: str = strawberry.field(description="GPU architecture; `unknown` where none was recorded.")
    product: str | None = strawberry.field(description="The GPU.")
    since: DateTime | None = strawberry.field(description="Since when this run holds it.")
    group_key: strawberry.Private[str]
    run_digest: strawberry.Private[str]

    @resolved(description="The comparison group.")
    def group(self, info: Info) -> Group | None:
        return _group(info, self.group_key)

    @resolved(description="The run that holds the record.")
    def run(self, info: Info) -> Run:
        return _required(fetch(info, _run_type(), self.run_digest))


@strawberry.federation.type(tags=[ANALYSIS], description="A holder in a list.")
class RecordHolderEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: RecordHolder = strawberry.field(description="The holder.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of record holders.")
class RecordHolderConnection(Connection):
    @resolved(description="The holders of this page.")
    async def edges(self) -> list[RecordHolderEdge]:
        page = await self.deferred.page()
        return [
            RecordHolderEdge(cursor=cursor, node=holder_view(entry))
            for cursor, entry in zip(page.cursors, page.items, strict=True)
        ]


def group_of(entry: Entry) -> str:
    """What tells a holder from the others."""
    return entry.group


def holder_view(entry: Entry) -> RecordHolder:
    """The holder that an entry made as the schema shows it."""
    assert entry.run is not None
    return RecordHolder(
        id=global_id("RecordHolder", group_of(entry)),
        architecture=entry.environment.architecture,
        product=entry.environment.product,
        since=printed(entry.event.at),
        group_key=entry.group,
        run_digest=entry.run.digest,
    )


@strawberry.federation.type(tags=[ANALYSIS], description="How many records a project holds.")
class RecordShare:
    count: int = strawberry.field(description="How many it holds.")
    project_slug: strawberry.Private[str]

    @resolved(description="The project.")
    def project(self, info: Info) -> SoftwareProject | None:
        return fetch(info, SoftwareProject, self.project_slug)


@strawberry.federation.type(
    tags=[ANALYSIS], description="How the records of one GPU architecture are shared out among projects."
)
class RecordLeader:
    architecture: str = strawberry.field(description="GPU architecture; `unknown` where none was recorded.")
    record_count: int = strawberry.field(
        description="How many records are held there, by runs without a project too."
    )
    since: DateTime | None = strawberry.field(
        description="Since when the leading project has held most of them, alone or with others."
    )
    lead: strawberry.Private[ArchitectureLead]

    @resolved(description="The project that holds most; null when no project holds any.")
    def project(self, info: Info) -> SoftwareProject | None:
        return fetch(info, SoftwareProject, self.lead.lead.leader)

    @resolved(description="What each project holds, most first, then by slug; at most 500.")
    def shares(
        self,
        first: Annotated[
            int | None, strawberry.argument(description="How many to give: 20 unless given, at most 500.")
        ] = strawberry.UNSET,
    ) -> list[RecordShare]:
        size = page_size(given(first), maximum=MAXIMUM_HISTORY)
        shares = self.lead.lead.shares[:size]
        return [RecordShare(count=count, project_slug=project) for project, count in shares]


def record_leader(lead: ArchitectureLead) -> RecordLeader:
    """An architecture's lead as the schema shows it."""
    return RecordLeader(
        architecture=lead.architecture,
        record_count=lead.records,
        since=printed(lead.lead.since),
        lead=lead,
    )


def _group(info: Info, key: str) -> ComparisonGroup | None:
    from catalog.api.types.group import fetch_group  # the two modules need each other

    return fetch_group(info, key)


def _run_type() -> type[BenchmarkRun]:
    from catalog.api.types.run import BenchmarkRun  # the two modules need each other

    return BenchmarkRun


def _required(run: BenchmarkRun | None) -> BenchmarkRun:
    """A run of the ledger: it was read from the graph, so it is there."""
    assert run is not None
    return run
