"""Server-sent events: graphql-sse, one operation a connection ("distinct connections").

Each reply is an event ``next``, the end an event ``complete``; between them comments keep proxies from
closing the connection. A stream that ends without ``complete`` was cut: the client begins again where it was.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from catalog.server.errors import ErrorReporter
from catalog.server.execution import Reply
from catalog.server.streams import Streams

KEEP_ALIVE: Final = 12.0
"""Seconds of silence after which a comment is sent."""

_HEADERS: Final = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",  # nginx would hold events back
    "vary": "accept",
}
_COMMENT: Final = b":\n\n"
_COMPLETE: Final = b"event: complete\ndata:\n\n"  # without data a browser drops the event


class EventStream(Response):
    """Sends replies as they come, until they end, the client goes away, or the server stops."""

    def __init__(
        self, replies: AsyncGenerator[Reply, None], streams: Streams, reporter: ErrorReporter
    ) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._replies = replies
        self._streams = streams
        self._reporter = reporter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream. Raises RequestFault, before anything is sent, when there are too many."""
        with self._streams.operation():
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            await _send(send, _COMMENT)
            ends = (
                asyncio.create_task(disconnected(receive)),
                asyncio.create_task(self._streams.stopping.wait()),
            )
            try:
                await self._pump(send, ends)
            finally:
                for end in ends:
                    end.cancel()
                await asyncio.gather(*ends, return_exceptions=True)
                await self._replies.aclose()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pump(self, send: Send, ends: tuple[asyncio.Task[Any], ...]) -> None:
        while True:
            following = asyncio.create_task(anext(self._replies, None))
            try:
                while not following.done():
                    await asyncio.wait(
                        (following, *ends), timeout=KEEP_ALIVE, return_when=asyncio.FIRST_COMPLETED
                    )
                    if any(end.done() for end in ends):
                        return
                    if not following.done():
                        await _send(send, _COMMENT)
            finally:
                if not following.done():
                    following.cancel()
                    await asyncio.wait((following,))
            reply = following.result()
            await _send(send, _COMPLETE if reply is None else self._next(reply))
            if reply is None:
                return

    def _next(self, reply: Reply) -> bytes:
        body, _ = self._reporter.dumped(reply.body)
        return b"event: next\ndata: " + body + b"\n\n"


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def disconnected(receive: Receive) -> None:
    """Wait until the client of a request that has been read goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass
