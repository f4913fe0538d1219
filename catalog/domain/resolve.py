"""Resolving: what the catalog knows about one operation at one size on one GPU (docs/domain.md §9).

A pure function of the request and what was tried. Groups are never merged into one order: a rank holds in
its group, a choice comes from one group. Policies exclude runs from being chosen, never from being shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from catalog.domain import ranking
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.ranking import RunFacts
from catalog.domain.relations import MEETING, JoinedProfile, Relation
from catalog.domain.resolve_bracket import brackets
from catalog.domain.resolve_issues import issues, unresolved
from catalog.domain.resolve_match import (
    axis_mismatches,
    place_mismatches,
    tensor_mismatches,
    workload_mismatches,
)
from catalog.domain.resolve_policy import policy_reasons
from catalog.domain.resolve_support import covers, is_possible
from catalog.domain.resolve_types import (
    Alternative,
    Bracket,
    Choice,
    Code,
    FoundGroup,
    Match,
    Mismatch,
    NearMatch,
    RankedGroup,
    Request,
    Resolution,
    Tried,
    Workload,
    World,
)

MOST_GROUPS: Final = 50
MOST_ALTERNATIVES: Final = 100
MOST_NEAR: Final = 20
MOST_SUPPORTED: Final = 20
"""How long the lists of an answer get; choices are made before they are cut."""


def resolve(request: Request, world: World) -> Resolution:
    """The answer to one request."""
    return _Resolver(request, world).answer()


def honoured(
    request: Request, meant: Sequence[Tried], relations: Iterable[Relation]
) -> tuple[dict[str, Relation], list[Relation]]:
    """(operation to join -> the relation that joins it, relations whose predicates do not hold).

    The operations meant themselves are never joined. Of several relations to one operation the stronger
    counts, then the one with the smallest digest.
    """
    joined: dict[str, Relation] = {}
    failing: dict[str, Relation] = {}
    own = {tried.operation.digest: tried.operation for tried in meant}
    strength = {name: place for place, name in enumerate(MEETING)}
    allowing = (relation for relation in relations if relation.profile is not None)
    for relation in sorted(allowing, key=lambda relation: (strength[relation.name], relation.digest)):
        for digest, operation in own.items():
            other = relation.other(digest)
            if other is None or other in own:
                continue
            if relation.holds({**operation.constants, **request.axes}):
                joined.setdefault(other, relation)
            else:
                failing[relation.digest] = relation
    still = [r for r in failing.values() if joined.keys().isdisjoint((r.start, r.end))]
    return joined, still


@dataclass(frozen=True, slots=True)
class _Group:
    """A comparison group, what it differs in from the request, and how it came in."""

    ranked: RankedGroup
    tried: Tried
    workload: Workload
    relation: Relation | None
    mismatches: list[Mismatch]
    distance: float

    @property
    def profile(self) -> JoinedProfile | None:
        """A suite's result is a reported one of all its cases, not that of the case asked for."""
        if self.relation is not None:
            return self.relation.profile
        return JoinedProfile.REPORTED if self.workload.suite else None


class _Resolver:
    def __init__(self, request: Request, world: World) -> None:
        self.request = request
        self.world = world
        self.own = [world.tried[digest] for digest in world.meant]
        self.joined, self.failing = honoured(request, self.own, world.relations)
        self.groups: list[_Group] = []
        for tried in self.own:
            self.groups.extend(self._groups(tried, None))
        for digest, relation in self.joined.items():
            if digest in world.tried:
                self.groups.extend(self._groups(world.tried[digest], relation))

    def _groups(self, tried: Tried, relation: Relation | None) -> Iterator[_Group]:
        differs: dict[str, tuple[list[Mismatch], float]] = {}
        for ranked in tried.groups:
            workload = tried.workloads.get(ranked.workload)
            if workload is None:
                continue
            if workload.digest not in differs:
                differs[workload.digest] = workload_mismatches(self.request, tried.operation, workload)
            mismatches, distance = differs[workload.digest]
            mismatches = mismatches + self._misplaced(ranked.environment, ranked.protocol)
            yield _Group(ranked, tried, workload, relation, mismatches, distance)

    def _misplaced(self, environment: str, protocol: str) -> list[Mismatch]:
        return list(place_mismatches(self.request, self.world.environments.get(environment), protocol))

    @cached_property
    def exact(self) -> list[_Group]:
        """The groups that meet the request: the operation's own by size, then key; then the joined ones."""
        met = [group for group in self.groups if not group.mismatches]
        met.sort(
            key=lambda group: (group.relation is not None, -group.ranked.standings.size, group.ranked.key)
        )
        return met

    @cached_property
    def own_exact(self) -> list[_Group]:
        return [group for group in self.exact if group.relation is None]

    def answer(self) -> Resolution:
        alternatives = self._alternatives()
        near = self._near_matches()
        supported = self._supported()
        found = [FoundGroup(group.ranked.key, group.profile, group.relation) for group in self.exact]
        cut = (
            len(found) > MOST_GROUPS,
            len(alternatives) > MOST_ALTERNATIVES,
            len(near) > MOST_NEAR,
            len(supported) > MOST_SUPPORTED,
        )
        return Resolution(
            match=self._match(supported, near),
            groups=tuple(found[:MOST_GROUPS]),
            best_verified=self._best(_verified),
            best_deployable=self._best(_deployable),
            alternatives=tuple(alternatives[:MOST_ALTERNATIVES]),
            near_matches=tuple(near[:MOST_NEAR]),
            brackets=self._brackets(),
            supported=tuple(supported[:MOST_SUPPORTED]),
            unresolved=unresolved(self.request, self.world),
            issues=issues(self.request, self.world, self.failing),
            truncated=any(cut),
        )

    def _match(self, supported: Sequence[str], near: Sequence[NearMatch]) -> Match:
        if any(group.ranked.standings.eligible_count for group in self.own_exact):
            return Match.EXACT_OBSERVED
        if supported:
            return Match.EXACT_SUPPORTED_UNOBSERVED
        if self._leaves_open() and self._cases_met() > 1:
            return Match.PATTERN
        return Match.NEAR if near else Match.NONE

    def _leaves_open(self) -> bool:
        variables = {name for tried in self.own for name in tried.operation.variables}
        return not variables <= self.request.axes.keys()

    def _cases_met(self) -> int:
        """How many cases meet the request, measured or not; those of suites too."""
        met = 0
        for tried in self.own:
            constants = tried.operation.constants
            for workload in tried.workloads.values():
                if not tensor_mismatches(self.request, tried.operation, workload):
                    cases = workload.cases
                    met += sum(not axis_mismatches(self.request, case, constants) for case in cases)
        return met

    # -- choices and alternatives ---------------------------------------------------------------

    def _best(self, quality: Callable[[RunFacts, Code | None], str | None]) -> Choice | None:
        """The first run in the order of its group that has the quality and that the policy lets pass.

        It comes from the first group that has such a run: between groups nothing is better.
        """
        for group in self.own_exact:
            for row in group.ranked.standings.rows:
                if row.rank is None:
                    break
                code = _code(group.tried, row.run)
                why = quality(row.run, code)
                if why is not None and not policy_reasons(self.request.policy, row.run, code):
                    reasons = [why, f"RANK_{row.rank}"]
                    if len(self.own_exact) > 1:
                        reasons.append("OTHER_GROUPS_NOT_COMPARED")
                    return Choice(row.run.digest, tuple(reasons))
        return None

    def _alternatives(self) -> list[Alternative]:
        """Every run that meets the request: group by group as they stand, then those without a group."""
        policy = self.request.policy
        found = []
        for group in self.exact:
            for row in group.ranked.standings.rows:
                excluded = row.reasons + policy_reasons(policy, row.run, _code(group.tried, row.run))
                key = group.ranked.key
                found.append(Alternative(row.run.digest, key, row.rank, excluded, group.relation))
        for digest, tried in sorted(self._loose().items()):
            run = tried.attempts[digest].facts
            excluded = ranking.reasons(run) + policy_reasons(policy, run, _code(tried, run))
            found.append(Alternative(digest, None, None, excluded, None))
        return found

    def _loose(self) -> dict[str, Tried]:
        """Runs that meet the request, as far as is known, while a part of theirs has not arrived."""
        return {
            digest: tried
            for tried in self.own
            for digest, attempt in tried.attempts.items()
            if attempt.key is None
            and (workload := tried.workloads.get(attempt.workload)) is not None
            and not workload_mismatches(self.request, tried.operation, workload)[0]
            and not self._misplaced(attempt.environment, attempt.protocol)
        }

    # -- what comes near ------------------------------------------------------------------------

    def _near_matches(self) -> list[NearMatch]:
        """Leaders of groups that differ: fewest mismatches first, then the closest axes, then by group."""
        found = []
        for group in self.groups:
            mismatches = [*self._other_operation(group), *group.mismatches]
            leader = group.ranked.standings.leader
            if mismatches and leader is not None:
                near = NearMatch(leader.digest, tuple(mismatches), group.relation)
                found.append(((len(mismatches), group.distance, group.ranked.key), near))
        found.sort(key=lambda item: item[0])
        return [near for _, near in found]

    def _other_operation(self, group: _Group) -> list[Mismatch]:
        relation, digest = group.relation, group.tried.operation.digest
        if relation is None:
            return []
        return [Mismatch("operation", relation.other(digest) or "", digest)]

    def _brackets(self) -> tuple[Bracket, ...]:
        measured = {
            group.workload.digest: (group.tried.operation, group.workload)
            for group in self.groups
            if group.relation is None
            and group.ranked.standings.eligible_count
            and not any(not mismatch.field.startswith("axes.") for mismatch in group.mismatches)
        }
        return brackets(self.request, measured.values())

    def _supported(self) -> list[str]:
        """Implementations of the operations whose declared support covers the request, by digest."""
        products: Mapping[str | None, set[str]] = _architectures(self.world)
        architectures = products.get(self.request.product, set())
        return sorted(
            code.digest
            for tried in self.own
            if is_possible(self.request, tried.operation)
            for code in tried.codes.values()
            if code.operation == tried.operation.digest
            and covers(self.request, tried.operation, code.support, architectures)
        )


def _code(tried: Tried, run: RunFacts) -> Code | None:
    return tried.codes.get(tried.attempts[run.digest].implementation)


def _verified(run: RunFacts, _: Code | None) -> str | None:
    return f"EVIDENCE_{run.evidence.value}" if run.evidence.order >= EvidenceLevel.VERIFIED.order else None


def _deployable(_: RunFacts, code: Code | None) -> str | None:
    return "DEPLOYABLE" if code is not None and code.deployable else None


def _architectures(world: World) -> dict[str | None, set[str]]:
    found: dict[str | None, set[str]] = {}
    for environment in world.environments.values():
        if environment.architecture:
            found.setdefault(environment.product, set()).add(environment.architecture)
    return found
