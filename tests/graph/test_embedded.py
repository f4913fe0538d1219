"""The life of the embedded engine: one per folder, shared, ended after its last user, whatever crashes."""

import asyncio
import contextlib
import importlib.util
import json
import os
import signal
import stat
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

import graph
from graph import engine_process
from graph.datadir import DataDir
from graph.engines import open_store
from graph.errors import EngineUnavailable, TimedOut
from graph.locks import FileLock
from graph.store import Store
from tests.graph.test_store import SLOW
from tests.graph.writer import EXTRA


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Path]:
    """A data directory that does not exist yet; whatever runs on it afterwards is ended."""
    yield tmp_path / "catalog data"
    await graph.stop(tmp_path / "catalog data")


async def start_writer(folder: Path, name: str, times: int) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.graph.writer",
        str(folder),
        name,
        str(times),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )


async def acknowledged(writer: Process, lines: int) -> None:
    assert writer.stdout is not None
    for _ in range(lines):
        assert await writer.stdout.readline()


async def ended(pid: int | None) -> None:
    await asyncio.to_thread(_wait_for_end, pid)


def _wait_for_end(pid: int | None) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(20)


def there(path: Path) -> bool:
    return path.exists()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def counts(store: Store) -> tuple[int, int, int]:
    [runs] = await store.read("MATCH (n:Run) RETURN count(n) AS count")
    [edges] = await store.read("MATCH (:Run)-[r:IN_ENVIRONMENT]->() RETURN count(r) AS count")
    return runs["count"], edges["count"], await store.revision()


async def test_two_users_share_one_engine_which_ends_after_the_last(folder: Path) -> None:
    async with open_store(folder, {}):
        first = graph.status(folder)
        async with open_store(folder, {}) as second:
            assert (first.running, first.ready) == (True, True)
            assert graph.status(folder) == first
        await asyncio.sleep(1.5)
        assert graph.status(folder) == first
        assert (await second.health()).ok is False
    await ended(first.engine_pid)
    await ended(first.supervisor_pid)
    assert graph.status(folder) == graph.EngineStatus(running=False)
    assert not (folder / "endpoint.json").exists()


async def test_only_the_owner_can_read_the_secret_and_only_this_machine_can_connect(folder: Path) -> None:
    async with open_store(folder, {}):
        status = graph.status(folder)
        endpoint = json.loads((folder / "endpoint.json").read_text())
        assert mode(folder) == 0o700
        for secret in (folder / "endpoint.json", folder / "engine" / "secret"):
            assert mode(secret) == 0o600
        engine = psutil.Process(status.engine_pid)
        assert not [word for word in engine.cmdline() if endpoint["password"] in word]
        assert endpoint["password"] not in "".join(engine.environ().values())
        listening = [c.laddr for c in engine.net_connections("inet") if c.status == psutil.CONN_LISTEN]
        assert {address.ip for address in listening} == {"127.0.0.1"}
        assert {address.port for address in listening} == {endpoint["bolt_port"], endpoint["http_port"]}


async def test_stop_ends_it_at_once_and_what_was_written_stays(folder: Path) -> None:
    writer = await start_writer(folder, "a", 3)
    await writer.communicate()
    async with open_store(folder, {}):
        status = graph.status(folder)
        assert await graph.stop(folder) is True
        assert graph.status(folder) == graph.EngineStatus(running=False)
        await ended(status.engine_pid)
    assert await graph.stop(folder) is False
    async with open_store(folder, {}) as store:
        assert await counts(store) == (3 * (1 + EXTRA), 3 * (1 + EXTRA), 3)


async def test_stop_and_status_of_a_folder_that_is_not_there(folder: Path) -> None:
    assert graph.status(folder) == graph.EngineStatus(running=False)
    assert await graph.stop(folder) is False
    assert not there(folder)


async def test_writers_of_several_processes_all_succeed(folder: Path) -> None:
    """They also all start the engine at the same moment."""
    writers = [await start_writer(folder, name, 6) for name in "abcd"]
    answers = [await writer.communicate() for writer in writers]
    assert [(writer.returncode, error) for writer, (_, error) in zip(writers, answers, strict=True)] == [
        (0, b"")
    ] * 4
    async with open_store(folder, {}) as store:
        assert await counts(store) == (24 * (1 + EXTRA), 24 * (1 + EXTRA), 24)


async def test_an_engine_killed_in_mid_write_comes_back_and_the_writer_goes_on(folder: Path) -> None:
    writer = await start_writer(folder, "a", 80)
    await acknowledged(writer, 5)
    before = graph.status(folder)
    assert before.engine_pid is not None
    os.kill(before.engine_pid, signal.SIGKILL)
    _, error = await writer.communicate()
    assert (writer.returncode, error) == (0, b"")
    async with open_store(folder, {}) as store:
        runs, edges, revision = await counts(store)
        assert (runs, edges) == (80 * (1 + EXTRA), 80 * (1 + EXTRA))
        assert revision == 80
        after = graph.status(folder)
        assert (after.supervisor_pid, after.bolt_port) == (before.supervisor_pid, before.bolt_port)


async def test_a_writer_killed_in_mid_write_leaves_whole_writes_and_no_lock(folder: Path) -> None:
    writer = await start_writer(folder, "a", 1000)
    await acknowledged(writer, 10)
    writer.kill()
    await writer.communicate()
    again = await start_writer(folder, "a", 15)
    _, error = await again.communicate()
    assert (again.returncode, error) == (0, b"")
    async with open_store(folder, {}) as store:
        runs, edges, revision = await counts(store)
        assert runs == edges == revision * (1 + EXTRA)
        assert revision >= 15


async def test_a_supervisor_killed_takes_the_engine_along_and_open_stores_find_the_next(
    folder: Path,
) -> None:
    async with open_store(folder, {}) as store:
        before = graph.status(folder)
        assert before.supervisor_pid is not None
        os.kill(before.supervisor_pid, signal.SIGKILL)
        await ended(before.supervisor_pid)
        await ended(before.engine_pid)
        assert (await store.health()).ok
        async with open_store(folder, {}) as other:
            assert (await other.health()).ok
        after = graph.status(folder)
        assert after.supervisor_pid != before.supervisor_pid
        assert after.bolt_port == before.bolt_port


async def test_an_engine_whose_last_user_and_supervisor_were_killed(folder: Path) -> None:
    writer = await start_writer(folder, "a", 1000)
    await acknowledged(writer, 3)
    before = graph.status(folder)
    assert before.supervisor_pid is not None
    writer.kill()
    os.kill(before.supervisor_pid, signal.SIGKILL)
    await writer.communicate()
    await ended(before.engine_pid)
    assert graph.status(folder) == graph.EngineStatus(running=False)
    async with open_store(folder, {}) as store:
        runs, edges, revision = await counts(store)
        assert runs == edges == revision * (1 + EXTRA)
        assert revision >= 3


async def test_an_orphan_of_a_killed_supervisor_is_ended_by_the_next(folder: Path) -> None:
    """Where the kernel does not end it: the engine is found by its pid and its command line."""
    directory = DataDir.open(folder)
    orphan = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import time; time.sleep(60)", str(directory.engine)
    )
    bystander = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(60)")
    directory.write_engine_pid(bystander.pid)
    engine_process.end_orphan(directory)
    assert bystander.returncode is None
    directory.write_engine_pid(orphan.pid)
    reaped = asyncio.create_task(orphan.wait())
    await asyncio.to_thread(engine_process.end_orphan, directory)
    assert await reaped == -signal.SIGKILL
    bystander.kill()
    await bystander.wait()


async def test_a_user_who_comes_while_the_engine_ends_gets_a_fresh_one(folder: Path) -> None:
    for _ in range(2):
        async with open_store(folder, {}) as store:
            status = graph.status(folder)
            assert (await store.health()).ok
        users = FileLock(folder / "users.lock")
        while users.try_acquire(shared=True):  # until the supervisor has begun to end the engine
            users.release()
            await asyncio.sleep(0.01)
            if graph.status(folder).engine_pid != status.engine_pid:
                break


async def test_rubbish_left_by_a_crash_is_no_obstacle(folder: Path) -> None:
    (folder / "engine").mkdir(parents=True)
    (folder / "endpoint.json").write_text('{"bolt_port": 1')
    (folder / "engine.pid").write_text("not a pid")
    (folder / "supervisor.lock").write_text("1")
    (folder / "users.lock").touch()
    async with open_store(folder, {}) as store:
        assert (await store.health()).ok


async def test_the_engine_ends_a_statement_that_runs_too_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATALOG_ENGINE_TIMEOUT_MS", "700")
    async with open_store(folder, {}) as store:
        with pytest.raises(TimedOut):
            await store.read(SLOW)
        assert (await store.health()).ok


async def test_a_platform_without_the_engine_is_told_what_to_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EngineUnavailable, match="NEO4J_URI"):
        async with open_store(folder, {}):
            pass
    assert not there(folder)


async def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineUnavailable) as raised:
        async with open_store(tmp_path / "file" / "data", {}):
            pass
    assert str(tmp_path) not in str(raised.value)
