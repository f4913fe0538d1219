"""A client of the sample application, inside this process."""

from collections.abc import AsyncIterator

import httpx
import pytest_asyncio

from tests.server.sample import Watch, make_app


@pytest_asyncio.fixture
async def watch() -> Watch:
    return Watch()


@pytest_asyncio.fixture
async def client(watch: Watch) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(make_app(watch))
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as opened:
        yield opened
