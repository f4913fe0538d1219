"""graphql-transport-ws: the protocol to the letter, and what clients get wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from websockets.exceptions import InvalidStatus

from catalog.server import websocket
from catalog.server.metrics import Metrics
from catalog.server.settings import Settings
from tests.server.live import serving, wired
from tests.server.sample import Watch, make_app
from tests.waiting import until

COUNT = "subscription ($to: Int!) { count(to: $to) }"
SILENCE = "subscription { silence { name } }"


@pytest.fixture
async def port(watch: Watch) -> AsyncIterator[int]:
    async with serving(make_app(watch)) as port:
        yield port


async def test_a_subscription_is_answered_event_by_event_and_completed(port: int, watch: Watch) -> None:
    async with wired(port) as wire:
        assert wire.connection.subprotocol == "graphql-transport-ws"
        await wire.subscribe("a", COUNT, to=3)
        assert [await wire.hear() for _ in range(4)] == [
            *({"type": "next", "id": "a", "payload": {"data": {"count": n}}} for n in (1, 2, 3)),
            {"type": "complete", "id": "a"},
        ]
        assert watch.listeners == 0
        await wire.subscribe("a", COUNT, to=1)  # the id is free again
        assert (await wire.hear())["payload"] == {"data": {"count": 1}}


async def test_a_query_is_answered_once(port: int) -> None:
    async with wired(port) as wire:
        await wire.subscribe("q", '{ echo(text: "hi") }')
        assert await wire.hear() == {"type": "next", "id": "q", "payload": {"data": {"echo": "hi"}}}
        assert await wire.hear() == {"type": "complete", "id": "q"}


async def test_an_answer_that_is_no_json_is_an_error(port: int) -> None:
    async with wired(port) as wire:
        await wire.subscribe("n", "{ halfCharacter }")
        message = await wire.hear()
        assert (message["type"], message["payload"][0]["extensions"]["code"]) == ("error", "INTERNAL")


async def test_operations_run_side_by_side(port: int, watch: Watch) -> None:
    async with wired(port) as wire:
        await wire.subscribe("waits", SILENCE)
        await until(lambda: watch.listeners == 1)
        await wire.subscribe("runs", "{ hello }")
        assert (await wire.hear())["id"] == "runs"


async def test_an_event_is_run_as_a_query_is(port: int) -> None:
    async with wired(port) as wire:
        await wire.subscribe("b", "subscription { boards { name board { name secret } } }")
        for name in ("one", "two"):
            payload = (await wire.hear())["payload"]
            assert payload["data"] == {"boards": {"name": name, "board": {"name": name, "secret": None}}}
            assert payload["errors"][0]["path"] == ["boards", "board", "secret"]
            assert payload["errors"][0]["extensions"]["code"] == "INTERNAL"
        assert (await wire.hear())["type"] == "complete"


async def test_what_completes_a_subscription_ends_it(port: int, watch: Watch) -> None:
    async with wired(port) as wire:
        await wire.subscribe("s", SILENCE)
        await until(lambda: watch.listeners == 1)
        await wire.say("complete", id="s")
        await until(lambda: watch.listeners == 0)
        await wire.say("complete", id="s")  # a second time, or of nothing: not an error
        await wire.subscribe("s", "{ hello }")
        assert (await wire.hear())["payload"] == {"data": {"hello": "world"}}


async def test_ping_is_answered_with_its_payload_also_before_the_beginning(port: int) -> None:
    async with wired(port, begin=False) as wire:
        await wire.say("ping")
        assert await wire.hear() == {"type": "pong"}
        await wire.say("ping", payload={"n": 1})
        assert await wire.hear() == {"type": "pong", "payload": {"n": 1}}
        await wire.say("pong")
        await wire.begin()


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("subscription {", "GRAPHQL_PARSE_FAILED"),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { silence { name } count }", "GRAPHQL_VALIDATION_FAILED"),
        ('subscription { count(to: "three") }', "GRAPHQL_VALIDATION_FAILED"),
        (COUNT, "BAD_USER_INPUT"),
        ("subscription { refuses }", "AMBIGUOUS"),
        ("{" + " hello" * 3000 + "}", "LIMIT_EXCEEDED"),
        ("query A { hello } query B { hello }", "BAD_USER_INPUT"),
    ],
)
async def test_a_request_that_can_not_run_is_an_error_of_its_own(port: int, query: str, code: str) -> None:
    async with wired(port) as wire:
        await wire.subscribe("x", query)
        message = await wire.hear()
        assert (message["type"], message["id"]) == ("error", "x")
        assert [error["extensions"]["code"] for error in message["payload"]] == [code]
        await wire.subscribe("x", "{ hello }")  # the connection lives on, and the id is free
        assert (await wire.hear())["payload"] == {"data": {"hello": "world"}}


async def test_a_break_is_masked_and_ends_the_subscription(port: int) -> None:
    async with wired(port) as wire:
        await wire.subscribe("x", "subscription { breaks }")
        assert (await wire.hear())["payload"] == {"data": {"breaks": 1}}
        message = await wire.hear()
        [error] = message["payload"]
        assert (message["type"], error["extensions"]["code"]) == ("error", "INTERNAL")
        assert error["extensions"]["id"] in error["message"]
        assert "bolt" not in json.dumps(message)


async def test_an_event_that_can_not_be_answered_ends_the_subscription(port: int) -> None:
    async with wired(port) as wire:
        await wire.subscribe("x", "subscription { unanswerable }")
        assert (await wire.hear())["payload"] == {"data": {"unanswerable": 1}}
        assert (await wire.hear())["type"] == "error"
        await wire.subscribe("y", "{ hello }")
        assert (await wire.hear())["id"] == "y"


FRAMES: dict[str, str | bytes] = {
    "null": "null",
    "number": "5",
    "list": "[]",
    "string": '"ping"',
    "no JSON": "{",
    "empty": "",
    "binary": b'{"type":"ping"}',
    "deep": "[" * 100_000,
    "NaN": '{"type":"ping","payload":{"x":NaN}}',
    "no type": "{}",
    "null type": '{"type":null}',
    "unknown type": '{"type":"start"}',
    "server's type": '{"type":"next","id":"a"}',
    "payload is no object": '{"type":"ping","payload":5}',
    "init with a list": '{"type":"connection_init","payload":[]}',
}
STARTED: dict[str, str | bytes] = {
    "no id": '{"type":"subscribe","payload":{"query":"{hello}"}}',
    "empty id": '{"type":"subscribe","id":"","payload":{"query":"{hello}"}}',
    "number as id": '{"type":"subscribe","id":1,"payload":{"query":"{hello}"}}',
    "long id": json.dumps({"type": "subscribe", "id": "x" * 201, "payload": {"query": "{hello}"}}),
    "no payload": '{"type":"subscribe","id":"a"}',
    "payload is a string": '{"type":"subscribe","id":"a","payload":"{hello}"}',
    "no query": '{"type":"subscribe","id":"a","payload":{}}',
    "number as query": '{"type":"subscribe","id":"a","payload":{"query":1}}',
    "list of variables": '{"type":"subscribe","id":"a","payload":{"query":"{hello}","variables":[]}}',
    "complete without id": '{"type":"complete"}',
}


@pytest.mark.parametrize("begin", [False, True])
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
async def test_what_is_no_message_closes_with_4400(port: int, frame: str | bytes, begin: bool) -> None:
    async with wired(port, begin=begin) as wire:
        await wire.connection.send(frame)
        code, reason = await wire.closed()
        assert code == 4400
        assert reason


@pytest.mark.parametrize("frame", STARTED.values(), ids=STARTED)
async def test_a_malformed_operation_closes_with_4400_and_says_why(port: int, frame: str | bytes) -> None:
    async with wired(port) as wire:
        await wire.connection.send(frame)
        code, reason = await wire.closed()
        assert code == 4400
        assert reason is not None
        assert "id" in reason or "payload" in reason


async def test_the_order_of_the_protocol_is_kept(port: int, watch: Watch) -> None:
    async with wired(port, begin=False) as wire:
        await wire.subscribe("a", "{ hello }")
        assert await wire.closed() == (4401, "Unauthorized")
    async with wired(port) as wire:
        await wire.say("connection_init")
        assert await wire.closed() == (4429, "Too many initialisation requests")
    async with wired(port) as wire:
        await wire.subscribe("a", SILENCE)
        await wire.subscribe("a", "{ hello }")
        assert await wire.closed() == (4409, "Subscriber for a already exists")
    await until(lambda: watch.listeners == 0)


async def test_a_client_that_does_not_begin_is_closed(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "INIT_SECONDS", 0.2)
    async with wired(port, begin=False) as wire:
        await wire.say("ping")
        assert await wire.hear() == {"type": "pong"}
        assert await wire.closed() == (4408, "Connection initialisation timeout")


@pytest.mark.parametrize("protocols", [("graphql-ws",), ("soap", "graphql-ws")])
async def test_another_protocol_is_not_spoken(port: int, protocols: tuple[str, ...]) -> None:
    async with wired(port, *protocols, begin=False) as wire:
        assert await wire.closed() == (4406, "Subprotocol not acceptable")


async def test_of_several_protocols_ours_is_chosen(port: int) -> None:
    async with wired(port, "graphql-ws", "graphql-transport-ws") as wire:
        assert wire.connection.subprotocol == "graphql-transport-ws"


async def test_a_frame_over_the_limit_is_not_taken(port: int) -> None:
    async with wired(port) as wire:
        await wire.subscribe("a", "{ hello }" + " " * (1 << 18))
        assert (await wire.closed())[0] == 1009


async def test_a_connection_runs_so_many_operations_and_no_more(watch: Watch) -> None:
    async with serving(make_app(watch, Settings(max_socket_operations=2))) as port, wired(port) as wire:
        for identifier in ("a", "b", "c"):
            await wire.subscribe(identifier, SILENCE)
        message = await wire.hear()
        assert (message["type"], message["id"]) == ("error", "c")
        assert limit_of(message) == ("max_socket_operations", "LIMIT_EXCEEDED")
        await until(lambda: watch.listeners == 2)


async def test_a_process_runs_so_many_streams_and_no_more(watch: Watch) -> None:
    app = make_app(watch, Settings(max_streams=1))
    async with serving(app) as port, wired(port) as one, wired(port) as other:
        await one.subscribe("a", SILENCE)
        await until(lambda: watch.listeners == 1)
        await other.subscribe("a", SILENCE)
        message = await other.hear()
        assert limit_of(message) == ("max_streams", "LIMIT_EXCEEDED")
        await one.say("complete", id="a")
        await until(lambda: open_streams(app) == (2, 0))
        await other.subscribe("a", "{ hello }")
        assert (await other.hear())["payload"] == {"data": {"hello": "world"}}


async def test_a_process_holds_so_many_sockets_and_no_more(watch: Watch) -> None:
    app = make_app(watch, Settings(max_sockets=1))
    async with serving(app) as port:
        async with wired(port), wired(port, begin=False) as refused:
            assert await refused.closed() == (
                1013,
                "All 1 websockets of this server are in use. Try again later.",
            )
        await until(lambda: open_streams(app) == (0, 0))
        async with wired(port):
            pass


async def test_what_is_open_shows_in_the_metrics(watch: Watch) -> None:
    async with serving(make_app(watch, metrics=Metrics())) as port, httpx.AsyncClient() as client:
        async with wired(port) as wire:
            await wire.subscribe("a", SILENCE)
            await wire.subscribe("b", SILENCE)
            await until(lambda: watch.listeners == 2)
            text = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
            assert "\ncatalog_websockets_open 1.0\n" in text
            assert "\ncatalog_streams_open 2.0\n" in text
        await until(lambda: watch.listeners == 0)
        text = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
        assert "\ncatalog_websockets_open 0.0\n" in text
        assert "\ncatalog_streams_open 0.0\n" in text


def limit_of(message: dict[str, Any]) -> tuple[str, str]:
    [error] = message["payload"]
    assert error["extensions"]["requestId"]
    return error["extensions"]["limit"], error["extensions"]["code"]


def open_streams(app: Starlette) -> tuple[int, int]:
    return app.state.streams.sockets, app.state.streams.operations


@pytest.mark.parametrize(
    ("origin", "settings", "allowed"),
    [
        ("https://evil.example", Settings(), False),
        ("null", Settings(), False),
        ("https://evil.example", Settings(cors_origins=("https://good.example",)), False),
        ("https://good.example", Settings(cors_origins=("https://good.example",)), True),
        ("https://evil.example", Settings(cors_origins=("*",)), True),
        ("https://catalog.example", Settings(public_url="https://catalog.example/api"), True),
        ("https://catalog.example.evil", Settings(public_url="https://catalog.example/api"), False),
        ("own", Settings(), True),
        (None, Settings(), True),
    ],
)
async def test_a_page_of_another_origin_may_not_connect(
    watch: Watch, origin: str | None, settings: Settings, allowed: bool
) -> None:
    async with serving(make_app(watch, settings)) as port:
        if origin == "own":
            origin = f"http://127.0.0.1:{port}"
        if allowed:
            async with wired(port, origin=origin):
                return
        with pytest.raises(InvalidStatus) as refused:
            async with wired(port, origin=origin):
                pass
        assert refused.value.response.status_code == 403


async def test_a_client_that_does_not_read_stops_its_own_events_only(port: int, watch: Watch) -> None:
    """What is not taken is not made: the server holds a bounded number of events for it."""
    async with wired(port, max_queue=1) as slow, wired(port) as other:
        await slow.subscribe("f", "subscription { flood(size: 50000) }")
        before = -1
        while before != watch.flooded:
            before = watch.flooded
            await asyncio.sleep(0.5)
        assert 0 < before < 500
        await other.subscribe("a", COUNT, to=3)
        assert [(await other.hear())["type"] for _ in range(4)] == ["next", "next", "next", "complete"]
        for _ in range(before):
            assert len((await slow.hear())["payload"]["data"]["flood"]) == 50_000
        await until(lambda: watch.flooded > before)


async def test_sockets_that_are_cut_leave_nothing_behind(watch: Watch) -> None:
    app = make_app(watch)
    async with serving(app) as port:
        for _ in range(3):
            async with asyncio.TaskGroup() as group:
                for _ in range(20):
                    group.create_task(cut(port, watch))
            await until(lambda: open_streams(app) == (0, 0))
            assert watch.listeners == 0


async def cut(port: int, watch: Watch) -> None:
    async with wired(port) as wire:
        for n in range(5):
            await wire.subscribe(str(n), SILENCE)
        await wire.say("ping")
        assert await wire.hear() == {"type": "pong"}
        await until(lambda: watch.listeners >= 5)
        wire.connection.transport.abort()
