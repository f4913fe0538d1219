"""The driver alone, in a process of its own: `python -m tests.bench.raw`, told by lines of JSON.

The first line is the address of a database. Every other one is a statement with lists of parameters, to be
sent by so many clients in turn for so many seconds, or once each when their rows are wanted.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any, Final

from neo4j import READ_ACCESS, AsyncDriver

from tests.bench.places import Place, address, driver_at
from tests.bench.questions.question import Params, Row
from tests.bench.wrk import Load

LINE_LIMIT: Final = 256 * 1024 * 1024
"""Bytes of one line between the processes: the rows of all variants."""


class Raw:
    """The process, from outside."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    async def rows(self, statement: str, params: Sequence[Params]) -> list[list[Row]]:
        """What the statement gives for each of these parameters."""
        found: list[list[Row]] = await self._ask(statement=statement, params=params)
        return found

    async def load(self, statement: str, params: Sequence[Params], clients: int, seconds: float) -> Load:
        """As :func:`tests.bench.wrk.load`; the time is that to the last value of the answer."""
        return Load(**await self._ask(statement=statement, params=params, clients=clients, seconds=seconds))

    async def say(self, **line: Any) -> None:
        """Give the process a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")
        await self._process.stdin.drain()

    async def _ask(self, **line: Any) -> Any:
        await self.say(**line)
        assert self._process.stdout is not None
        answer = await self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the driver's process ended")
        return json.loads(answer)


@asynccontextmanager
async def raw(place: Place) -> AsyncIterator[Raw]:
    """The driver alone, on the database of a place."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE_LIMIT,
    )
    try:
        made = Raw(process)
        await made.say(**address(place.store))
        yield made
    finally:
        process.terminate()
        await process.wait()


async def _load(
    driver: AsyncDriver, database: str, statement: str, params: Sequence[Params], clients: int, seconds: float
) -> Load:
    turns = itertools.cycle(params)
    milliseconds: list[float] = []
    started = time.perf_counter()

    async def client() -> None:
        async with driver.session(database=database, default_access_mode=READ_ACCESS) as session:
            while (sent := time.perf_counter()) < started + seconds:
                await (await session.run(statement, next(turns))).values()
                milliseconds.append(1000 * (time.perf_counter() - sent))

    await asyncio.gather(*(client() for _ in range(clients)))
    took = time.perf_counter() - started
    cuts = statistics.quantiles(milliseconds, n=100, method="inclusive")
    return Load(len(milliseconds), took, 0, cuts[49], cuts[94], cuts[98])


async def _rows(
    driver: AsyncDriver, database: str, statement: str, params: Sequence[Params]
) -> list[list[Row]]:
    async with driver.session(database=database, default_access_mode=READ_ACCESS) as session:
        return [await (await session.run(statement, each)).data() for each in params]


async def main() -> None:
    """Work through the lines of the input until it ends."""
    where = json.loads(sys.stdin.readline())
    async with driver_at(where) as driver:
        while line := await asyncio.to_thread(sys.stdin.readline):
            job = json.loads(line)
            if "clients" in job:
                said: Any = asdict(await _load(driver, where["database"], **job))
            else:
                said = await _rows(driver, where["database"], **job)
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
