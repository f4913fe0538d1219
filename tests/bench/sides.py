"""Who answers the questions: the peer, the server with its caches off, half on and on, and the driver alone.

Every side is one process, and runs all the time; only one is asked at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import httpx

from tests.bench import peer
from tests.bench.places import HOST, Place, served
from tests.bench.questions import Question
from tests.bench.raw import Raw, raw
from tests.bench.wrk import Load, load

PEER: Final = "peer"
BARE: Final = "bare"
COLD: Final = "cold"
WARM: Final = "warm"
RAW: Final = "raw"

CACHES: Final = {BARE: "off", COLD: "entities", WARM: "answers"}
"""Side of ours -> what CATALOG_CACHE is."""

ASKED_AT_ONCE: Final = 4
"""While answers are compared."""


class Side(Protocol):
    """One who answers."""

    @property
    def pid(self) -> int:
        """Its process."""

    async def answers(self, question: Question) -> list[Any]:
        """For each variant what must be equal on all sides."""

    async def load(self, question: Question, clients: int, seconds: float) -> Load:
        """So many clients ask the variants in turn."""


@dataclass(frozen=True, slots=True)
class Http:
    """`catalog serve`, or the peer."""

    url: str
    pid: int
    peer: bool = False

    async def answers(self, question: Question) -> list[Any]:
        told = question.peer.told if self.peer and question.peer else question.told
        return [told(data) for data in await _asked(self.url, self._bodies(question))]

    async def load(self, question: Question, clients: int, seconds: float) -> Load:
        return await load(self.url, self._bodies(question), clients, seconds)

    def _bodies(self, question: Question) -> list[str]:
        return question.peer_bodies() if self.peer else question.bodies()


@dataclass(frozen=True, slots=True)
class Driver:
    """The driver alone."""

    process: Raw

    @property
    def pid(self) -> int:
        return self.process.pid

    async def answers(self, question: Question) -> list[Any]:
        params = [variant.params for variant in question.variants]
        return [question.found(rows) for rows in await self.process.rows(question.cypher, params)]

    async def load(self, question: Question, clients: int, seconds: float) -> Load:
        params = [variant.params for variant in question.variants]
        return await self.process.load(question.cypher, params, clients, seconds)


@asynccontextmanager
async def sides(place: Place, *, with_peer: bool) -> AsyncIterator[dict[str, Side]]:
    """All of them by name, in the order in which they are asked."""
    async with AsyncExitStack() as running:
        made: dict[str, Side] = {}
        if with_peer:
            made[PEER] = Http(*await running.enter_async_context(peer.serving(place)), peer=True)
        for name, cache in CACHES.items():
            port, pid = await running.enter_async_context(served(place, CATALOG_CACHE=cache))
            made[name] = Http(f"http://{HOST}:{port}/graphql", pid)
        made[RAW] = Driver(await running.enter_async_context(raw(place)))
        yield made


async def _asked(url: str, bodies: Sequence[str]) -> list[Any]:
    """The data of each answer. Raises RuntimeError for one with errors."""
    headers = {"content-type": "application/json"}
    turn = asyncio.Semaphore(ASKED_AT_ONCE)
    async with httpx.AsyncClient(timeout=60, headers=headers) as client:

        async def ask(body: str) -> Any:
            async with turn:
                answer = (await client.post(url, content=body)).json()
            if "errors" in answer:
                raise RuntimeError(f"{answer['errors']!s:.500} for {body:.500}")
            return answer["data"]

        return await asyncio.gather(*map(ask, bodies))
