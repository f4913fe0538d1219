"""What a Store promises, on both engines."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph import driver_errors
from graph.engines import open_store
from graph.errors import AuthFailed, QueryFailed, StoreError, TimedOut, Unavailable
from graph.store import ConnectionSettings, EngineInfo, Store, WriteTx
from tests.engines import Engine

VALUES = [
    0,
    -1,
    2**53 - 1,
    34_822_486_568,
    3_000_000_000_000_000,
    2**63 - 1,
    -(2**63),
    1e-7,
    333333333.3333333,
    1e21,
    219.81,
    True,
    "",
    "µs · ×  \U0001f600 e\u0301 \x00end",
    "x" * 1_000_000,
    ["b", "a", "b"],
    [2**53 - 1, 1],
    [],
]

SLOW = """
UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c
WITH a + b + c AS n WHERE n % 7 = 3 RETURN sum(n) AS total
"""


async def test_a_new_catalog_is_at_revision_0(store: Store) -> None:
    assert await store.revision() == 0


async def test_the_engine_gives_its_name_and_version(engine: Engine, store: Store) -> None:
    name = {"embedded": "arcadedb", "neo4j": "neo4j"}[engine.name]
    assert store.engine == EngineInfo(name, store.engine.version)
    assert store.engine.version.split(".")[0].isdigit()


async def test_a_write_raises_the_revision_and_sees_both_numbers(store: Store) -> None:
    async def work(tx: WriteTx) -> tuple[int, int]:
        return tx.previous, tx.revision

    assert [await store.write(work) for _ in range(3)] == [(0, 1), (1, 2), (2, 3)]
    assert await store.revision() == 3


async def test_concurrent_writers_commit_in_the_order_of_their_revisions(
    engine: Engine, store: Store
) -> None:
    """Each writer counts what is there: as many nodes as the revision it started from."""

    async def work(tx: WriteTx) -> tuple[int, int]:
        [row] = await tx.run("MATCH (n:Run) RETURN count(n) AS seen")
        await asyncio.sleep(0.005)
        await tx.run("CREATE (:Run {digest: $key})", key=f"run {tx.revision}")
        return tx.previous, row["seen"]

    async def writer(own: Store) -> list[tuple[int, int]]:
        return [await own.write(work) for _ in range(5)]

    async with engine.store() as other:
        seen = await asyncio.gather(*(writer((store, other)[n % 2]) for n in range(8)))
    assert sorted(pair for pairs in seen for pair in pairs) == [(n, n) for n in range(40)]


async def test_concurrent_merges_of_one_key_make_one_node(store: Store) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run(
            "MERGE (n:Operation {digest: 'same'}) ON CREATE SET n.times = 0 SET n.times = n.times + 1"
        )

    await asyncio.gather(*(store.write(work) for _ in range(10)))
    assert await store.read("MATCH (n:Operation) RETURN n.times AS times") == [{"times": 10}]


async def test_abandon_writes_nothing_and_returns_its_value(store: Store) -> None:
    async def work(tx: WriteTx) -> str:
        await tx.run("CREATE (:Run {digest: 'gone'})")
        tx.abandon("nothing new")

    assert await store.write(work) == "nothing new"
    assert await store.revision() == 0
    assert await store.read("MATCH (n:Run) RETURN n.digest AS digest") == []


async def test_what_the_work_raises_comes_out_as_it_is_and_rolls_back(store: Store) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run("CREATE (:Run {digest: 'gone'})")
        raise ValueError("of the caller")

    with pytest.raises(ValueError, match="of the caller"):
        await store.write(work)
    assert await store.revision() == 0
    assert await store.read("MATCH (n:Run) RETURN n.digest AS digest") == []


async def test_another_store_sees_what_was_written(engine: Engine, store: Store) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run("CREATE (:Run {digest: 'a'})")

    await store.write(work)
    async with engine.store() as other:
        assert await other.read("MATCH (n:Run) RETURN n.digest AS digest") == [{"digest": "a"}]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
async def test_values_come_back_exactly(store: Store, value: Any) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run("CREATE (:Run {digest: 'a', value: $value})", value=value)

    await store.write(work)
    [row] = await store.read("MATCH (n:Run {digest: 'a'}) RETURN n.value AS value")
    assert (row["value"], type(row["value"])) == (value, type(value))


@pytest.mark.parametrize("value", [2**63, object(), "\ud800"], ids=["2^63", "object", "surrogate"])
async def test_a_value_that_cannot_be_sent_is_refused(store: Store, value: Any) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run("CREATE (:Run {digest: 'a', value: $value})", value=value)

    with pytest.raises(QueryFailed):
        await store.write(work)
    with pytest.raises(QueryFailed):
        await store.read("RETURN $value AS value", value=value)
    assert await store.revision() == 0


async def test_statements_are_counted(store: Store) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run("MERGE (:Run {digest: 'a'})")

    before = store.statements
    await store.read("RETURN 1 AS one")
    await store.write(work)
    assert store.statements - before == 3


async def test_a_wrong_statement_is_a_fault_of_ours_and_shows_nothing(store: Store) -> None:
    async def work(tx: WriteTx) -> None:
        await tx.run("MATCH (secret RETURN")

    for attempt in (store.read("MATCH (secret RETURN"), store.write(work)):
        with pytest.raises(QueryFailed) as raised:
            await attempt
        assert "secret" not in str(raised.value)
    assert await store.revision() == 0


async def test_a_slow_statement_times_out_and_the_store_goes_on(store: Store) -> None:
    settings = _settings(store, read_timeout=0.5)
    async with Store.connect(settings) as hurried:
        with pytest.raises(TimedOut):
            await hurried.read(SLOW)
        assert await hurried.read("RETURN 1 AS one") == [{"one": 1}]
    assert (await store.health()).ok


async def test_the_environment_sets_how_long_a_statement_may_take(engine: Engine) -> None:
    environ = {**engine.environ, "STATEMENT_TIMEOUT": "1"}
    async with open_store(engine.data_dir, environ, prepare=False) as hurried:
        with pytest.raises(TimedOut):
            await hurried.read(SLOW)
        assert await hurried.read("RETURN 1 AS one") == [{"one": 1}]


@pytest.mark.parametrize("seconds", ["0", "-1", "soon", "nan", "3601"])
async def test_a_time_that_is_none(seconds: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=f"STATEMENT_TIMEOUT='{seconds}': a number of seconds"):
        async with open_store(tmp_path, {"STATEMENT_TIMEOUT": seconds}):
            pass


async def test_cancelled_readers_leave_the_store_usable(store: Store) -> None:
    readers = [asyncio.create_task(store.read("UNWIND range(1, 200000) AS a RETURN a")) for _ in range(40)]
    await asyncio.sleep(0.1)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    async with asyncio.timeout(5):
        assert await store.read("RETURN 1 AS one") == [{"one": 1}]


async def test_health_tells_revision_or_code(store: Store) -> None:
    healthy = await store.health()
    assert (healthy.ok, healthy.revision, healthy.code) == (True, 0, None)


async def test_wrong_credentials(embedded: Engine) -> None:
    async with embedded.store() as store:
        settings = _settings(store, password="wrong")
        with pytest.raises(AuthFailed):
            async with Store.connect(settings):
                pass


async def test_nobody_there(unused_tcp_port: int) -> None:
    with pytest.raises(Unavailable) as raised:
        async with open_store(None, {"NEO4J_URI": f"bolt://127.0.0.1:{unused_tcp_port}"}):
            pass
    assert "127.0.0.1" not in str(raised.value)


@pytest.mark.parametrize("uri", ["nonsense", "http://localhost:7474", "bolt://localhost:port"])
async def test_an_address_that_is_none(uri: str) -> None:
    with pytest.raises(StoreError):
        async with open_store(None, {"NEO4J_URI": uri}):
            pass


async def test_neither_server_nor_folder() -> None:
    with pytest.raises(StoreError, match="NEO4J_URI"):
        async with open_store(None, {}):
            pass


def _settings(store: Store, **changes: Any) -> ConnectionSettings:
    return replace(store._settings, **changes)


def test_conflicts_are_what_is_done_again() -> None:
    assert not driver_errors.is_conflict(ValueError())
