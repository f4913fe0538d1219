"""What lineage says of one implementation: the fields that it adds to `ImplementationRevision`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from catalog.api.costs import COUNT
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch_many, given
from catalog.api.paging import HistoryFirst
from catalog.api.types.lineage import DEFAULT_DEPTH, Depth, LineageGraph, depth_given, lineage_graph
from catalog.api.types.records import RecordTakeOver, take_over
from catalog.read import lineage, record_scope
from catalog.read.overview import overview
from catalog.read.paging import MAXIMUM_HISTORY, page_size

if TYPE_CHECKING:
    from catalog.api.types.implementation import ImplementationRevision

Implementation = Annotated["ImplementationRevision", strawberry.lazy("catalog.api.types.implementation")]


@strawberry.type(description="What lineage says of an implementation.")
class LineageFields:
    """Mixed into the implementation type; all of it is empty for one known only by its digest."""

    @resolved(
        costs=COUNT,
        description="What its code comes from: project, operation, source file, the revisions before it and "
        "theirs. The walk starts at the implementation itself.",
    )
    async def ancestors(self: Any, info: Info, depth: Depth = DEFAULT_DEPTH) -> LineageGraph:
        return await _walked(self, info, depth, lineage.ancestors)

    @resolved(
        costs=COUNT,
        description="What came of its code: the revisions after it. The walk starts at the implementation "
        "itself.",
    )
    async def descendants(self: Any, info: Info, depth: Depth = DEFAULT_DEPTH) -> LineageGraph:
        return await _walked(self, info, depth, lineage.descendants)

    @resolved(description="Implementations whose source file has the same content, by digest; at most 500.")
    async def shares_source_with(
        self: Any, info: Info, first: HistoryFirst = strawberry.UNSET
    ) -> list[Implementation]:
        size, source = _size(first), self.entity.get("sourceDigest")
        if source is None:
            return []
        sharing = await record_scope.sharing(info.context.snapshot, source)
        others = [digest for digest in sharing if digest != self.digest]
        return await fetch_many(info, type(self), others[:size])

    @resolved(description="Records that its runs took from other implementations, by time; at most 500.")
    async def beat(self: Any, info: Info, first: HistoryFirst = strawberry.UNSET) -> list[RecordTakeOver]:
        size = _size(first)
        won, _ = await record_scope.take_overs(info.context.snapshot, self.digest)
        return [take_over(entry) for entry in won[:size]]

    @resolved(description="Records that its runs lost to other implementations, by time; at most 500.")
    async def beaten_by(
        self: Any, info: Info, first: HistoryFirst = strawberry.UNSET
    ) -> list[RecordTakeOver]:
        size = _size(first)
        _, lost = await record_scope.take_overs(info.context.snapshot, self.digest)
        return [take_over(entry) for entry in lost[:size]]


def _size(first: int | None) -> int:
    return page_size(given(first), default=MAXIMUM_HISTORY, maximum=MAXIMUM_HISTORY)


async def _walked(of: ImplementationRevision, info: Info, depth: int | None, walk: Any) -> LineageGraph:
    steps = depth_given(given(depth))
    if not of.complete:
        return lineage_graph(lineage.NOTHING)
    graph = await overview(info.context.snapshot).projection()
    return lineage_graph(walk(graph, ("Implementation", of.digest), steps))
