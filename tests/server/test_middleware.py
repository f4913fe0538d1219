"""The layers: body cap, security headers, cross-origin requests."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest

from catalog.server.middleware import SECURITY_HEADERS
from catalog.server.settings import Settings
from tests.server.sample import Watch, make_app
from tests.server.test_persisted import by_hash, digest

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


async def test_another_origin_may_revalidate_by_get_and_sees_the_tag() -> None:
    async with opened(Settings(cors_origins=("https://a.example",))) as client:
        origin = {"origin": "https://a.example"}
        preflight = await client.options(
            "/graphql",
            headers={
                **origin,
                "access-control-request-method": "GET",
                "access-control-request-headers": "if-none-match",
            },
        )
        assert preflight.status_code == 200
        first = await client.get("/graphql", params={"query": "{hello}"}, headers=origin)
        again = await client.get(
            "/graphql",
            params={"query": "{hello}"},
            headers={**origin, "if-none-match": first.headers["etag"]},
        )
        for response, status in ((first, 200), (again, 304)):
            assert (response.status_code, response.headers["access-control-allow-origin"]) == (
                status,
                "https://a.example",
            )
            exposed = response.headers["access-control-expose-headers"].split(", ")
            assert {"etag", "vary"} <= set(exposed)
            assert {"accept", "Origin"} <= set(response.headers["vary"].split(", "))


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
async def test_what_a_foreign_form_can_send_never_reaches_a_mutation(media: str) -> None:
    """A browser sends these, and GET, to other origins without asking first."""
    watch = Watch()
    async with opened(Settings(), watch) as client:
        text = "mutation {change}"
        await client.post("/graphql", json=by_hash(text, query=text))
        assert watch.changes == 1
        for body in (by_hash(text), by_hash(text, query=text), {"documentId": f"sha256:{digest(text)}"}):
            posted = await client.post(
                "/graphql",
                content=json.dumps(body),
                headers={"content-type": media, "origin": "https://x.example"},
            )
            assert posted.status_code == 415
        assert watch.changes == 1
