"""What resolving is asked, what it knows, and what it answers (docs/domain.md §9).

Plain data. Digests are texts, axis values numbers; instants and facts are those of ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.ranking import RunFacts, Standings
from catalog.domain.relations import JoinedProfile, Relation

Number = int | float
Axes = Mapping[str, Number]

UNKNOWN = "unknown"
"""Stands for an architecture that was not recorded; it never matches."""


class Match(StrEnum):
    """How well the catalog meets a request: the first of these that holds."""

    EXACT_OBSERVED = "EXACT_OBSERVED"
    EXACT_SUPPORTED_UNOBSERVED = "EXACT_SUPPORTED_UNOBSERVED"
    PATTERN = "PATTERN"
    NEAR = "NEAR"
    NONE = "NONE"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a run must fulfil to be chosen; ``allowed`` are licences as :func:`licence_name` gives them."""

    minimum_evidence: EvidenceLevel | None = None
    require_source: bool = False
    require_installable: bool = False
    allowed: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One question. What is None or empty is left open."""

    operation: str
    axes: Axes = field(default_factory=dict)
    shape: tuple[Number, ...] | None = None
    dtypes: tuple[str, ...] = ()
    product: str | None = None
    architecture: str | None = None
    protocol: str | None = None
    policy: Policy = Policy()


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its declared axes and the symbolic tensors of its arguments."""

    digest: str
    axes: Mapping[str, Mapping[str, Any]]
    tensors: tuple[Mapping[str, Any], ...]
    constants: Axes

    @property
    def variables(self) -> list[str]:
        """The axes that a case has to fill in, sorted."""
        return sorted(name for name, axis in self.axes.items() if axis.get("role") == "variable")

    @property
    def dtypes(self) -> frozenset[str]:
        return frozenset(tensor["dtype"] for tensor in self.tensors)


@dataclass(frozen=True, slots=True)
class Workload:
    """A case, or a suite of several; a suite has no tensors."""

    digest: str
    suite: bool
    cases: tuple[Axes, ...]
    shapes: frozenset[tuple[int, ...]]
    dtypes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Environment:
    digest: str
    product: str | None
    architecture: str | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A run, with its parts by digest; ``key`` is None while one of them has not arrived."""

    facts: RunFacts
    key: str | None
    implementation: str
    workload: str
    protocol: str
    environment: str


@dataclass(frozen=True, slots=True)
class Code:
    """An implementation, as far as support and policies look at it."""

    digest: str
    operation: str
    public_source: bool
    installable: bool
    deployable: bool
    licence: str | None
    support: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """A comparison group: what its runs share, and how they stand."""

    key: str
    workload: str
    protocol: str
    environment: str
    standings: Standings


@dataclass(frozen=True, slots=True)
class Tried:
    """One operation with its workloads, the runs on them, and the implementations that declare it."""

    operation: Operation
    workloads: Mapping[str, Workload]
    attempts: Mapping[str, Attempt]
    """By the digest of the run."""
    groups: Sequence[RankedGroup]
    codes: Mapping[str, Code]
    """The implementations that were run on it or declare it, by digest."""


@dataclass(frozen=True, slots=True)
class World:
    """All that resolving one request may look at.

    ``meant``: the operations that the request names. ``tried``: these and all that a relation may join to
    them. ``relations``: those that touch a meant one.
    """

    meant: Sequence[str]
    tried: Mapping[str, Tried]
    environments: Mapping[str, Environment]
    relations: Sequence[Relation] = ()
    names: Sequence[str] = ()
    """Every name that an operation can be asked for by: for suggestions."""


class Mismatch(NamedTuple):
    """Where something differs from a request; both values as text."""

    field: str
    requested: str
    observed: str


class Issue(NamedTuple):
    """Something of the request that its reader should know: which part, what of it, what to say instead."""

    token: str
    message: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    value: Number
    workload: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """The nearest measured cases along one axis of one operation; nothing is said of what lies between."""

    axis: str
    requested: Number
    below: Side | None
    above: Side | None


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """A group that meets the request; ``profile`` only where it is not the group's own."""

    key: str
    profile: JoinedProfile | None
    relation: Relation | None


@dataclass(frozen=True, slots=True)
class Choice:
    run: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A run that meets the request; ``rank`` holds in its group, ``excluded`` is all that is against it."""

    run: str
    group: str | None
    rank: int | None
    excluded: tuple[str, ...]
    relation: Relation | None


@dataclass(frozen=True, slots=True)
class NearMatch:
    """The leader of a group that differs from the request, and in what."""

    run: str
    mismatches: tuple[Mismatch, ...]
    relation: Relation | None


@dataclass(frozen=True, slots=True)
class Resolution:
    match: Match
    groups: tuple[FoundGroup, ...]
    best_verified: Choice | None
    best_deployable: Choice | None
    alternatives: tuple[Alternative, ...]
    near_matches: tuple[NearMatch, ...]
    brackets: tuple[Bracket, ...]
    supported: tuple[str, ...]
    unresolved: tuple[str, ...]
    issues: tuple[Issue, ...]
    truncated: bool
