"""Samples, medians and ratios, and how they are printed.

Every comparison is a pair of series measured in turn (ours, bare, ours, bare, ...) in one run, so that a
busy machine slows both. The ratio is that of the medians; beside it stands that of the least samples, which
a busy machine disturbs least: where the two differ much, measure again in a quieter hour.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, Literal

from tests.bench.report import Table

Unit = Literal["s", "ms", "MB"]

_DIGITS: Final[dict[Unit, int]] = {"s": 2, "ms": 2, "MB": 0}


@dataclass(slots=True)
class Line:
    """One thing measured. ``goal`` bounds the ratio where there is one to compare with, else the value."""

    section: str
    what: str
    unit: Unit
    ours: list[float] = field(default_factory=list)
    against: str = ""
    bare: list[float] = field(default_factory=list)
    goal: float | None = None

    @property
    def value(self) -> float:
        return statistics.median(self.ours)

    @property
    def ratio(self) -> float | None:
        return self.value / statistics.median(self.bare) if self.bare else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        if self.goal is None:
            return None
        return (self.value if self.ratio is None else self.ratio) <= self.goal

    @property
    def least_ratio(self) -> float | None:
        """The ratio of the least samples."""
        return min(self.ours) / min(self.bare) if self.bare else None

    def to_json(self) -> dict[str, Any]:
        """Everything measured, samples included."""
        return {
            "section": self.section,
            "what": self.what,
            "unit": self.unit,
            "median": self.value,
            "samples": self.ours,
            "against": self.against or None,
            "bareMedian": statistics.median(self.bare) if self.bare else None,
            "bareSamples": self.bare,
            "ratio": self.ratio,
            "leastRatio": self.least_ratio,
            "goal": self.goal,
            "goalMet": self.met,
        }

    def cells(self) -> Sequence[str]:
        """The line of the table."""
        places = _DIGITS[self.unit]
        bare = f"{statistics.median(self.bare):,.{places}f} {self.unit}" if self.bare else ""
        goal = "" if self.goal is None else f"≤ {self.goal:g} {'×' if self.bare else self.unit}"
        if self.met is False:
            goal += " MISSED"
        return (
            self.what,
            f"{self.value:,.{places}f} {self.unit}",
            self.against,
            bare,
            _times(self.ratio),
            _times(self.least_ratio),
            goal,
            str(len(self.ours)),
        )


HEADINGS: Final = ("", "ours", "against", "bare", "ratio", "of least", "goal", "n")


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f} ×"


def tables(lines: Iterable[Line]) -> Iterator[Table]:
    """One for each section."""
    for section, found in groupby(lines, attrgetter("section")):
        yield Table(section, HEADINGS, [line.cells() for line in found], ("", "against"))


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    """Seconds that something takes."""
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started
