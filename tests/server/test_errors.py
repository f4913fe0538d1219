"""What clients see of errors: explained, readable or masked; never the inside."""

import logging
import re
from pathlib import Path

import httpx
import pytest
from graphql import GraphQLEnumType

from catalog.api.schema import schema as served_schema
from catalog.server.errors import STATUS, Code
from catalog.server.settings import Settings
from tests.server.sample import REQUEST_ID, StoreDownError, Watch, make_app

ROOT = Path(__file__).resolve().parents[2]
INSIDE = ("MATCH", "bolt", "10.0.0.7", "/var/lib", "RuntimeError", "Traceback")


async def ask(client: httpx.AsyncClient, query: str, **variables: object) -> httpx.Response:
    headers = {"accept": "application/graphql-response+json"}
    return await client.post("/graphql", json={"query": query, "variables": variables}, headers=headers)


def documented(heading: str) -> list[str]:
    """The codes in the first column of a table of docs/graphql.md."""
    text = (ROOT / "docs" / "graphql.md").read_text(encoding="utf-8")
    rows = text.partition(f"| {heading} ")[2].partition("\n\n")[0].splitlines()[2:]
    return [code for row in rows for code in re.findall("`([A-Z_]+)`", row.split("|")[1])]


def test_the_list_of_codes_is_one() -> None:
    enum = served_schema._schema.type_map["ErrorCode"]
    assert isinstance(enum, GraphQLEnumType)
    assert list(enum.values) == list(Code) == documented("code | when")
    assert set(STATUS) == set(Code) == {*documented("code | status"), "UNAUTHENTICATED", "FORBIDDEN"}


@pytest.mark.parametrize(
    "query",
    [
        "{secret}",
        "{plainError}",
        "{board {big}}",
        "{requiredSecret}",
        "{ok: hello secret}",
        '{_entities(representations: [{__typename: "Thing", name: "x"}]) {__typename}}',
    ],
)
async def test_the_unexpected_is_masked_and_logged_with_the_id(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, query: str
) -> None:
    with caplog.at_level(logging.ERROR, "catalog.server.errors"):
        response = await ask(client, query)
    [error] = response.json()["errors"]
    assert response.status_code == 200
    assert error["extensions"]["code"] == "INTERNAL"
    identifier = error["extensions"]["id"]
    assert error["message"] == f"An unexpected error happened. It is logged with the id {identifier}."
    assert not any(word in response.text for word in INSIDE)
    [record] = caplog.records
    assert identifier in record.getMessage()
    assert record.exc_info is not None


async def test_explained_errors_keep_code_message_path_and_extensions(client: httpx.AsyncClient) -> None:
    response = await ask(client, "{hello a: down several codedError}")
    assert response.json() == {
        "errors": [
            {
                "message": "The store can't be reached.",
                "locations": [{"line": 1, "column": 8}],
                "path": ["a"],
                "extensions": {"code": "SERVICE_UNAVAILABLE", "requestId": REQUEST_ID},
            },
            {
                "message": "Several boards fit.",
                "locations": [{"line": 1, "column": 16}],
                "path": ["several"],
                "extensions": {"code": "AMBIGUOUS", "candidates": ["a", "b"], "requestId": REQUEST_ID},
            },
            {
                "message": "first: at most 100",
                "locations": [{"line": 1, "column": 24}],
                "path": ["codedError"],
                "extensions": {"code": "BAD_USER_INPUT", "requestId": REQUEST_ID},
            },
        ],
        "data": {"hello": "world", "a": None, "several": None, "codedError": None},
    }


async def test_a_null_for_a_required_argument_is_the_clients_fault(client: httpx.AsyncClient) -> None:
    response = await ask(client, 'query($t: String = "x") {echo(text: $t)}', t=None)
    [error] = response.json()["errors"]
    assert error["extensions"] == {"code": "BAD_USER_INPUT", "requestId": REQUEST_ID}
    assert "'text' has invalid value" in error["message"]


async def test_an_answer_that_is_no_json_is_masked(client: httpx.AsyncClient) -> None:
    response = await ask(client, "{halfCharacter}")
    assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (500, "INTERNAL")


async def test_a_failing_context_is_explained(client: httpx.AsyncClient, watch: Watch) -> None:
    watch.context_error = StoreDownError("bolt://10.0.0.7")
    response = await ask(client, "{hello}")
    assert (response.status_code, response.json()) == (
        503,
        {
            "errors": [
                {
                    "message": "The store can't be reached.",
                    "extensions": {"code": "SERVICE_UNAVAILABLE", "requestId": REQUEST_ID},
                }
            ]
        },
    )


async def test_a_slow_request_is_ended() -> None:
    watch = Watch()
    app = make_app(watch, Settings(request_timeout=0.05))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://catalog.test"
    ) as client:
        response = await ask(client, "{slow}")
    [error] = response.json()["errors"]
    assert (response.status_code, error["extensions"]["code"], watch.cancelled) == (504, "TIMEOUT", 1)
