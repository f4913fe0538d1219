"""The engines that tests run on: one object each, made once per session by the fixtures of conftest.py."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import graph
from catalog.ingest.pipeline import import_paths
from graph.engines import open_store
from graph.locks import FileLock
from graph.schema import SCHEMA_VERSION
from graph.store import Store, WriteTx

_COUNT: Final = "MATCH (n) WHERE NOT n:Catalog RETURN count(n) AS nodes"
_WIPE: Final = "MATCH (n) WHERE NOT n:Catalog WITH n LIMIT 1000 DETACH DELETE n RETURN count(*) AS nodes"
_CLEAR: Final = "MATCH (c:Catalog) SET c.revision = 0, c.schemaVersion = $version"


@dataclass
class Engine:
    """One engine: `environ` and `data_dir` are what a program would be given to use it."""

    name: str
    data_dir: Path | None
    environ: Mapping[str, str]
    _held: list[Path] = field(default_factory=list, init=False)

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        """A store of its own, on whatever the engine holds now."""
        async with open_store(self.data_dir, self.environ) as store:
            yield store

    async def reset(self) -> None:
        """Empty the catalog: no nodes, revision 0."""
        self._held = []
        async with open_store(self.data_dir, self.environ, prepare=False) as store:
            await _wipe(store)

    async def fill(self, paths: Sequence[Path]) -> None:
        """Let the catalog hold these files and nothing else. Tests that ask for a fill only read it.

        What it holds already from a fill before stays, where the list begins with it: large files go in once
        for all modules that follow each other and need them.
        """
        held = self._held
        if not held or held != list(paths[: len(held)]):
            await self.reset()
            held = []
        self._held = []
        async with self.store() as store:
            if rest := paths[len(held) :]:
                assert not (await import_paths(store, rest)).rejected
        self._held = list(paths)


class EmbeddedEngine(Engine):
    """The embedded engine on a folder of the session; kept running between tests by a lock of ours."""

    data_dir: Path

    def __init__(self, data_dir: Path) -> None:
        super().__init__("embedded", data_dir, {})
        self._users = FileLock(data_dir / "users.lock")

    def hold(self) -> None:
        self.data_dir.mkdir(parents=True, exist_ok=True)
        assert self._users.try_acquire(shared=True)

    def let_go(self) -> None:
        self._users.release()

    async def reset(self) -> None:
        self._held = []
        async with open_store(self.data_dir, self.environ, prepare=False) as store:
            small = (await store.read(_COUNT))[0]["nodes"] <= 500
            if small:
                await _wipe(store)
        if not small:  # this engine deletes slowly: a new folder is quicker
            self.let_go()
            await graph.stop(self.data_dir)
            await asyncio.to_thread(shutil.rmtree, self.data_dir)
            self.hold()


async def _wipe(store: Store) -> None:
    async def wipe(tx: WriteTx) -> int:
        rows = await tx.run(_WIPE)
        await tx.run(_CLEAR, version=SCHEMA_VERSION)
        return int(rows[0]["nodes"])

    await raw_write(store, _CLEAR, version=SCHEMA_VERSION)
    while await store.write(wipe):
        pass
    await store.ensure_schema()


async def raw_write(store: Store, statement: str, **params: Any) -> None:
    """One statement past `Store.write`, as somebody else would change the database by hand."""
    async with store._driver.session(database=store._settings.database) as session:
        await session.execute_write(_run, statement, params)


async def _run(tx: Any, statement: str, params: dict[str, Any]) -> None:
    await (await tx.run(statement, params)).consume()
