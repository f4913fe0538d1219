"""Clients in a process of their own: `python -m tests.bench.load`, told by lines of JSON.

The first line says where to ask: host and port of a server, or address of a database. Every other line is a
list of requests; eight clients share them, each taking the next as soon as it has an answer, and a line of
the output tells how long each took. Connections are kept from line to line.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from neo4j import RoutingControl

from tests.bench.places import driver_at

CLIENTS: Final = 8

Request = dict[str, Any]
Send = Callable[[Request], Awaitable[Any]]
"""Sends a request and gives the whole answer; raises for one that is an error."""


@dataclass(slots=True)
class Outcome:
    """Milliseconds of every request that was answered, seconds for all, errors; answers if asked for."""

    seconds: float = 0.0
    milliseconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)


async def load(clients: list[Send], requests: list[Request], *, keep: bool) -> Outcome:
    """Send all requests by these clients at once."""
    outcome = Outcome(answers=[None] * len(requests) if keep else [])
    waiting = iter(enumerate(requests))
    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for send in clients:
            group.create_task(_client(send, waiting, outcome, keep=keep))
    outcome.seconds = time.perf_counter() - started
    return outcome


async def _client(
    send: Send, waiting: Iterator[tuple[int, Request]], outcome: Outcome, *, keep: bool
) -> None:
    for place, request in waiting:
        started = time.perf_counter()
        try:
            answer = await send(request)
        except Exception as error:  # whatever it is, it is counted and shown
            outcome.errors.append(f"{type(error).__name__}: {error}")
            continue
        outcome.milliseconds.append(1000 * (time.perf_counter() - started))
        if keep:
            outcome.answers[place] = answer


class HttpClient:
    """One connection that is kept, and no more of HTTP than it takes to ask: no library is measured."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, request: Request) -> Any:
        """POST a GraphQL request; the whole answer, not parsed."""
        if self._streams is not None and self._streams[0].at_eof():  # idle for so long that the server let go
            self._streams[1].close()
            self._streams = None
        reader, writer = self._streams or await asyncio.open_connection(self._host, self._port)
        self._streams = None  # kept again when all went well
        body = json.dumps(request).encode()
        head = (
            f"POST /graphql HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().splitlines()
        [length] = [line.partition(":")[2] for line in lines if line.startswith("content-length:")]
        text = await reader.readexactly(int(length))
        self._streams = reader, writer
        if status.split()[1] != "200" or b'"errors":' in text:
            raise RuntimeError(f"{status}: {text[:500]!r}")
        return text


@asynccontextmanager
async def _http(target: dict[str, Any]) -> AsyncIterator[list[Send]]:
    yield [HttpClient(target["host"], target["port"]).send for _ in range(CLIENTS)]


@asynccontextmanager
async def _bolt(target: dict[str, Any]) -> AsyncIterator[list[Send]]:
    async with driver_at(target) as driver:

        async def send(request: Request) -> list[dict[str, Any]]:
            found = await driver.execute_query(
                request["cypher"],
                request["params"],
                database_=target["database"],
                routing_=RoutingControl.READ,
            )
            return [record.data() for record in found.records]

        yield [send] * CLIENTS


async def main() -> None:
    """Work through the lines of the input until it ends."""
    target = json.loads(sys.stdin.readline())
    async with (_http if "port" in target else _bolt)(target) as clients:
        while line := await asyncio.to_thread(sys.stdin.readline):
            job = json.loads(line)
            outcome = await load(clients, job["requests"], keep=job["keep"])
            outcome.answers = [json.loads(a)["data"] if isinstance(a, bytes) else a for a in outcome.answers]
            print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
