"""The sample application behind a real server in this process, and clients of its streams."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from websockets.asyncio.client import ClientConnection, connect

from catalog.server.run import OPTIONS
from catalog.server.websocket import PROTOCOL


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[int]:
    """The port of a server inside this process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, **OPTIONS))
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            await task


@dataclass
class Wire:
    """A websocket as messages of graphql-transport-ws."""

    connection: ClientConnection

    async def say(self, kind: str, **members: Any) -> None:
        await self.connection.send(json.dumps({"type": kind, **members}))

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(30):
            message: dict[str, Any] = json.loads(await self.connection.recv())
        return message

    async def begin(self) -> None:
        await self.say("connection_init")
        assert await self.hear() == {"type": "connection_ack"}

    async def subscribe(self, identifier: str, query: str, **variables: Any) -> None:
        await self.say("subscribe", id=identifier, payload={"query": query, "variables": variables})

    async def closed(self) -> tuple[int | None, str | None]:
        """The code and the reason with which the other side closes, once it does."""
        async with asyncio.timeout(30):
            await self.connection.wait_closed()
        return self.connection.close_code, self.connection.close_reason


async def dial(port: int, *protocols: str, begin: bool = True, **options: Any) -> Wire:
    """A websocket to /graphql; it has been acknowledged unless the protocol is to be begun by hand."""
    subprotocols: Any = list(protocols or (PROTOCOL,))
    url = f"ws://127.0.0.1:{port}/graphql"
    wire = Wire(await connect(url, subprotocols=subprotocols, proxy=None, **options))
    if begin:
        await wire.begin()
    return wire


@asynccontextmanager
async def wired(port: int, *protocols: str, **options: Any) -> AsyncIterator[Wire]:
    """As :func:`dial`, and closed in the end."""
    wire = await dial(port, *protocols, **options)
    async with wire.connection:
        yield wire
