"""`python -m tests.bench.scale`: how questions, imports and memory go with the size of the catalog.

For each number of runs a catalog is made, imported, served and asked. Catalogs of the same seed begin alike,
so the same questions are put to all of them, about what the smallest has. With `--keep` catalogs stay where
they are, and are not imported again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from rich.console import Console

import graph
from graph import Store, WriteTx, open_store
from graph.engines import STATEMENT_TIMEOUT
from tests.bench import plots, report, scale_questions, worker
from tests.bench.machine import commit, machine
from tests.bench.places import HOST, MB, Place, _servers, resident, served
from tests.bench.report import Table
from tests.bench.scale_questions import Asked
from tests.neo4j_server import launcher

HEAP: Final = "3g"
PAGE_CACHE: Final = "2g"
ROUNDS: Final = 15
SEED: Final = 1

FIRST: Final = "first"
OTHER: Final = "other"
AGAIN: Final = "again"
WHEN: Final = {
    FIRST: "after a write",
    OTHER: "same revision, another of the kind",
    AGAIN: "same revision, the same again",
}


@dataclass(slots=True)
class Imported:
    """What it took to make a catalog; seconds by the clock and of the importer's processor time, MB. With the
    commit, as a kept catalog may be an earlier one's."""

    commit: str | None
    lines: int
    seconds: float
    cpu: float
    importer: float
    engine: float


@dataclass(slots=True)
class Measured:
    """All figures of one size. `times`: question -> when (WHEN) -> ms of each round. Sizes in MB."""

    runs: int
    nodes: dict[str, int]
    imported: Imported
    times: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    server: float = 0.0
    engine: float = 0.0
    stored: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Series:
    """All sizes on one engine, and the machine that they were measured on."""

    engine: str
    machine: dict[str, Any]
    sizes: list[Measured]

    @classmethod
    def read(cls, path: Path) -> Series:
        """What `--json` wrote."""
        whole = json.loads(path.read_text(encoding="utf-8"))
        sizes = [Measured(**{**each, "imported": Imported(**each["imported"])}) for each in whole["sizes"]]
        return cls(whole["engine"], whole["machine"], sizes)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make, import, serve, ask, print."""
    options = _parser().parse_args(arguments)
    if options.markdown:
        report.check(options.markdown)
    found = [Series.read(path) for path in options.also]
    if options.runs:
        where = machine()
        with tempfile.TemporaryDirectory(prefix="catalog-scale-") as folder:
            kept = options.keep or Path(folder)
            sizes = asyncio.run(_all(options.engine, options.runs, kept, options.rounds))
        found.insert(0, Series(options.engine, where, sizes))
        if options.json:
            options.json.write_text(json.dumps(asdict(found[0]), indent=1) + "\n", encoding="utf-8")
    for series in found:
        for table in tables(series.sizes):
            Console(width=170, highlight=False).print(table.printed())
    if options.markdown:
        report.write(options.markdown, [line for series in found for line in _page(options.markdown, series)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scale", description=__doc__)
    parser.add_argument("--engine", choices=("neo4j", "embedded"), default="neo4j")
    parser.add_argument(
        "--runs",
        type=lambda text: sorted(map(int, text.split(","))) if text else [],
        default=[10_000, 100_000],
        metavar="N,N",
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where catalogs stay, to be used again")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each question is put")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="a page to write the tables and plots to"
    )
    parser.add_argument(
        "--also",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="what --json wrote of another engine",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="where every sample goes")
    return parser


async def _all(engine: str, sizes: Sequence[int], folder: Path, rounds: int) -> list[Measured]:
    asked: dict[str, Asked] = {}
    found = []
    for runs in sizes:
        home = folder / engine / str(runs)
        home.mkdir(parents=True, exist_ok=True)
        async with _place(engine, home) as place:
            imported = await _imported(place, home, folder, runs)
            if not asked:
                _say(f"{runs:,} runs: choosing questions")
                asked = await scale_questions.chosen(place.store)
            found.append(await _measured(place, home, runs, imported, asked, rounds))
    return found


@asynccontextmanager
async def _place(engine: str, home: Path) -> AsyncIterator[Place]:
    """The engine on the catalog in a folder, which stays there."""
    if engine == "embedded":
        data_dir = home / "data"
        try:
            async with open_store(data_dir, {}) as store:
                pid = graph.status(data_dir).engine_pid
                assert pid is not None
                yield Place(engine, store, data_dir, None, pid, 0.0)
        finally:
            await graph.stop(data_dir)
        return
    before = _servers()
    with launcher.running(heap=HEAP, pagecache=PAGE_CACHE, home=home / "neo4j") as uri:
        [pid] = _servers() - before
        async with open_store(None, {"NEO4J_URI": uri, STATEMENT_TIMEOUT: "600"}) as store:
            yield Place(engine, store, None, uri, pid, 0.0)


async def _imported(place: Place, home: Path, folder: Path, runs: int) -> Imported:
    """The figures of the import, which is made unless the catalog was kept."""
    note = home / "imported.json"
    if note.exists():
        _say(f"{runs:,} runs: kept")
        return Imported(**json.loads(note.read_text(encoding="utf-8")))
    file = folder / f"{runs}.jsonl"
    if not file.exists():
        _say(f"{runs:,} runs: generating")
        fresh = file.with_suffix(".part")
        command = ("generate", "--runs", str(runs), "--seed", str(SEED), "-o", str(fresh))
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "catalog.cli", *command)
        if await process.wait():
            raise RuntimeError("the catalog is not generated")
        fresh.rename(file)
    _say(f"{runs:,} runs: importing")
    done = await worker.run(place, "import", file=file)
    if done.said["rejected"]:
        raise RuntimeError(f"the import rejected lines: {done.said}")
    if not done.said["accepted"]:
        raise RuntimeError(f"{home} has this catalog already, and not how long its import took")
    imported = Imported(commit(), done.said["rows"], done.seconds, done.cpu, done.peak, place.engine_memory())
    note.write_text(json.dumps(asdict(imported)), encoding="utf-8")
    _say(f"{runs:,} runs: imported, {imported.lines / imported.seconds:,.0f} lines/s")
    return imported


async def _measured(
    place: Place, home: Path, runs: int, imported: Imported, asked: Mapping[str, Asked], rounds: int
) -> Measured:
    rows = await place.store.read(scale_questions.LABELS)
    made = Measured(runs, {row["label"]: row["count"] for row in rows if row["count"]}, imported)
    own = {**asked, **await scale_questions.of_this_size(place.store)}
    async with (
        served(place) as (port, pid),
        httpx.AsyncClient(base_url=f"http://{HOST}:{port}", timeout=120) as client,
    ):
        for name, question in own.items():
            _say(f"{runs:,} runs: {name}")
            made.times[name] = await _times(place.store, client, question, rounds)
        made.server = resident(pid)
    made.engine = place.engine_memory()
    made.stored = await asyncio.to_thread(_stored, home)
    return made


STORED: Final = {
    "store": ("neo4j/data/databases/neo4j", "data/engine"),
    "of that indexes": ("neo4j/data/databases/neo4j/schema",),
    "logs of transactions": ("neo4j/data/transactions",),
}
"""What is on disk -> the folders of a catalog where an engine has it."""


def _stored(home: Path) -> dict[str, float]:
    """MB on disk, for as much of STORED as the engine keeps apart."""
    sizes = {}
    for name, folders in STORED.items():
        files = [path for folder in folders for path in (home / folder).rglob("*") if path.is_file()]
        if files:
            sizes[name] = sum(path.stat().st_size for path in files) / MB
    return sizes


async def _times(
    store: Store, client: httpx.AsyncClient, question: Asked, rounds: int
) -> dict[str, list[float]]:
    """Milliseconds of each round: after a write, then another and the same again at the same revision."""
    times: dict[str, list[float]] = {when: [] for when in WHEN}
    variants = question.variants
    for number in range(-2, rounds):
        one, other = (variants[(2 * number + place) % len(variants)] for place in (0, 1))
        await store.write(_nothing)
        found = {
            FIRST: await _ask(client, question.text, one),
            OTHER: await _ask(client, question.text, other),
            AGAIN: await _ask(client, question.text, other),
        }
        if number >= 0:  # those before made the engine plan the statements and read the pages
            for when, took in found.items():
                times[when].append(took)
    if len(variants) == 1:
        del times[OTHER]
    return times


async def _nothing(_: WriteTx) -> None:
    """A write that does nothing but raise the revision."""


async def _ask(client: httpx.AsyncClient, text: str, variables: Mapping[str, Any]) -> float:
    body = json.dumps({"query": text, "variables": variables})
    started = time.perf_counter()
    answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
    took = 1000 * (time.perf_counter() - started)
    if b'"errors"' in answer.content[:500]:
        raise RuntimeError(f"{answer.text:.500} for {body:.500}")
    return took


def tables(measured: Sequence[Measured]) -> Iterator[Table]:
    """Latencies, imports and memory, nodes."""
    sizes = [f"{each.runs:,}" for each in measured]
    rows = []
    for name in measured[0].times:
        for when, told in WHEN.items():
            medians = [
                statistics.median(m.times[name][when]) for m in measured if when in m.times.get(name, {})
            ]
            if len(medians) == len(measured):
                ratio = f"{medians[-1] / medians[0]:.2f} ×"
                rows.append((name, told, *(f"{value:,.1f}" for value in medians), ratio))
    yield Table("latency in ms, median, by runs", ("", "when", *sizes, "last : first"), rows, ("", "when"))
    figures: dict[str, list[str]] = {
        "imported at commit": [m.imported.commit or "unknown" for m in measured],
        "lines": [f"{m.imported.lines:,}" for m in measured],
        "import": [f"{m.imported.seconds:,.0f} s" for m in measured],
        "lines a second": [f"{m.imported.lines / m.imported.seconds:,.0f}" for m in measured],
        "importer's processor time a line": [
            f"{1e6 * m.imported.cpu / m.imported.lines:,.0f} µs" for m in measured
        ],
        "importer, peak": [f"{m.imported.importer:,.0f} MB" for m in measured],
        "engine after the import": [f"{m.imported.engine:,.0f} MB" for m in measured],
        "server after all questions": [f"{m.server:,.0f} MB" for m in measured],
        "engine after all questions": [f"{m.engine:,.0f} MB" for m in measured],
        **{
            f"on disk: {name}": [f"{m.stored[name]:,.0f} MB" for m in measured] for name in measured[0].stored
        },
    }
    yield Table("imports and memory, by runs", ("", *sizes), [(name, *row) for name, row in figures.items()])
    labels = sorted({label for each in measured for label in each.nodes})
    yield Table(
        "nodes, by runs",
        ("", *sizes),
        [(label, *(f"{each.nodes.get(label, 0):,}" for each in measured)) for label in labels],
    )


def _page(page: Path, series: Series) -> Iterator[str]:
    where, measured = series.machine, series.sizes
    processors = f"{where['processors']} × {where['processor']}, {where['memoryMB'] / 1000:.0f} GB"
    versions = ", ".join(f"{name} {version}" for name, version in where["versions"].items())
    yield from ("", f"### {series.engine}", "")
    yield f"- Commit {where['commit']}; {processors}; load before {where['load']:.1f}"
    yield f"- {versions}"
    for when, title in list(WHEN.items())[:2]:
        for kind, asked in _kinds(measured, when):
            name = f"scale-{series.engine}-{kind}-{when}.svg"
            lines = [
                plots.Series(
                    question,
                    [each.runs for each in measured],
                    [statistics.median(each.times[question][when]) for each in measured],
                )
                for question in asked
            ]
            plots.lines(page.parent / "plots" / name, f"{kind}, {title}", lines, x="runs", y="ms")
            yield from ("", f"![latency of {kind} by size, {title}](plots/{name})")
    for table in tables(measured):
        yield from table.markdown()


def _kinds(measured: Sequence[Measured], when: str) -> Iterator[tuple[str, list[str]]]:
    """The questions in two groups, so that a plot can be read: those about named things, and lists."""
    asked = [name for name in measured[0].times if all(when in each.times[name] for each in measured)]
    lists = [name for name in asked if name.partition(",")[0].split()[0] in ("runs", "search", "records")]
    yield "names", [name for name in asked if name not in lists]
    yield "lists", lists


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
