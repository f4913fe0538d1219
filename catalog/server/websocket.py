"""One websocket: the protocol graphql-transport-ws, strictly.

Subscriptions and queries run side by side, each in a task of its own. Frames are sent one after another and
wait for the client to take them, so a slow client slows down its own operations and nobody else's.
Close codes are those of the protocol; whatever is no message of it ends the connection with 4400.
"""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing, suppress
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from catalog.server.consistency import MakeContext
from catalog.server.errors import Code, RequestFault, error_body
from catalog.server.exchange import CURRENT, Exchange, answered
from catalog.server.execution import Executor, GraphQLRequest
from catalog.server.requests import graphql_request
from catalog.server.streams import Streams
from catalog.server.wire import BadJson, dump_json, load_json

PROTOCOL: Final = "graphql-transport-ws"

INIT_SECONDS: Final = 5.0
"""How long a client may take to send ``connection_init``."""

MAX_ID: Final = 200
"""Characters of an operation's id."""


MAX_REASON: Final = 123
"""Bytes that the reason of a close frame may have."""


class _Close(Exception):  # noqa: N818 - an order, no error
    """End the connection with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def _invalid(reason: str) -> _Close:
    return _Close(4400, reason)


class Socket:
    """A connection from its handshake to its end."""

    def __init__(
        self,
        websocket: WebSocket,
        executor: Executor,
        make_context: MakeContext,
        streams: Streams,
        max_operations: int,
    ) -> None:
        self._websocket = websocket
        self._executor = executor
        self._make_context = make_context
        self._streams = streams
        self._max_operations = max_operations
        self._protocol = PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None
        self._acknowledged = False
        self._operations: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        """Talk until one side ends it; then nothing of the connection is left running."""
        try:
            with self._streams.socket():
                await self._converse()
        except WebSocketDisconnect:
            pass
        except RequestFault as fault:
            await self._websocket.accept(self._protocol)
            await self._close(_Close(1013, fault.message))
        except _Close as close:
            await self._close(close)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _converse(self) -> None:
        await self._websocket.accept(self._protocol)
        if self._protocol is None:
            raise _Close(4406, "Subprotocol not acceptable")
        try:
            async with asyncio.timeout(INIT_SECONDS):
                while not self._acknowledged:
                    await self._handle(await self._receive())
        except TimeoutError:
            raise _Close(4408, "Connection initialisation timeout") from None
        while True:
            await self._handle(await self._receive())

    # -- in ---------------------------------------------------------------------------------------

    async def _receive(self) -> Mapping[str, Any]:
        frame = await self._websocket.receive()
        if frame["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(frame.get("code", 1005))
        text = frame.get("text")
        if text is None:
            raise _invalid("A message must be text")
        try:
            message = load_json(text)
        except BadJson:
            raise _invalid("A message must be JSON") from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise _invalid("A message must be an object with a type")
        return message

    async def _handle(self, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "connection_init":
                _payload(message)
                if self._acknowledged:
                    raise _Close(4429, "Too many initialisation requests")
                self._acknowledged = True
                await self._send({"type": "connection_ack"})
            case "ping":
                payload = _payload(message)
                await self._send(
                    {"type": "pong"} if payload is None else {"type": "pong", "payload": payload}
                )
            case "pong":
                _payload(message)
            case "subscribe":
                await self._subscribe(message)
            case "complete":
                if task := self._operations.pop(_id(message), None):
                    task.cancel()
            case _:
                raise _invalid("The type of the message is unknown")

    async def _subscribe(self, message: Mapping[str, Any]) -> None:
        if not self._acknowledged:
            raise _Close(4401, "Unauthorized")
        identifier, payload = _id(message), _payload(message)
        try:
            request = graphql_request(payload or {})
        except RequestFault as fault:
            raise _invalid(f"payload: {fault.message}") from None
        if identifier in self._operations:
            raise _Close(4409, f"Subscriber for {identifier} already exists")
        if len(self._operations) >= self._max_operations:
            text = f"At most {self._max_operations} operations may run on one connection."
            refused = error_body(Code.LIMIT_EXCEEDED, text, {"limit": "max_socket_operations"})
            await self._send({"type": "error", "id": identifier, "payload": answered([refused])})
            return
        task = asyncio.create_task(self._operate(identifier, request))
        self._operations[identifier] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- out --------------------------------------------------------------------------------------

    async def _operate(self, identifier: str, request: GraphQLRequest) -> None:
        """Run an operation and tell its outcome; it ends with ``complete`` or with ``error``."""
        if connection := CURRENT.get():
            CURRENT.set(Exchange(connection.request_id))
        try:
            with self._streams.operation():
                errors = await self._answer(identifier, request)
        except WebSocketDisconnect:
            return
        except Exception as error:
            errors = answered([self._executor.reporter.exception(error)])
        if self._operations.get(identifier) is asyncio.current_task():
            del self._operations[identifier]
        if errors is None:
            await self._send({"type": "complete", "id": identifier})
        else:
            await self._send({"type": "error", "id": identifier, "payload": errors})

    async def _answer(self, identifier: str, request: GraphQLRequest) -> list[dict[str, Any]] | None:
        """Send the replies to a request; what comes back is why it ended too early."""
        replies = self._executor.stream(self._executor.prepare(request), request, self._make_context)
        async with aclosing(replies):
            async for reply in replies:
                if "data" not in reply.body:
                    errors: list[dict[str, Any]] = reply.body["errors"]
                    return errors
                await self._send({"type": "next", "id": identifier, "payload": reply.body})
        return None

    async def _send(self, message: Mapping[str, Any]) -> None:
        text = dump_json(message).decode()
        async with self._sending:
            await self._websocket.send({"type": "websocket.send", "text": text})

    async def _close(self, close: _Close) -> None:
        for task in self._tasks:
            task.cancel()
        reason = close.reason.encode()[:MAX_REASON].decode(errors="ignore")
        with suppress(WebSocketDisconnect):
            await self._websocket.close(close.code, reason)


def _payload(message: Mapping[str, Any]) -> Mapping[str, Any] | None:
    payload = message.get("payload")
    if payload is not None and not isinstance(payload, dict):
        raise _invalid("payload must be an object")
    return payload


def _id(message: Mapping[str, Any]) -> str:
    identifier = message.get("id")
    if not isinstance(identifier, str) or not 0 < len(identifier) <= MAX_ID:
        raise _invalid(f"id must be a string of 1 to {MAX_ID} characters")
    return identifier
