"""Root fields that set runs and comparison keys side by side."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.costs import SEARCH, sized
from catalog.api.fields import resolved
from catalog.api.node import Info, given
from catalog.api.types.comparison import (
    ComparisonKeyDiff,
    KeyChangeArgument,
    RunComparison,
    comparison_key_diff,
    run_comparison,
)
from catalog.domain.compare import FEWEST, MOST
from catalog.domain.errors import InputError
from catalog.domain.identity import Digest
from catalog.domain.key_diff import changed, joins
from catalog.read.compare import compare_runs, find_runs, groups_beside, sides

Other = Annotated[
    Digest | None,
    strawberry.argument(
        description="Compare with this run: its digest, or the first 8 or more digits of it."
    ),
]


@strawberry.type(description="Runs and comparison keys side by side.")
class CompareFields:
    @resolved(
        costs=[*SEARCH, *sized(MOST, "runs", "runs")],
        description="Two to eight different runs side by side, what forbids to compare them, and who wins "
        "if nothing does. At most 18 statements: the revision twice, one for each shortened digest, runs, "
        "six "
        "kinds of part, the group that they share.",
    )
    async def compare(
        self,
        info: Info,
        runs: Annotated[
            list[Digest],
            strawberry.argument(description="Their digests, or the first 8 or more digits of each."),
        ],
    ) -> RunComparison:
        if not FEWEST <= len(runs) <= MOST:
            raise InputError("runs", len(runs), f"must be from {FEWEST} to {MOST} runs")
        snapshot = await info.context.open()
        found = await find_runs(snapshot, runs, "runs")
        return run_comparison([run.key for run in found], await compare_runs(snapshot, found))

    @resolved(
        description="Why a run is not in one comparison group with another, or with itself with a field "
        "changed. Give exactly one of `other` and `change`. At most 12 statements: the revision twice, two "
        "shortened digests, each run, four kinds of part, the groups beside, groups."
    )
    async def key_diff(
        self,
        info: Info,
        run: Annotated[
            Digest, strawberry.argument(description="Its digest, or the first 8 or more digits of it.")
        ],
        other: Other = strawberry.UNSET,
        change: KeyChangeArgument = strawberry.UNSET,
    ) -> ComparisonKeyDiff:
        against, altered = given(other), given(change)
        if (against is None) == (altered is None):
            raise InputError("other", against, "give exactly one of other and change")
        snapshot = await info.context.open()
        found = await find_runs(snapshot, [run], "run")
        if against is not None:
            found += await find_runs(snapshot, [against], "other")
        side, *others = await sides(snapshot, found)
        moved = others[0] if others else changed(side, altered.field, given(altered.value))
        beside = joins(side, await groups_beside(snapshot, side))
        other_digest = found[1].key if against is not None else None
        return comparison_key_diff(side, moved, beside, (found[0].key, other_digest))
