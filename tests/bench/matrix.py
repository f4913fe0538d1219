"""Every question on every side at several numbers of clients: the sides in turn, again and again."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

import psutil

from tests.bench.places import MB, Place
from tests.bench.questions import Question, questions
from tests.bench.report import Table
from tests.bench.sides import BARE, PEER, RAW, Side, sides
from tests.bench.wrk import Load

RANKED: Final = "ranked, 100 runs"
DOSSIER: Final = "dossier"
CLIENTS: Final = {1: 1, 4: 1}
RANKED_CLIENTS: Final = {1: 1, 4: 2, 16: 1, 64: 6}
"""So many clients ask the ranked query, and for so many seconds at a time; all others as above."""
BARE_TOO: Final = (RANKED, "ranked, 20 runs", DOSSIER)
"""What is asked of the server without caches as well."""

IDLE: Final = 0.1
"""Seconds in which a process that has nothing to do takes no more than a fifth of the time."""


class Cell(NamedTuple):
    """What is measured at a time."""

    question: str
    clients: int
    side: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn: what came back, and what it took the side's process and the engine.

    Processor time is in milliseconds a request, resident memory, at the end, in MB.
    """

    load: Load
    cpu: float
    engine_cpu: float
    memory: float
    engine_memory: float


Figure = Callable[[Sample], float]


class Spread(NamedTuple):
    """Median, least and most of the repetitions."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))


@dataclass(slots=True)
class Matrix:
    """All samples, by what they are of."""

    samples: dict[Cell, list[Sample]] = field(default_factory=dict)

    def spread(self, cell: Cell, figure: Figure) -> Spread | None:
        """A figure of a cell; None when that was not measured."""
        found = self.samples.get(cell)
        return Spread.of([figure(sample) for sample in found]) if found else None

    def ratio(self, ours: Cell, theirs: Cell, figure: Figure) -> Spread | None:
        """Ours over theirs, repetition by repetition; None when one of them was not measured."""
        pairs = zip(self.samples.get(ours, ()), self.samples.get(theirs, ()), strict=False)
        ratios = [figure(mine) / figure(other) for mine, other in pairs]
        return Spread.of(ratios) if ratios else None

    def to_json(self) -> list[dict[str, Any]]:
        """Every sample."""
        return [
            {**cell._asdict(), "samples": [asdict(sample) for sample in samples]}
            for cell, samples in self.samples.items()
        ]


async def measure(place: Place, repetitions: int, *, with_peer: bool, say: Callable[[str], None]) -> Matrix:
    """Compare the answers of all sides, then ask."""
    matrix = Matrix()
    asked = await questions(place.store)
    async with sides(place, with_peer=with_peer) as answering:
        for name, question in asked.items():
            say(f"{name}: {len(question.variants)} variants, do all sides say the same?")
            await _same(name, question, _sides_of(name, question, answering))
        for repetition in range(repetitions):
            say(f"repetition {repetition + 1} of {repetitions}")
            for name, question in asked.items():
                for clients, seconds in (RANKED_CLIENTS if name == RANKED else CLIENTS).items():
                    for side, answerer in _sides_of(name, question, answering).items():
                        sample = await _sample(place, answerer, question, clients, seconds)
                        matrix.samples.setdefault(Cell(name, clients, side), []).append(sample)
    return matrix


def _sides_of(name: str, question: Question, answering: Mapping[str, Side]) -> dict[str, Side]:
    left_out = {PEER} if question.peer is None else set()
    left_out |= set() if name in BARE_TOO else {BARE}
    return {side: answerer for side, answerer in answering.items() if side not in left_out}


async def _same(name: str, question: Question, answering: Mapping[str, Side]) -> None:
    """Every side gives the driver's answer to every variant."""
    expected = await answering[RAW].answers(question)
    for side, answerer in answering.items():
        found = await answerer.answers(question)
        for variant, told, wanted in zip(question.variants, found, expected, strict=True):
            if told != wanted:
                answers = f"{told!s:.500} by {side}, {wanted!s:.500} by the driver"
                raise RuntimeError(f"{name} {variant.variables}: {answers}")


async def _sample(place: Place, side: Side, question: Question, clients: int, seconds: float) -> Sample:
    process, engine = psutil.Process(side.pid), psutil.Process(place.engine_pid)
    await _idle(process, engine)
    before = _cpu(process), _cpu(engine)
    load = await side.load(question, clients, seconds)
    took = [1000 * (_cpu(each) - was) for each, was in zip((process, engine), before, strict=True)]
    memory = [each.memory_info().rss / MB for each in (process, engine)]
    return Sample(load, took[0] / load.requests, took[1] / load.requests, *memory)


async def _idle(*processes: psutil.Process) -> None:
    """Wait until they have done what the load before left them to do."""
    for _ in range(100):
        before = sum(map(_cpu, processes))
        await asyncio.sleep(IDLE)
        if sum(map(_cpu, processes)) - before <= IDLE / 5:
            return


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


HEADINGS: Final = (
    *("", "clients", "side", "requests/s", "least–most", "p50", "least–most", "p95", "p99", "errors"),
    *("CPU", "CPU, engine", "n"),
)


def tables(matrix: Matrix) -> Iterator[Table]:
    """The ranked query of a hundred, all others, memory; times in milliseconds."""
    for title, chosen in (
        (f"{RANKED}, by clients", [cell for cell in matrix.samples if cell.question == RANKED]),
        ("other questions", [cell for cell in matrix.samples if cell.question != RANKED]),
    ):
        rows, above = [], ("", 0)
        for cell in chosen:
            question = cell.question if cell.question != above[0] else ""
            clients = str(cell.clients) if cell[:2] != above else ""
            rows.append((question, clients, cell.side, *_figures(matrix.samples[cell])))
            above = cell[:2]
        if rows:
            yield Table(title, HEADINGS, rows, ("", "side"))
    memory: dict[str, list[str]] = {}
    for side in dict.fromkeys(cell.side for cell in matrix.samples):
        samples = [each for cell, found in matrix.samples.items() if cell.side == side for each in found]
        most = (max(each.memory for each in samples), max(each.engine_memory for each in samples))
        memory[side] = [f"{size:,.0f} MB" for size in most]
    if memory:
        rows = [(side, *sizes) for side, sizes in memory.items()]
        yield Table("resident memory at most", ("", "its process", "engine"), rows)


def _figures(samples: Sequence[Sample]) -> Iterator[str]:
    rate = Spread.of([sample.load.rate for sample in samples])
    p50 = Spread.of([sample.load.p50 for sample in samples])
    yield from (f"{rate.median:,.0f}", f"{rate.low:,.0f}–{rate.high:,.0f}")
    yield from (f"{p50.median:,.2f}", f"{p50.low:,.2f}–{p50.high:,.2f}")
    yield f"{statistics.median(sample.load.p95 for sample in samples):,.1f}"
    yield f"{statistics.median(sample.load.p99 for sample in samples):,.1f}"
    yield str(sum(sample.load.errors for sample in samples))
    yield f"{statistics.median(sample.cpu for sample in samples):,.2f}"
    yield f"{statistics.median(sample.engine_cpu for sample in samples):,.2f}"
    yield f"{sum(sample.load.requests for sample in samples):,}"
