"""The id of a request: in the header of its answer, in every error, in every line of the log."""

import logging
import re

import httpx
import pytest

from catalog.server.exchange import RequestIds
from catalog.server.settings import Settings
from tests.server.sample import REQUEST_ID, StoreDownError, Watch, make_app

QUERIES = [
    "{",
    "{nothing}",
    "{secret}",
    "{down}",
    "{several}",
    "{halfCharacter}",
    "{echo(text: 1)}",
    "{hello " * 20,
]


@pytest.mark.parametrize(
    "given", ["r-1", "0af7651916cd43dd8448eb211c80319c", "a" * 128, "Root=1-67891233:x/y"]
)
async def test_the_clients_id_is_taken(client: httpx.AsyncClient, given: str) -> None:
    response = await client.get("/healthz", headers={"x-request-id": given})
    assert response.headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "a b", "a" * 129, "a\x1b[31m", "é", "a;b", '"', "<b>"])
async def test_what_is_no_id_is_replaced(client: httpx.AsyncClient, given: str) -> None:
    response = await client.get("/healthz", headers={b"x-request-id": given.encode()})
    assert re.fullmatch("[0-9a-f]{32}", response.headers["x-request-id"])


@pytest.mark.parametrize("path", ["/", "/graphql", "/nothing", "/readyz", "/schema.graphql", "/manifests/x"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT"])
async def test_every_response_has_it(client: httpx.AsyncClient, path: str, method: str) -> None:
    response = await client.request(method, path)
    assert response.headers.get_list("x-request-id") == [REQUEST_ID]


async def test_a_preflight_has_it_and_scripts_may_read_it() -> None:
    app = make_app(settings=Settings(cors_origins=("https://a.example",)))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://catalog.test"
    ) as client:
        asked = {"access-control-request-method": "POST", "access-control-request-headers": "x-request-id"}
        preflight = await client.options("/graphql", headers={"origin": "https://a.example", **asked})
        answer = await client.get("/healthz", headers={"origin": "https://a.example"})
    assert (preflight.status_code, "x-request-id" in preflight.headers) == (200, True)
    assert "x-request-id" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize("query", QUERIES)
async def test_every_error_of_a_query_has_it(client: httpx.AsyncClient, query: str) -> None:
    for identifier in ("first", "second"):  # the second time the document is kept, with its errors
        response = await client.post("/graphql", json={"query": query}, headers={"x-request-id": identifier})
        errors = response.json()["errors"]
        assert errors
        assert [error["extensions"]["requestId"] for error in errors] == [identifier] * len(errors)


@pytest.mark.parametrize(
    "path", ["/nothing", "/readyz", "/manifests/x", "/manifests/deaddead", "/manifests/beefbeef"]
)
async def test_every_error_of_a_page_has_it(client: httpx.AsyncClient, watch: Watch, path: str) -> None:
    watch.ready_error = StoreDownError()
    [error] = (await client.get(path)).json()["errors"]
    assert error["extensions"]["requestId"] == REQUEST_ID


async def test_lines_of_the_log_have_it(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(RequestIds())
    with caplog.at_level(logging.INFO, "catalog"):
        await client.post("/graphql", json={"query": "{secret}"}, headers={"x-request-id": "mine"})
    assert [(record.name, record.__dict__["request_id"]) for record in caplog.records] == [
        ("catalog.server.errors", "mine"),
        ("catalog.access", "mine"),
    ]
