"""Metrics: what is counted, under which labels, and that no client makes new ones."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from catalog.server.metrics import SHARED, Metrics
from catalog.server.observing import watch_statements
from graph import reads
from tests.server.sample import StoreDownError, Watch, make_app

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@asynccontextmanager
async def measured(watch: Watch | None = None) -> AsyncIterator[tuple[httpx.AsyncClient, Metrics]]:
    metrics = Metrics()
    transport = httpx.ASGITransport(make_app(watch, metrics=metrics))
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client:
        yield client, metrics


def samples(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def labelled(name: str, **labels: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    return name, tuple(sorted(labels.items()))


async def scraped(client: httpx.AsyncClient) -> Samples:
    response = await client.get("/metrics")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    return samples(response.text)


async def test_requests_are_counted_by_route_operation_status_and_first_code() -> None:
    async with measured() as (client, _):
        for query in ("{hello}", "{hello}", "{down several}", "{", "mutation {change}"):
            await client.post("/graphql", json={"query": query})
        await client.get("/manifests/deaddead")
        await client.get("/nothing/here")
        found = await scraped(client)
    counted = {key[1]: value for key, value in found.items() if key[0] == "catalog_requests_total"}
    assert counted == {
        labelled("", route=route, operation=operation, status=status, code=code)[1]: count
        for route, operation, status, code, count in [
            ("/graphql", "query", "200", "none", 2),
            ("/graphql", "query", "200", "SERVICE_UNAVAILABLE", 1),
            ("/graphql", "none", "200", "GRAPHQL_PARSE_FAILED", 1),
            ("/graphql", "mutation", "200", "none", 1),
            ("/manifests/{digest}", "none", "503", "SERVICE_UNAVAILABLE", 1),
            ("none", "none", "404", "NOT_FOUND", 1),
        ]
    }
    seconds = labelled("catalog_request_duration_seconds_count", route="/graphql", operation="query")
    assert found[seconds] == 3


async def test_the_document_cache_is_counted() -> None:
    async with measured() as (client, _):
        for query in ("{hello}", "{hello}", "{hello }", "{hello}"):
            await client.post("/graphql", json={"query": query})
        found = await scraped(client)
    assert found[labelled("catalog_documents_total", cache="hit")] == 2
    assert found[labelled("catalog_documents_total", cache="miss")] == 2


async def test_a_running_request_is_in_flight() -> None:
    watch = Watch()
    async with measured(watch) as (client, _):
        running = asyncio.create_task(client.post("/graphql", json={"query": "{slow}"}))
        await watch.started.wait()
        found = await scraped(client)
        running.cancel()
    assert found[labelled("catalog_requests_in_flight")] == 2  # the slow one, and the scrape itself


async def test_a_scrape_asks_the_store() -> None:
    watch = Watch()
    async with measured(watch) as (client, _):
        up = await scraped(client)
        watch.ready_error = StoreDownError("bolt://10.0.0.7")
        down = await scraped(client)
    assert (up[labelled("catalog_engine_up")], up[labelled("catalog_revision")]) == (1, 7)
    assert (down[labelled("catalog_engine_up")], down[labelled("catalog_revision")]) == (0, 7)


async def test_clients_make_no_label() -> None:
    async with measured() as (client, _):
        for number in range(50):
            query = f"query Q{number} {{a{number}: hello}}"
            await client.post(f"/graphql?x={number}", json={"query": query, "operationName": f"Q{number}"})
            await client.get(f"/x{number}")
            await client.get(f"/manifests/{number:08d}")
            await client.request(f"M{number}", "/graphql")
        found = await scraped(client)
    assert len([key for key in found if key[0] == "catalog_requests_total"]) == 4


async def test_statements_are_timed_by_name_and_failures_counted() -> None:
    async with measured() as (client, metrics):
        observe = watch_statements("neo4j", metrics, None)
        for _ in range(2):
            with observe(reads.RUN_DAYS):
                pass
        with pytest.raises(StoreDownError), observe(reads.COUNTS):
            raise StoreDownError
        found = await scraped(client)
    assert found[labelled("catalog_statement_duration_seconds_count", statement="reads.RUN_DAYS")] == 2
    assert found[labelled("catalog_statement_duration_seconds_count", statement="reads.COUNTS")] == 1
    assert found[labelled("catalog_statement_failures_total", statement="reads.COUNTS")] == 1
    assert labelled("catalog_statement_failures_total", statement="reads.RUN_DAYS") not in found


@pytest.mark.parametrize("accept", ["application/openmetrics-text; version=1.0.0", "text/html", "*/*", "x"])
async def test_any_scraper_is_answered(accept: str) -> None:
    async with measured() as (client, _):
        response = await client.get("/metrics", headers={"accept": accept})
    assert response.status_code == 200
    assert response.text.endswith("# EOF\n") == ("openmetrics" in accept)


@pytest.mark.parametrize("accept", ["application/openmetrics-text; version=x", "text/plain;version=9.9.9.9"])
async def test_a_faulty_accept_gets_the_plain_format(accept: str) -> None:
    async with measured() as (client, _):
        assert (await client.get("/metrics", headers={"accept": accept})).status_code == 200


async def test_without_metrics_there_is_no_page(client: httpx.AsyncClient) -> None:
    assert (await client.get("/metrics")).status_code == 404


WORKER = """
import asyncio, os
from starlette.requests import Request
from catalog.server.metrics import SHARED, Metrics
from tests.server.sample import Watch
metrics = Metrics()
metrics.in_flight.inc()
metrics.snapshots.labels("hit").inc()
if os.environ.get("DIES"):
    os._exit(1)
request = Request({"type": "http", "headers": []})
print(asyncio.run(metrics.page(request, Watch())).body.decode())
"""


def test_workers_add_up_and_one_that_died_has_nothing_in_flight(tmp_path: Path) -> None:
    environ = {**os.environ, SHARED: str(tmp_path)}
    for dies in ("1", ""):
        command = [sys.executable, "-c", WORKER]
        done = subprocess.run(
            command, env={**environ, "DIES": dies}, capture_output=True, text=True, check=False
        )
    found = samples(done.stdout)
    assert found[labelled("catalog_snapshots_total", cache="hit")] == 2
    assert found[labelled("catalog_requests_in_flight")] == 1
