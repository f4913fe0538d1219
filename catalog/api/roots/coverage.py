"""Root fields for coverage and honesty."""

from __future__ import annotations

from typing import Annotated, Any

import strawberry

from catalog.api.costs import SEARCH
from catalog.api.enums import DuplicateKind
from catalog.api.fields import ANALYSIS, tagged
from catalog.api.node import Info, given
from catalog.api.paging import paged
from catalog.api.types.coverage import (
    CoverageConnection,
    CoverageGapConnection,
    UndeployableOperationConnection,
    operation_of,
    place,
)
from catalog.api.types.honesty import (
    DuplicateEvidenceConnection,
    ExclusionConnection,
    duplicate_key,
    run_of,
)
from catalog.domain.evidence_rows import EvidenceRow
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
from catalog.read.paging import Cursors, Window

OperationArgument = Annotated[
    str | None, strawberry.argument(description="Slug, alias, family or digest of the operation.")
]
FamilyArgument = Annotated[str | None, strawberry.argument(description="Family of the operation, exact.")]
ArchitectureArgument = Annotated[
    str | None,
    strawberry.argument(description="Architecture of the GPU, exact; `unknown`: without a recorded one."),
]


@tagged(ANALYSIS)
@strawberry.type(description="Coverage and honesty.")
class CoverageFields:
    @paged(
        description="What was measured where, by operation and architecture. At most 8 statements: the "
        "revision twice, the operation's name, five for the ledger."
    )
    async def coverage(
        self,
        info: Info,
        window: Window,
        operation: OperationArgument = strawberry.UNSET,
        family: FamilyArgument = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
    ) -> CoverageConnection:
        chosen = _chosen(operation, family, architecture)
        snapshot = await info.context.open()
        return CoverageConnection.of(
            MemoryListing(
                lambda: selected_cells(snapshot, chosen),
                lambda cell: (place(cell),),
                Cursors("coverage", filters=chosen.used()),
                window,
            )
        )

    @paged(
        description="What is left to measure: operations that were measured on some architectures but not "
        "on others. Declared support first, then most runs elsewhere. `unknown` is no architecture. At "
        "most 8 statements: the revision twice, the operation's name, five for the ledger."
    )
    async def coverage_gaps(
        self,
        info: Info,
        window: Window,
        operation: OperationArgument = strawberry.UNSET,
        family: FamilyArgument = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
    ) -> CoverageGapConnection:
        chosen = _chosen(operation, family, architecture)
        snapshot = await info.context.open()
        return CoverageGapConnection.of(
            MemoryListing(
                lambda: selected_gaps(snapshot, chosen),
                lambda gap: (place(gap),),
                Cursors("coverage gaps", filters=chosen.used()),
                window,
            )
        )

    @paged(
        description="Operations without a deployable winner: no run of rank 1 in any of their groups is of "
        "an implementation that can be put to use. Those with most ranked groups first. At most 8 "
        "statements: the revision twice, the operation's name, five for the ledger."
    )
    async def undeployable_operations(
        self,
        info: Info,
        window: Window,
        operation: OperationArgument = strawberry.UNSET,
        family: FamilyArgument = strawberry.UNSET,
        measured: Annotated[
            bool | None,
            strawberry.argument(description="True: only with comparison groups. False: only without."),
        ] = strawberry.UNSET,
    ) -> UndeployableOperationConnection:
        chosen, wanted = _chosen(operation, family, None), given(measured)
        snapshot = await info.context.open()
        return UndeployableOperationConnection.of(
            MemoryListing(
                lambda: selected_undeployable(snapshot, chosen, measured=wanted),
                lambda each: (operation_of(each),),
                Cursors("undeployable", filters={**chosen.used(), "measured": wanted}),
                window,
            )
        )

    @paged(
        costs=SEARCH,
        description="The exclusion ledger: every run that is not ranked, by digest, with its reasons, and "
        "counts in which ranked and excluded runs add up to all. At most 9 statements: the revision twice, "
        "the "
        "operation's name, five for the ledger, sources.",
    )
    async def exclusions(
        self,
        info: Info,
        window: Window,
        operation: OperationArgument = strawberry.UNSET,
        source: Annotated[
            str | None, strawberry.argument(description="Slug of who reported them.")
        ] = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
        reason: Annotated[
            str | None, strawberry.argument(description="One of their reasons, such as RETRACTED.")
        ] = strawberry.UNSET,
    ) -> ExclusionConnection:
        chosen = ExclusionFilter(given(operation), given(source), given(architecture), given(reason))
        rows = await selected_rows(await info.context.open(), chosen)

        async def excluded() -> list[EvidenceRow]:
            return [row for row in rows if row.reasons]

        cursors = Cursors("exclusions", filters=chosen.used())
        listing = MemoryListing(excluded, lambda row: (run_of(row),), cursors, window)
        return ExclusionConnection.of(listing, rows=rows)

    @paged(
        description="Evidence that is there twice: sources that several implementations share, then runs "
        "of one group with the same numbers under several implementations or names. The most shared first. "
        "At most 8 statements: the revision twice, five for the ledger, the suspected runs."
    )
    async def duplicate_evidence(
        self,
        info: Info,
        window: Window,
        kind: Annotated[
            DuplicateKind | None, strawberry.argument(description="Of this kind only.")
        ] = strawberry.UNSET,
    ) -> DuplicateEvidenceConnection:
        chosen, snapshot = given(kind), await info.context.open()
        return DuplicateEvidenceConnection.of(
            MemoryListing(
                lambda: selected_duplicates(
                    snapshot,
                    sources=chosen is not DuplicateKind.SAME_NUMBERS,
                    numbers=chosen is not DuplicateKind.SAME_SOURCE,
                ),
                lambda found: (duplicate_key(found),),
                Cursors("duplicates", filters={"kind": chosen and chosen.value}),
                window,
            )
        )


def _chosen(operation: Any, family: Any, architecture: Any) -> OperationFilter:
    return OperationFilter(given(operation), given(family), given(architecture))
