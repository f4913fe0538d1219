"""Compressed responses: which coding, from which size on, and what it does to caches."""

import gzip
from collections.abc import AsyncIterator

import brotli
import httpx
import pytest
import zstandard
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from catalog.server.compression import IN_THREAD_FROM, Compression
from catalog.server.negotiation import choose_coding
from catalog.server.settings import Settings
from tests.server.sample import make_app

DECODE = {
    "zstd": lambda data: zstandard.ZstdDecompressor().decompress(data),
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}
TEXT = "x" * 1000
ECHO = "query($t: String!) {echo(text: $t)}"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, (None, True)),
        ("", (None, True)),
        ("gzip", ("gzip", True)),
        ("GZIP;Q=0.5", ("gzip", True)),
        ("gzip, deflate, br, zstd", ("zstd", True)),
        ("gzip, deflate, br", ("br", True)),
        ("gzip;q=1, br;q=0.9", ("gzip", True)),
        ("zstd;q=0.1, br;q=0.2, gzip;q=0.3", ("gzip", True)),
        ("zstd;q=0, *", ("br", True)),
        ("*;q=0.5", ("zstd", True)),
        ("*;q=0", (None, False)),
        ("gzip, *;q=0", ("gzip", False)),
        ("identity;q=1, gzip;q=0.5", (None, True)),
        ("identity;q=0.5, gzip;q=0.5", ("gzip", True)),
        ("gzip, identity;q=0", ("gzip", False)),
        ("gzip;q=0", (None, True)),
        ("gzip;q=2", (None, True)),
        ("gzip;q=nonsense", (None, True)),
        ("deflate, compress", (None, True)),
    ],
)
def test_the_coding_follows_the_header(accept: str | None, chosen: tuple[str | None, bool]) -> None:
    assert choose_coding(accept, ("zstd", "br", "gzip")) == chosen


def opened(settings: Settings | None = None) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(make_app(settings=settings))
    return httpx.AsyncClient(transport=transport, base_url="http://catalog.test")


async def raw(
    client: httpx.AsyncClient, accept: str, text: str = TEXT, **headers: str
) -> tuple[httpx.Response, bytes]:
    """The response, by GET where the text is short enough, and its body as it came."""
    given = {"accept-encoding": accept, **headers}
    if len(text) < 10_000:
        asked = client.stream(
            "GET", "/graphql", params={"query": ECHO, "variables": f'{{"t":"{text}"}}'}, headers=given
        )
    else:
        asked = client.stream(
            "POST", "/graphql", json={"query": ECHO, "variables": {"t": text}}, headers=given
        )
    async with asked as response:
        return response, b"".join([part async for part in response.aiter_raw()])


@pytest.mark.parametrize("coding", DECODE)
@pytest.mark.parametrize("size", [1000, IN_THREAD_FROM])
async def test_each_coding_gives_the_same_bytes(coding: str, size: int) -> None:
    async with opened() as client:
        _, plain = await raw(client, "identity", "x" * size)
        response, body = await raw(client, coding, "x" * size)
    assert response.headers["content-encoding"] == coding
    assert response.headers["content-length"] == str(len(body))
    assert DECODE[coding](body) == plain
    assert len(body) < len(plain) / 10


async def test_small_responses_stay_plain_and_all_vary() -> None:
    async with opened() as client:
        for accept, text, coding in (
            ("gzip", "small", None),
            ("identity", TEXT, None),
            ("gzip", TEXT, "gzip"),
            ("gzip, identity;q=0", "small", "gzip"),
        ):
            response, _ = await raw(client, accept, text)
            assert response.headers.get("content-encoding") == coding
            assert response.headers["vary"] == "accept, accept-encoding"


async def test_a_compressed_answer_has_a_weak_tag_and_its_304_too() -> None:
    async with opened() as client:
        strong = (await raw(client, "identity"))[0].headers["etag"]
        weak = (await raw(client, "br"))[0].headers["etag"]
        assert weak == f"W/{strong}"
        for given in (strong, weak):
            response, body = await raw(client, "br", **{"if-none-match": given})
            assert (response.status_code, body) == (304, b"")
            assert response.headers["etag"] == given
            assert "content-encoding" not in response.headers


async def test_it_can_be_switched_off() -> None:
    async with opened(Settings(compress_from=0)) as client:
        response, _ = await raw(client, "gzip")
    assert "content-encoding" not in response.headers
    assert response.headers["etag"].startswith('"')


async def test_pages_are_compressed_too() -> None:
    async with opened(Settings(compress_from=100)) as client:
        for path in ("/schema.graphql", "/nothing/here/" + "y" * 200):
            response = await client.get(path, headers={"accept-encoding": "zstd"})
            assert response.headers["content-encoding"] == "zstd"


async def _parts() -> AsyncIterator[bytes]:
    yield b"data: " + b"x" * 2000 + b"\n\n"
    yield b"data: y\n\n"


@pytest.mark.parametrize(
    ("response", "coding"),
    [
        (lambda: PlainTextResponse(TEXT), "gzip"),
        (lambda: Response(TEXT, media_type="text/event-stream"), None),
        (lambda: StreamingResponse(_parts(), media_type="text/event-stream"), None),
        (lambda: StreamingResponse(_parts(), media_type="application/json"), None),
        (lambda: Response(TEXT, media_type="font/woff2"), None),
        (lambda: Response(TEXT, headers={"content-encoding": "br"}, media_type="text/plain"), "br"),
        (lambda: Response(status_code=204), None),
    ],
)
async def test_streams_and_what_is_compressed_already_pass_untouched(
    response: "object", coding: str | None
) -> None:
    async def answer(_request: object) -> Response:
        assert callable(response)
        made = response()
        assert isinstance(made, Response)
        return made

    app = Starlette(routes=[Route("/", answer)], middleware=[Middleware(Compression, minimum=10)])
    transport = httpx.ASGITransport(app)
    async with (
        httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client,
        client.stream("GET", "/", headers={"accept-encoding": "gzip"}) as got,
    ):
        body = b"".join([part async for part in got.aiter_raw()])
    assert got.headers.get("content-encoding") == coding
    if coding is None and got.status_code == 200:
        assert body in (TEXT.encode(), b"".join([part async for part in _parts()]))
