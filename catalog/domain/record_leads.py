"""Who holds most of the records at a time, and since when: a replay of record events (docs/domain.md §6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Handover:
    """One record passing to a project at an instant: ``taker`` and ``giver`` are slugs.

    None stands for nobody: a first record has no giver, a retraction may leave no taker, and a run may name
    no project.
    """

    at: str
    taker: str | None
    giver: str | None


@dataclass(frozen=True, slots=True)
class Lead:
    """How records are shared out: ``shares`` are (project, how many it holds), most first, then by slug.

    ``leader`` holds most of them and has done so, alone or with others, since the instant ``since``; both
    are None when no project holds any.
    """

    leader: str | None
    since: str | None
    shares: tuple[tuple[str, int], ...]


def lead(handovers: Iterable[Handover]) -> Lead:
    """How the records stand after all handovers.

    What happens at one instant happens together. A leader stays it until another project holds strictly more;
    of several that then hold equally many, the one with the smallest slug leads.
    """
    held: Counter[str] = Counter()
    leader: str | None = None
    since: str | None = None
    for at, together in groupby(sorted(handovers, key=attrgetter("at")), key=attrgetter("at")):
        for handover in together:
            if handover.giver is not None:
                held[handover.giver] -= 1
            if handover.taker is not None:
                held[handover.taker] += 1
        best = max(held.values(), default=0)
        if best == 0:
            leader = since = None
        elif leader is None or held[leader] < best:
            leader, since = min(project for project, count in held.items() if count == best), at
    shares = sorted(((p, n) for p, n in held.items() if n), key=lambda share: (-share[1], share[0]))
    return Lead(leader, since, tuple(shares))
