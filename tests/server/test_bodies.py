"""Bodies that do not arrive: from a client that goes away, and from one that takes too long."""

import asyncio
import json
import logging
from typing import Any

import pytest
from starlette.types import Message

from catalog.server.settings import Settings
from tests.server.sample import make_app

BEGUN: Message = {"type": "http.request", "body": b'{"query":', "more_body": True}


async def answered(method: str, *messages: Message, settings: Settings | None = None) -> tuple[int, Any]:
    """Status and body of the answer to a request of which no more comes than these messages."""
    coming, sent = list(messages), list[Message]()

    async def receive() -> Message:
        if not coming:
            await asyncio.Event().wait()
        return coming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": "/graphql",
        "query_string": b"query={hello}",
        "headers": [(b"content-type", b"application/json"), (b"x-request-id", b"r-1")],
    }
    async with asyncio.timeout(10):
        await make_app(None, settings)(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], json.loads(body) if body else None


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_client_that_goes_away_is_no_fault(method: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "catalog"):
        assert await answered(method, BEGUN, {"type": "http.disconnect"}) == (499, None)
    assert {record.name for record in caplog.records} <= {"catalog.access"}


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_body_has_its_time_to_arrive(method: str, caplog: pytest.LogCaptureFixture) -> None:
    status, body = await answered(method, BEGUN, settings=Settings(request_timeout=0.05))
    assert (status, body) == (
        408,
        {
            "errors": [
                {
                    "message": "The body did not arrive within 0.05 s.",
                    "extensions": {"code": "TIMEOUT", "requestId": "r-1"},
                }
            ]
        },
    )
    assert {record.name for record in caplog.records} <= {"catalog.access"}
