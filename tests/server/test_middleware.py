"""The layers: body cap, security headers, cross-origin requests."""

from collections.abc import AsyncIterator

import httpx
import pytest

from catalog.server.middleware import SECURITY_HEADERS
from catalog.server.settings import Settings
from tests.server.sample import Watch, make_app

LIMIT = 2000


class Endless(httpx.AsyncByteStream):
    """A body without a declared length that would never end."""

    def __init__(self) -> None:
        self.sent = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.sent += 1000
            yield b"x" * 1000


def opened(settings: Settings, watch: Watch | None = None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(make_app(watch, settings)), base_url="http://catalog.test"
    )


@pytest.mark.parametrize("path", ["/graphql", "/nothing", "/healthz"])
async def test_a_declared_body_over_the_cap_is_413_unread(path: str) -> None:
    async with opened(Settings(max_body_bytes=LIMIT)) as client:
        response = await client.post(
            path, content=b"x" * (LIMIT + 1), headers={"content-type": "application/json"}
        )
    assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (
        413,
        "LIMIT_EXCEEDED",
    )
    assert response.json()["errors"][0]["message"] == "The body is larger than 2000 bytes."


@pytest.mark.parametrize("method", ["POST", "GET"])
async def test_an_undeclared_body_is_413_on_passing_the_cap(method: str) -> None:
    stream = Endless()
    async with opened(Settings(max_body_bytes=LIMIT)) as client:
        response = await client.request(
            method, "/graphql", content=stream, headers={"content-type": "application/json", "accept": "*/*"}
        )
    assert (response.status_code, stream.sent) == (413, 3000)


async def test_a_body_of_exactly_the_cap_is_taken() -> None:
    body = b'{"query":"{hello}"}'
    async with opened(Settings(max_body_bytes=LIMIT)) as client:
        response = await client.post(
            "/graphql", content=body.ljust(LIMIT), headers={"content-type": "application/json"}
        )
    assert response.json() == {"data": {"hello": "world"}}


@pytest.mark.parametrize("path", ["/healthz", "/nothing", "/graphql", "/schema.graphql"])
async def test_every_response_has_the_security_headers(path: str) -> None:
    async with opened(Settings()) as client:
        response = await client.get(path)
    assert {name: response.headers[name] for name in SECURITY_HEADERS} == dict(SECURITY_HEADERS)


@pytest.mark.parametrize(
    ("origins", "origin", "allowed"),
    [
        ((), "https://a.example", None),
        (("https://a.example",), "https://a.example", "https://a.example"),
        (("https://a.example",), "https://b.example", None),
        (("*",), "https://b.example", "*"),
    ],
)
async def test_other_origins_are_let_in_only_when_named(
    origins: tuple[str, ...], origin: str, allowed: str | None
) -> None:
    async with opened(Settings(cors_origins=origins)) as client:
        response = await client.post("/graphql", json={"query": "{hello}"}, headers={"origin": origin})
        assert response.headers.get("access-control-allow-origin") == allowed
        too_large = await client.post("/graphql", content=b"x" * (1 << 21), headers={"origin": origin})
        assert (too_large.status_code, too_large.headers.get("access-control-allow-origin")) == (413, allowed)
        preflight = await client.options(
            "/graphql",
            headers={
                "origin": origin,
                "access-control-request-method": "POST",
                "access-control-request-headers": "content-type",
            },
        )
        assert preflight.headers.get("access-control-allow-origin") == allowed
