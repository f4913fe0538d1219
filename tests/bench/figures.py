"""The plots of what was measured on an engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench import plots
from tests.bench.matrix import RANKED, RANKED_CLIENTS, Cell
from tests.bench.sides import BARE, COLD, PEER, RAW, WARM

if TYPE_CHECKING:
    from tests.bench.run import Measured

SIDES: Final = {
    WARM: "ours, warm",
    COLD: "ours, cold",
    BARE: "ours, bare",
    RAW: "driver alone",
    PEER: "@neo4j/graphql",
}


def draw(measured: Measured, folder: Path) -> Iterator[tuple[str, Path]]:
    """Write them; the title and the file of each."""
    matrix, engine = measured.matrix, measured.engine
    series = []
    for side, name in SIDES.items():
        cells = [Cell(RANKED, clients, side) for clients in RANKED_CLIENTS]
        points = [
            (cell.clients, spread)
            for cell in cells
            if (spread := matrix.spread(cell, lambda sample: sample.load.rate))
        ]
        if points:
            x, y = [at for at, _ in points], [spread for _, spread in points]
            median, low, high = zip(*y, strict=True)
            series.append(plots.Series(name, x, median, low, high))
    if not series:
        return
    title, path = f"{RANKED}: requests a second, {engine}", folder / f"{engine}-ranked.svg"
    plots.lines(path, title, series, x="clients", y="requests/s")
    yield title, path
    asked = list(dict.fromkeys(cell.question for cell in matrix.samples))
    dots = {
        name: [
            (spread := matrix.spread(Cell(question, 1, side), lambda sample: sample.load.p50))
            and spread.median
            for question in asked
        ]
        for side, name in SIDES.items()
    }
    title, path = f"p50 of one client, {engine}", folder / f"{engine}-questions.svg"
    plots.dots(path, title, asked, {name: values for name, values in dots.items() if any(values)}, x="ms")
    yield title, path
