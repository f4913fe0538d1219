"""One measured job in a process of its own: `python -m tests.bench.worker JOB`, JOB as JSON, answer as JSON.

The clock starts when the store is open and what the job works on is in memory, so that neither the
interpreter's start nor the engine's is counted. Jobs read NEO4J_URI like every other program.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import pickle
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from neo4j import AsyncDriver

from catalog.ingest.pipeline import check_paths, import_paths
from catalog.keep.export import export
from catalog.keep.verify import verify
from graph import Store, open_store
from tests.bench import bare
from tests.bench.places import MB, Place, bare_driver


@dataclass(slots=True)
class Outcome:
    """What a job took: seconds by the clock and of this process's processor time, its peak memory in MB."""

    seconds: float
    cpu: float
    peak: float
    said: dict[str, Any]
    """What the job has to say for itself, so that the caller sees that it did its work."""


class Clock:
    """Runs between start and stop."""

    def __enter__(self) -> Clock:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds, self.cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu


Job = Mapping[str, str]


async def run(place: Place | None, what: str, **job: Path) -> Outcome:
    """Have a job done by a fresh process, on the engine of ``place`` where it needs one."""
    told = {"what": what, **{name: str(path) for name, path in job.items()}}
    if place is not None and place.data_dir is not None:
        told["dataDir"] = str(place.data_dir)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        json.dumps(told),
        stdout=asyncio.subprocess.PIPE,
        env=place.environ() if place is not None else None,
    )
    try:
        answer, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"the {what} job failed")
    return Outcome(**json.loads(answer))


async def _import(job: Job, clock: Clock) -> dict[str, Any]:
    async with _store(job) as store:
        with clock:
            report = await import_paths(store, [Path(job["file"])])
    names = ("rows", "accepted", "unchanged", "rejected")
    return {name: report.total(name) for name in names}


async def _check(job: Job, clock: Clock) -> dict[str, Any]:
    with clock:
        report = check_paths([Path(job["file"])])
    return {"rows": report.total("rows"), "rejected": report.total("rejected")}


async def _dump(job: Job, clock: Clock) -> dict[str, Any]:
    async with _driver(job) as (driver, database):
        with clock:
            content = await bare.read_all(driver, database)
    if "rows" in job:
        await asyncio.to_thread(Path(job["rows"]).write_bytes, pickle.dumps(content))
    nodes, edges = content.counts()
    return {"nodes": nodes, "relationships": edges}


async def _load(job: Job, clock: Clock) -> dict[str, Any]:
    work = bare.batches(pickle.loads(await asyncio.to_thread(Path(job["rows"]).read_bytes)))
    gc.freeze()  # the loader streams; that this one holds all rows must not slow it
    async with _driver(job) as (driver, database):
        with clock:
            await bare.load(driver, database, work)
    return {"statements": len(work)}


async def _verify(job: Job, clock: Clock) -> dict[str, Any]:
    async with _store(job) as store:
        with clock:
            found = await verify(store)
    return {"problems": found.problem_count, "checked": found.checked.total()}


async def _export(job: Job, clock: Clock) -> dict[str, Any]:
    async with _store(job) as store:
        with _open(job["out"]) as out, clock:
            written = await export(store, out)
    return {"lines": written.total()}


JOBS: Final[dict[str, Callable[[Job, Clock], Awaitable[dict[str, Any]]]]] = {
    "import": _import,
    "check": _check,
    "dump": _dump,
    "load": _load,
    "verify": _verify,
    "export": _export,
}


def _open(path: str) -> IO[str]:
    return open(path, "w", encoding="utf-8")


@asynccontextmanager
async def _store(job: Job) -> AsyncIterator[Store]:
    data_dir = Path(job["dataDir"]) if "dataDir" in job else None
    async with open_store(data_dir, os.environ) as store:
        yield store


@asynccontextmanager
async def _driver(job: Job) -> AsyncIterator[tuple[AsyncDriver, str | None]]:
    async with _store(job) as store:
        driver, database = bare_driver(store)
        async with driver:
            await driver.verify_connectivity()
            yield driver, database


def _peak() -> float:
    """The most memory this program ever had resident, in MB.

    Linux carries the starter's peak over into `ru_maxrss`; VmHWM is of this program alone.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB  # bytes, on macOS
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024 / MB


def main() -> None:
    """Do the job of the command line."""
    job, clock = json.loads(sys.argv[1]), Clock()
    said = asyncio.run(_done(job, clock))
    print(json.dumps(asdict(Outcome(clock.seconds, clock.cpu, _peak(), said))))


async def _done(job: Job, clock: Clock) -> dict[str, Any]:
    return await JOBS[job["what"]](job, clock)


if __name__ == "__main__":
    main()
