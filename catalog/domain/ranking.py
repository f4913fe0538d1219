"""Eligibility and ranking inside one comparison group: policy ranking-v1 (docs/domain.md §4).

Pure functions of facts. Every reader (group, run page, export) asks here, so that all of them agree. What
is the same group is decided elsewhere (:mod:`catalog.domain.identity`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.metrics import Direction, Number, direction_of, is_comparable

POLICY: Final = "ranking-v1"

PASSED: Final = "passed"


class Profile(StrEnum):
    """How alike the conditions of a group's runs are known to be."""

    SOURCE_NATIVE = "SOURCE_NATIVE"
    STRICT_EXACT = "STRICT_EXACT"


class RunFacts(NamedTuple):
    """What ranking and records need to know of a run.

    ``observed_at`` and ``retracted_at`` are canonical instants, whose text order is time order.
    ``metric``, ``value`` and ``interval`` (low, high; same unit) are those of the primary measurement.
    ``complete``: none of implementation, workload, protocol, environment is known only by its digest.
    ``native_source``: the slug in spec.sourceNative.source, None for a run without one.
    ``metric_pending``: no primary metric only because the protocol, which names it, has not arrived.
    """

    digest: str
    status: str
    observed_at: str
    published: bool = True
    retracted_at: str | None = None
    superseded: bool = False
    complete: bool = True
    metric: str | None = None
    value: Number | None = None
    interval: tuple[Number, Number] | None = None
    evidence: EvidenceLevel = EvidenceLevel.REPORTED
    native_source: str | None = None
    metric_pending: bool = False


class Standing(NamedTuple):
    """A run's place in its group.

    ``rank`` is dense, 1 is best, None when ``reasons`` says why the run is not ranked. ``tied``: others
    share the rank. ``tied_with_previous``: the run listed just before does. ``ratio_to_best``: value over
    the group's best value, inverse where higher is better: 1.0 is best, 2.0 is twice as slow.
    """

    run: RunFacts
    rank: int | None
    tied: bool
    tied_with_previous: bool
    ratio_to_best: float | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """A whole group: ranked runs best first, then the others by digest."""

    rows: tuple[Standing, ...]
    leader: RunFacts | None
    eligible_count: int
    size: int
    profile: Profile


def reasons(run: RunFacts) -> tuple[str, ...]:
    """Every reason why ``run`` is not eligible, in the order of the policy; none when it is.

    ``MISSING_PRIMARY_METRIC`` and ``UNRANKED_METRIC`` exclude each other. A protocol that has not arrived
    makes a run INCOMPLETE, not one without a metric.
    """
    missing = run.metric is None or not is_comparable(run.value)
    found: list[str] = []
    if not run.published:
        found.append("UNPUBLISHED")
    if run.status != PASSED:
        found.append(f"STATUS_{run.status.upper()}")
    if run.retracted_at is not None:
        found.append("RETRACTED")
    if run.superseded:
        found.append("SUPERSEDED")
    if missing and not run.metric_pending:
        found.append("MISSING_PRIMARY_METRIC")
    if not missing and direction_of(run.metric or "") is None:
        found.append("UNRANKED_METRIC")
    if not run.complete:
        found.append("INCOMPLETE")
    return tuple(found)


def group_profile(runs: Iterable[RunFacts]) -> Profile:
    """The profile of a group: source_native when all its runs come natively from one source."""
    sources = {run.native_source for run in runs}
    return Profile.SOURCE_NATIVE if len(sources) == 1 and None not in sources else Profile.STRICT_EXACT


def standings(runs: Iterable[RunFacts]) -> Standings:
    """The standings of all runs of one comparison group; their order does not matter."""
    group = sorted(runs, key=lambda run: run.digest)
    profile = group_profile(group)
    excluded = {run.digest: why for run in group if (why := reasons(run))}
    ranked = [run for run in group if run.digest not in excluded]
    chains = _chains(ranked, use_intervals=profile is not Profile.SOURCE_NATIVE)

    rows: list[Standing] = []
    for rank, chain in enumerate(chains, start=1):
        tied = len(chain) > 1
        for place, run in enumerate(_displayed(chain) if tied else chain):
            rows.append(Standing(run, rank, tied, place > 0, ratio_to_best(run, chains[0][0]), ()))
    leader = rows[0].run if rows else None
    rows.extend(
        Standing(run, None, False, False, None, excluded[run.digest])
        for run in group
        if run.digest in excluded
    )
    return Standings(tuple(rows), leader, len(ranked), len(group), profile)


def better_first(run: RunFacts) -> Number:
    """A sort key of eligible runs of one metric: the smallest is the best value."""
    value = _value(run)
    return -value if direction_of(run.metric or "") is Direction.HIGHER else value


def ratio_to_best(run: RunFacts, best: RunFacts) -> float | None:
    """How many times worse than the best one; 1.0 for its value, None when it overflows a float."""
    worse, better = _value(run), _value(best)
    if direction_of(run.metric or "") is Direction.HIGHER:
        worse, better = better, worse
    try:
        ratio = worse / better
    except OverflowError:
        return None
    return ratio if math.isfinite(ratio) else None


def _value(run: RunFacts) -> Number:
    if run.value is None:
        raise ValueError(f"run {run.digest} has no value to compare")
    return run.value


def _chains(ranked: Sequence[RunFacts], *, use_intervals: bool) -> list[list[RunFacts]]:
    """Tie chains, best first; chains[0][0] has the best value.

    Runs of equal value are walked by digest: the policy does not say, and without intervals it makes no
    difference; with them it decides which of two overlapping chains such a run belongs to.
    """
    ordered = sorted(ranked, key=lambda run: (better_first(run), run.digest))
    if not (use_intervals and any(run.interval for run in ordered)):
        return [list(same) for _, same in groupby(ordered, key=_value)]
    chains: list[_Chain] = []
    for run in ordered:
        interval = run.interval if use_intervals else None
        if not (chains and chains[-1].takes(run, interval)):
            chains.append(_Chain())
            chains[-1].takes(run, interval)
    return [chain.members for chain in chains]


class _Chain:
    """A tie chain as it grows, its runs coming in the order of their values.

    Members of a run's own value tie with it anyway, and they are the last ones; so the intervals of the
    earlier members are kept apart from those of the last value.
    """

    def __init__(self) -> None:
        self.members: list[RunFacts] = []
        self._earlier = _Overlap()
        self._last = _Overlap()

    def takes(self, run: RunFacts, interval: tuple[Number, Number] | None) -> bool:
        """Add ``run`` when it ties with every member; False, and nothing done, when it does not."""
        same_value = bool(self.members) and run.value == self.members[-1].value
        if not self._earlier.met_by(interval) or not (same_value or self._last.met_by(interval)):
            return False
        if not same_value:
            self._earlier.absorb(self._last)
            self._last = _Overlap()
        self._last.narrow(interval)
        self.members.append(run)
        return True


class _Overlap:
    """What a run's interval must reach to overlap every one of some intervals.

    That is so exactly when it starts at or below their lowest high end and ends at or above their highest
    low end; so there is no need to ask member by member. One without an interval is never overlapped.
    """

    def __init__(self) -> None:
        self._highest_low: Number = -math.inf
        self._lowest_high: Number = math.inf
        self._lacking = False
        self._empty = True

    def met_by(self, interval: tuple[Number, Number] | None) -> bool:
        if self._empty:
            return True
        if self._lacking or interval is None:
            return False
        low, high = interval
        return low <= self._lowest_high and self._highest_low <= high

    def narrow(self, interval: tuple[Number, Number] | None) -> None:
        self._empty = False
        if interval is None:
            self._lacking = True
            return
        self._highest_low = max(self._highest_low, interval[0])
        self._lowest_high = min(self._lowest_high, interval[1])

    def absorb(self, other: _Overlap) -> None:
        self._empty = self._empty and other._empty
        self._lacking = self._lacking or other._lacking
        self._highest_low = max(self._highest_low, other._highest_low)
        self._lowest_high = min(self._lowest_high, other._lowest_high)


def _displayed(chain: Sequence[RunFacts]) -> list[RunFacts]:
    """Inside a chain, for display only: higher evidence, then newer, then by digest."""
    ordered = sorted(chain, key=lambda run: run.digest)
    ordered.sort(key=lambda run: run.observed_at, reverse=True)
    ordered.sort(key=lambda run: run.evidence.order, reverse=True)
    return ordered
