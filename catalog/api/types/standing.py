"""What ranking and records say of a run. Both come from the group, so that they agree everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import strawberry

from catalog.api.enums import RecordCause
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch
from catalog.api.scalars import DateTime
from catalog.domain import ranking, records
from catalog.domain.instants import print_instant

if TYPE_CHECKING:
    from catalog.api.types.run import BenchmarkRun

Run = Annotated["BenchmarkRun", strawberry.lazy("catalog.api.types.run")]

SPEEDUP = (
    "Value of the group's best ranked baseline over its own, inverse where higher is better: 2 is twice as "
    "fast as the baseline. A baseline is a run submitted in that role. Null when not ranked, and "
    "without a baseline."
)


@strawberry.type(description="Where a run stands in its comparison group.")
class RunStanding:
    rank: int | None = strawberry.field(description="1 is best; equals share a rank; null when not ranked.")
    eligible_count: int | None = strawberry.field(
        description="How many runs of the group are ranked; null for a run without a group."
    )
    tied: bool = strawberry.field(description="Whether other runs share the rank.")
    eligible: bool = strawberry.field(description="Whether it is ranked.")
    reasons: list[str] = strawberry.field(description="Why it is not ranked: every code that applies.")
    policy: str = strawberry.field(description="The ranking policy.")
    ratio_to_best: float | None = strawberry.field(
        description="Value over the best of the group, inverse where higher is better; null when not ranked."
    )
    speedup_over_baseline: float | None = strawberry.field(description=SPEEDUP)
    leader_digest: strawberry.Private[str | None]

    @resolved(description="The run that leads the group.")
    def leader(self, info: Info) -> Run | None:
        return fetch(info, _run_type(), self.leader_digest)


@strawberry.type(description="A change of the record of a comparison group.")
class RecordEvent:
    at: DateTime = strawberry.field(description="When the record changed hands.")
    cause: RecordCause = strawberry.field(description="Why.")
    policy: str = strawberry.field(description="The ranking policy.")
    improvement: float | None = strawberry.field(
        description="The part that was gained on the previous record; null for the first and a retraction."
    )
    run_digest: strawberry.Private[str | None]
    previous_digest: strawberry.Private[str | None]

    @resolved(description="The run that holds it from then on; null when a retraction left none.")
    def run(self, info: Info) -> Run | None:
        return fetch(info, _run_type(), self.run_digest)

    @resolved(description="The run that held it before.")
    def previous(self, info: Info) -> Run | None:
        return fetch(info, _run_type(), self.previous_digest)


def record_event(event: records.RecordEvent) -> RecordEvent:
    """An event as the schema shows it."""
    return RecordEvent(
        at=DateTime(print_instant(event.at)),
        cause=RecordCause(event.cause.value),
        policy=ranking.POLICY,
        improvement=event.improvement,
        run_digest=event.run,
        previous_digest=event.previous,
    )


def _run_type() -> type[BenchmarkRun]:
    from catalog.api.types.run import BenchmarkRun  # the two modules need each other

    return BenchmarkRun
