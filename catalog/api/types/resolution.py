"""The answer to a request: what meets it, what may be chosen, what comes near."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TypeVar

import strawberry

from catalog.api.costs import RESOLVE, long
from catalog.api.enums import ComparisonProfile, _value
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch, fetch_many
from catalog.api.types.catalog_info import CatalogPolicies, kernel_catalog
from catalog.api.types.group import ComparisonGroup, fetch_group, fetch_groups
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.issue import SearchIssue
from catalog.api.types.relation import OperationRelation
from catalog.api.types.run import BenchmarkRun
from catalog.api.types.workload import BenchmarkWorkload
from catalog.domain import resolve, resolve_types
from catalog.domain.relations import Relation

T = TypeVar("T")


@strawberry.enum(description="How well the catalog meets a request: the first that holds, in this order.")
class ResolutionMatch(Enum):
    EXACT_OBSERVED = _value("EXACT_OBSERVED", "A case that meets the whole request has an eligible run.")
    EXACT_SUPPORTED_UNOBSERVED = _value(
        "EXACT_SUPPORTED_UNOBSERVED",
        "No such run, but the declared support of an implementation covers the request.",
    )
    PATTERN = _value("PATTERN", "The request leaves axes of the operation open, so several cases meet it.")
    NEAR = _value("NEAR", "Only cases that differ from it; each with its mismatches.")
    NONE = _value("NONE", "Nothing.")


@strawberry.type(description="A run that is the best of its group in some way.")
class ResolutionChoice:
    reasons: list[str] = strawberry.field(
        description="Why: its quality, its rank, and OTHER_GROUPS_NOT_COMPARED when other groups meet the "
        "request too, with which nothing is compared."
    )
    digest: strawberry.Private[str]

    @resolved(description="The run.")
    def run(self, info: Info) -> BenchmarkRun:
        return _sure(fetch(info, BenchmarkRun, self.digest))


@strawberry.type(description="A run of a group that meets the request.")
class ResolutionAlternative:
    rank: int | None = strawberry.field(
        description="Its rank in its own group, never across groups; null when not ranked."
    )
    excluded: list[str] = strawberry.field(
        description="All that speaks against it: reasons of the ranking, then of the request's policy."
    )
    digest: strawberry.Private[str]
    group_key: strawberry.Private[str | None]
    relation_digest: strawberry.Private[str | None]

    @resolved(description="The run.")
    def run(self, info: Info) -> BenchmarkRun:
        return _sure(fetch(info, BenchmarkRun, self.digest))

    @resolved(description="Its group, in which the rank holds; null while a part of the run is missing.")
    def group(self, info: Info) -> ComparisonGroup | None:
        return fetch_group(info, self.group_key)

    @resolved(description="The relation through which it came in; null for the operation asked for.")
    def relation(self, info: Info) -> OperationRelation | None:
        return fetch(info, OperationRelation, self.relation_digest)


@strawberry.type(description="Where something differs from the request.")
class ResolutionMismatch:
    field: str = strawberry.field(
        description="One of operation, axes.<name>, shape, dtypes, product, architecture, protocol."
    )
    requested: str = strawberry.field(description="What was asked for.")
    observed: str = strawberry.field(description="What there is; `not stated` where nothing is.")


@strawberry.type(description="The best run of a group that differs from the request.")
class ResolutionNearMatch:
    mismatches: list[ResolutionMismatch] = strawberry.field(description="Everything that differs.")
    digest: strawberry.Private[str]
    relation_digest: strawberry.Private[str | None]

    @resolved(description="The run.")
    def run(self, info: Info) -> BenchmarkRun:
        return _sure(fetch(info, BenchmarkRun, self.digest))

    @resolved(description="The relation through which it came in; null for the operation asked for.")
    def relation(self, info: Info) -> OperationRelation | None:
        return fetch(info, OperationRelation, self.relation_digest)


@strawberry.type(description="The nearest measured case on one side.")
class ResolutionBracketSide:
    value: float = strawberry.field(description="Its value of the axis.")
    workload_digest: strawberry.Private[str]

    @resolved(description="The case.")
    def workload(self, info: Info) -> BenchmarkWorkload:
        return _sure(fetch(info, BenchmarkWorkload, self.workload_digest))


@strawberry.type(
    description="The nearest measured cases along the one axis that differs. Nothing is claimed in between."
)
class ResolutionBracket:
    axis: str = strawberry.field(description="The axis; everything else is as requested.")
    requested: float = strawberry.field(description="The value asked for.")
    below: ResolutionBracketSide | None = strawberry.field(description="The nearest measured value below it.")
    above: ResolutionBracketSide | None = strawberry.field(description="The nearest measured value above it.")


@strawberry.type(directives=RESOLVE, description="What the catalog knows about a request.")
class Resolution:
    match: ResolutionMatch = strawberry.field(description="How well it is met.")
    best_verified: ResolutionChoice | None = strawberry.field(
        description="Of the first group that has one: the first ranked run that is verified or replicated "
        "and passes the policy."
    )
    best_deployable: ResolutionChoice | None = strawberry.field(
        description="Of the first group that has one: the first ranked run whose implementation is "
        "deployable and that passes the policy."
    )
    alternatives: list[ResolutionAlternative] = strawberry.field(
        directives=long(resolve.MOST_ALTERNATIVES),
        description="Every run of the groups, in their order; then runs of which a part is missing. At most "
        f"{resolve.MOST_ALTERNATIVES}.",
    )
    near_matches: list[ResolutionNearMatch] = strawberry.field(
        directives=long(resolve.MOST_NEAR),
        description="Leaders of groups that differ: fewest mismatches first, then the least distance of the "
        f"axes (the sum of |log(observed / requested)|), then by group key. At most {resolve.MOST_NEAR}.",
    )
    bracket: ResolutionBracket | None = strawberry.field(
        description="The first of the brackets. Null when a measured case meets the request, and when every "
        "one differs in two axes or in anything else."
    )
    brackets: list[ResolutionBracket] = strawberry.field(
        directives=long(10),
        description="One for each axis along which a measured case differs in nothing else: those with both "
        "sides first, then the nearer, then by axis.",
    )
    unresolved: list[str] = strawberry.field(
        description="Fields of the request that are open, or whose value names nothing here."
    )
    issues: list[SearchIssue] = strawberry.field(description="What is to be known about the request.")
    truncated: bool = strawberry.field(description="Whether one of the lists is cut.")
    found: strawberry.Private[resolve_types.Resolution]

    @resolved(description="The policies in force.")
    def policies(self, info: Info) -> CatalogPolicies:
        return kernel_catalog(info.context.snapshot).policies

    @resolved(
        costs=long(resolve.MOST_GROUPS),
        description="Groups that meet the whole request: those of the operation by size, then key; then "
        "those that a relation joins. The profile of a joined group says how alike it is, that of a suite is "
        f"REPORTED. At most {resolve.MOST_GROUPS}.",
    )
    async def groups(self, info: Info) -> list[ComparisonGroup]:
        views = await fetch_groups(info, [group.key for group in self.found.groups])
        profiles = {group.key: group.profile for group in self.found.groups}
        return [
            view if (joined := profiles[view.key]) is None else _under(view, ComparisonProfile(joined.value))
            for view in views
        ]

    @resolved(
        costs=long(resolve.MOST_SUPPORTED),
        description="Implementations whose declared support covers the request, by digest; at most "
        f"{resolve.MOST_SUPPORTED}.",
    )
    async def supported_by(self, info: Info) -> list[ImplementationRevision]:
        return await fetch_many(info, ImplementationRevision, self.found.supported)


def _under(view: ComparisonGroup, profile: ComparisonProfile) -> ComparisonGroup:
    """The group with the profile that only resolving names."""
    return replace(view, profile=profile)


def resolution(found: resolve_types.Resolution) -> Resolution:
    """An answer of the domain as the schema shows it."""
    brackets = [_bracket(bracket) for bracket in found.brackets]
    return Resolution(
        match=ResolutionMatch(found.match.value),
        best_verified=_choice(found.best_verified),
        best_deployable=_choice(found.best_deployable),
        alternatives=[
            ResolutionAlternative(
                rank=alternative.rank,
                excluded=list(alternative.excluded),
                digest=alternative.run,
                group_key=alternative.group,
                relation_digest=_digest(alternative.relation),
            )
            for alternative in found.alternatives
        ],
        near_matches=[
            ResolutionNearMatch(
                mismatches=[ResolutionMismatch(**mismatch._asdict()) for mismatch in near.mismatches],
                digest=near.run,
                relation_digest=_digest(near.relation),
            )
            for near in found.near_matches
        ],
        bracket=brackets[0] if brackets else None,
        brackets=brackets,
        unresolved=list(found.unresolved),
        issues=[SearchIssue(**issue._asdict()) for issue in found.issues],
        truncated=found.truncated,
        found=found,
    )


def _choice(choice: resolve_types.Choice | None) -> ResolutionChoice | None:
    return None if choice is None else ResolutionChoice(reasons=list(choice.reasons), digest=choice.run)


def _bracket(bracket: resolve_types.Bracket) -> ResolutionBracket:
    return ResolutionBracket(
        axis=bracket.axis,
        requested=bracket.requested,
        below=_side(bracket.below),
        above=_side(bracket.above),
    )


def _side(side: resolve_types.Side | None) -> ResolutionBracketSide | None:
    return None if side is None else ResolutionBracketSide(value=side.value, workload_digest=side.workload)


def _digest(relation: Relation | None) -> str | None:
    return None if relation is None else relation.digest


def _sure(value: T | None) -> T:
    """Objects that the answer was made of exist."""
    return value  # type: ignore[return-value] # it may be an awaitable, which ends in one
