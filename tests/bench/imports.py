"""Import, second import, verify and export, each beside the least that could do; and their memory."""

from __future__ import annotations

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


async def first(place: Place, file: Path, folder: Path, rounds: int) -> list[Line]:
    """Measure imports into empty catalogs of their own against bare loads of what ``place`` holds."""
    wall = Line(IMPORT, "first import", "s", against=BARE_LOAD, goal=1.5)
    cpu = Line(IMPORT, "first import, processor time of the importer", "s", against=BARE_LOAD)
    peak = Line(MEMORY, "importer, first import, peak", "MB", goal=400)
    memory = Line(MEMORY, "engine after a first import", "MB")
    started = Line(KEEPING, "engine start, empty", "s")
    rows = folder / "rows.pickle"
    await worker.run(place, "dump", rows=rows)
    expected = await _counts(place)
    for _ in range(rounds):
        async with ENGINES[place.engine]() as other:
            done = await worker.run(other, "import", file=file)
            wall.ours.append(done.seconds)
            cpu.ours.append(done.cpu)
            peak.ours.append(done.peak)
            memory.ours.append(other.engine_memory())
            started.ours.append(other.start_seconds)
        async with ENGINES[place.engine]() as other:
            done = await worker.run(other, "load", rows=rows)
            wall.bare.append(done.seconds)
            cpu.bare.append(done.cpu)
            started.ours.append(other.start_seconds)
            if (found := await _counts(other)) != expected:
                raise RuntimeError(f"the bare load made {found} nodes and relationships, not {expected}")
    return [wall, cpu, peak, memory, started]


async def again(place: Place, file: Path, rounds: int) -> list[Line]:
    """Measure a second import, which changes nothing, against checking the file without a graph."""
    wall = Line(IMPORT, "second import, all unchanged", "s", against="check of the file", goal=1.3)
    cpu = Line(IMPORT, "second import, processor time of the importer", "s", against="check of the file")
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
    return [wall, cpu, peak]


async def kept(place: Place, folder: Path, rounds: int) -> list[Line]:
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
    return [verified, exported]


async def _counts(place: Place) -> list[Any]:
    return [(await place.store.read(statement))[0]["count"] for statement in _COUNTS]
