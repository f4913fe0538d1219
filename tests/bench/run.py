"""A run on one engine: a catalog is filled, and the sections that are wanted measure on it."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.bench import first, goals, imports, matrix, measuring, refusals, worker
from tests.bench.matrix import Matrix
from tests.bench.measuring import Line
from tests.bench.places import ENGINES, Place
from tests.bench.report import Table
from tests.conformance import node


@dataclass(frozen=True, slots=True)
class Setup:
    """What is imported, a folder for files, what is wanted, and whether one round is enough."""

    file: Path
    folder: Path
    sections: Collection[str]
    quick: bool

    def rounds(self, full: int) -> int:
        """How many, if all were so many."""
        return 1 if self.quick else full


@dataclass(slots=True)
class Measured:
    """An engine by name and version, with what was measured on it."""

    engine: str
    version: str
    matrix: Matrix = field(default_factory=Matrix)
    lines: list[Line] = field(default_factory=list)

    def goals(self) -> list[goals.Goal]:
        """What was to be reached."""
        return goals.goals(self.matrix, self.lines)

    def tables(self) -> Iterator[Table]:
        """All figures, the goals first."""
        if reached := self.goals():
            yield goals.table(reached)
        yield from matrix.tables(self.matrix)
        yield from measuring.tables(sorted(self.lines, key=lambda line: LINES.index(line.section)))

    def to_json(self) -> dict[str, Any]:
        """Everything, samples included."""
        return {
            "version": self.version,
            "goals": [goal.to_json() for goal in self.goals()],
            "questions": self.matrix.to_json(),
            "lines": [line.to_json() for line in self.lines],
        }


LINES: Final = (imports.IMPORT, first.FIRST, imports.MEMORY, imports.KEEPING, refusals.REFUSALS)


async def measured(engine: str, setup: Setup) -> Measured:
    """Everything that is wanted of an engine."""
    say(f"{engine}: fills a catalog")
    async with ENGINES[engine]() as place:
        await worker.run(place, "import", file=setup.file)
        info = place.store.engine
        found = Measured(engine, f"{info.name} {info.version}")
        for name, section in SECTIONS.items():
            if name in setup.sections:
                say(f"{engine}: {name}")
                await section(place, setup, found)
    return found


async def _questions(place: Place, setup: Setup, found: Measured) -> None:
    with_peer = place.engine == "neo4j"
    if with_peer and (missing := node.missing()):
        say(f"no peer: {missing}")
        with_peer = False
    found.matrix = await matrix.measure(place, setup.rounds(5), with_peer=with_peer, say=say)


async def _imports(place: Place, setup: Setup, found: Measured) -> None:
    found.lines += await imports.first(place, setup.file, setup.folder, setup.rounds(5))
    found.lines += await imports.again(place, setup.file, setup.rounds(5))


async def _keeping(place: Place, setup: Setup, found: Measured) -> None:
    found.lines += await imports.kept(place, setup.folder, setup.rounds(3))


async def _hostile(place: Place, setup: Setup, found: Measured) -> None:
    found.lines += await refusals.measure(place, 7 if setup.quick else 40)


async def _first(place: Place, setup: Setup, found: Measured) -> None:
    found.lines += await first.measure(place, setup.rounds(5), 5 if setup.quick else 40)


Section = Callable[[Place, Setup, Measured], Awaitable[None]]
SECTIONS: Final[Mapping[str, Section]] = {
    "questions": _questions,
    "imports": _imports,
    "keeping": _keeping,
    "hostile": _hostile,
    "first": _first,
}
"""In the order in which they run; the last one stops the engine."""


def say(text: str) -> None:
    """Tell whoever waits what is done now."""
    print(text, file=sys.stderr, flush=True)
