"""A client of the sample application, inside this process."""

from collections.abc import AsyncIterator

import httpx
import pytest_asyncio

from tests.server.sample import REQUEST_ID, Watch, make_app


@pytest_asyncio.fixture
async def watch() -> Watch:
    return Watch()


@pytest_asyncio.fixture
async def client(watch: Watch) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(make_app(watch))
    headers = {"x-request-id": REQUEST_ID}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://catalog.test", headers=headers
    ) as opened:
        yield opened
