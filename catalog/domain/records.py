"""Record history of a comparison group: who held the best value from when on (docs/domain.md §6).

A pure function of the facts: importing an older observation changes the history that is derived.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

from catalog.domain.identity import canonical_text, load_canonical
from catalog.domain.metrics import Direction, Number
from catalog.domain.ranking import RunFacts, better_first, reasons


class Cause(StrEnum):
    """Why the record changed hands."""

    NEW_RUN = "NEW_RUN"
    RETRACTION = "RETRACTION"


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """At the instant ``at`` (canonical text) the record went from ``previous`` to ``run``, both digests.

    ``run`` is None when a retraction left nobody, ``previous`` when there was nobody to beat.
    ``improvement``: the part of the previous value that was saved (lower is better), or of the new one
    that was gained (higher is better); None without a previous run and for a retraction.
    """

    at: str
    cause: Cause
    run: str | None
    previous: str | None
    improvement: float | None


def text(group: str, event: RecordEvent) -> str:
    """An event of a group as one JCS text; :func:`parse` reads it back."""
    return canonical_text({"group": group, **asdict(event)})


def parse(stored: str) -> tuple[str, RecordEvent]:
    """The key of the group and the event of such a text."""
    body = load_canonical(stored)
    improvement = body["improvement"]
    event = RecordEvent(
        body["at"],
        Cause(body["cause"]),
        body["run"],
        body["previous"],
        None if improvement is None else float(improvement),
    )
    return body["group"], event


def history(runs: Iterable[RunFacts], direction: Direction | None) -> tuple[RecordEvent, ...]:
    """The record events of one group, in time order; none for a group without a direction.

    Runs that have no reason against them but RETRACTED take part, each from observedAt until (not at)
    retractedAt. What happens at one instant happens together: a holder retracted at t gives way to the
    best run that counts at t, one observed at t included, and that is one event of cause retraction; a
    run already retracted when observed never counts. Of equal values the one observed first, then that of
    the smaller digest, holds the record.
    """
    if direction is None:
        return ()
    taking_part = {run.digest: run for run in runs if _takes_part(run)}
    observed: dict[str, list[_Entry]] = defaultdict(list)
    instants: set[str] = set()
    for run in taking_part.values():
        observed[run.observed_at].append((better_first(run), run.observed_at, run.digest))
        instants.update(at for at in (run.observed_at, run.retracted_at) if at is not None)

    events: list[RecordEvent] = []
    counting: list[_Entry] = []  # a heap, best first; retracted ones leave when they come up
    holder: RunFacts | None = None
    for at in sorted(instants):
        for entry in observed.get(at, ()):
            heapq.heappush(counting, entry)
        while counting and _is_retracted(taking_part[counting[0][-1]], at):
            heapq.heappop(counting)
        best = taking_part[counting[0][-1]] if counting else None
        if holder is not None and _is_retracted(holder, at):
            events.append(RecordEvent(at, Cause.RETRACTION, _digest(best), holder.digest, None))
            holder = best
        elif best is not None and (holder is None or better_first(best) < better_first(holder)):
            improvement = _improvement(best, holder, direction)
            events.append(RecordEvent(at, Cause.NEW_RUN, best.digest, _digest(holder), improvement))
            holder = best
    return tuple(events)


_Entry = tuple[Number, str, str]
"""(value, best smallest; observedAt; digest) of a run that counts."""


def _takes_part(run: RunFacts) -> bool:
    return set(reasons(run)) <= {"RETRACTED"} and not _is_retracted(run, run.observed_at)


def _is_retracted(run: RunFacts, at: str) -> bool:
    return run.retracted_at is not None and run.retracted_at <= at


def _digest(run: RunFacts | None) -> str | None:
    return run.digest if run is not None else None


def _improvement(new: RunFacts, previous: RunFacts | None, direction: Direction) -> float | None:
    if previous is None or new.value is None or previous.value is None:
        return None
    if direction is Direction.HIGHER:
        return 1 - previous.value / new.value
    return 1 - new.value / previous.value
