"""What is open at one time in a process, what may be, and that it ends when the server stops."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from http import HTTPStatus
from types import FrameType
from typing import Final

from prometheus_client import Gauge

from catalog.server.errors import Code, RequestFault
from catalog.server.metrics import Metrics

_STOPS: Final = (signal.SIGINT, signal.SIGTERM)


class _Places:
    """So many of one kind may be open at a time; `taken` are."""

    def __init__(self, limit: str, most: int, kind: str, gauge: Gauge | None) -> None:
        self.taken = 0
        self._limit = limit
        self._most = most
        self._kind = kind
        self._gauge = gauge

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold a place. Raises RequestFault when all are taken."""
        if self.taken >= self._most:
            raise RequestFault(
                Code.LIMIT_EXCEEDED,
                f"All {self._most} {self._kind} of this server are in use. Try again later.",
                HTTPStatus.SERVICE_UNAVAILABLE,
                {"retry-after": "5"},
                {"limit": self._limit},
            )
        self.taken += 1
        try:
            with self._gauge.track_inprogress() if self._gauge else nullcontext():
                yield
        finally:
            self.taken -= 1


class Streams:
    """Counts open sockets and running operations of streams, and refuses those over the limits."""

    def __init__(self, max_sockets: int, max_operations: int, metrics: Metrics | None = None) -> None:
        self._sockets = _Places(
            "max_sockets", max_sockets, "websockets", metrics.sockets if metrics else None
        )
        self._operations = _Places(
            "max_streams", max_operations, "streams", metrics.streams if metrics else None
        )
        self.stopping = asyncio.Event()
        """Set when the server begins to stop: streams end then, so that nobody waits for them."""

    @property
    def sockets(self) -> int:
        """Open websockets."""
        return self._sockets.taken

    @property
    def operations(self) -> int:
        """Operations that run over websockets and event streams: subscriptions, nearly always."""
        return self._operations.taken

    def socket(self) -> AbstractContextManager[None]:
        """Hold a place for a websocket. Raises RequestFault, on entering, when all are taken."""
        return self._sockets.hold()

    def operation(self) -> AbstractContextManager[None]:
        """Hold a place for an operation. Raises RequestFault, on entering, when all are taken."""
        return self._operations.hold()

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Hear the signals that stop a server; whoever handled them until now goes on to.

        The lifespan ends only after the streams have, so it can't be what ends them.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        former = {number: signal.getsignal(number) for number in _STOPS}

        def heard(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.stopping.set)
            handler = former[signal.Signals(number)]
            if callable(handler):
                handler(number, frame)

        for number, handler in former.items():
            if callable(handler):
                signal.signal(number, heard)
        try:
            yield
        finally:
            for number, handler in former.items():
                if signal.getsignal(number) is heard:
                    signal.signal(number, handler)
