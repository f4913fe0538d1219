"""One way to the database: reads, writes, revision, schema, health, over the async Bolt driver.

Reads are routed as reads, writes as writes; both are managed transactions with the driver's retries and
share one bookmark manager, so a reader sees what the same Store wrote. Every write raises the catalog
revision *first*: that takes the lock which orders writers. Every driver error leaves as a StoreError.
Statements come by name from the query modules; this one runs them and knows no schema.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass
from typing import Any, Final, NoReturn, Protocol, TypeVar, cast

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    AsyncSession,
    NotificationMinimumSeverity,
    Query,
    unit_of_work,
)
from neo4j.exceptions import DriverError, IncompleteCommit, Neo4jError, ServiceUnavailable, SessionExpired

from graph import ddl, queries, textindex
from graph.begun import Asked, Begun
from graph.driver_errors import from_driver, is_conflict
from graph.errors import Conflict, QueryFailed, SchemaTooNew, StoreError, TimedOut, Unavailable
from graph.names import ByKey
from graph.schema import CATALOG_ID, SCHEMA_VERSION
from graph.textindex import EMBEDDED

__all__ = ["ConnectionSettings", "EngineInfo", "Health", "Reader", "Store", "WriteTx"]

T = TypeVar("T")
Row = dict[str, Any]
RunSql = Callable[[str], Awaitable[None]]
Observe = Callable[[str], AbstractContextManager[Any]]
"""Given a statement, makes a context that is held while it runs; names.py knows what it is called."""

_CONFLICT_RETRIES: Final = 6
_GRACE: Final = 1.0
# Without a handler the driver's warnings, which name the host, would go to standard error.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

_UNSENDABLE: Final = (ValueError, TypeError, OverflowError)


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """Where the database is and how long to wait for it; times in seconds.

    `database` None is the server's default database.
    """

    uri: str
    username: str | None = None
    password: str | None = None
    database: str | None = None
    read_timeout: float = 30.0
    write_timeout: float = 120.0
    connect_timeout: float = 10.0
    acquire_timeout: float = 15.0
    read_retry_time: float = 5.0
    write_retry_time: float = 45.0
    concurrent_reads: int = 16
    pool_size: int = 50

    def __repr__(self) -> str:
        return "ConnectionSettings(…)"


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Which engine answers: name as shown to users ('neo4j' or 'arcadedb') and its version."""

    name: str
    version: str

    @property
    def server(self) -> bool:
        """Whether it gives sorted lists in the order of an index, and counts while it writes: Neo4j does."""
        return self.name != EMBEDDED


class Reader(Protocol):
    """The reading side of a store."""

    engine: EngineInfo

    async def read(self, statement: str, **params: Any) -> list[Row]:
        """Rows of one statement, as :meth:`Store.read` gives them."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the database answered, in how many seconds, and at which revision; else the error's code."""

    ok: bool
    seconds: float
    revision: int | None = None
    code: str | None = None


class _Abandoned(Exception):  # noqa: N818 - not an error: it ends a transaction without writing
    def __init__(self, value: Any) -> None:
        super().__init__("abandoned")
        self.value = value


class WriteTx:
    """A write transaction in progress, given to the work of `Store.write`."""

    __slots__ = ("_send", "previous", "revision")

    def __init__(self, send: Callable[[str, dict[str, Any]], Awaitable[list[Row]]], revision: int) -> None:
        self._send = send
        self.revision = revision
        """The revision this transaction makes."""
        self.previous = revision - 1
        """The revision it started from."""

    async def run(self, statement: str, **params: Any) -> list[Row]:
        """Run one statement and return its rows as plain mappings.

        Whatever it raises must leave the work: the transaction is lost then.
        """
        return await self._send(statement, params)

    def abandon(self, value: Any = None) -> NoReturn:
        """Write nothing: roll back, leave the revision as it was; `Store.write` returns `value`."""
        raise _Abandoned(value)


class Store:
    """An open catalog graph. Made by `Store.connect` or `graph.open_store`; safe to share between tasks."""

    def __init__(
        self,
        driver: AsyncDriver,
        settings: ConnectionSettings,
        engine: EngineInfo,
        writer: Callable[[], AbstractAsyncContextManager[None]] | None = None,
        run_sql: RunSql | None = None,
    ) -> None:
        self._driver = driver
        self._settings = settings
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        self._writer = writer or nullcontext
        self._run_sql = run_sql
        self._begun = Begun(settings.concurrent_reads)
        self.engine = engine
        self.statements = 0
        """Statements sent so far, DDL included."""
        self.observe: Observe = nullcontext
        """Watches every statement; each attempt counts, and what fails leaves the context as an exception."""

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        settings: ConnectionSettings,
        *,
        writer: Callable[[], AbstractAsyncContextManager[None]] | None = None,
        run_sql: RunSql | None = None,
    ) -> AsyncIterator["Store"]:
        """Open a store on a running server; the connections close with the context.

        `writer` makes a context manager held around each write, where the engine takes one writer at a time.
        `run_sql` runs a statement in the engine's own language, where that is how it makes full-text indexes.
        Raises Unavailable, AuthFailed.
        """
        with _mapped(ValueError, OSError):
            driver = AsyncGraphDatabase.driver(
                settings.uri,
                auth=(settings.username, settings.password or "") if settings.username else None,
                connection_timeout=settings.connect_timeout,
                connection_acquisition_timeout=settings.acquire_timeout,
                max_transaction_retry_time=settings.read_retry_time,
                max_connection_pool_size=settings.pool_size,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
                user_agent="kernel-catalog",
            )
        async with driver:
            with _mapped(ValueError, OSError):
                info = await driver.get_server_info()
            store = cls(driver, settings, _engine_info(info.agent), writer, run_sql)
            try:
                yield store
            finally:
                await store._begun.settle()

    async def read(self, statement: str, **params: Any) -> list[Row]:
        """Rows of one statement, in a read transaction; it counts as failed after the read timeout.

        It may be cancelled at any time. Raises TimedOut, Unavailable, QueryFailed.
        """
        return await self._begun.finish(lambda asked: self._read(statement, params, asked))

    async def _read(self, statement: str, params: dict[str, Any], asked: Asked) -> list[Row]:
        """A transaction of its own makes the statement wait for its begin and its commit, so it first goes
        without; what may be tried again is, in a managed one."""
        limit = self._settings.read_timeout

        @unit_of_work(timeout=limit)
        async def unit(tx: AsyncManagedTransaction) -> list[Row]:
            asked.connected = True
            if asked.abandoned:
                return []
            return await self._rows(tx.run, statement, self._sent(statement), params, limit)

        with _mapped(ValueError, OSError):
            async with self._session(READ_ACCESS) as session:
                try:
                    query = Query(self._sent(statement), timeout=limit)
                    return await self._rows(session.run, statement, query, params, limit, asked)
                except (Neo4jError, DriverError) as error:
                    if not error.is_retryable():
                        raise
                    asked.connected = False
                return await session.execute_read(unit)

    async def write(self, work: Callable[[WriteTx], Awaitable[T]]) -> T:
        """Run `work` in one write transaction that has raised the revision first; all or nothing is kept.

        `work` may be run again, from the start, after a conflict or a lost connection — also when it is not
        known whether the first attempt was committed. So it decides from what it reads in the transaction.
        `tx.abandon(value)` writes nothing and leaves the revision. What `work` raises rolls back.
        Raises Conflict, TimedOut, Unavailable, SchemaTooNew, QueryFailed.
        """

        limit = self._settings.write_timeout

        @unit_of_work(timeout=limit)
        async def unit(tx: AsyncManagedTransaction) -> T:
            async def send(statement: str, params: dict[str, Any]) -> list[Row]:
                return await self._rows(tx.run, statement, self._sent(statement), params, limit)

            params = {"id": CATALOG_ID, "schemaVersion": SCHEMA_VERSION}
            [catalog] = await send(queries.RAISE_REVISION, params)
            _check_version(catalog["schemaVersion"])
            return await work(WriteTx(send, catalog["revision"]))

        try:
            return await self._managed_write(unit)
        except _Abandoned as abandoned:
            return cast(T, abandoned.value)

    async def without_writes(self, work: Callable[[], Awaitable[T]]) -> T:
        """The outcome of `work`, which reads, while writers wait; it may be run again as that of `write`.

        Raises what `write` raises, whatever may not write included.
        """

        async def unit(tx: WriteTx) -> T:
            tx.abandon(await work())

        return await self.write(unit)

    async def revision(self) -> int:
        """The number of the last committed write; 0 for an empty catalog."""
        rows = await self.read(queries.CATALOG, id=CATALOG_ID)
        return int(rows[0]["revision"]) if rows else 0

    async def ensure_schema(self) -> None:
        """Create what is missing of constraints and indexes. SchemaTooNew for a later release's graph."""
        rows = await self.read(queries.CATALOG, id=CATALOG_ID)
        if rows:
            _check_version(rows[0]["schemaVersion"])
            if rows[0]["schemaMark"] == ddl.MARK:
                return
        params = {"id": CATALOG_ID, "schemaVersion": SCHEMA_VERSION, "schemaMark": ddl.MARK}
        await self._define([(statement, {}) for statement in ddl.STATEMENTS])
        await self._define_indexes()
        await self._define([(queries.CREATE_CATALOG, params)])

    async def health(self) -> Health:
        """One round trip. Never raises a StoreError: a failure is part of the answer."""
        started = time.perf_counter()
        try:
            revision = await self.revision()
        except StoreError as error:
            return Health(False, time.perf_counter() - started, code=error.code)
        return Health(True, time.perf_counter() - started, revision)

    async def _define_indexes(self) -> None:
        if self._run_sql is None:
            for statement in ddl.SERVER_STATEMENTS:
                await self._define([(statement, {})])
            return
        async with self._writer():
            for statement in textindex.SQL:
                await self._run_sql(statement)

    async def _define(self, statements: Sequence[tuple[str, dict[str, Any]]]) -> None:
        async def unit(tx: AsyncManagedTransaction) -> None:
            for statement, params in statements:
                await self._rows(tx.run, statement, statement, params, self._settings.write_timeout)

        await self._managed_write(unit)

    async def _managed_write(self, unit: Callable[[AsyncManagedTransaction], Awaitable[T]]) -> T:
        """A write is worth more patience than a read: an engine that died is back within seconds."""
        deadline = time.monotonic() + self._settings.write_retry_time
        attempt = 0
        with _mapped():
            while True:
                try:
                    async with self._writer(), self._session(WRITE_ACCESS) as session:
                        return await session.execute_write(unit)
                except (ServiceUnavailable, SessionExpired):
                    if time.monotonic() > deadline:
                        raise
                except (Neo4jError, IncompleteCommit) as error:
                    if not (is_conflict(error) or isinstance(error, IncompleteCommit)):
                        raise
                    attempt += 1
                    if attempt == _CONFLICT_RETRIES:
                        raise Conflict from error
                await asyncio.sleep(min(0.02 * 2**attempt, 1.0))

    def _session(self, mode: str) -> AsyncSession:
        return self._driver.session(
            database=self._settings.database, default_access_mode=mode, bookmark_manager=self._bookmarks
        )

    def _sent(self, statement: str) -> str:
        """Neo4j plans a statement again whenever the graph has grown; that of a known one it need not."""
        return (
            f"CYPHER replan=skip {statement}"
            if self.engine.server and isinstance(statement, ByKey)
            else statement
        )

    async def _rows(
        self,
        run: Callable[..., Awaitable[AsyncResult]],
        statement: str,
        query: str | Query,
        params: dict[str, Any],
        limit: float,
        asked: Asked | None = None,
    ) -> list[Row]:
        self.statements += 1
        try:
            # The server's own limit ends the statement. This one is a little later and holds where the
            # server has none, or has stopped answering.
            with self.observe(statement):
                async with asyncio.timeout(limit + _GRACE):
                    result = await run(query, params)
                    if asked is not None:
                        asked.connected = True
                        if asked.abandoned:
                            return []
                    names = result.keys()  # statements return plain values and maps, so rows need no walking
                    return [dict(zip(names, record.values(), strict=True)) async for record in result]
        except TimeoutError as error:
            raise TimedOut from error
        except _UNSENDABLE as error:
            raise QueryFailed from error


@contextmanager
def _mapped(*unusable: type[Exception]) -> Iterator[None]:
    """Driver errors become ours; so do others that, where no caller's code runs, mean a bad address."""
    try:
        yield
    except unusable as error:
        raise Unavailable from error
    except (Neo4jError, DriverError) as error:
        raise from_driver(error) from error


def _check_version(found: int) -> None:
    if found > SCHEMA_VERSION:
        raise SchemaTooNew(found, SCHEMA_VERSION)


def _engine_info(agent: str) -> EngineInfo:
    """From 'Neo4j/5.26.12' or 'Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)'."""
    if "ArcadeDB" in agent:
        return EngineInfo(EMBEDDED, agent.partition("ArcadeDB ")[2].rstrip(")"))
    return EngineInfo("neo4j", agent.partition("/")[2])
