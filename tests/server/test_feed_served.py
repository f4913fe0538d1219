"""The catalog's own subscriptions over a real server, while another process imports."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.applications import Starlette

from catalog.api.context import Context
from catalog.cli import application
from catalog.read.feed import SharedStretch
from catalog.server.websocket import Socket
from tests.engines import Engine
from tests.read.samples import CATALOG, FAST, ON, fill, run, write
from tests.server.live import Wire, dial, serving, wired
from tests.server.test_sse import events, streaming
from tests.waiting import until

PUBLISHED: Final = """
subscription ($since: Int, $after: String) {
  runPublished(sinceRevision: $since, after: $after, filter: { implementation: "FAST" }) {
    revision cursor run { title standing { rank } }
  }
}
""".replace("FAST", FAST.digest)
BROKEN: Final = """
subscription ($since: Int, $after: String) {
  recordBroken(sinceRevision: $since, after: $after) { revision cursor takeOver event { run { title } } }
}
"""
ROUNDS: Final = 24


@dataclass
class Served:
    """The application on an engine, and where it listens."""

    app: Starlette
    port: int
    environ: dict[str, str]

    async def imports(self, *paths: Path) -> None:
        """`catalog import` in a process of its own."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "catalog.cli", "import", "--json", *map(str, paths)),
            env=self.environ,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
        assert process.returncode == 0, (output, errors)

    @property
    def open(self) -> tuple[int, int, int]:
        """Sockets, running operations, followers of the feed."""
        streams = self.app.state.streams
        return streams.sockets, streams.operations, self.app.state.followers()


@pytest.fixture
async def served(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    """The sample catalog, at revision 1, served in this process."""
    await engine.reset()
    async with engine.store() as store:
        await fill(store, tmp_path, CATALOG)
    async with serve(engine, monkeypatch) as served:
        yield served


@asynccontextmanager
async def serve(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    chosen = {**engine.environ, "FEED_POLL_SECONDS": "0.05"}
    if engine.data_dir is not None:
        chosen["CATALOG_DATA_DIR"] = str(engine.data_dir)
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    app = application.create()
    assert isinstance(app, Starlette)
    async with serving(app) as port:
        yield Served(app, port, dict(os.environ))


def evidence(folder: Path) -> list[Path]:
    """Files of one run each, in one group, each faster and later than the one before."""
    paths = []
    for n in range(ROUNDS):
        paths.append(folder / f"run-{n:02}.jsonl")
        write(paths[-1], [run(f"run-{n:02}", ON, 49 - n, f"2026-05-{n + 1:02}T00:00:00Z")])
    return paths


async def following(wire: Wire, count: int, query: str, **variables: Any) -> list[dict[str, Any]]:
    """The next so many events of a subscription on a connection of its own."""
    await wire.subscribe("s", query, **variables)
    found = []
    for _ in range(count):
        message = await wire.hear()
        assert message["type"] == "next", message
        assert "errors" not in message["payload"], message
        [event] = message["payload"]["data"].values()
        found.append(event)
    return found


async def cut_after_each(port: int, query: str, resume: str) -> list[dict[str, Any]]:
    """All events, by a client whose connection is cut after every second one."""
    found: list[dict[str, Any]] = []
    while len(found) < ROUNDS:
        last = {resume: found[-1]["cursor" if resume == "after" else "revision"]} if found else {"since": 1}
        async with wired(port) as wire:
            found += await following(wire, min(2, ROUNDS - len(found)), query, **last)
            wire.connection.transport.abort()
    return found


async def sse(port: int, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    async with streaming(port, query, since=1) as response:
        async for kind, data in events(response):
            if kind == "next":
                [event] = data["data"].values()
                found.append(event)
            if len(found) == ROUNDS:
                return found
    raise AssertionError("the stream ended")


async def test_whoever_is_cut_gets_exactly_what_was_missed_while_another_process_imports(
    served: Served, tmp_path: Path
) -> None:
    async with wired(served.port) as wire:
        clients = [
            asyncio.create_task(client)
            for client in (
                following(wire, ROUNDS, PUBLISHED, since=1),
                cut_after_each(served.port, PUBLISHED, "after"),
                cut_after_each(served.port, PUBLISHED, "since"),
                sse(served.port, PUBLISHED),
                cut_after_each(served.port, BROKEN, "after"),
            )
        ]
        await served.imports(*evidence(tmp_path))
        whole, *others, broken = await asyncio.gather(*clients)
    names = [f"Run-{n:02}" for n in range(ROUNDS)]
    assert [event["run"]["title"] for event in whole] == names
    assert [event["revision"] for event in whole] == list(range(2, ROUNDS + 2))
    for other in others:
        assert without_standing(other) == without_standing(whole)
    assert [event["event"]["run"]["title"] for event in broken] == names
    await until(lambda: served.open == (0, 0, 0))


def without_standing(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Standings are those of when an event was answered."""
    return [{**event, "run": event["run"]["title"]} for event in told]


async def hundreds(served: Served, folder: Path, round_: int) -> None:
    """500 subscriptions on 50 connections hear of one run, and are cut at once."""
    async with asyncio.TaskGroup() as group:
        opened = [group.create_task(open_ten(served.port)) for _ in range(50)]
    wires = [task.result() for task in opened]
    await until(lambda: served.open == (50, 500, 500))
    write(folder / "new.jsonl", [run(f"new-{round_}", ON, 20 - round_, "2027-01-01T00:00:00Z")])
    await served.imports(folder / "new.jsonl")
    for wire in wires:
        heard = [await wire.hear() for _ in range(10)]
        assert sorted(message["id"] for message in heard) == [str(n) for n in range(10)]
        titles = {message["payload"]["data"]["runPublished"]["run"]["title"] for message in heard}
        assert titles == {f"New-{round_}"}
    for wire in wires:
        wire.connection.transport.abort()
    await until(lambda: served.open == (0, 0, 0))
    for wire in wires:
        await wire.connection.wait_closed()


async def open_ten(port: int) -> Wire:
    """A connection that stays open, with ten subscriptions."""
    wire = await dial(port)
    for n in range(10):
        await wire.subscribe(str(n), PUBLISHED)
    return wire


def left() -> dict[str, int]:
    """How many objects there are that only streams make."""
    gc.collect()
    kinds = (Socket, Context, SharedStretch)
    return {kind.__name__: sum(type(each) is kind for each in gc.get_objects()) for kind in kinds}


@pytest.mark.slow
async def test_500_subscriptions_cut_at_once_leave_nothing_behind(served: Served, tmp_path: Path) -> None:
    await ask_once(served.port)
    before, tasks = left(), len(asyncio.all_tasks())
    tracemalloc.start()
    try:
        sizes = []
        for round_ in range(4):
            await hundreds(served, tmp_path, round_)
            await until(lambda: len(asyncio.all_tasks()) == tasks)
            sizes.append(held())
            assert left() == before
        # What 500 of anything that is kept would take; the first rounds fill caches.
        await until(lambda: held() - sizes[1] < 1_000_000)
    finally:
        tracemalloc.stop()


def held() -> int:
    """Bytes that are allocated since tracing began, when all that can be has been freed."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def ask_once(port: int) -> None:
    """Wait until the server has begun."""
    async with wired(port) as wire:
        await wire.subscribe("q", "{ catalog { revision } }")
        assert (await wire.hear())["payload"] == {"data": {"catalog": {"revision": 1}}}


@pytest.mark.slow
async def test_another_worker_is_as_good(
    engine: Engine, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client goes back and forth between two servers that share nothing but the database."""
    paths = evidence(tmp_path)
    async with serve(engine, monkeypatch) as other:
        importing = asyncio.create_task(served.imports(*paths))
        found: list[dict[str, Any]] = []
        while len(found) < ROUNDS:
            port = (served, other)[len(found) % 2].port
            last = {"after": found[-1]["cursor"]} if found else {"since": 1}
            async with wired(port) as wire:
                found += await following(wire, 1, PUBLISHED, **last)
        await importing
    assert [event["run"]["title"] for event in found] == [f"Run-{n:02}" for n in range(ROUNDS)]
