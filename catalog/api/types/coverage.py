"""Coverage, its gaps, and operations without a winner that can be put to use."""

from __future__ import annotations

import strawberry

from catalog.api.enums import EvidenceLevel
from catalog.api.fields import ANALYSIS, resolved
from catalog.api.node import Info, Node, fetch, global_id
from catalog.api.paging import Connection
from catalog.api.types.parts import OperationSpec
from catalog.domain import coverage
from catalog.domain.evidence_rows import UNKNOWN_ARCHITECTURE


@strawberry.federation.type(tags=[ANALYSIS], description="The runs of one operation on one architecture.")
class CoverageCell(Node):
    architecture: str = strawberry.field(
        description="Architecture of the GPU; `unknown` holds the runs without a recorded one."
    )
    architecture_known: bool = strawberry.field(description="False only for `unknown`.")
    group_count: int = strawberry.field(description="How many comparison groups they form.")
    run_count: int = strawberry.field(description="How many runs there are.")
    eligible_count: int = strawberry.field(description="How many of them are ranked.")
    best_evidence: EvidenceLevel | None = strawberry.field(
        description="The best evidence level of the ranked runs; null when none is ranked."
    )
    deployable_count: int = strawberry.field(
        description="How many of the ranked runs are of implementations that can be put to use."
    )
    has_deployable_winner: bool = strawberry.field(
        description="Whether a run of rank 1 in its group is of an implementation that can be put to use."
    )
    operation_digest: strawberry.Private[str | None]

    @resolved(description="The operation; null for runs whose workload has not arrived.")
    def operation(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.operation_digest)


@strawberry.federation.type(tags=[ANALYSIS], description="A cell of coverage in a list.")
class CoverageEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: CoverageCell = strawberry.field(description="The cell.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of coverage.")
class CoverageConnection(Connection):
    @resolved(description="The cells of this page.")
    async def edges(self) -> list[CoverageEdge]:
        page = await self.deferred.page()
        pairs = zip(page.cursors, page.items, strict=True)
        return [CoverageEdge(cursor=cursor, node=cell_view(cell)) for cursor, cell in pairs]


@strawberry.federation.type(
    tags=[ANALYSIS], description="Something to measure: an operation that was measured elsewhere."
)
class CoverageGap(Node):
    architecture: str = strawberry.field(description="Where it was not measured; never `unknown`.")
    measured_on: list[str] = strawberry.field(
        description="The architectures on which it was, sorted; `unknown` is no architecture."
    )
    run_count: int = strawberry.field(description="How many runs the operation has in all.")
    unknown_run_count: int = strawberry.field(
        description="How many of them have no recorded architecture: they may be of this one."
    )
    declared_by_count: int = strawberry.field(
        description="How many implementations of the operation say that they support the architecture."
    )
    operation_digest: strawberry.Private[str]

    @resolved(description="The operation.")
    def operation(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.operation_digest)


@strawberry.federation.type(tags=[ANALYSIS], description="A gap in a list.")
class CoverageGapEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: CoverageGap = strawberry.field(description="The gap.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of gaps.")
class CoverageGapConnection(Connection):
    @resolved(description="The gaps of this page.")
    async def edges(self) -> list[CoverageGapEdge]:
        page = await self.deferred.page()
        pairs = zip(page.cursors, page.items, strict=True)
        return [CoverageGapEdge(cursor=cursor, node=gap_view(gap)) for cursor, gap in pairs]


@strawberry.federation.type(tags=[ANALYSIS], description="How often a reason applies.")
class ReasonCount:
    reason: str = strawberry.field(description="A stable code.")
    count: int = strawberry.field(description="How often it applies.")


@strawberry.federation.type(
    tags=[ANALYSIS],
    description="An operation none of whose groups has an implementation that can be put to use on rank 1.",
)
class UndeployableOperation(Node):
    group_count: int = strawberry.field(description="How many comparison groups it has; 0: never measured.")
    ranked_group_count: int = strawberry.field(description="How many of them have a ranked run.")
    deployable_count: int = strawberry.field(
        description="How many ranked runs, all behind rank 1, are of implementations that can be put to use."
    )
    winner_count: int = strawberry.field(description="How many implementations have rank 1 in a group.")
    reasons: list[ReasonCount] = strawberry.field(
        description="What speaks against them, and against how many of them; commonest first."
    )
    operation_digest: strawberry.Private[str]

    @resolved(description="The operation.")
    def operation(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.operation_digest)


@strawberry.federation.type(
    tags=[ANALYSIS], description="An operation without a deployable winner in a list."
)
class UndeployableOperationEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: UndeployableOperation = strawberry.field(description="The operation and what is missing.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of operations without a deployable winner.")
class UndeployableOperationConnection(Connection):
    @resolved(description="The operations of this page.")
    async def edges(self) -> list[UndeployableOperationEdge]:
        page = await self.deferred.page()
        pairs = zip(page.cursors, page.items, strict=True)
        return [
            UndeployableOperationEdge(cursor=cursor, node=undeployable_view(each)) for cursor, each in pairs
        ]


def place(row: coverage.Cell | coverage.Gap) -> str:
    """What tells a cell from the others, and a gap."""
    return f"{row.operation} {row.architecture}"


def operation_of(row: coverage.Undeployable) -> str:
    """What tells an operation without a deployable winner from the others."""
    return row.operation


def cell_view(cell: coverage.Cell) -> CoverageCell:
    """A cell as the schema shows it."""
    evidence = cell.best_evidence
    return CoverageCell(
        id=global_id("CoverageCell", place(cell)),
        architecture=cell.architecture,
        architecture_known=cell.architecture != UNKNOWN_ARCHITECTURE,
        group_count=cell.groups,
        run_count=cell.runs,
        eligible_count=cell.eligible,
        best_evidence=EvidenceLevel(evidence.value) if evidence is not None else None,
        deployable_count=cell.deployable,
        has_deployable_winner=cell.deployable_winner,
        operation_digest=cell.operation,
    )


def gap_view(gap: coverage.Gap) -> CoverageGap:
    """A gap as the schema shows it."""
    return CoverageGap(
        id=global_id("CoverageGap", place(gap)),
        architecture=gap.architecture,
        measured_on=list(gap.measured_on),
        run_count=gap.runs,
        unknown_run_count=gap.unknown_runs,
        declared_by_count=gap.declared_by,
        operation_digest=gap.operation,
    )


def undeployable_view(each: coverage.Undeployable) -> UndeployableOperation:
    """An operation without a deployable winner as the schema shows it."""
    return UndeployableOperation(
        id=global_id("UndeployableOperation", operation_of(each)),
        group_count=each.groups,
        ranked_group_count=each.ranked_groups,
        deployable_count=each.deployable,
        winner_count=each.winners,
        reasons=[ReasonCount(reason=reason, count=count) for reason, count in each.reasons],
        operation_digest=each.operation,
    )
