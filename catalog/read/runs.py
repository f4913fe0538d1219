"""What is said of one run beside its own properties: its standing, its notes, the files behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from catalog.domain import ranking
from catalog.read.entities import Entity
from catalog.read.groups import Group, run_facts

NOTES: Final[dict[str, str]] = {
    "ZONE_ASSUMED": "The source's time stamps carry no zone; they are read as UTC.",
    "SPREAD_LEFT_OUT": "The source's spread (p20, p80) is no finite number, so it is not recorded.",
}
"""Remarks of importers that a reader should see -> what they mean."""


@dataclass(frozen=True, slots=True)
class RunStanding:
    """Where a run stands, in a group or without one; `leader` is a digest."""

    reasons: tuple[str, ...]
    rank: int | None = None
    eligible_count: int | None = None
    tied: bool = False
    ratio_to_best: float | None = None
    leader: str | None = None
    speedup_over_baseline: float | None = None
    policy: str = ranking.POLICY


def standing_of(run: Entity, group: Group | None) -> RunStanding:
    """A run's standing: its group's word where it has one, else the reasons why it is not ranked."""
    if not run.complete:
        return RunStanding(("INCOMPLETE",))
    place = group.standing(run.key) if group is not None else None
    if group is None or place is None:
        return RunStanding(ranking.reasons(run_facts(run.props)))
    leader = group.standings.leader
    return RunStanding(
        reasons=place.reasons,
        rank=place.rank,
        eligible_count=group.standings.eligible_count,
        tied=place.tied,
        ratio_to_best=place.ratio_to_best,
        leader=leader.digest if leader is not None else None,
        speedup_over_baseline=group.speedups.get(run.key),
    )


def known_notes(run: Entity) -> Iterator[tuple[str, str]]:
    """(code, message) of the importer's remarks that a reader should see."""
    for code in run.get("importNotes") or ():
        if code in NOTES:
            yield code, NOTES[code]


def artifact_digests(run: Entity, implementation: Entity | None) -> list[str]:
    """Content digests of the implementation's source and of the files that the run's evidence names."""
    evidence = run.spec.get("evidence", {})
    files = (evidence.get("logs"), evidence.get("rawSamples"), run.spec.get("timing", {}).get("rawSamples"))
    source = implementation.get("sourceDigest") if implementation is not None else None
    named = [source, *(file["digest"] for file in files if file)]
    return [digest for digest in dict.fromkeys(named) if digest is not None]
