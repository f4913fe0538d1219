"""graphql-sse: an operation a connection, over server-sent events."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from catalog.server import event_stream
from catalog.server.settings import Settings
from tests.server.live import serving, wired
from tests.server.sample import Watch, make_app
from tests.server.test_websocket import COUNT, SILENCE, open_streams
from tests.waiting import until

EVENTS = {"accept": "text/event-stream"}


@pytest.fixture
async def port(watch: Watch) -> AsyncIterator[int]:
    async with serving(make_app(watch)) as port:
        yield port


@asynccontextmanager
async def streaming(
    port: int, query: str, method: str = "POST", headers: Mapping[str, str] = EVENTS, **variables: Any
) -> AsyncIterator[httpx.Response]:
    body: dict[str, Any] = {"query": query, "variables": variables}
    if method == "GET":
        given: dict[str, Any] = {"params": {"query": query, "variables": json.dumps(variables)}}
    else:
        given = {"json": body}
    async with (
        httpx.AsyncClient(timeout=30) as client,
        client.stream(method, f"http://127.0.0.1:{port}/graphql", headers=headers, **given) as response,
    ):
        yield response


async def events(response: httpx.Response) -> AsyncIterator[tuple[str, Any]]:
    """(event, data) as a browser would dispatch them; a comment is ("", None)."""
    kind, data = "", ""
    async for line in response.aiter_lines():
        if line.startswith(":"):
            yield "", None
        elif line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].strip() + "\n"
        elif not line and data:
            yield kind, json.loads(data) if data.strip() else None
            kind, data = "", ""


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_subscription_comes_event_by_event(port: int, watch: Watch, method: str) -> None:
    async with streaming(port, COUNT, method, to=2) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert response.headers["cache-control"] == "no-cache"
        assert "content-encoding" not in response.headers
        assert [event async for event in events(response)] == [
            ("", None),
            ("next", {"data": {"count": 1}}),
            ("next", {"data": {"count": 2}}),
            ("complete", None),
        ]
    assert watch.listeners == 0


async def test_a_query_is_one_event(port: int) -> None:
    async with streaming(port, '{ echo(text: "line\\nline") }') as response:
        assert [event async for event in events(response)][1:] == [
            ("next", {"data": {"echo": "line\nline"}}),
            ("complete", None),
        ]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("subscription {", "GRAPHQL_PARSE_FAILED"),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
        (COUNT, "BAD_USER_INPUT"),
        ("subscription { refuses }", "AMBIGUOUS"),
    ],
)
async def test_a_request_that_can_not_run_says_so_in_the_stream(port: int, query: str, code: str) -> None:
    async with streaming(port, query) as response:
        assert response.status_code == 200
        found = [event async for event in events(response)]
    assert [kind for kind, _ in found] == ["", "next", "complete"]
    assert [error["extensions"]["code"] for error in found[1][1]["errors"]] == [code]


async def test_a_break_is_masked_and_ends_the_stream(port: int) -> None:
    async with streaming(port, "subscription { breaks }") as response:
        found = [event async for event in events(response)]
    assert [kind for kind, _ in found] == ["", "next", "next", "complete"]
    assert found[2][1]["errors"][0]["extensions"]["code"] == "INTERNAL"
    assert "bolt" not in json.dumps(found)


async def test_a_reply_that_is_no_json_is_an_error_in_the_stream(port: int) -> None:
    async with streaming(port, "{ halfCharacter }") as response:
        found = [event async for event in events(response)]
    assert [error["extensions"]["code"] for error in found[1][1]["errors"]] == ["INTERNAL"]


async def test_the_head_of_a_stream_comes_without_it(port: int, watch: Watch) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=EVENTS) as client:
        answer = await client.head("/graphql", params={"query": SILENCE})
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert watch.listeners == 0


async def test_what_is_no_request_has_its_own_status(port: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=EVENTS) as client:
        assert (await client.post("/graphql", content=b"{")).status_code == 415
        assert (await client.post("/graphql", json=[])).status_code == 400
        refused = await client.get("/graphql", params={"query": "mutation { change }"})
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("media", ["application/json", "application/graphql-response+json", "*/*"])
async def test_without_a_stream_a_subscription_is_refused_with_the_way_to_have_one(
    port: int, media: str
) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        answer = await client.post("/graphql", json={"query": SILENCE}, headers={"accept": media})
    assert "text/event-stream" in answer.json()["errors"][0]["message"]
    assert answer.status_code == (400 if "response" in media else 200)


async def test_silence_is_filled_with_comments(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "KEEP_ALIVE", 0.05)
    async with streaming(port, SILENCE) as response:
        found = events(response)
        assert [await anext(found) for _ in range(4)] == [("", None)] * 4


async def test_streams_that_are_cut_leave_nothing_behind(watch: Watch) -> None:
    app = make_app(watch)
    async with serving(app) as port:
        async with asyncio.TaskGroup() as group:
            for _ in range(20):
                group.create_task(cut(port, watch))
        await until(lambda: open_streams(app) == (0, 0))
        assert watch.listeners == 0


async def cut(port: int, watch: Watch) -> None:
    async with streaming(port, SILENCE) as response:
        await anext(events(response))
        await until(lambda: watch.listeners >= 1)


async def test_a_process_runs_so_many_streams_and_no_more(watch: Watch) -> None:
    app = make_app(watch, Settings(max_streams=1))
    async with serving(app) as port, streaming(port, SILENCE) as response:
        await anext(events(response))
        async with streaming(port, SILENCE) as refused:
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
            fault = json.loads(await refused.aread())["errors"][0]
        assert fault["extensions"].items() >= {"limit": "max_streams", "code": "LIMIT_EXCEEDED"}.items()


async def test_pages_of_allowed_origins_may_read_it(watch: Watch) -> None:
    app = make_app(watch, Settings(cors_origins=("https://good.example",)))
    async with serving(app) as port:
        for origin, allowed in (
            ("https://good.example", "https://good.example"),
            ("https://evil.example", None),
        ):
            async with streaming(port, COUNT, headers={**EVENTS, "origin": origin}, to=1) as response:
                assert response.headers.get("access-control-allow-origin") == allowed


async def test_a_client_that_does_not_read_stops_its_own_events(port: int, watch: Watch) -> None:
    async with streaming(port, "subscription { flood(size: 50000) }") as response:
        await anext(events(response))
        before = -1
        while before != watch.flooded:
            before = watch.flooded
            await asyncio.sleep(0.5)
        assert 0 < before < 500


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", [1, 2])
async def test_a_stop_ends_streams_at_once_and_sockets_with_1012(workers: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    script = (
        "from catalog.server.run import serve;"
        f"serve('tests.server.sample:factory', host='127.0.0.1', port={port}, workers={workers})"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, stderr=asyncio.subprocess.PIPE
    )
    try:
        await answering(port)
        async with wired(port) as wire, streaming(port, SILENCE) as response:
            await wire.subscribe("a", SILENCE)
            found = events(response)
            assert await anext(found) == ("", None)
            os.kill(process.pid, signal.SIGTERM)
            assert [event async for event in found] == []  # no `complete`: it was cut
            assert (await wire.closed())[0] == 1012
        async with asyncio.timeout(8):  # less than running requests are given
            _, errors = await process.communicate()
        assert errors == b""
    finally:
        if process.returncode is None:
            process.kill()


async def answering(port: int) -> None:
    async with httpx.AsyncClient() as client, asyncio.timeout(30):
        while True:
            try:
                await client.get(f"http://127.0.0.1:{port}/healthz")
            except httpx.TransportError:
                await asyncio.sleep(0.05)
            else:
                return
