"""Which reviewed relations let results of two operations meet (docs/domain.md §7).

``exactly_equivalent`` always does, ``equivalent_under_constraints`` where its predicates hold for the axes
that are asked for. Both are read in either direction, one step far: a relation of a relation is no review.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class JoinedProfile(StrEnum):
    """How alike results are that only resolving brings together."""

    CONTROLLED_EQUIVALENT = "CONTROLLED_EQUIVALENT"
    COMPATIBLE_WORKLOAD = "COMPATIBLE_WORKLOAD"
    REPORTED = "REPORTED"


MEETING: Final[Mapping[str, JoinedProfile]] = {
    "exactly_equivalent": JoinedProfile.CONTROLLED_EQUIVALENT,
    "equivalent_under_constraints": JoinedProfile.COMPATIBLE_WORKLOAD,
}
"""The relations that may let results meet, the stronger first, and the profile of what meets so."""

_OPERATORS: Final[Mapping[str, tuple[str, Callable[[float, float], bool]]]] = {
    "eq": ("=", operator.eq),
    "lt": ("<", operator.lt),
    "lte": ("<=", operator.le),
    "gt": (">", operator.gt),
    "gte": (">=", operator.ge),
}


@dataclass(frozen=True, slots=True)
class AxisConstraint:
    """A condition on one axis, as in n lte 4096."""

    axis: str
    operator: str
    value: int | float

    def holds(self, axes: Mapping[str, int | float]) -> bool:
        """Whether it holds; an axis that is left open does not fulfil it."""
        value = axes.get(self.axis)
        return value is not None and _OPERATORS[self.operator][1](value, self.value)

    def __str__(self) -> str:
        return f"{self.axis} {_OPERATORS[self.operator][0]} {self.value}"


@dataclass(frozen=True, slots=True)
class Relation:
    """A reviewed relation between the operations ``start`` and ``end`` (digests)."""

    digest: str
    start: str
    end: str
    name: str
    constraints: tuple[AxisConstraint, ...] = ()

    @property
    def profile(self) -> JoinedProfile | None:
        """The profile of results that meet through it; None when it never lets any."""
        return MEETING.get(self.name)

    def other(self, operation: str) -> str | None:
        """The operation at the other end; None when ``operation`` is at neither."""
        return {self.start: self.end, self.end: self.start}.get(operation)

    def holds(self, axes: Mapping[str, int | float]) -> bool:
        """Whether all of its predicates hold for these axes."""
        return all(constraint.holds(axes) for constraint in self.constraints)


def relation_of(digest: str, spec: Mapping[str, Any]) -> Relation:
    """The relation that an OperationRelation manifest states."""
    constraints = (AxisConstraint(c["axis"], c["operator"], c["value"]) for c in spec.get("constraints", ()))
    return Relation(digest, spec["from"], spec["to"], spec["relation"], tuple(constraints))
