"""Hostile requests are refused before anything asks the store. How long that takes: `make bench`."""

from collections.abc import AsyncIterator

import httpx
import pytest

from catalog.api.errors import map_error
from catalog.api.schema import schema
from catalog.server.app import create_app
from catalog.server.settings import Settings
from tests.server.hostile import REQUESTS
from tests.server.sample import Watch, find_manifests


class Untouched:
    """A context that must not be asked for anything."""

    async def open(self) -> None:
        raise AssertionError("it asked the store")


@pytest.fixture
async def catalog() -> AsyncIterator[httpx.AsyncClient]:
    async def contexts(_request: object) -> Untouched:
        return Untouched()

    app = create_app(
        schema=schema,
        context_factory=contexts,
        store_probe=Watch(),
        manifest_bytes=find_manifests,
        map_error=map_error,
        settings=Settings(),
    )
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client:
        yield client


@pytest.mark.parametrize("kind", REQUESTS)
async def test_it_is_refused_without_asking_the_store(catalog: httpx.AsyncClient, kind: str) -> None:
    body, status, code = REQUESTS[kind]
    headers = {"content-type": "application/json", "accept": "application/graphql-response+json"}
    response = await catalog.post("/graphql", content=body, headers=headers)
    found = response.json()["errors"][0]["extensions"]["code"]
    assert (response.status_code, found) == (status, code), response.text[:300]
