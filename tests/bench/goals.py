"""What the project set out to reach, beside what was measured. A missed goal is said to be, no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from tests.bench.first import FIRST
from tests.bench.imports import IMPORT
from tests.bench.matrix import DOSSIER, RANKED, Cell, Figure, Matrix, Spread
from tests.bench.measuring import Line
from tests.bench.report import Table
from tests.bench.sides import BARE, CACHES, COLD, PEER, RAW, WARM

LEAST: Final = {BARE: 1.2, COLD: 2.5, WARM: 30.0}
"""Side -> how many times as many requests a second as the peer, of the ranked query with 4 clients."""
OVER_RAW: Final = 1.2
TAIL: Final = 6.0
SERVER_MB: Final = 250.0
MOST_CLIENTS: Final = 64
SECTIONS: Final = (IMPORT, FIRST)

PERCENTILES: Final[dict[str, Figure]] = {
    "p50": lambda sample: sample.load.p50,
    "p95": lambda sample: sample.load.p95,
    "p99": lambda sample: sample.load.p99,
}


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure with its bound: a least one, or a most one. ``spread`` is that of the repetitions."""

    what: str
    spread: Spread
    bound: float
    unit: str = "×"
    at_least: bool = False

    @property
    def met(self) -> bool:
        value = self.spread.median
        return value >= self.bound if self.at_least else value <= self.bound

    def cells(self) -> tuple[str, ...]:
        """The line of the table."""
        places = 0 if self.unit in ("", "MB") else 2
        median, low, high = (f"{value:,.{places}f}" for value in self.spread)
        goal = f"{'≥' if self.at_least else '≤'} {self.bound:g} {self.unit}".rstrip()
        return (
            self.what,
            f"{median} {self.unit}".rstrip(),
            f"{low}–{high}",
            goal,
            "" if self.met else "MISSED",
        )

    def to_json(self) -> dict[str, Any]:
        """Everything, and whether it is met."""
        return {**asdict(self), "spread": self.spread._asdict(), "met": self.met}


def goals(matrix: Matrix, lines: Iterable[Line]) -> list[Goal]:
    """All for which there are figures; of lines those of the sections below."""
    return [
        *_of_matrix(matrix),
        *(_of_line(line) for line in lines if line.section in SECTIONS and line.goal),
    ]


def table(found: Iterable[Goal]) -> Table:
    """All of them."""
    rows = [goal.cells() for goal in found]
    return Table("goals", ("", "measured", "least–most", "goal", " "), rows, ("", " "))


def _of_matrix(matrix: Matrix) -> Iterator[Goal]:
    for side, least in LEAST.items():
        ours, theirs = (Cell(RANKED, 4, each) for each in (side, PEER))
        if spread := matrix.ratio(ours, theirs, lambda sample: sample.load.rate):
            yield Goal(f"{RANKED}, 4 clients: requests/s, {side} over peer", spread, least, at_least=True)
    for question in (RANKED, DOSSIER):
        ours, theirs = (Cell(question, 1, each) for each in (COLD, RAW))
        if spread := matrix.ratio(ours, theirs, PERCENTILES["p50"]):
            yield Goal(f"{question}, 1 client: p50, cold over raw", spread, OVER_RAW)
    for side in CACHES:
        cell = Cell(RANKED, MOST_CLIENTS, side)
        what = f"{RANKED}, {MOST_CLIENTS} clients"
        if errors := matrix.spread(cell, lambda sample: sample.load.errors):
            yield Goal(f"{what}: errors of {side}", errors, 0, "")
        if tail := matrix.spread(cell, lambda sample: sample.load.p99 / sample.load.p50):
            yield Goal(f"{what}: p99 over p50 of {side}", tail, TAIL)
        other = Cell(RANKED, MOST_CLIENTS, PEER)
        for name, percentile in PERCENTILES.items():
            if spread := matrix.ratio(cell, other, percentile):
                yield Goal(f"{what}: {name}, {side} over peer", spread, 1)
    warm = [sample.memory for cell, found in matrix.samples.items() if cell.side == WARM for sample in found]
    if warm:
        yield Goal("resident memory of the server, warm", Spread.of([max(warm)]), SERVER_MB, "MB")


def _of_line(line: Line) -> Goal:
    assert line.goal is not None
    if not line.bare:
        return Goal(f"{line.section}: {line.what}", Spread.of(line.ours), line.goal, line.unit)
    ratios = [mine / other for mine, other in zip(line.ours, line.bare, strict=True)]
    return Goal(f"{line.section}: {line.what}, over {line.against}", Spread.of(ratios), line.goal)
