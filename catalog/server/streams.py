"""What is open at one time in a process, what may be, and that it ends when the server stops."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from http import HTTPStatus
from types import FrameType
from typing import Final

from catalog.server.errors import Code, RequestFault
from catalog.server.metrics import Metrics

_STOPS: Final = (signal.SIGINT, signal.SIGTERM)


class Streams:
    """Counts open sockets and running operations of streams, and refuses those over the limits."""

    def __init__(self, max_sockets: int, max_operations: int, metrics: Metrics | None = None) -> None:
        self._metrics = metrics
        self.sockets = 0
        """Open websockets."""
        self.operations = 0
        """Operations that run over websockets and event streams: subscriptions, nearly always."""
        self.max_sockets = max_sockets
        self.max_operations = max_operations
        self.stopping = asyncio.Event()
        """Set when the server begins to stop: streams end then, so that nobody waits for them."""

    @contextmanager
    def socket(self) -> Iterator[None]:
        """Hold a place for a websocket. Raises RequestFault when all are taken."""
        if self.sockets >= self.max_sockets:
            raise _full("max_sockets", f"All {self.max_sockets} websockets of this server are in use.")
        self.sockets += 1
        try:
            with self._metrics.sockets.track_inprogress() if self._metrics else nullcontext():
                yield
        finally:
            self.sockets -= 1

    @contextmanager
    def operation(self) -> Iterator[None]:
        """Hold a place for an operation. Raises RequestFault when all are taken."""
        if self.operations >= self.max_operations:
            raise _full("max_streams", f"All {self.max_operations} streams of this server are in use.")
        self.operations += 1
        try:
            with self._metrics.streams.track_inprogress() if self._metrics else nullcontext():
                yield
        finally:
            self.operations -= 1

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


def _full(limit: str, message: str) -> RequestFault:
    return RequestFault(
        Code.LIMIT_EXCEEDED,
        f"{message} Try again later.",
        HTTPStatus.SERVICE_UNAVAILABLE,
        {"retry-after": "5"},
        {"limit": limit},
    )
