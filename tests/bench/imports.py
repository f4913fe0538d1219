"""Import, second import, verify and export, each beside the least that could do; and their memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.bench import worker
from tests.bench.measuring import Line
from tests.bench.places import ENGINES, Place

_COUNTS: Final = (
    "MATCH (n) WHERE NOT n:Catalog AND NOT n:Change RETURN count(n) AS count",
    "MATCH ()-[r]->() RETURN count(r) AS count",
)

IMPORT: Final = "import"
MEMORY: Final = "resident memory"
KEEPING: Final = "looking after a catalog"

BARE_LOAD: Final = "UNWIND of the final rows"


@asynccontextmanager
async def imported(
    engine: str, file: Path, folder: Path, rounds: int, lines: list[Line]
) -> AsyncIterator[Place]:
    """Measure imports into empty catalogs against bare loads; gives the last catalog, to go on with."""
    wall = Line(IMPORT, "first import", "s", against=BARE_LOAD, goal=2)
    cpu = Line(IMPORT, "first import, processor time of the importer", "s", against=BARE_LOAD)
    peak = Line(MEMORY, "importer, first import, peak", "MB", goal=400)
    started = Line(KEEPING, f"engine start, empty ({engine})", "s")
    memory = Line(MEMORY, f"engine after a first import ({engine})", "MB")
    rows = folder / "rows.pickle"
    for turn in range(rounds):
        last = turn == rounds - 1
        async with ENGINES[engine]() as place:
            done = await worker.run(place, "import", file=file)
            wall.ours.append(done.seconds)
            cpu.ours.append(done.cpu)
            peak.ours.append(done.peak)
            memory.ours.append(place.engine_memory())
            started.ours.append(place.start_seconds)
            if not turn:
                await worker.run(place, "dump", rows=rows)
            expected = await _counts(place)
            async with ENGINES[engine]() as other:
                done = await worker.run(other, "load", rows=rows)
                wall.bare.append(done.seconds)
                cpu.bare.append(done.cpu)
                started.ours.append(other.start_seconds)
                if (found := await _counts(other)) != expected:
                    raise RuntimeError(f"the bare load made {found} nodes and relationships, not {expected}")
            if last:
                lines += [wall, cpu, peak, memory, started]
                yield place


async def again(place: Place, file: Path, rounds: int, lines: list[Line]) -> None:
    """Measure a second import, which changes nothing, against checking the file without a graph."""
    wall = Line(IMPORT, "second import, all unchanged", "s", against="check of the file", goal=2)
    cpu = Line(
        IMPORT, "second import, processor time of the importer", "s", against="check of the file", goal=2
    )
    peak = Line(MEMORY, "importer, second import, peak", "MB", goal=400)
    revision = await place.store.revision()
    for _ in range(rounds):
        done = await worker.run(place, "import", file=file)
        if done.said["accepted"] or await place.store.revision() != revision:
            raise RuntimeError(f"the second import changed something: {done.said}")
        wall.ours.append(done.seconds)
        cpu.ours.append(done.cpu)
        peak.ours.append(done.peak)
        checked = await worker.run(None, "check", file=file)
        wall.bare.append(checked.seconds)
        cpu.bare.append(checked.cpu)
    lines += [wall, cpu, peak]


async def kept(place: Place, folder: Path, rounds: int, lines: list[Line]) -> None:
    """Measure verify and export against reading all nodes and relationships back by the driver."""
    read_back = "reading all back"
    verified = Line(KEEPING, "catalog verify", "s", against=read_back)
    exported = Line(KEEPING, "catalog export", "s", against=read_back)
    for _ in range(rounds):
        done = await worker.run(place, "verify")
        if done.said["problems"]:
            raise RuntimeError(f"verify found problems: {done.said}")
        verified.ours.append(done.seconds)
        dumped = await worker.run(place, "dump")
        exported.ours.append((await worker.run(place, "export", out=folder / "export.jsonl")).seconds)
        for line in (verified, exported):
            line.bare.append(dumped.seconds)
    lines += [verified, exported]


async def _counts(place: Place) -> list[Any]:
    return [(await place.store.read(statement))[0]["count"] for statement in _COUNTS]
