"""What turns stale if an implementation, a source or a file is withdrawn: asked before it happens.

Withdrawing something withdraws the runs that rest on it: those of the implementation, those the source
reported, those whose code or evidence is in the file. Each group they are in is derived again without them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.domain.records import RecordEvent
from catalog.domain.withdrawal import FROM_THE_START, Effect, effect
from catalog.read.groups import Group
from catalog.read.overview import overview
from catalog.read.snapshot import Snapshot, distinct
from graph import reads_lineage


@dataclass(frozen=True, slots=True)
class LeaderChange:
    """A group that would be led by another run, or by none; digests."""

    group: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class GroupEvent:
    """A record event and its group."""

    group: str
    event: RecordEvent


@dataclass(frozen=True, slots=True)
class Blast:
    """What a withdrawal does: runs by digest, groups and changes by group key, events by time, then group."""

    runs: tuple[str, ...]
    implementations: tuple[str, ...]
    groups: tuple[str, ...]
    leader_changes: tuple[LeaderChange, ...]
    lost: tuple[GroupEvent, ...]
    gained: tuple[GroupEvent, ...]


async def blast_radius(snapshot: Snapshot, label: str, key: str, at: str | None) -> Blast | None:
    """What withdrawing a node from the instant `at` on does; None for a node that does not exist.

    `label` is Implementation, Source or Artifact. Without `at` the runs would never have counted.
    At most four statements, whatever the number of runs; the answer is kept with the snapshot.
    """
    kept = overview(snapshot).answers
    question = ("blast", label, key, at)
    if question not in kept:
        if await snapshot.entity(label, key) is None:
            return None
        rows = await snapshot.store.read(reads_lineage.WITHDRAWN[label], key=key)
        groups = await snapshot.groups(sorted(distinct(row["comparisonKey"] for row in rows)))
        found = [group for group in groups if group is not None]
        kept[question] = await asyncio.to_thread(_blast, rows, found, at or FROM_THE_START)
    answer: Blast = kept[question]
    return answer


def _blast(rows: Iterable[Mapping[str, Any]], groups: Iterable[Group], at: str) -> Blast:
    implementation_of = {row["digest"]: row["implementation"] for row in rows}
    effects: dict[str, Effect] = {
        group.key: effect(
            [row.run for row in group.standings.rows], group.direction, implementation_of.keys(), at
        )
        for group in groups
    }
    return Blast(
        runs=tuple(sorted(implementation_of)),
        implementations=tuple(sorted(set(implementation_of.values()))),
        groups=tuple(sorted(effects)),
        leader_changes=tuple(
            LeaderChange(key, effects[key].leader, effects[key].leader_after)
            for key in sorted(effects)
            if effects[key].changes_leader
        ),
        lost=_by_time(GroupEvent(key, event) for key, done in effects.items() for event in done.lost),
        gained=_by_time(GroupEvent(key, event) for key, done in effects.items() for event in done.gained),
    )


def _by_time(events: Iterable[GroupEvent]) -> tuple[GroupEvent, ...]:
    return tuple(sorted(events, key=lambda each: (each.event.at, each.group)))
