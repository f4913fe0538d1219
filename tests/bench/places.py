"""Empty catalogs to measure on, each a fresh engine of its own, ended and removed afterwards; and two ways to
ask one: the server as a user starts it, and the driver alone."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase, NotificationMinimumSeverity

import graph
from graph import Store, open_store
from tests.neo4j_server import launcher

MB: Final = 1_000_000
HOST: Final = "127.0.0.1"
START_TIMEOUT: Final = 60.0


@dataclass(slots=True)
class Place:
    """A running engine: what a program is given to use it, the store of this process, and its process."""

    engine: str
    """Which of ENGINES."""
    store: Store
    data_dir: Path | None
    uri: str | None
    engine_pid: int
    start_seconds: float
    """From nothing to the first connection, on an empty catalog."""

    def environ(self) -> dict[str, str]:
        """The environment of a child process that uses this engine, and no other."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "CATALOG_DATA"))}
        return kept | ({"NEO4J_URI": self.uri} if self.uri else {})

    def engine_memory(self) -> float:
        """Resident memory of the engine now, in MB."""
        return resident(self.engine_pid)


def resident(pid: int) -> float:
    """Resident memory of a process now, in MB."""
    return psutil.Process(pid).memory_info().rss / MB


@asynccontextmanager
async def embedded() -> AsyncIterator[Place]:
    """The embedded engine on an empty folder."""
    with tempfile.TemporaryDirectory(prefix="catalog-bench-") as folder:
        data_dir = Path(folder) / "data"
        try:
            started = time.perf_counter()
            async with open_store(data_dir, {}, prepare=False) as store:
                seconds = time.perf_counter() - started
                await store.ensure_schema()
                pid = graph.status(data_dir).engine_pid
                assert pid is not None
                yield Place("embedded", store, data_dir, None, pid, seconds)
        finally:
            await graph.stop(data_dir)


async def restart_seconds(data_dir: Path) -> float:
    """Stop the embedded engine of a folder, and time it from there to the first connection."""
    await graph.stop(data_dir)
    started = time.perf_counter()
    async with open_store(data_dir, {}, prepare=False):
        return time.perf_counter() - started


@asynccontextmanager
async def neo4j() -> AsyncIterator[Place]:
    """A Neo4j server of its own, empty."""
    before = _servers()
    started = time.perf_counter()
    with launcher.running(heap="2g", pagecache="512m") as uri:
        async with open_store(None, {"NEO4J_URI": uri}, prepare=False) as store:
            seconds = time.perf_counter() - started
            await store.ensure_schema()
            [pid] = _servers() - before
            yield Place("neo4j", store, None, uri, pid, seconds)


def _servers() -> set[int]:
    """Neo4j servers started by this process."""
    return {
        child.pid
        for child in psutil.Process().children()
        if "org.neo4j.server.CommunityEntryPoint" in child.cmdline()
    }


ENGINES: Final[Mapping[str, Callable[[], AbstractAsyncContextManager[Place]]]] = {
    "embedded": embedded,
    "neo4j": neo4j,
}


@asynccontextmanager
async def started(place: Place, **environ: str) -> AsyncIterator[tuple[int, asyncio.subprocess.Process]]:
    """`catalog serve` as a user starts it: the port on which it will answer and its process."""
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    where = () if place.data_dir is None else ("--data-dir", str(place.data_dir))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "catalog.cli", "serve", "--host", HOST, "--port", str(port), *where),
        env=place.environ() | environ,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield port, process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def served(place: Place, **environ: str) -> AsyncIterator[tuple[int, int]]:
    """The same once it answers: its port and its process."""
    async with started(place, **environ) as (port, process), asyncio.timeout(START_TIMEOUT) as limit:
        while not _ready(port):
            if process.returncode is not None:
                raise RuntimeError("the server does not start")
            await asyncio.sleep(0.05)
        limit.reschedule(None)
        yield port, process.pid


def _ready(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def address(store: Store) -> dict[str, Any]:
    """Where the database of a store is, as plain JSON."""
    settings = store._settings
    auth = [settings.username, settings.password or ""] if settings.username else None
    return {"uri": settings.uri, "auth": auth, "database": settings.database}


def driver_at(address: Mapping[str, Any]) -> AsyncDriver:
    """The driver alone: what somebody would use who has no catalog."""
    return AsyncGraphDatabase.driver(
        address["uri"],
        auth=tuple(address["auth"]) if address["auth"] else None,
        notifications_min_severity=NotificationMinimumSeverity.OFF,
    )


def bare_driver(store: Store) -> tuple[AsyncDriver, str | None]:
    """The driver alone, on the database of a store."""
    where = address(store)
    return driver_at(where), where["database"]
