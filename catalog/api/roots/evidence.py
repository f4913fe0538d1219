"""Root fields for runs and comparison groups."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.costs import SEARCH
from catalog.api.enums import ComparisonGroupOrder, RunOrder
from catalog.api.fields import resolved
from catalog.api.inputs import (
    ComparisonGroupFilter,
    RunFilter,
    group_filter,
    run_filter,
)
from catalog.api.node import Info, given
from catalog.api.paging import paged
from catalog.api.roots.common import (
    DigestArgument,
    by_digest,
)
from catalog.api.types.connections import (
    BenchmarkRunConnection,
    ComparisonGroupConnection,
)
from catalog.api.types.group import ComparisonGroup, fetch_groups
from catalog.api.types.run import BenchmarkRun
from catalog.domain.identity import Digest
from catalog.read.filters import run_conditions
from catalog.read.group_lists import GroupListing
from catalog.read.lookup import key_of
from catalog.read.paging import Cursors, Window
from catalog.read.run_lists import RunListing
from graph.browse import RunSort


@strawberry.type(description="Runs and comparison groups.")
class EvidenceFields:
    @resolved(description="One run. At most 4 statements: the revision twice, a shortened digest, the run.")
    async def run(self, info: Info, digest: DigestArgument) -> BenchmarkRun | None:
        return await by_digest(info, BenchmarkRun, digest)

    @paged(
        costs=SEARCH,
        description="Runs by time. There is no order by latency outside a comparison group. At most 12 "
        "statements: the revision twice, names in the filter (operation, environments, three for axes), how "
        "large the catalog is, two for the page, count, runs. In a catalog of more than 20,000 runs axes "
        "must come with an operation.",
    )
    async def runs(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            RunFilter | None, strawberry.argument(description="Which runs.")
        ] = strawberry.UNSET,
        order_by: Annotated[
            RunOrder | None, strawberry.argument(description="In which order.")
        ] = RunOrder.OBSERVED_DESC,
    ) -> BenchmarkRunConnection:
        order = RunSort[(given(order_by) or RunOrder.OBSERVED_DESC).name]
        chosen = run_filter(given(filter))
        snapshot = await info.context.open()
        cursors = Cursors("runs", order.name, chosen.used())
        conditions = await run_conditions(snapshot, chosen)
        return BenchmarkRunConnection.of(RunListing(snapshot, conditions, order, cursors, window))

    @resolved(
        description="One comparison group, ranked. At most 4 statements: the revision twice, a shortened "
        "key, "
        "the group."
    )
    async def comparison_group(
        self,
        info: Info,
        key: Annotated[
            Digest, strawberry.argument(description="Its key, or the first 8 or more digits of it.")
        ],
    ) -> ComparisonGroup | None:
        snapshot = await info.context.open()
        full = await key_of(snapshot, "ComparisonGroup", key, field="key")
        found = await fetch_groups(info, [full] if full is not None else [])
        return found[0] if found else None

    @paged(
        description="Comparison groups: what can be ranked at all. At most 10 statements: the revision "
        "twice, names in the filter (operation, environments, three for axes), how large the catalog is, "
        "the index of groups, groups. In a catalog of more than 20,000 runs the database sorts those that "
        "are asked for, with as many statements; axes must come with an operation there."
    )
    async def comparison_groups(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            ComparisonGroupFilter | None, strawberry.argument(description="Which groups.")
        ] = strawberry.UNSET,
        order_by: Annotated[
            ComparisonGroupOrder | None, strawberry.argument(description="In which order.")
        ] = ComparisonGroupOrder.SIZE_DESC,
    ) -> ComparisonGroupConnection:
        order = (given(order_by) or ComparisonGroupOrder.SIZE_DESC).name
        chosen = group_filter(given(filter))
        snapshot = await info.context.open()
        return ComparisonGroupConnection.of(GroupListing(snapshot, chosen, order, window))
