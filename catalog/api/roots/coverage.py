"""Root fields for coverage and honesty."""

from __future__ import annotations

from typing import Annotated, Any

import strawberry

from catalog.api.costs import SEARCH
from catalog.api.enums import DuplicateKind
from catalog.api.fields import resolved
from catalog.api.node import Info, given
from catalog.api.paging import After, Deferred, First
from catalog.api.types.coverage import (
    CoverageConnection,
    CoverageGapConnection,
    UndeployableOperationConnection,
)
from catalog.api.types.honesty import DuplicateEvidenceConnection, ExclusionConnection, duplicate_key
from catalog.read.coverage import (
    ExclusionFilter,
    OperationFilter,
    selected_cells,
    selected_duplicates,
    selected_gaps,
    selected_rows,
    selected_undeployable,
)
from catalog.read.memory_lists import MemoryListing
from catalog.read.paging import Cursors, page_size

OperationArgument = Annotated[
    str | None, strawberry.argument(description="Slug, alias, family or digest of the operation.")
]
FamilyArgument = Annotated[str | None, strawberry.argument(description="Family of the operation, exact.")]
ArchitectureArgument = Annotated[
    str | None,
    strawberry.argument(description="Architecture of the GPU, exact; `unknown`: without a recorded one."),
]


@strawberry.type(description="Coverage and honesty.")
class CoverageFields:
    @resolved(
        description="What was measured where, by operation and architecture. At most 7 statements: the "
        "revision, the operation's name, four for the ledger, operations."
    )
    async def coverage(
        self,
        info: Info,
        operation: OperationArgument = strawberry.UNSET,
        family: FamilyArgument = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> CoverageConnection:
        size, chosen = page_size(given(first)), _chosen(operation, family, architecture)
        items = await selected_cells(await info.context.open(), chosen)
        cursors = Cursors("coverage", filters=chosen.used())
        listing = MemoryListing(items, lambda cell: f"{cell.operation} {cell.architecture}", cursors)
        return CoverageConnection(deferred=_page(listing, size, given(after)))

    @resolved(
        description="What is left to measure: operations that were measured on some architectures but not "
        "on others. Declared support first, then most runs elsewhere. `unknown` is no architecture. At "
        "most 7 statements: the revision, the operation's name, four for the ledger, operations."
    )
    async def coverage_gaps(
        self,
        info: Info,
        operation: OperationArgument = strawberry.UNSET,
        family: FamilyArgument = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> CoverageGapConnection:
        size, chosen = page_size(given(first)), _chosen(operation, family, architecture)
        items = await selected_gaps(await info.context.open(), chosen)
        cursors = Cursors("coverage gaps", filters=chosen.used())
        listing = MemoryListing(items, lambda gap: f"{gap.operation} {gap.architecture}", cursors)
        return CoverageGapConnection(deferred=_page(listing, size, given(after)))

    @resolved(
        description="Operations without a deployable winner: no run of rank 1 in any of their groups is of "
        "an implementation that can be put to use. Those with most ranked groups first. At most 7 "
        "statements: the revision, the operation's name, four for the ledger, operations."
    )
    async def undeployable_operations(
        self,
        info: Info,
        operation: OperationArgument = strawberry.UNSET,
        family: FamilyArgument = strawberry.UNSET,
        measured: Annotated[
            bool | None,
            strawberry.argument(description="True: only with comparison groups. False: only without."),
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> UndeployableOperationConnection:
        size, chosen = page_size(given(first)), _chosen(operation, family, None)
        items = await selected_undeployable(await info.context.open(), chosen, measured=given(measured))
        cursors = Cursors("undeployable", filters={**chosen.used(), "measured": given(measured)})
        listing = MemoryListing(items, lambda each: each.operation, cursors)
        return UndeployableOperationConnection(deferred=_page(listing, size, given(after)))

    @resolved(
        costs=SEARCH,
        description="The exclusion ledger: every run that is not ranked, by digest, with its reasons, and "
        "counts in which ranked and excluded runs add up to all. At most 8 statements: the revision, the "
        "operation's name, four for the ledger, runs, sources.",
    )
    async def exclusions(
        self,
        info: Info,
        operation: OperationArgument = strawberry.UNSET,
        source: Annotated[
            str | None, strawberry.argument(description="Slug of who reported them.")
        ] = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
        reason: Annotated[
            str | None, strawberry.argument(description="One of their reasons, such as RETRACTED.")
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> ExclusionConnection:
        size = page_size(given(first))
        chosen = ExclusionFilter(given(operation), given(source), given(architecture), given(reason))
        rows = await selected_rows(await info.context.open(), chosen)
        cursors = Cursors("exclusions", filters=chosen.used())
        excluded = [row for row in rows if row.reasons]
        listing = MemoryListing(excluded, lambda row: row.digest, cursors)
        return ExclusionConnection(deferred=_page(listing, size, given(after)), rows=rows)

    @resolved(
        description="Evidence that is there twice: sources that several implementations share, then runs "
        "of one group with the same numbers under several implementations or names. The most shared first. "
        "At most 10 statements: the revision, four for the ledger, runs, artifacts, implementations, two "
        "for groups."
    )
    async def duplicate_evidence(
        self,
        info: Info,
        kind: Annotated[
            DuplicateKind | None, strawberry.argument(description="Of this kind only.")
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> DuplicateEvidenceConnection:
        size, chosen = page_size(given(first)), given(kind)
        items = await selected_duplicates(
            await info.context.open(),
            sources=chosen is not DuplicateKind.SAME_NUMBERS,
            numbers=chosen is not DuplicateKind.SAME_SOURCE,
        )
        cursors = Cursors("duplicates", filters={"kind": chosen and chosen.value})
        listing = MemoryListing(items, duplicate_key, cursors)
        return DuplicateEvidenceConnection(deferred=_page(listing, size, given(after)))


def _chosen(operation: Any, family: Any, architecture: Any) -> OperationFilter:
    return OperationFilter(given(operation), given(family), given(architecture))


def _page(listing: MemoryListing[Any], size: int, after: str | None) -> Deferred[Any]:
    listing.start(after)
    return Deferred(lambda: listing.page(size, after), listing.count)
