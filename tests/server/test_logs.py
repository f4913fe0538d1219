"""The log: one line per request with what operators ask for, and nothing of what was asked."""

import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from catalog.server import logs
from catalog.server.exchange import RequestIds

SECRET = "4111111111111111"


@contextmanager
def configured(style: str, level: str) -> Iterator[None]:
    """The loggers as the server sets them; put back at exit."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logging.config.dictConfig(logs.configuration(style, level))
        logging.getLogger("httpx").propagate = False  # the client of the tests tells of requests too
        yield
    finally:
        logging.getLogger("httpx").propagate = True
        root.handlers[:] = before[0]
        root.setLevel(before[1])


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


async def test_one_line_of_json_per_request(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    query = f'query Told {{hello echo(text: "{SECRET}") down}}'
    with configured("json", "info"):
        await client.post("/graphql?x=" + SECRET, json={"query": query})
    [line] = lines(capsys)
    assert line.pop("timestamp")
    assert line.pop("duration_ms") >= 0
    assert line.pop("message").startswith("method=POST path=/graphql status=200 ")
    assert line == {
        "level": "INFO",
        "logger": "catalog.access",
        "request_id": "r-1",
        "trace_id": None,
        "method": "POST",
        "path": "/graphql",
        "status": 200,
        "operation_type": "query",
        "operation_name": "Told",
        "cost": 3,
        "statements": 0,
        "codes": ["SERVICE_UNAVAILABLE"],
    }


@pytest.mark.parametrize("style", logs.FORMATS)
@pytest.mark.parametrize(
    "request_",
    [
        {"method": "POST", "url": "/graphql", "json": {"query": f'{{echo(text: "{SECRET}")}}'}},
        {"method": "POST", "url": "/graphql", "json": {"query": f"{{{SECRET}"}},
        {"method": "POST", "url": "/graphql", "json": {"query": "{hello}", "variables": {"a": SECRET}}},
        {"method": "POST", "url": "/graphql", "json": {"query": "{hello}", "operationName": SECRET}},
        {"method": "GET", "url": f'/graphql?query={{echo(text:"{SECRET}")}}'},
    ],
)
async def test_no_line_tells_what_was_asked(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str], style: str, request_: dict[str, Any]
) -> None:
    with configured(style, "info"):
        await client.request(**request_)
    text = capsys.readouterr().err
    assert "catalog.access" in text
    assert SECRET not in text


async def test_a_path_cannot_forge_a_line(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with configured("text", "info"):
        await client.get("/x%0a2026-01-01T00:00:00 INFO catalog.access forged%1b[2J")
    [line] = capsys.readouterr().err.splitlines()
    assert "path=/x%0A2026-01-01T00%3A00%3A00%20INFO%20catalog.access%20forged%1B%5B2J " in line


async def test_a_line_of_text_begins_with_time_level_logger_and_id(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with configured("text", "info"):
        await client.get("/schema.graphql")
        logging.getLogger("uvicorn.error").info("Started")
    access, other = capsys.readouterr().err.splitlines()
    assert access.split(" ", 1)[1].startswith(
        "INFO catalog.access [r-1] method=GET path=/schema.graphql status=200"
    )
    assert other.split(" ", 1)[1] == "INFO uvicorn.error Started"


async def test_a_masked_error_is_one_line_of_json_with_its_traceback(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with configured("json", "warning"):
        response = await client.post("/graphql", json={"query": "{secret}"})
    [line] = lines(capsys)
    assert response.json()["errors"][0]["extensions"]["id"] in line["message"]
    assert (line["level"], line["request_id"]) == ("ERROR", "r-1")
    assert "Traceback" in line["exc_info"]


@pytest.mark.parametrize(("level", "written"), [("info", False), ("debug", True)])
async def test_what_machines_ask_all_the_time_is_for_debugging(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, level: str, written: bool
) -> None:
    with caplog.at_level(level.upper(), "catalog.access"):
        await client.get("/healthz")
        await client.get("/readyz")
    assert bool(caplog.records) is written


def test_outside_a_request_there_is_no_id() -> None:
    record = logging.makeLogRecord({})
    assert RequestIds().filter(record)
    assert record.__dict__["request_id"] is None
