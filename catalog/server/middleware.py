"""ASGI layers around the routes: the sub-path of a proxy, security headers, errors as JSON, the body cap."""

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from catalog.server.errors import CLIENT_CLOSED_REQUEST, STATUS, Code, ErrorReporter, RequestFault
from catalog.server.exchange import answered
from catalog.server.wire import dump_json

SECURITY_HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Put on every response that does not set them itself."""


class _TooLarge(Exception):  # noqa: N818 - never leaves this module
    pass


class BodyLimit:
    """Refuses a request body over ``limit`` bytes with 413: at once when its length is declared, else on
    passing it."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting what it reads."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > 18 or int(declared) > self._limit:
            await self._refuse(scope, receive, send)
            return
        started, seen = False, 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > self._limit:
                    raise _TooLarge
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, counted, watched)
        except _TooLarge:
            if started:
                raise
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = f"The body is larger than {self._limit} bytes."
        fault = RequestFault(Code.LIMIT_EXCEEDED, message, 413, {"connection": "close"})
        await fault.response()(scope, receive, send)


class ErrorBoundary:
    """Answers every exception with a JSON error; nothing gets past it but what broke a response already
    begun."""

    def __init__(self, app: ASGIApp, reporter: ErrorReporter) -> None:
        self._app = app
        self._reporter = reporter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            await self._answer(error)(scope, receive, send)

    def _answer(self, error: Exception) -> Response:
        if isinstance(error, ClientDisconnect):  # while its body was read: no fault of the server
            return Response(status_code=CLIENT_CLOSED_REQUEST)
        if isinstance(error, RequestFault):
            return error.response()
        entry = self._reporter.exception(error)
        status = STATUS[Code(entry["extensions"]["code"])]
        return Response(dump_json({"errors": answered([entry])}), status, media_type="application/json")


class SecurityHeaders:
    """Adds :data:`SECURITY_HEADERS`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


class BasePath:
    """Serves under a sub-path, whether the proxy in front strips it from the path or not."""

    def __init__(self, app: ASGIApp, base_path: str) -> None:
        self._app = app
        self._base = base_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the sub-path as its root path."""
        if scope["type"] in ("http", "websocket") and self._base and not scope.get("root_path"):
            path = scope["path"] if scope["path"] != self._base else self._base + "/"
            unstripped = path.startswith(self._base + "/")
            scope = {**scope, "root_path": self._base, "path": path if unstripped else self._base + path}
        await self._app(scope, receive, send)
