"""What a retraction would change, told before anyone makes it (docs/domain.md §4, §6).

A withdrawal takes back runs from an instant on. The runs are given that retraction and the ranking and record
rules are asked again, so the answer is what the retraction would really do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from catalog.domain import ranking, records
from catalog.domain.metrics import Direction
from catalog.domain.ranking import RunFacts
from catalog.domain.records import RecordEvent

FROM_THE_START: Final = "0000-01-01T00:00:00.000000000Z"
"""Before every instant: what is withdrawn from here on never counted."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a withdrawal does to one group: leaders are digests, None for no eligible run.

    ``lost`` are the record events that would no longer be derived, ``gained`` those that would be instead,
    each by time. An event that stays but beats another run by another part is both lost and gained.
    """

    leader: str | None
    leader_after: str | None
    lost: tuple[RecordEvent, ...]
    gained: tuple[RecordEvent, ...]

    @property
    def changes_leader(self) -> bool:
        """Whether somebody else, or nobody, would lead."""
        return self.leader != self.leader_after


def effect(
    runs: Collection[RunFacts], direction: Direction | None, withdrawn: Collection[str], at: str
) -> Effect:
    """What a group of ``runs`` becomes when those with the digests ``withdrawn`` are retracted at ``at``."""
    after = [retracted(run, at) if run.digest in withdrawn else run for run in runs]
    before_events, after_events = records.history(runs, direction), records.history(after, direction)
    kept = set(before_events) & set(after_events)
    return Effect(
        leader=_leader(runs),
        leader_after=_leader(after),
        lost=tuple(event for event in before_events if event not in kept),
        gained=tuple(event for event in after_events if event not in kept),
    )


def retracted(run: RunFacts, at: str) -> RunFacts:
    """The run with a retraction stated at ``at``; of several retractions the earliest counts."""
    earliest = at if run.retracted_at is None else min(run.retracted_at, at)
    return run._replace(retracted_at=earliest)


def _leader(runs: Iterable[RunFacts]) -> str | None:
    leader = ranking.standings(runs).leader
    return leader.digest if leader is not None else None
