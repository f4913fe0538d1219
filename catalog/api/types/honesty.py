"""The exclusion ledger and evidence that is there twice."""

from __future__ import annotations

from typing import cast

import strawberry

from catalog.api.costs import long
from catalog.api.enums import DuplicateKind
from catalog.api.fields import ANALYSIS, resolved
from catalog.api.node import Info, Node, fetch, fetch_many, global_id
from catalog.api.paging import Connection
from catalog.api.types.group import ComparisonGroup, fetch_group
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.parts import EvidenceArtifact, EvidenceSource
from catalog.api.types.run import BenchmarkRun
from catalog.domain import exclusions
from catalog.domain.duplicates import SameSource
from catalog.domain.evidence_rows import UNKNOWN_ARCHITECTURE, EvidenceRow
from catalog.read.coverage import Duplicate


@strawberry.federation.type(
    tags=[ANALYSIS], description="The runs that one source reported: ranked and excluded add up to all."
)
class SourceExclusionCount:
    run_count: int = strawberry.field(description="How many there are.")
    ranked_count: int = strawberry.field(description="How many are ranked.")
    excluded_count: int = strawberry.field(description="How many are not.")
    source_slug: strawberry.Private[str | None]

    @resolved(description="The source; null for runs that name none.")
    def source(self, info: Info) -> EvidenceSource | None:
        return fetch(info, EvidenceSource, self.source_slug)


@strawberry.federation.type(
    tags=[ANALYSIS], description="The runs on one architecture: ranked and excluded add up to all."
)
class ArchitectureExclusionCount:
    architecture: str = strawberry.field(description="`unknown` holds the runs without a recorded one.")
    architecture_known: bool = strawberry.field(description="False only for `unknown`.")
    run_count: int = strawberry.field(description="How many there are.")
    ranked_count: int = strawberry.field(description="How many are ranked.")
    excluded_count: int = strawberry.field(description="How many are not.")


@strawberry.federation.type(
    tags=[ANALYSIS], description="A reason why runs are not ranked. A run may have several."
)
class ReasonExclusionCount:
    reason: str = strawberry.field(description="The code, as in a run's standing.")
    run_count: int = strawberry.field(description="How many runs have it.")
    first_count: int = strawberry.field(
        description="Of how many it is the first reason; these add up to all excluded runs."
    )


@strawberry.federation.type(
    tags=[ANALYSIS], description="Runs with exactly the same reasons; these add up to all excluded runs."
)
class ReasonsExclusionCount:
    reasons: list[str] = strawberry.field(description="The codes, in the order of the ranking policy.")
    run_count: int = strawberry.field(description="How many runs have just these.")


@strawberry.federation.type(
    tags=[ANALYSIS],
    description="The ledger in numbers: ranked and excluded add up to all runs, in every part.",
)
class ExclusionSummary:
    run_count: int = strawberry.field(description="How many runs there are.")
    ranked_count: int = strawberry.field(description="How many are ranked.")
    excluded_count: int = strawberry.field(description="How many are not.")
    by_source: list[SourceExclusionCount] = strawberry.field(
        directives=long(10), description="By source, slug ascending."
    )
    by_architecture: list[ArchitectureExclusionCount] = strawberry.field(
        directives=long(10), description="By architecture, ascending."
    )
    by_reason: list[ReasonExclusionCount] = strawberry.field(
        directives=long(10), description="By reason, most runs first."
    )
    by_reasons: list[ReasonsExclusionCount] = strawberry.field(
        directives=long(20), description="By all reasons together, most runs first."
    )


@strawberry.federation.type(tags=[ANALYSIS], description="A run that is not ranked.")
class ExcludedRun(Node):
    reasons: list[str] = strawberry.field(description="Why not: every code that applies.")
    architecture: str = strawberry.field(description="Architecture of its GPU, `unknown` if not recorded.")
    digest: strawberry.Private[str]

    @resolved(description="The run.")
    def run(self, info: Info) -> BenchmarkRun:
        return cast(BenchmarkRun, fetch(info, BenchmarkRun, self.digest))


@strawberry.federation.type(tags=[ANALYSIS], description="A run that is not ranked in a list.")
class ExclusionEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: ExcludedRun = strawberry.field(description="The run and its reasons.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of the exclusion ledger.")
class ExclusionConnection(Connection):
    rows: strawberry.Private[list[EvidenceRow]]

    @resolved(description="The ledger in numbers, of all runs that the filter selects, ranked ones included.")
    def summary(self) -> ExclusionSummary:
        return _summary(exclusions.summary(self.rows))

    @resolved(description="The runs of this page.")
    async def edges(self) -> list[ExclusionEdge]:
        page = await self.deferred.page()
        pairs = zip(page.cursors, page.items, strict=True)
        return [ExclusionEdge(cursor=cursor, node=excluded_view(row)) for cursor, row in pairs]


def run_of(row: EvidenceRow) -> str:
    """What tells an excluded run from the others."""
    return row.digest


def excluded_view(row: EvidenceRow) -> ExcludedRun:
    """A run that is not ranked as the schema shows it."""
    return ExcludedRun(
        id=global_id("ExcludedRun", run_of(row)),
        reasons=list(row.reasons),
        architecture=row.architecture,
        digest=row.digest,
    )


@strawberry.federation.type(
    tags=[ANALYSIS], description="Evidence that looks like one though it goes under several names."
)
class DuplicateEvidence(Node):
    kind: DuplicateKind = strawberry.field(description="What is the same.")
    value: float | None = strawberry.field(description="The number that is the same; null for a source.")
    names: list[str] = strawberry.field(description="What the runs were submitted as, sorted.")
    found: strawberry.Private[Duplicate]

    @resolved(description="The source that is the same; null for numbers.")
    def artifact(self, info: Info) -> EvidenceArtifact | None:
        artifact = self.found.artifact if isinstance(self.found, SameSource) else None
        return fetch(info, EvidenceArtifact, artifact)

    @resolved(description="The group of the runs; null for a source.")
    def group(self, info: Info) -> ComparisonGroup | None:
        return fetch_group(info, None if isinstance(self.found, SameSource) else self.found.group)

    @resolved(costs=long(10), description="The implementations concerned, by digest.")
    async def implementations(self, info: Info) -> list[ImplementationRevision]:
        return await fetch_many(info, ImplementationRevision, self.found.implementations)

    @resolved(costs=long(10), description="The runs with the same numbers, by digest; none for a source.")
    async def runs(self, info: Info) -> list[BenchmarkRun]:
        return await fetch_many(info, BenchmarkRun, getattr(self.found, "runs", ()))


@strawberry.federation.type(tags=[ANALYSIS], description="Duplicate evidence in a list.")
class DuplicateEvidenceEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: DuplicateEvidence = strawberry.field(description="What is there twice.")


@strawberry.federation.type(tags=[ANALYSIS], description="A page of duplicate evidence.")
class DuplicateEvidenceConnection(Connection):
    @resolved(description="The duplicates of this page.")
    async def edges(self) -> list[DuplicateEvidenceEdge]:
        page = await self.deferred.page()
        pairs = zip(page.cursors, page.items, strict=True)
        return [DuplicateEvidenceEdge(cursor=cursor, node=duplicate_view(found)) for cursor, found in pairs]


def duplicate_key(found: Duplicate) -> str:
    """A name of its own for each duplicate."""
    return found.artifact if isinstance(found, SameSource) else f"{found.group} {found.runs[0]}"


def duplicate_view(found: Duplicate) -> DuplicateEvidence:
    """Evidence that is there twice as the schema shows it."""
    id_ = global_id("DuplicateEvidence", duplicate_key(found))
    if isinstance(found, SameSource):
        return DuplicateEvidence(id=id_, kind=DuplicateKind.SAME_SOURCE, value=None, names=[], found=found)
    return DuplicateEvidence(
        id=id_, kind=DuplicateKind.SAME_NUMBERS, value=found.value, names=list(found.names), found=found
    )


def _summary(counted: exclusions.Summary) -> ExclusionSummary:
    return ExclusionSummary(
        run_count=counted.total,
        ranked_count=counted.ranked,
        excluded_count=counted.excluded,
        by_source=[
            SourceExclusionCount(
                run_count=each.total,
                ranked_count=each.ranked,
                excluded_count=each.excluded,
                source_slug=each.name,
            )
            for each in counted.by_source
        ],
        by_architecture=[
            ArchitectureExclusionCount(
                architecture=each.name or UNKNOWN_ARCHITECTURE,
                architecture_known=each.name != UNKNOWN_ARCHITECTURE,
                run_count=each.total,
                ranked_count=each.ranked,
                excluded_count=each.excluded,
            )
            for each in counted.by_architecture
        ],
        by_reason=[
            ReasonExclusionCount(reason=each.reason, run_count=each.runs, first_count=each.first)
            for each in counted.by_reason
        ],
        by_reasons=[
            ReasonsExclusionCount(reasons=list(each.reasons), run_count=each.runs)
            for each in counted.combinations
        ],
    )
