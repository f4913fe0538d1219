"""Spans, as an exporter in memory receives them, and whether there are any."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from catalog.server.observing import watch_statements
from catalog.server.spans import Tracing
from catalog.server.tracing import wanted_tracing
from graph import reads
from tests.server.sample import StoreDownError, make_app

TRACE = "0af7651916cd43dd8448eb211c80319c"


@asynccontextmanager
async def traced() -> AsyncIterator[tuple[httpx.AsyncClient, Tracing, InMemorySpanExporter]]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing = Tracing(provider)
    transport = httpx.ASGITransport(make_app(tracing=tracing))
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client:
        yield client, tracing, exporter
    tracing.close()


def told(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


async def test_a_request_is_a_span_below_the_clients() -> None:
    async with traced() as (client, _, exporter):
        headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01", "x-request-id": "mine"}
        await client.post("/graphql", json={"query": "query Hello {hello}"}, headers=headers)
    [span] = exporter.get_finished_spans()
    assert span.context is not None
    assert span.parent is not None
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, "b7ad6b7169203331")
    assert span.name == "POST /graphql"
    assert told(span) == {
        "http.request.method": "POST",
        "url.path": "/graphql",
        "http.route": "/graphql",
        "http.response.status_code": 200,
        "graphql.operation.type": "query",
        "graphql.operation.name": "Hello",
        "catalog.request_id": "mine",
        "catalog.cost": 1,
        "catalog.statements": 0,
    }


@pytest.mark.parametrize("given", ["", "00-0-0-01", "garbage", f"00-{TRACE}-0000000000000000-01"])
async def test_a_faulty_traceparent_begins_a_trace(given: str) -> None:
    async with traced() as (client, _, exporter):
        assert (await client.get("/healthz", headers={"traceparent": given})).status_code == 200
    [span] = exporter.get_finished_spans()
    assert (span.name, span.parent) == ("GET /healthz", None)


async def test_a_field_that_waits_is_a_span_and_others_are_none() -> None:
    async with traced() as (client, _, exporter):
        await client.post("/graphql", json={"query": "{hello board {name board {name}} b: slow(seconds: 0)}"})
    *fields, request = exporter.get_finished_spans()
    assert request.context is not None
    assert sorted(span.name for span in fields) == ["Board.board", "Query.slow"]
    assert {span.parent and span.parent.span_id for span in fields} == {request.context.span_id}


async def test_a_statement_is_a_span_by_its_name() -> None:
    async with traced() as (_, tracing, exporter):
        observe = watch_statements("arcadedb", None, tracing)
        with observe(reads.GROUP_INDEX):
            pass
        with pytest.raises(StoreDownError), observe(reads.COUNTS):
            raise StoreDownError("bolt://10.0.0.7 MATCH (n)")
    good, bad = exporter.get_finished_spans()
    assert (good.name, good.status.status_code) == ("reads.GROUP_INDEX", StatusCode.UNSET)
    assert told(good) == {"db.system.name": "arcadedb", "db.query.summary": "reads.GROUP_INDEX"}
    assert (bad.name, bad.status.status_code) == ("reads.COUNTS", StatusCode.ERROR)
    assert told(bad)["error.type"] == "StoreDownError"
    assert "10.0.0.7" not in bad.to_json()


async def test_a_server_error_marks_the_span_and_tells_nothing() -> None:
    async with traced() as (client, _, exporter):
        await client.get("/manifests/beefbeef")
        await client.get("/manifests/x")
    failed, refused = exporter.get_finished_spans()
    assert (failed.status.status_code, refused.status.status_code) == (StatusCode.ERROR, StatusCode.UNSET)
    assert "10.0.0.7" not in failed.to_json()


COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OTEL_SERVICE_NAME": "x"},
        {**COLLECTOR, "OTEL_SDK_DISABLED": "true"},
        {**COLLECTOR, "OTEL_TRACES_EXPORTER": "none"},
    ],
)
def test_no_collector_no_traces(environ: dict[str, str]) -> None:
    assert wanted_tracing(environ) is None


def test_a_collector_means_traces() -> None:
    tracing = wanted_tracing(COLLECTOR)
    assert tracing is not None
    tracing.close()


def test_a_collector_without_the_packages_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("catalog.server.tracing.PACKAGES", ("no_such_package.at.all",))
    with caplog.at_level(logging.WARNING):
        assert wanted_tracing(COLLECTOR) is None
    assert "kernel-catalog[otel]" in caplog.text
