"""Questions of eight clients at once, over HTTP against the same question in Cypher by the driver alone.

The server is `catalog serve` as a user starts it; clients live in processes of their own (load.py), one for
each side, and each side is asked in turn. Before anything is measured both sides answer every variant once,
and their answers are compared.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tests.bench.load import CLIENTS, Outcome, Request
from tests.bench.places import HOST, Place, address, served
from tests.bench.questions import Question, Variant, questions

TITLE: Final = f"{CLIENTS} clients at once"
LINE_LIMIT: Final = 256 * 1024 * 1024
"""Bytes of one line between processes: the answers of all variants."""


@dataclass(slots=True)
class Side:
    """What one side took: milliseconds of every request, requests a second in each round, errors."""

    milliseconds: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Take in a round."""
        self.milliseconds += outcome.milliseconds
        self.rates.append(len(outcome.milliseconds) / outcome.seconds)
        self.errors += outcome.errors

    def figures(self) -> dict[str, float]:
        """The figures of the table."""
        cuts = statistics.quantiles(self.milliseconds, n=100, method="inclusive")
        return {
            "p50": cuts[49],
            "p95": cuts[94],
            "p99": cuts[98],
            "requests/s": statistics.median(self.rates),
        }


@dataclass(slots=True)
class Asked:
    """One question as both sides answered it."""

    question: str
    variants: int
    ours: Side = field(default_factory=Side)
    bare: Side = field(default_factory=Side)

    def ratios(self) -> dict[str, float]:
        """Ours over bare, figure by figure."""
        bare = self.bare.figures()
        return {name: value / bare[name] for name, value in self.ours.figures().items()}

    def to_json(self) -> dict[str, Any]:
        """Everything measured, samples included."""
        sides = {"ours": self.ours, "bare": self.bare}
        return {
            "question": self.question,
            "clients": CLIENTS,
            "variants": self.variants,
            **{
                name: {"figures": side.figures(), "errors": side.errors, "milliseconds": side.milliseconds}
                for name, side in sides.items()
            },
            "ratios": self.ratios(),
        }


async def measure(place: Place, rounds: int, repeats: int) -> list[Asked]:
    """Ask every question `rounds` times, `repeats` requests a round, on both sides in turn."""
    chance = random.Random(0)
    measured = []
    async with (
        served(place) as (port, _),
        _clients({"host": HOST, "port": port}) as http,
        _clients(address(place.store)) as bare,
    ):
        for question in await questions(place.store):
            await _same(question, http, bare)
            asked = Asked(question.name, len(question.variants))
            for _ in range(rounds):
                ours, theirs = _requests(question, chance, repeats)
                asked.ours.add(await http.ask(ours))
                asked.bare.add(await bare.ask(theirs))
            measured.append(asked)
    return measured


def _requests(question: Question, chance: random.Random, count: int) -> tuple[list[Request], list[Request]]:
    """So many requests for each side, the same in the same order: all variants before one comes again."""
    chosen: list[int] = []
    while len(chosen) < count:
        chosen += chance.sample(range(len(question.variants)), len(question.variants))
    return _both(question, [question.variants[number] for number in chosen[:count]])


def _both(question: Question, variants: Sequence[Variant]) -> tuple[list[Request], list[Request]]:
    return (
        [{"query": question.text, "variables": variant.variables} for variant in variants],
        [{"cypher": question.cypher, "params": variant.params} for variant in variants],
    )


async def _same(question: Question, http: _Clients, bare: _Clients) -> None:
    """Both sides give the same answer to every variant."""
    asked, statements = _both(question, question.variants)
    ours, rows = await http.ask(asked, keep=True), await bare.ask(statements, keep=True)
    if errors := ours.errors + rows.errors:
        raise RuntimeError(f"{question.name}: {errors[0]}")
    for variant, answer, found in zip(question.variants, ours.answers, rows.answers, strict=True):
        told, expected = question.told(answer), question.found(found)
        if json.dumps(told) != json.dumps(expected):
            answers = f"{told!s:.500} over HTTP, {expected!s:.500} by Cypher"
            raise RuntimeError(f"{question.name} {variant.variables}: {answers}")


class _Clients:
    """The clients of one side, in their process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def say(self, what: Any) -> None:
        """Give the process a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        await self._process.stdin.drain()

    async def ask(self, requests: Sequence[Request], *, keep: bool = False) -> Outcome:
        """Have all requests sent; with `keep` their answers come back."""
        await self.say({"requests": requests, "keep": keep})
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the clients' process ended")
        return Outcome(**json.loads(line))


@asynccontextmanager
async def _clients(target: dict[str, Any]) -> AsyncIterator[_Clients]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.load"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE_LIMIT,
    )
    try:
        clients = _Clients(process)
        await clients.say(target)
        yield clients
    finally:
        process.terminate()
        await process.wait()


HEADINGS: Final = ("", "", "p50", "p95", "p99", "requests/s", "errors", "n")


def rows(measured: Iterable[Asked]) -> list[Sequence[str]]:
    """The lines of the table: for each question both sides and their ratio."""
    lines: list[Sequence[str]] = []
    for asked in measured:
        for name, side in (("GraphQL over HTTP", asked.ours), ("one Cypher, driver alone", asked.bare)):
            figures = side.figures()
            rate = f"{figures.pop('requests/s'):,.0f}"
            times = (f"{value:,.1f} ms" for value in figures.values())
            question = f"{asked.question} ({asked.variants} variants)" if side is asked.ours else ""
            lines.append((question, name, *times, rate, str(len(side.errors)), str(len(side.milliseconds))))
        lines.append(("", "ratio", *(f"{ratio:.2f} ×" for ratio in asked.ratios().values()), "", ""))
    return lines


def table(measured: Iterable[Asked]) -> Table:
    """The questions of one engine."""
    made = Table(title=TITLE, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, heading in enumerate(HEADINGS):
        made.add_column(heading, justify="left" if place < 2 else "right", no_wrap=True)
    for line in rows(measured):
        made.add_row(*line)
    return made
