"""What a withdrawal would change, as the schema shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import strawberry

from catalog.api.fields import resolved
from catalog.api.node import Info, fetch, fetch_many, given
from catalog.api.paging import HistoryFirst
from catalog.api.types.records import Group
from catalog.api.types.run import BenchmarkRun
from catalog.api.types.standing import RecordEvent, record_event
from catalog.read.paging import MAXIMUM_HISTORY, page_size
from catalog.read.withdrawal import Blast, GroupEvent, LeaderChange

if TYPE_CHECKING:
    from catalog.api.types.group import ComparisonGroup

T = TypeVar("T")


@strawberry.type(description="A comparison group that would be led by another run, or by none.")
class BlastRadiusLeaderChange:
    change: strawberry.Private[LeaderChange]

    @resolved(description="The comparison group.")
    def group(self, info: Info) -> Group | None:
        return _group(info, self.change.group)

    @resolved(description="The run that leads it now.")
    def before(self, info: Info) -> BenchmarkRun | None:
        return fetch(info, BenchmarkRun, self.change.before)

    @resolved(description="The run that would lead it; null when none would be ranked.")
    def after(self, info: Info) -> BenchmarkRun | None:
        return fetch(info, BenchmarkRun, self.change.after)


@strawberry.type(description="A record event that would go or come.")
class BlastRadiusEvent:
    event: RecordEvent = strawberry.field(description="The event.")
    group_key: strawberry.Private[str]

    @resolved(description="The comparison group whose record it is.")
    def group(self, info: Info) -> Group | None:
        return _group(info, self.group_key)


@strawberry.type(
    description="What turns stale if something is withdrawn: exactly what importing the retraction of its "
    "runs would change."
)
class BlastRadius:
    run_count: int = strawberry.field(description="How many runs rest on it.")
    implementation_count: int = strawberry.field(description="How many implementations these runs measured.")
    group_count: int = strawberry.field(description="How many comparison groups these runs are in.")
    leader_change_count: int = strawberry.field(description="How many groups would have another leader.")
    events_lost_count: int = strawberry.field(description="How many record events would be gone.")
    events_gained_count: int = strawberry.field(description="How many record events would come instead.")
    blast: strawberry.Private[Blast]

    @resolved(description="The runs that rest on it, by digest; at most 500.")
    async def runs(self, info: Info, first: HistoryFirst = strawberry.UNSET) -> list[BenchmarkRun]:
        return await fetch_many(info, BenchmarkRun, _first(self.blast.runs, first))

    @resolved(description="The groups that would have another leader, by key; at most 500.")
    def leader_changes(self, first: HistoryFirst = strawberry.UNSET) -> list[BlastRadiusLeaderChange]:
        return [BlastRadiusLeaderChange(change=each) for each in _first(self.blast.leader_changes, first)]

    @resolved(description="The record events that would be gone, by time; at most 500.")
    def events_lost(self, first: HistoryFirst = strawberry.UNSET) -> list[BlastRadiusEvent]:
        return _events(_first(self.blast.lost, first))

    @resolved(description="The record events that would come instead, by time; at most 500.")
    def events_gained(self, first: HistoryFirst = strawberry.UNSET) -> list[BlastRadiusEvent]:
        return _events(_first(self.blast.gained, first))


def blast_radius_view(blast: Blast) -> BlastRadius:
    """The answer as the schema shows it."""
    return BlastRadius(
        run_count=len(blast.runs),
        implementation_count=len(blast.implementations),
        group_count=len(blast.groups),
        leader_change_count=len(blast.leader_changes),
        events_lost_count=len(blast.lost),
        events_gained_count=len(blast.gained),
        blast=blast,
    )


def _first(items: Sequence[T], first: int | None) -> list[T]:
    return list(items[: page_size(given(first), default=MAXIMUM_HISTORY, maximum=MAXIMUM_HISTORY)])


def _events(events: Sequence[GroupEvent]) -> list[BlastRadiusEvent]:
    return [BlastRadiusEvent(event=record_event(each.event), group_key=each.group) for each in events]


def _group(info: Info, key: str) -> ComparisonGroup | None:
    from catalog.api.types.group import fetch_group  # the two modules need each other

    return fetch_group(info, key)
