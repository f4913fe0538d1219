"""The exclusion ledger: every run that is not ranked, and counts that add up (docs/domain.md §4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from catalog.domain.evidence_rows import EvidenceRow


@dataclass(frozen=True, slots=True)
class Tally:
    """``ranked + excluded == total``, of the runs that have one name: a source or an architecture."""

    name: str | None
    total: int
    ranked: int

    @property
    def excluded(self) -> int:
        """How many are not ranked."""
        return self.total - self.ranked


@dataclass(frozen=True, slots=True)
class ReasonTally:
    """How many runs have a reason, and of how many it is the first: the firsts add up to all excluded."""

    reason: str
    runs: int
    first: int


@dataclass(frozen=True, slots=True)
class Combination:
    """How many runs have exactly these reasons: combinations add up to all excluded."""

    reasons: tuple[str, ...]
    runs: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The ledger in numbers."""

    total: int
    ranked: int
    by_source: tuple[Tally, ...]
    by_architecture: tuple[Tally, ...]
    by_reason: tuple[ReasonTally, ...]
    combinations: tuple[Combination, ...]

    @property
    def excluded(self) -> int:
        """How many are not ranked."""
        return self.total - self.ranked


def summary(rows: Sequence[EvidenceRow]) -> Summary:
    """The numbers of some runs: parts by name, a missing name last; reasons with most runs first."""
    reasons = Counter(reason for row in rows for reason in row.reasons)
    first = Counter(row.reasons[0] for row in rows if row.reasons)
    together = Counter(row.reasons for row in rows if row.reasons)
    return Summary(
        total=len(rows),
        ranked=sum(not row.reasons for row in rows),
        by_source=_tallies(rows, lambda row: row.source),
        by_architecture=_tallies(rows, lambda row: row.architecture),
        by_reason=tuple(
            ReasonTally(reason, count, first[reason])
            for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        ),
        combinations=tuple(
            Combination(why, count)
            for why, count in sorted(together.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def _tallies(rows: Iterable[EvidenceRow], name: Callable[[EvidenceRow], str | None]) -> tuple[Tally, ...]:
    total: Counter[str | None] = Counter()
    ranked: Counter[str | None] = Counter()
    for row in rows:
        total[name(row)] += 1
        ranked[name(row)] += not row.reasons
    names = sorted(total, key=lambda each: (each is None, each or ""))
    return tuple(Tally(each, total[each], ranked[each]) for each in names)
