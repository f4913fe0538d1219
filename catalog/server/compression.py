"""Compressed responses, as ``Accept-Encoding`` asks for (RFC 9110 §12.5.3).

Whole responses only: what comes in parts, such as an event stream, is passed on as it is. A compressed
response has a weak entity tag, since its bytes are others than those of the plain one.
"""

import asyncio
import gzip
from collections.abc import Callable, Mapping
from typing import Final

import brotli
import zstandard
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from catalog.server.negotiation import choose_coding

CODINGS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "zstd": lambda data: zstandard.ZstdCompressor(3).compress(data),
    "br": lambda data: brotli.compress(data, quality=4),
    "gzip": lambda data: gzip.compress(data, 5, mtime=0),
}
"""Content coding -> how it is made; the quickest first, which is taken among equals."""

IN_THREAD_FROM: Final = 1 << 16
"""Bytes from which on other requests should not have to wait for it."""

_TYPES: Final = ("text/", "application/json", "application/graphql-response+json", "image/svg+xml")
_NEVER: Final = "text/event-stream"


class Compression:
    """Compresses responses of ``minimum`` bytes or more."""

    def __init__(self, app: ASGIApp, minimum: int) -> None:
        self._app = app
        self._minimum = minimum

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        coding, minimum = _asked_for(asked, self._minimum)
        held: Message | None = None

        async def compressed(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if message["status"] == 304:
                    _as_the_client_has_it(headers, asked)
                if _compressible(headers):
                    headers.add_vary_header("accept-encoding")
                    held = message
                    return
            elif held is not None:
                start, held = held, None
                body = message.get("body", b"")
                if coding is not None and not message.get("more_body") and len(body) >= minimum:
                    message = {**message, "body": await _compress(coding, body)}
                    headers = MutableHeaders(scope=start)
                    headers["content-length"] = str(len(message["body"]))
                    _tell(headers, coding)
                await send(start)
            await send(message)

        await self._app(scope, receive, compressed)


async def compressed_once(response: Response, kept: dict[str, bytes], asked: Headers, minimum: int) -> None:
    """Compress a response as it is asked for, with the bytes that are ``kept`` for its coding, if any; else
    those that it comes to are kept there. ``minimum`` as for :class:`Compression`, 0 for never."""
    coding, minimum = _asked_for(asked, minimum) if minimum else (None, 0)
    if coding is None or len(response.body) < minimum:
        return
    if coding not in kept:
        kept[coding] = await _compress(coding, bytes(response.body))
    response.body = kept[coding]
    response.headers["content-length"] = str(len(response.body))
    response.headers.add_vary_header("accept-encoding")
    _tell(response.headers, coding)


def _asked_for(asked: Headers, minimum: int) -> tuple[str | None, int]:
    """The coding that a client likes best, and from how many bytes on it is to be used."""
    coding, plain = choose_coding(",".join(asked.getlist("accept-encoding")) or None, tuple(CODINGS))
    return coding, max(minimum, 1) if plain else 1


def _tell(headers: MutableHeaders, coding: str) -> None:
    headers["content-encoding"] = coding
    if "etag" in headers:
        headers["etag"] = _weak(headers["etag"])


async def _compress(coding: str, body: bytes) -> bytes:
    if len(body) < IN_THREAD_FROM:
        return CODINGS[coding](body)
    return await asyncio.to_thread(CODINGS[coding], body)


def _compressible(headers: Headers) -> bool:
    media = headers.get("content-type", "")
    return media.startswith(_TYPES) and not media.startswith(_NEVER) and "content-encoding" not in headers


def _as_the_client_has_it(headers: MutableHeaders, asked: Headers) -> None:
    """A 304 has the tag that the 200 would have: weak where the client's copy came compressed."""
    tag = headers.get("etag")
    if tag is not None and _weak(tag) in ",".join(asked.getlist("if-none-match")):
        headers["etag"] = _weak(tag)
        headers.add_vary_header("accept-encoding")


def _weak(tag: str) -> str:
    return tag if tag.startswith("W/") else f"W/{tag}"
