"""How long the refusal of a hostile request takes, and what another client notices of it meanwhile."""

from __future__ import annotations

import asyncio
import http.client
import json
from functools import partial
from typing import Final

from tests.bench.measuring import Line, timed
from tests.bench.places import HOST, Place, served
from tests.server.hostile import REQUESTS

REFUSALS: Final = "hostile requests"
GOAL: Final = 100.0
"""Milliseconds, for a refusal, and for another client's query beside one."""

_SMALL: Final = json.dumps({"query": "{catalog {revision}}"}).encode()
_HEADERS: Final = {"content-type": "application/json", "accept": "application/graphql-response+json"}


async def measure(place: Place, repeats: int) -> list[Line]:
    """Send each hostile request alone, then with another client's small query beside it."""
    lines = []
    async with served(place) as (port, _):
        hostile, other = (http.client.HTTPConnection(HOST, port, timeout=60) for _ in range(2))
        alone = Line(REFUSALS, "another client's query, alone", "ms", goal=GOAL)
        beside = Line(REFUSALS, "another client's query, sent right after one of these", "ms", goal=GOAL)
        for kind, (body, status, _) in REQUESTS.items():
            line = Line(REFUSALS, kind, "ms", goal=GOAL)
            refuse = partial(_sent, hostile, body, status)
            ask = partial(_sent, other, _SMALL, http.client.OK)
            for _ in range(repeats):
                line.ours.append(1000 * await timed(refuse))
                alone.ours.append(1000 * await timed(ask))
                refused = asyncio.create_task(refuse())
                await asyncio.sleep(0.001)
                beside.ours.append(1000 * await timed(ask))
                await refused
            lines.append(line)
        lines += [alone, beside]
        hostile.close()
        other.close()
    return lines


async def _sent(connection: http.client.HTTPConnection, body: bytes, status: int) -> None:
    def send() -> int:
        try:
            connection.request("POST", "/graphql", body, _HEADERS)
            response = connection.getresponse()
            response.read()
        except (BrokenPipeError, ConnectionResetError):  # refused before it was read to its end
            connection.close()
            return status
        return response.status

    found = await asyncio.to_thread(send)
    if found != status:
        raise RuntimeError(f"{found} instead of {status} for {body[:80]!r}")
