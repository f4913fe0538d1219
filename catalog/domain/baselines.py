"""How much faster than the baseline: a speed-up inside one comparison group (docs/domain.md §4, §11).

A baseline is a run that its source submitted in that role. Across groups there is no speed-up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from catalog.domain.ranking import RunFacts, Standings, better_first, ratio_to_best

BASELINE: Final = "baseline"


def is_baseline(submitted: Mapping[str, Any] | None) -> bool:
    """Whether a run with this submittedAs {slug, title?, role?, project?} is a baseline."""
    return submitted is not None and submitted.get("role") == BASELINE


def best_baseline(standings: Standings, baselines: Collection[str]) -> RunFacts | None:
    """The ranked run of the best value among these digests; None when none of them is ranked."""
    ranked = [row.run for row in standings.rows if row.rank is not None and row.run.digest in baselines]
    return min(ranked, key=lambda run: (better_first(run), run.digest), default=None)


def speedups(standings: Standings, baselines: Collection[str]) -> dict[str, float]:
    """Run digest -> value of the best ranked baseline over the run's value, inverse where higher is better.

    2.0 is twice as fast as the baseline, 1.0 the best baseline itself. Runs that are not ranked are left
    out, all of them when no baseline is, and a quotient that overflows a float.
    """
    baseline = best_baseline(standings, baselines)
    if baseline is None:
        return {}
    quotients = {
        row.run.digest: ratio_to_best(baseline, row.run) for row in standings.rows if row.rank is not None
    }
    return {digest: quotient for digest, quotient in quotients.items() if quotient is not None}
