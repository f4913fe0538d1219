"""Where a run's measurements are kept: three ways, loaded and read on the embedded engine.

``CATALOG_TEST_DATA=DIR python -m tests.bench.measurements [ROUNDS]``

manifest: nothing beside the run's manifest, which is stored anyway; parsed when read (what the catalog does).
lists: parallel list properties on the run. nodes: one Measurement node each. All three hold the manifest too,
answer the same, and start from an empty data directory in each round; times are medians over the rounds. The
figures of one such run are in docs/adr/0006-measurements-from-the-manifest.md.
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import graph
from catalog.domain.identity import load_canonical
from catalog.domain.manifests import Manifest
from catalog.domain.metrics import Measurement, measurements
from catalog.ingest.items import Row
from catalog.ingest.sources.kernelindex import KernelIndexSource
from catalog.ingest.streams import open_stream
from graph import Store, WriteTx

EXPORT: Final = "kernelindex-catalog-2026-08-16.jsonl.zst"
BATCH: Final = 1000
PAGE: Final = 100
PAGES_READ: Final = 20

Rows = list[dict[str, Any]]
Found = dict[str, list[Measurement]]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to keep measurements: how a batch of runs is written, and how rows are read back."""

    write: tuple[str, ...]
    read: str
    decode: Callable[[Rows], Found]


def _from_manifests(rows: Rows) -> Found:
    return {row["key"]: measurements(load_canonical(row["manifest"])["spec"]) for row in rows}


def _from_lists(rows: Rows) -> Found:
    columns = ("metrics", "statistics", "units", "values", "samples")
    return {
        row["key"]: [
            Measurement(metric, statistic, unit, json.loads(value), samples if samples >= 0 else None)
            for metric, statistic, unit, value, samples in zip(
                *(row[name] or () for name in columns), strict=True
            )
        ]
        for row in rows
    }


def _from_nodes(rows: Rows) -> Found:
    found: Found = {}
    for row in sorted(rows, key=lambda row: row["position"]):
        measurement = Measurement(
            row["metric"], row["statistic"], row["unit"], row["value"], row["sampleCount"]
        )
        found.setdefault(row["key"], []).append(measurement)
    return found


_MERGE: Final = "UNWIND $rows AS row MERGE (n:Run {digest: row.key}) SET n.manifest = row.manifest"
_FIND: Final = "UNWIND $keys AS key MATCH (n:Run {digest: key})"

WAYS: Final[Mapping[str, Way]] = {
    "manifest": Way((_MERGE,), f"{_FIND} RETURN key, n.manifest AS manifest", _from_manifests),
    "lists": Way(
        (
            f"{_MERGE}, n.metrics = row.metrics, n.statistics = row.statistics, n.units = row.units, "
            "n.values = row.values, n.samples = row.samples",
        ),
        f"{_FIND} RETURN key, n.metrics AS metrics, n.statistics AS statistics, n.units AS units, "
        "n.values AS values, n.samples AS samples",
        _from_lists,
    ),
    "nodes": Way(
        (
            _MERGE,
            "UNWIND $rows AS row UNWIND row.nodes AS each MATCH (n:Run {digest: row.key}) "
            "CREATE (n)-[:HAS_MEASUREMENT]->(m:Measurement) SET m = each",
        ),
        f"{_FIND}-[:HAS_MEASUREMENT]->(m:Measurement) RETURN key, m.position AS position, "
        "m.metric AS metric, m.statistic AS statistic, m.unit AS unit, m.value AS value, "
        "m.sampleCount AS sampleCount",
        _from_nodes,
    ),
}


@dataclass(slots=True)
class Times:
    """Seconds of each round, and the size of the data directory afterwards."""

    load: list[float] = field(default_factory=list)
    read_all: list[float] = field(default_factory=list)
    read_page: list[float] = field(default_factory=list)
    size: int = 0


def runs_of(path: Path) -> dict[str, Manifest]:
    """The benchmark runs of the public export, by digest."""
    with open_stream(path) as stream:
        rows = [row for row in KernelIndexSource().read(path, stream) if isinstance(row, Row)]
    return {m.digest: m for row in rows for m in row.manifests if m.kind == "BenchmarkRun"}


def parameters(run: Manifest) -> dict[str, Any]:
    """A run as the statements take it. A list property has one type, so exact numbers travel as texts."""
    found = measurements(run.spec)
    return {
        "key": run.digest,
        "manifest": run.canonical,
        "metrics": [m.metric for m in found],
        "statistics": [m.statistic for m in found],
        "units": [m.unit for m in found],
        "values": [json.dumps(m.value) for m in found],
        "samples": [-1 if m.sample_count is None else m.sample_count for m in found],
        "nodes": [
            {
                "position": position,
                "metric": m.metric,
                "statistic": m.statistic,
                "unit": m.unit,
                "value": m.value,
                "sampleCount": m.sample_count,
            }
            for position, m in enumerate(found)
        ],
    }


def batches(rows: Rows, size: int) -> Iterator[Rows]:
    """Slices of at most `size` rows."""
    bounds = [*range(0, len(rows), size), len(rows)]
    return (rows[start:end] for start, end in pairwise(bounds))


async def load(store: Store, way: Way, rows: Rows) -> None:
    """Write all runs, a transaction for each batch, sending only what the way's statements use."""
    used = {"key", *(name for name in rows[0] if any(f"row.{name}" in text for text in way.write))}
    for batch in batches(rows, BATCH):
        sent = [{name: row[name] for name in used} for row in batch]

        async def work(tx: WriteTx, sent: Rows = sent) -> None:
            for statement in way.write:
                await tx.run(statement, rows=sent)

        await store.write(work)


async def timed(work: Awaitable[Any]) -> float:
    """How many seconds it takes."""
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


async def measure(way: Way, rows: Rows, expected: Found, times: Times) -> None:
    """One round of one way, on an engine of its own."""
    keys = [row["key"] for row in rows]

    async def read(wanted: list[str]) -> Found:
        return way.decode(await store.read(way.read, keys=wanted))

    async def read_all() -> None:
        found: Found = {}
        for start in range(0, len(keys), BATCH):
            found |= await read(keys[start : start + BATCH])
        assert {key: value for key, value in found.items() if value} == expected

    with tempfile.TemporaryDirectory() as folder:
        async with graph.open_store(Path(folder), {}) as store:
            times.load.append(await timed(load(store, way, rows)))
            times.read_all.append(await timed(read_all()))
            starts = range(0, len(keys), len(keys) // PAGES_READ)
            pages = [await timed(read(keys[start : start + PAGE])) for start in starts]
            times.read_page.append(statistics.median(pages))
        await graph.stop(Path(folder))
        times.size = _bytes_below(Path(folder))


def _bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def main(rounds: int) -> None:
    """Measure and print the table."""
    runs = runs_of(Path(os.environ["CATALOG_TEST_DATA"]) / EXPORT)
    rows = [parameters(run) for run in runs.values()]
    expected = {key: found for key, run in runs.items() if (found := measurements(run.spec))}
    print(f"{len(runs):,} runs, {sum(map(len, expected.values())):,} measurements, {rounds} rounds")
    times = {name: Times() for name in WAYS}
    for _ in range(rounds):
        for name, way in WAYS.items():
            await measure(way, rows, expected, times[name])
    print(f"{'':10}{'load':>10}{'read all':>10}{'page of 100':>13}{'on disk':>10}")
    for name, seconds in times.items():
        print(
            f"{name:10}{statistics.median(seconds.load):>8.2f} s{statistics.median(seconds.read_all):>8.2f} s"
            f"{1000 * statistics.median(seconds.read_page):>10.1f} ms{seconds.size / 2**20:>6.0f} MiB"
        )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
