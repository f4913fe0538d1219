"""What the feed tells: events of the log of changes, and what a stretch of it comes to."""

from __future__ import annotations

from typing import Final

import strawberry

from catalog.api.fields import resolved
from catalog.api.node import Info, Node, fetch, global_id, settled
from catalog.api.paging import Connection
from catalog.api.types.catalog_info import CatalogKindCount
from catalog.api.types.group import ComparisonGroup, fetch_group
from catalog.api.types.run import BenchmarkRun
from catalog.api.types.standing import RecordEvent, record_event
from catalog.read import Snapshot
from catalog.read.changes import BrokenRecord, Event, PublishedRun, Summary, event_at
from catalog.read.feed_filter import Facts, entry, read_facts
from catalog.read.record_ledger import Entry

REVISION = "The revision of the catalog that brought it."
CURSOR = "Where it stands in the log of changes; good for `changes` and for every subscription."


@strawberry.interface(description="Something that happened in the catalog.")
class CatalogEvent(Node):
    revision: int = strawberry.field(description=REVISION)
    cursor: str = strawberry.field(description=CURSOR)


@strawberry.type(
    description="A run was published: from this revision on it is published and all its parts are known, so "
    "that it has a comparison key."
)
class RunPublished(CatalogEvent):
    digest: strawberry.Private[str]

    @resolved(description="The run, as it is when this is answered.")
    async def run(self, info: Info) -> BenchmarkRun:
        await info.context.open(self.revision)
        run = await settled(fetch(info, BenchmarkRun, self.digest))
        assert isinstance(run, BenchmarkRun), "the log names runs that are there"
        return run


@strawberry.type(
    description="The record history of a comparison group has an event that it did not have before this "
    "revision: a record fell, or a retraction passed it on. An older observation that arrives late can add "
    "events in the past."
)
class RecordBroken(CatalogEvent):
    architecture: str = strawberry.field(description="GPU architecture; `unknown` where none was recorded.")
    take_over: bool = strawberry.field(description="Whether the record fell to another implementation.")
    entry: strawberry.Private[Entry]

    @resolved(description="What happened.")
    async def event(self, info: Info) -> RecordEvent:
        await info.context.open(self.revision)
        return record_event(self.entry.event)

    @resolved(description="The comparison group whose record it is, as it is when this is answered.")
    async def group(self, info: Info) -> ComparisonGroup | None:
        await info.context.open(self.revision)
        group: ComparisonGroup | None = await settled(fetch_group(info, self.entry.group))
        return group


def run_published(event: PublishedRun) -> RunPublished:
    """A published run as the schema shows it."""
    cursor = event.place.cursor
    return RunPublished(
        id=global_id("RunPublished", cursor), revision=event.place.revision, cursor=cursor, digest=event.run
    )


def record_broken(event: BrokenRecord, found: Entry) -> RecordBroken:
    """A record event as the schema shows it."""
    cursor = event.place.cursor
    return RecordBroken(
        id=global_id("RecordBroken", cursor),
        revision=event.place.revision,
        cursor=cursor,
        architecture=found.environment.architecture,
        take_over=found.take_over,
        entry=found,
    )


def _view(event: Event, facts: Facts) -> CatalogEvent:
    if isinstance(event, BrokenRecord):
        return record_broken(event, entry(event, facts))
    return run_published(event)


async def find_event(snapshot: Snapshot, cursor: str) -> CatalogEvent | None:
    """The event with this cursor, or None."""
    event = await event_at(snapshot, cursor)
    if event is None:
        return None
    return _view(event, await read_facts(snapshot.store, [event]) if isinstance(event, BrokenRecord) else {})


EVENTS: Final = frozenset({"RunPublished", "RecordBroken"})
"""Names of the types of events."""


@strawberry.type(description="An event in the log of changes.")
class CatalogEventEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: CatalogEvent = strawberry.field(description="What happened.")


@strawberry.type(description="A page of the log of changes.")
class CatalogEventConnection(Connection):
    @resolved(description="The events of this page.")
    async def edges(self, info: Info) -> list[CatalogEventEdge]:
        page = await self.deferred.page()
        records = [event for event in page.items if isinstance(event, BrokenRecord)]
        facts = await read_facts(info.context.snapshot.store, records)
        nodes = [_view(event, facts) for event in page.items]
        return [CatalogEventEdge(cursor=node.cursor, node=node) for node in nodes]


@strawberry.type(description="The catalog changed: what came since the revision told before, in sum.")
class CatalogChanged:
    revision: int = strawberry.field(description="The revision now.")
    previous_revision: int = strawberry.field(description="The revision since which it is counted.")
    runs_published: int = strawberry.field(description="How many runs were published.")
    records_broken: int = strawberry.field(description="How many record events are new.")
    objects: list[CatalogKindCount] = strawberry.field(
        description="How many objects of each kind are new, those with any, by kind."
    )


def catalog_changed(summary: Summary) -> CatalogChanged:
    """A summary as the schema shows it."""
    return CatalogChanged(
        revision=summary.revision,
        previous_revision=summary.previous,
        runs_published=summary.runs,
        records_broken=summary.records,
        objects=[CatalogKindCount(kind=kind, count=count) for kind, count in summary.objects],
    )
