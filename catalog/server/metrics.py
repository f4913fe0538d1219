"""Metrics for Prometheus. Every label has few values, none of them a client's: routes, codes, statements.

With several workers each writes its numbers into files of a folder that ``run.serve`` names to all of them,
and whichever is asked adds them up. The numbers of the Python process are there with one worker only.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from catalog.server.exchange import Exchange
from catalog.server.probe import StoreProbe, in_time

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder of several workers, as prometheus-client has it."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Upper ends of the buckets of durations."""


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call] # when each series began, which doubles their number
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "catalog_requests_total",
            "Requests answered; code is that of the first error.",
            ("route", "operation", "status", "code"),
            registry=registry,
        )
        self.request_seconds = Histogram(
            "catalog_request_duration_seconds",
            "Time from a request's first byte to the last byte of its answer.",
            ("route", "operation"),
            buckets=SECONDS,
            registry=registry,
        )
        self.in_flight = Gauge(
            "catalog_requests_in_flight",
            "Requests being answered.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.sockets = Gauge(
            "catalog_websockets_open",
            "Open websockets.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.streams = Gauge(
            "catalog_streams_open",
            "Operations that run over websockets and event streams.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.statement_seconds = Histogram(
            "catalog_statement_duration_seconds",
            "Time of a database statement, until its last row.",
            ("statement",),
            buckets=SECONDS,
            registry=registry,
        )
        self.statement_failures = Counter(
            "catalog_statement_failures_total",
            "Statements that failed, those that were tried again included.",
            ("statement",),
            registry=registry,
        )
        self.documents = Counter(
            "catalog_documents_total",
            "Query texts, by whether the document cache had them.",
            ("cache",),
            registry=registry,
        )
        self.answers = Counter(
            "catalog_answers_total",
            "Answers that hang on the revision, by whether the one of this revision was kept.",
            ("cache",),
            registry=registry,
        )
        self.snapshots = Counter(
            "catalog_snapshots_total",
            "Snapshots handed out, by whether the revision was the one that is kept in memory.",
            ("cache",),
            registry=registry,
        )
        self.revision = Gauge(
            "catalog_revision",
            "The catalog revision that was seen last.",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self.engine_up = Gauge(
            "catalog_engine_up",
            "Whether the database answered this scrape.",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        if SHARED not in os.environ:
            ProcessCollector(registry=registry)
            GCCollector(registry=registry)

    def answered(self, scope: Scope, status: int, exchange: Exchange, seconds: float) -> None:
        """Count a request that has been answered."""
        route = getattr(scope.get("route"), "path", "none")
        operation = "websocket" if scope["type"] == "websocket" else exchange.operation_type or "none"
        code = exchange.codes[0] if exchange.codes else "none"
        self.requests.labels(route, operation, status, code).inc()
        self.request_seconds.labels(route, operation).observe(seconds)
        if exchange.kept_document is not None:
            self.documents.labels("hit" if exchange.kept_document else "miss").inc()
        if exchange.kept_answer is not None:
            self.answers.labels("hit" if exchange.kept_answer else "miss").inc()

    @contextmanager
    def statement(self, name: str) -> Iterator[None]:
        """Time a statement while the context is held."""
        started = time.perf_counter()
        try:
            yield
        except Exception:
            self.statement_failures.labels(name).inc()
            raise
        finally:
            self.statement_seconds.labels(name).observe(time.perf_counter() - started)

    def snapshot(self, revision: int, kept: bool) -> None:
        """Count a snapshot that was handed out."""
        self.snapshots.labels("hit" if kept else "miss").inc()
        self.revision.set(revision)

    async def page(self, request: Request, probe: StoreProbe) -> Response:
        """The answer to a scrape: everything counted so far, and whether the database answers now."""
        try:
            state = await in_time(probe.ready())
        except Exception:
            self.engine_up.set(0)
        else:
            self.engine_up.set(1)
            self.revision.set(state["revision"])
        try:
            encode, content_type = choose_encoder(request.headers.get("accept", ""))
        except (TypeError, ValueError):  # a version that is none
            encode, content_type = choose_encoder("")
        body = await asyncio.to_thread(encode, _all_workers() or self._registry)
        return Response(body, headers={"cache-control": "no-store", "content-type": content_type})


def _all_workers() -> CollectorRegistry | None:
    """What all workers counted, when there are several."""
    folder = os.environ.get(SHARED)
    if folder is None:
        return None
    for file in Path(folder).glob("gauge_live*.db"):
        if not _alive(worker := int(file.stem.rpartition("_")[2])):
            mark_process_dead(worker, folder)  # type: ignore[no-untyped-call] # killed in mid-request: what it had in flight is no more
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
