"""How long the first answers take: at a new revision, and of a server that was just started."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import time
from typing import Final

from neo4j import READ_ACCESS

import graph
from graph.store import WriteTx
from tests.bench.matrix import RANKED
from tests.bench.measuring import Line
from tests.bench.places import HOST, START_TIMEOUT, Place, bare_driver, served, started
from tests.bench.questions import QUESTIONS, Question

FIRST: Final = "first answers"
SERVE: Final = "from the command `catalog serve`"
ATTEMPTS: Final = 0.02
"""Seconds between one and the next, while a server starts."""


async def measure(place: Place, rounds: int, repeats: int) -> list[Line]:
    """Ask the ranked query. In the end the embedded engine is stopped, and ``place`` is of no more use."""
    question = await QUESTIONS[RANKED](place.store)
    [body, *_] = question.bodies()
    running = Line(FIRST, f"{SERVE}, engine running", "s")
    running.ours = [await _from_start(place, body) for _ in range(rounds)]
    lines = [await _new_revision(place, question, repeats), running]
    if place.data_dir is not None:
        stopped = Line(FIRST, f"{SERVE}, engine stopped", "s", goal=4)
        for _ in range(rounds):
            await graph.stop(place.data_dir)
            stopped.ours.append(await _from_start(place, body))
        lines.append(stopped)
    return lines


async def _new_revision(place: Place, question: Question, repeats: int) -> Line:
    """Every variant is asked once before any counts."""
    line = Line(FIRST, f"{RANKED}, at a new revision", "ms", against="driver alone")
    driver, database = bare_driver(place.store)
    async with (
        driver,
        driver.session(database=database, default_access_mode=READ_ACCESS) as session,
        served(place) as (port, _),
    ):
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        pairs = list(zip(question.bodies(), question.variants, strict=True))
        for turn, (body, variant) in enumerate(
            itertools.islice(itertools.cycle(pairs), len(pairs) + repeats)
        ):
            await place.store.write(_nothing)
            began = time.perf_counter()
            if not _answers(connection, body):
                raise RuntimeError("no answer at a new revision")
            answered = time.perf_counter()
            await (await session.run(question.cypher, variant.params)).values()
            if turn >= len(pairs):
                line.ours.append(1000 * (answered - began))
                line.bare.append(1000 * (time.perf_counter() - answered))
        connection.close()
    return line


async def _from_start(place: Place, body: str) -> float:
    """Seconds from the command to the answer."""
    began = time.perf_counter()
    async with started(place) as (port, process), asyncio.timeout(START_TIMEOUT):
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        while not _answers(connection, body):
            if process.returncode is not None:
                raise RuntimeError("the server does not start")
            await asyncio.sleep(ATTEMPTS)
        seconds = time.perf_counter() - began
        connection.close()
    return seconds


def _answers(connection: http.client.HTTPConnection, body: str) -> bool:
    """One round trip. It blocks: nothing else runs here meanwhile."""
    try:
        connection.request("POST", "/graphql", body, {"content-type": "application/json"})
        response = connection.getresponse()
        return b'"errors":' not in response.read() and response.status == http.client.OK
    except OSError:
        connection.close()
        return False


async def _nothing(_: WriteTx) -> None:
    """A write of nothing but the next revision."""
