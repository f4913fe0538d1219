"""A small real application over the HTTP layer: a Strawberry schema, a probe and two manifests of its own."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import strawberry
from graphql import GraphQLError
from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from catalog.server.app import create_app
from catalog.server.consistency import Revisions
from catalog.server.metrics import Metrics
from catalog.server.probe import Overview
from catalog.server.settings import Settings
from catalog.server.spans import Tracing


@dataclass(frozen=True, slots=True)
class Explained:
    """How the sample explains an exception of its own."""

    code: str
    message: str
    extensions: Mapping[str, Any] = field(default_factory=dict)


class StoreDownError(Exception):
    """What the sample's store raises."""


class NoSuchBoardError(Exception):
    """What the sample's own code raises."""


def explain(error: Exception) -> Explained | None:
    match error:
        case StoreDownError():
            return Explained("SERVICE_UNAVAILABLE", "The store can't be reached.")
        case NoSuchBoardError():
            return Explained("AMBIGUOUS", "Several boards fit.", {"candidates": ["a", "b"]})
    return None


@strawberry.type
class Board:
    name: str

    @strawberry.field
    async def board(self) -> "Board":
        await asyncio.sleep(0)
        return self

    @strawberry.field
    def big(self) -> int:
        return 2**40

    @strawberry.field
    def secret(self) -> str | None:
        raise RuntimeError("MATCH (n) RETURN n")


@strawberry.federation.type(keys=["name"])
class Thing:
    """An entity that another graph refers to; finding it always fails."""

    name: str

    @classmethod
    def resolve_reference(cls, name: str) -> "Thing":
        raise RuntimeError(f"MATCH (n {{name: {name}}}) RETURN n; bolt://10.0.0.7:7687")


@strawberry.type
class Query:
    @strawberry.field
    def hello(self) -> str:
        return "world"

    @strawberry.field
    def echo(self, text: str = "?") -> str:
        return text

    @strawberry.field
    def board(self, name: str | None = None) -> Board | None:
        return Board(name=name or "jsd")

    @strawberry.field
    def secret(self) -> str | None:
        raise RuntimeError("MATCH (n) RETURN n; bolt://10.0.0.7:7687 /var/lib/catalog")

    @strawberry.field
    def required_secret(self) -> str:
        raise RuntimeError("MATCH (n) RETURN n")

    @strawberry.field
    def down(self) -> str | None:
        raise StoreDownError("bolt://10.0.0.7:7687")

    @strawberry.field
    def several(self) -> str | None:
        raise NoSuchBoardError

    @strawberry.field
    def plain_error(self) -> str | None:
        raise GraphQLError("MATCH (n) RETURN n")

    @strawberry.field
    def coded_error(self) -> str | None:
        raise GraphQLError("first: at most 100", extensions={"code": "BAD_USER_INPUT"})

    @strawberry.field
    def half_character(self) -> strawberry.scalars.JSON:
        return strawberry.scalars.JSON("\ud800")

    @strawberry.field
    def counted(self, info: strawberry.Info) -> int:
        """The revision, which may move on just then."""
        watch: Watch = info.context
        watch.executed += 1
        watch.opened = True
        if watch.moves:
            watch.moves -= 1
            watch.revision += 1
        return watch.revision

    @strawberry.field
    async def slow(self, info: strawberry.Info, seconds: float = 60.0) -> str:
        watch: Watch = info.context
        watch.started.set()
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            watch.cancelled += 1
            raise
        return "done"


@strawberry.type
class Mutation:
    @strawberry.mutation
    def change(self, info: strawberry.Info) -> int:
        watch: Watch = info.context
        watch.changes += 1
        return watch.changes


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, info: strawberry.Info, to: int = 3) -> AsyncGenerator[int, None]:
        watch: Watch = info.context
        watch.listeners += 1
        try:
            for number in range(1, to + 1):
                yield number
                await asyncio.sleep(0)
        finally:
            watch.listeners -= 1

    @strawberry.subscription
    async def silence(self, info: strawberry.Info) -> AsyncGenerator[Board, None]:
        watch: Watch = info.context
        watch.listeners += 1
        try:
            await asyncio.Event().wait()
            yield Board(name="never")
        finally:
            watch.listeners -= 1

    @strawberry.subscription
    async def flood(self, info: strawberry.Info, size: int) -> AsyncGenerator[str, None]:
        watch: Watch = info.context
        while True:
            watch.flooded += 1
            yield "x" * size

    @strawberry.subscription
    async def boards(self) -> AsyncGenerator[Board, None]:
        yield Board(name="one")
        yield Board(name="two")

    @strawberry.subscription
    async def breaks(self) -> AsyncGenerator[int, None]:
        yield 1
        raise RuntimeError("MATCH (n) RETURN n; bolt://10.0.0.7:7687")

    @strawberry.subscription
    async def unanswerable(self) -> AsyncGenerator[int, None]:
        yield 1
        yield 2**40
        yield 3

    @strawberry.subscription
    async def refuses(self) -> AsyncGenerator[int, None]:
        return refused()


def refused() -> AsyncGenerator[int, None]:
    raise NoSuchBoardError


@dataclass
class Watch:
    """What happened inside; also the context of every request."""

    started: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: int = 0
    changes: int = 0
    listeners: int = 0
    flooded: int = 0
    ready_error: Exception | None = None
    context_error: Exception | None = None
    revision: int = 7
    begun: int = 7
    """The revision at which the last request began."""
    opened: bool = False
    """Whether it has asked for that."""
    halted: int = 0
    """How often writers had to wait."""
    asked: int = 0
    """How often the revision was asked for."""
    executed: int = 0
    """How often `counted` was."""
    moves: int = 0
    """How often `counted` is overtaken by a write."""

    async def ready(self) -> Mapping[str, Any]:
        if self.ready_error is not None:
            raise self.ready_error
        return {"engine": "sample", "revision": self.revision}

    async def version(self, context: "Watch") -> str:
        assert context is self
        if self.context_error is not None:
            raise self.context_error
        self.asked += not self.opened
        self.opened = True
        return str(self.begun)

    async def holds(self, context: "Watch") -> bool:
        assert context is self
        self.asked += self.opened
        return self.begun == self.revision

    async def without_writes(self, _context: "Watch", work: Callable[[], Awaitable[Any]]) -> Any:
        self.moves, self.halted = 0, self.halted + 1
        return await work()

    async def overview(self) -> Overview:
        if self.ready_error is not None:
            raise self.ready_error
        return Overview("sample", "1.0", 7, [("BenchmarkRun", 1649), ("ComparisonGroup", 808)])

    async def context(self, _request: HTTPConnection) -> "Watch":
        if self.context_error is not None:
            raise self.context_error
        self.begun, self.opened = self.revision, False
        return self


schema = strawberry.federation.Schema(
    query=Query, mutation=Mutation, subscription=Subscription, types=[Thing]
)

REQUEST_ID = "r-1"
"""What the tests' client calls each of its requests."""

MANIFEST = b'{"apiVersion":"kernelindex.dev/v1alpha1","kind":"OperationSpec","spec":{"family":"loss"}}'
DIGEST = "sha256:" + sha256(MANIFEST).hexdigest()
TWINS = {"sha256:" + "ab" * 31 + end: f'{{"twin":"{end}"}}'.encode() for end in ("01", "02")}
STORED = {DIGEST: MANIFEST, **TWINS}


async def find_manifests(wanted: str) -> Mapping[str, bytes]:
    if wanted == "sha256:" + "dead" * 2:
        raise StoreDownError("bolt://10.0.0.7:7687")
    if wanted == "sha256:" + "beef" * 2:
        raise RuntimeError("bolt://10.0.0.7:7687")
    return {digest: body for digest, body in STORED.items() if digest.startswith(wanted)}


def make_app(
    watch: Watch | None = None,
    settings: Settings | None = None,
    metrics: Metrics | None = None,
    tracing: Tracing | None = None,
) -> Starlette:
    watch = watch or Watch()
    return create_app(
        schema=schema,
        context_factory=watch.context,
        store_probe=watch,
        manifest_bytes=find_manifests,
        map_error=explain,
        settings=settings or Settings(),
        revisions=Revisions(watch.version, watch.holds, watch.without_writes),
        metrics=metrics,
        tracing=tracing,
    )


def factory() -> Starlette:
    """For a server process."""
    return make_app()
