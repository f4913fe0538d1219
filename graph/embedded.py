"""Use of the embedded engine: attach to the one of a data directory (starting it if need be), stop, status.

One engine per data directory: every user process holds a shared lock, starters take turns, a supervisor
(supervisor.py) owns the engine and ends it after the last user. A crash of any of them leaves nothing to
clean by hand. See datadir.py for the files and docs/architecture.md for the reasons.
"""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from graph import engine_process
from graph.datadir import DataDir, Endpoint
from graph.errors import EngineUnavailable, StoreError, TimedOut
from graph.locks import FileLock, WriterQueue
from graph.store import ConnectionSettings, Store
from graph.supervisor import EXIT_TAKEN

_log = logging.getLogger(__name__)

_POLL: Final = 0.02
_WATCH: Final = 1.0
_START_TIMEOUT: Final = 90.0
_STOP_TIMEOUT: Final = 40.0
_WRITER_TIMEOUT: Final = 600.0
_LOG_BYTES: Final = 2**20


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What runs on a data directory."""

    running: bool
    ready: bool = False
    supervisor_pid: int | None = None
    engine_pid: int | None = None
    bolt_port: int | None = None


@asynccontextmanager
async def embedded_store(data_dir: Path, settings: ConnectionSettings | None = None) -> AsyncIterator[Store]:
    """A store on the embedded engine of a data directory; `settings` gives time limits, its address is ours.

    Raises EngineUnavailable, TimedOut.
    """
    async with attached(data_dir) as endpoint:
        directory = DataDir.open(data_dir)
        writers = WriterQueue(directory.writer_queue, directory.writer_lock, _WRITER_TIMEOUT)
        settings = replace(
            settings or ConnectionSettings(""),
            uri=f"bolt://{engine_process.HOST}:{endpoint.bolt_port}",
            username=endpoint.username,
            password=endpoint.password,
            database=engine_process.DATABASE,
        )

        async def run_sql(statement: str) -> None:
            await asyncio.to_thread(engine_process.run_sql, endpoint.http_port, endpoint.password, statement)

        async with Store.connect(settings, writer=writers.turn, run_sql=run_sql) as store:
            yield store


@asynccontextmanager
async def attached(data_dir: Path) -> AsyncIterator[Endpoint]:
    """The engine of a data directory, running and ready, kept while the context lasts."""
    engine_process.find_runtime()
    directory = DataDir.open(data_dir)
    users, starting = FileLock(directory.users_lock), FileLock(directory.start_lock)
    try:
        await users.acquire(shared=True, within=_START_TIMEOUT)
        await starting.acquire(within=_START_TIMEOUT)
        endpoint = await _running(directory)
        starting.release()
        watch = asyncio.create_task(_watch(directory))
        try:
            yield endpoint
        finally:
            watch.cancel()
            await asyncio.wait([watch])
    finally:
        starting.release()
        users.release()


async def stop(data_dir: Path) -> bool:
    """End the engine of a data directory at once, whoever uses it; False when none was running."""
    directory = DataDir.existing(data_dir)
    if directory is None:
        return False
    supervisor = FileLock(directory.supervisor_lock)
    if supervisor.try_acquire():
        try:
            await asyncio.to_thread(engine_process.end_orphan, directory)
        finally:
            supervisor.release()
        return False
    deadline = time.monotonic() + _STOP_TIMEOUT
    while True:
        late = time.monotonic() > deadline
        pid = supervisor.read_pid()
        if pid is not None and engine_process.is_supervisor(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        with contextlib.suppress(TimedOut):
            await supervisor.acquire(within=2)
            break
        if late:
            raise EngineUnavailable("The embedded engine does not end.")
    try:
        await asyncio.to_thread(engine_process.end_orphan, directory)
    finally:
        supervisor.release()
    return True


def status(data_dir: Path) -> EngineStatus:
    """What runs on a data directory now; asks no database."""
    directory = DataDir.existing(data_dir)
    if directory is None:
        return EngineStatus(False)
    supervisor = FileLock(directory.supervisor_lock)
    if supervisor.free():
        return EngineStatus(False)
    endpoint = directory.read_endpoint()
    return EngineStatus(
        running=True,
        ready=endpoint is not None,
        supervisor_pid=supervisor.read_pid(),
        engine_pid=directory.read_engine_pid(),
        bolt_port=endpoint.bolt_port if endpoint else None,
    )


async def _watch(directory: DataDir) -> None:
    """Start a supervisor again that was killed: it left its endpoint, which one that was stopped does not.

    The new engine takes the same ports and secret, so open connections find it.
    """
    supervisor, starting = FileLock(directory.supervisor_lock), FileLock(directory.start_lock)
    while True:
        await asyncio.sleep(_WATCH)
        if directory.read_endpoint() is None or not supervisor.free():
            continue
        try:
            await starting.acquire(within=_START_TIMEOUT)
            if directory.read_endpoint() is not None and supervisor.free():
                await _running(directory)
        except StoreError:
            _log.exception("the embedded engine could not be started again")
        finally:
            starting.release()


async def _running(directory: DataDir) -> Endpoint:
    """The endpoint of the running engine; starts one where no supervisor is. The start lock is held."""
    supervisor = FileLock(directory.supervisor_lock)
    try:
        async with asyncio.timeout(_START_TIMEOUT):
            started = False
            while True:
                if supervisor.free():
                    if started:
                        raise EngineUnavailable(
                            "The embedded engine does not start; see engine.log in the data directory, "
                            "or set NEO4J_URI to use a Neo4j server."
                        )
                    started = await asyncio.to_thread(_spawn, directory)
                elif (endpoint := directory.read_endpoint()) and await _answers(endpoint):
                    return endpoint
                await asyncio.sleep(_POLL)
    except TimeoutError as error:
        raise EngineUnavailable("The embedded engine does not get ready.") from error


async def _answers(endpoint: Endpoint) -> bool:
    """Whether the engine is there now: it may have died, and its supervisor not noticed yet."""
    return await asyncio.to_thread(
        engine_process.answers, endpoint.http_port, endpoint.bolt_port, endpoint.password
    )


def _spawn(directory: DataDir) -> bool:
    """Start a supervisor, which holds its lock on return; False when there is one after all."""
    package_home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (package_home, os.environ.get("PYTHONPATH"))))
    old = directory.log.exists() and directory.log.stat().st_size < _LOG_BYTES
    with open(directory.log, "ab" if old else "wb") as log:
        ended = subprocess.run(
            [sys.executable, "-m", "graph.supervisor", str(directory.root)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
            check=False,
        )
    if ended.returncode not in (0, EXIT_TAKEN):
        raise EngineUnavailable("The embedded engine's supervisor does not start; see engine.log.")
    return ended.returncode == 0
