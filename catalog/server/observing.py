"""The layer that watches every request: its id, one line in the log, metrics, a span.

Metrics and traces are given or left out; who is not there costs nothing.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from catalog.server.exchange import CURRENT, Exchange, request_id
from catalog.server.metrics import Metrics
from graph.names import name_of

if TYPE_CHECKING:  # optional: see tracing.py
    from catalog.server.spans import Tracing

log = logging.getLogger("catalog.access")

REQUEST_ID = "x-request-id"
UNANSWERED = 499
"""The status that logs have for a client that went away before it was answered."""
QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes that machines ask every few seconds: their lines are for DEBUG."""


class Observe:
    """Begins the exchange of each request, puts its id on the response, and tells what came of it."""

    def __init__(self, app: ASGIApp, metrics: Metrics | None, tracing: "Tracing | None") -> None:
        self._app = app
        self._metrics = metrics
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        exchange = Exchange(request_id(Headers(scope=scope).get(REQUEST_ID)))
        started, status = time.perf_counter(), UNANSWERED

        async def identified(message: Message) -> None:
            nonlocal status
            match message["type"]:
                case "http.response.start" | "websocket.http.response.start":
                    status = message["status"]
                    MutableHeaders(scope=message)[REQUEST_ID] = exchange.request_id
                case "websocket.accept":
                    status = 101
                    MutableHeaders(scope=message)[REQUEST_ID] = exchange.request_id
            await send(message)

        token = CURRENT.set(exchange)
        try:
            with ExitStack() as held:
                if self._metrics:
                    held.enter_context(self._metrics.in_flight.track_inprogress())
                if self._tracing:
                    held.enter_context(self._tracing.request(scope, exchange, lambda: status))
                await self._app(scope, receive, identified)
        except BaseException:
            status = 500 if status == UNANSWERED else status
            raise
        finally:
            seconds = time.perf_counter() - started
            if self._metrics:
                self._metrics.answered(scope, status, exchange, seconds)
            _log(scope, status, exchange, seconds)
            CURRENT.reset(token)


def _log(scope: Scope, status: int, exchange: Exchange, seconds: float) -> None:
    """The access line. Its path is percent-encoded and without the query string, which may hold a query."""
    route = getattr(scope.get("route"), "path", "")
    level = logging.DEBUG if route in QUIET else logging.INFO
    if not log.isEnabledFor(level):
        return
    facts = {
        "method": scope.get("method", "WEBSOCKET"),
        "path": quote(scope["path"][:200]),
        "status": status,
        "duration_ms": round(seconds * 1000, 1),
        "operation_type": exchange.operation_type,
        "operation_name": exchange.operation_name,
        "cost": exchange.cost,
        "statements": exchange.statements,
        "codes": exchange.codes or None,
    }
    known = {name: value for name, value in facts.items() if value is not None}
    log.log(level, " ".join(f"{name}={value}" for name, value in known.items()), extra=known)


def watch_statements(
    engine: str, metrics: Metrics | None, tracing: "Tracing | None"
) -> Callable[[str], AbstractContextManager[None]]:
    """What a store's ``observe`` is to be: counts, times and traces each statement by its name."""

    @contextmanager
    def observe(statement: str) -> Iterator[None]:
        name = name_of(statement)
        if exchange := CURRENT.get():
            exchange.statements += 1
        with ExitStack() as held:
            if metrics:
                held.enter_context(metrics.statement(name))
            if tracing:
                held.enter_context(tracing.statement(name, engine))
            yield

    return observe
