"""The ranked contract query over GraphQL against the same rows by the driver alone."""

from __future__ import annotations

import http.client
import json
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.resources import files
from typing import Any, Final

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.schema import schema
from catalog.read import Snapshots
from catalog.read.paging import MAXIMUM_GROUP_PAGE
from catalog.server.execution import Executor, GraphQLRequest
from graph import reads
from graph.store import WriteTx
from tests.bench import bare
from tests.bench.imports import MEMORY
from tests.bench.measuring import Line, in_turn
from tests.bench.places import HOST, Place, bare_driver, resident, served

QUERY: Final = (files("catalog.server") / "examples" / "ranked.graphql").read_text(encoding="utf-8")
SMALL: Final = 10
"""Runs of the smaller group, as far as there is one; the other is the largest there is."""

Ask = Callable[[], Awaitable[dict[str, Any]]]


async def measure(place: Place, repeats: int, lines: list[Line]) -> None:
    """Measure a small and a large group, with cold and with warm caches, over HTTP and in this process."""
    driver, database = bare_driver(place.store)
    async with driver, served(place) as (port, server_pid):
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        executor, snapshots = Executor(schema, map_error), Snapshots(place.store)
        for key, size in await _groups(place):
            variables = {"key": key, "first": MAXIMUM_GROUP_PAGE}
            request = GraphQLRequest(QUERY, None, variables)
            body = json.dumps({"query": QUERY, "variables": variables}).encode()
            over_http = partial(_post, connection, body)
            in_process = partial(_execute, executor, request, snapshots)
            rows = partial(bare.ranked, driver, database, key)
            await _same(over_http, in_process, rows)

            async def empty(request: GraphQLRequest = request) -> dict[str, Any]:
                return await _execute(executor, request, Snapshots(place.store))

            asked: tuple[tuple[str, Ask], ...] = (("HTTP", over_http), ("in process", in_process))
            new_revision = partial(place.store.write, _nothing)
            section = f"ranked query, group of {size} runs"
            for caches, before, ways in (
                ("new revision", new_revision, asked),
                ("nothing cached", None, (("in process", empty),)),
                ("warm", None, asked),
            ):
                statements = await _statements(place, ways[-1][1], before)
                made = [
                    Line(section, f"{way}, {caches} ({statements})", "ms", against="one Cypher, driver alone")
                    for way, _ in ways
                ]
                raw: list[float] = []
                ours = ((line.ours, ask) for line, (_, ask) in zip(made, ways, strict=True))
                await in_turn(repeats, *ours, (raw, rows), before=before)
                for line in made:
                    line.bare = raw
                lines += made
        connection.close()
        lines.append(Line(MEMORY, "server after the queries", "MB", [resident(server_pid)]))
    name = place.store.engine.name
    lines.append(Line(MEMORY, f"engine after the queries ({name})", "MB", [place.engine_memory()]))


async def _groups(place: Place) -> list[tuple[str, int]]:
    """Keys and sizes of the groups to ask for, smallest first; one when all groups are alike."""
    index = sorted((row["size"], row["key"]) for row in await place.store.read(reads.GROUP_INDEX))
    chosen = {min(index, key=lambda group: abs(group[0] - SMALL))[0]: None, index[-1][0]: None}
    return [(next(key for found, key in index if found == size), size) for size in sorted(chosen)]


async def _statements(place: Place, in_process: Ask, before: Callable[[], Awaitable[Any]] | None) -> str:
    """How many Cypher statements the answer takes."""
    if before is not None:
        await before()
    sent = place.store.statements
    await in_process()
    sent = place.store.statements - sent
    return "1 statement" if sent == 1 else f"{sent} statements"


async def _same(over_http: Ask, in_process: Ask, rows: Callable[[], Awaitable[list[bare.Row]]]) -> None:
    """Both ways give the same answer, and the driver the same runs with the same values."""
    answer = await over_http()
    if answer != await in_process() or "errors" in answer:
        raise RuntimeError(f"the answers over HTTP and in process differ: {json.dumps(answer)[:500]}")
    nodes = [edge["node"] for edge in answer["data"]["comparisonGroup"]["runs"]["edges"]]
    ours = {(node["digest"], node["primary"] and node["primary"]["value"]) for node in nodes}
    if ours != {(row["digest"], row["value"]) for row in await rows()}:
        raise RuntimeError("the driver's rows are not those of the answer")


async def _post(connection: http.client.HTTPConnection, body: bytes) -> dict[str, Any]:
    """One round trip. It blocks: nothing else runs here meanwhile, and no client library is measured."""
    try:
        connection.request("POST", "/graphql", body, {"content-type": "application/json"})
        response = connection.getresponse()
    except (BrokenPipeError, ConnectionResetError):  # idle for so long that the server let go
        connection.close()
        return await _post(connection, body)
    answer: dict[str, Any] = json.loads(response.read())
    return answer


async def _execute(executor: Executor, request: GraphQLRequest, snapshots: Snapshots) -> dict[str, Any]:
    async def context() -> Context:
        return Context(snapshots)

    return (await executor.run(request, context)).body


async def _nothing(_: WriteTx) -> None:
    """A write of nothing but the next revision."""
