"""What verifying finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

PROBLEMS_KEPT: Final = 1000


@dataclass(frozen=True, slots=True)
class Problem:
    """A stored property (or relationship) that is not what it should be; values as text."""

    node: str
    field: str
    message: str


@dataclass(slots=True)
class Verification:
    """What was verified, and what was found."""

    checked: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    missing: dict[str, list[str]] = field(default_factory=dict)
    """Label -> keys of objects that others refer to and that have not arrived."""
    warnings: Counter[str] = field(default_factory=Counter)
    """Code -> how many objects disagree so with others (filled when strict)."""

    @property
    def ok(self) -> bool:
        return not self.problem_count

    def problem(self, node: str, name: str, message: str) -> None:
        """Note a problem; beyond the first thousand they are only counted."""
        self.problem_count += 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(Problem(node, name, message))
