"""kill -9 in the middle of an import: run again, it completes, and the counts are exact."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import graph
from catalog.ingest.pipeline import import_paths
from catalog.keep.verify import verify
from graph.engines import open_store
from tests.engines import Engine

LIGER = Path("catalog/data/liger/all_benchmark_data.csv")
COUNTS = {"Run": 1649, "ComparisonGroup": 714, "Implementation": 63, "record events": 909}


async def start_import(engine: Engine) -> Process:
    where = [] if engine.data_dir is None else ["--data-dir", str(engine.data_dir)]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "catalog.cli", "import", *where, str(LIGER)),
        env={**os.environ, **engine.environ},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )


async def first_batch_written(engine: Engine) -> None:
    async with engine.store() as store:
        while await store.revision() == 0:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.005)


async def completes(engine: Engine) -> None:
    """The import run again: nothing is rejected, nothing missing, nothing twice."""
    async with engine.store() as store:
        report = await import_paths(store, [LIGER])
        assert (report.total("accepted") + report.total("unchanged"), report.rejected) == (1649, Counter())
        verified = await verify(store)
        assert (verified.problems, verified.missing) == ([], {})
        assert {name: verified.checked[name] for name in COUNTS} == COUNTS


@pytest.fixture
async def own_folder(tmp_path: Path) -> AsyncIterator[Engine]:
    """An embedded engine of this test alone, so that it may be killed."""
    yield Engine("embedded", tmp_path / "data", {})
    await graph.stop(tmp_path / "data")


async def test_the_importing_process_is_killed(engine: Engine) -> None:
    await engine.reset()
    importing = await start_import(engine)
    await first_batch_written(engine)
    importing.kill()
    await importing.wait()
    await completes(engine)


@pytest.mark.parametrize("whole", [False, True], ids=["engine", "engine and importer"])
async def test_the_engine_is_killed(own_folder: Engine, whole: bool) -> None:
    assert own_folder.data_dir is not None
    importing = await start_import(own_folder)
    await first_batch_written(own_folder)
    pid = graph.status(own_folder.data_dir).engine_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    if whole:
        importing.kill()
    await importing.wait()
    async with open_store(own_folder.data_dir, {}):
        pass
    await completes(own_folder)
