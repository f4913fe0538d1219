"""Texts known under a hash: automatic persisted queries and `documentId`."""

import json
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

import httpx
import pytest

from catalog.server.settings import Settings
from tests.server.sample import REQUEST_ID, Watch, make_app

RESPONSE_JSON = "application/graphql-response+json"
TEXT = "query Hello {hello}"
NOT_FOUND = {
    "message": "PersistedQueryNotFound",
    "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND", "requestId": REQUEST_ID},
}
NOT_SUPPORTED = {
    "message": "PersistedQueryNotSupported",
    "extensions": {"code": "PERSISTED_QUERY_NOT_SUPPORTED", "requestId": REQUEST_ID},
}


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def by_hash(text: str, **more: Any) -> dict[str, Any]:
    return {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest(text)}}, **more}


async def ask(
    client: httpx.AsyncClient, body: dict[str, Any], *, get: bool = False, accept: str = RESPONSE_JSON
) -> httpx.Response:
    headers = {"accept": accept, "x-request-id": REQUEST_ID}
    if not get:
        return await client.post("/graphql", json=body, headers=headers)
    values = {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
    return await client.get("/graphql", params=values, headers=headers)


def opened(settings: Settings) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(make_app(settings=settings))
    return httpx.AsyncClient(transport=transport, base_url="http://catalog.test")


@pytest.fixture
async def small() -> AsyncIterator[httpx.AsyncClient]:
    """A server with room for two texts of ten characters."""
    async with opened(Settings(persisted_queries=20)) as client:
        yield client


@pytest.mark.parametrize("get", [False, True])
async def test_a_text_is_asked_for_learned_and_found(client: httpx.AsyncClient, get: bool) -> None:
    for accept, status in ((RESPONSE_JSON, 404), ("application/json", 200)):
        unknown = await ask(client, by_hash(TEXT), get=get, accept=accept)
        assert (unknown.status_code, unknown.json()) == (status, {"errors": [NOT_FOUND]})
    for body in (by_hash(TEXT, query=TEXT), by_hash(TEXT), {"documentId": f"sha256:{digest(TEXT)}"}):
        answered = await ask(client, body, get=get)
        assert (answered.status_code, answered.json()) == (200, {"data": {"hello": "world"}})


async def test_variables_and_operation_name_go_with_a_hash(client: httpx.AsyncClient) -> None:
    text = "query A {hello} query B($t: String!) {echo(text: $t)}"
    await ask(client, by_hash(text, query=text, operationName="A"))
    answer = await ask(client, by_hash(text, operationName="B", variables={"t": "x"}), get=True)
    assert answer.json() == {"data": {"echo": "x"}}


@pytest.mark.parametrize(
    ("body", "field", "text"),
    [
        (by_hash(TEXT, query="{hello}"), "extensions.persistedQuery.sha256Hash", digest("{hello}")),
        ({"extensions": {"persistedQuery": "x"}}, "extensions.persistedQuery", "an object"),
        (
            {"extensions": {"persistedQuery": {"version": 2, "sha256Hash": digest(TEXT)}}},
            "extensions.persistedQuery.version",
            "not 2",
        ),
        (
            {"extensions": {"persistedQuery": {"version": True, "sha256Hash": digest(TEXT)}}},
            "extensions.persistedQuery.version",
            "not true",
        ),
        (
            {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest(TEXT).upper()}}},
            "extensions.persistedQuery.sha256Hash",
            "64 lower-case hex digits",
        ),
        ({"extensions": {"persistedQuery": {"version": 1}}}, "extensions.persistedQuery.sha256Hash", "64"),
        ({"documentId": "x", "query": TEXT}, "documentId", "in the place of query"),
        (by_hash(TEXT, documentId="x"), "documentId", "in the place of extensions.persistedQuery"),
    ],
)
async def test_a_faulty_reference_is_refused_naming_the_field(
    client: httpx.AsyncClient, body: dict[str, Any], field: str, text: str
) -> None:
    for get in (False, True):
        response = await ask(client, body, get=get)
        [error] = response.json()["errors"]
        assert (response.status_code, error["extensions"]) == (
            400,
            {"field": field, "code": "BAD_USER_INPUT", "requestId": REQUEST_ID},
        )
        assert error["message"].startswith(f"{field}: ")
        assert text in error["message"]


async def test_an_id_that_nobody_gave_is_not_found(client: httpx.AsyncClient) -> None:
    response = await ask(client, {"documentId": "x-app:1"})
    assert (response.status_code, response.json()) == (404, {"errors": [NOT_FOUND]})


async def test_a_mutation_by_hash_is_not_taken_by_get(client: httpx.AsyncClient, watch: Watch) -> None:
    text = "mutation {change}"
    assert (await ask(client, by_hash(text, query=text))).json() == {"data": {"change": 1}}
    for body in (by_hash(text), by_hash(text, query=text), {"documentId": f"sha256:{digest(text)}"}):
        response = await ask(client, body, get=True)
        assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert watch.changes == 1


async def test_the_least_used_texts_make_room(small: httpx.AsyncClient) -> None:
    one, two, three = "{a:hello} ", "{b:hello} ", "{c:hello} "
    for text in (one, two):
        await ask(small, by_hash(text, query=text))
    await ask(small, by_hash(one))
    await ask(small, by_hash(three, query=three))
    found = ["data" in (await ask(small, by_hash(text))).json() for text in (one, two, three)]
    assert found == [True, False, True]


async def test_a_text_without_room_is_run_and_not_kept(small: httpx.AsyncClient) -> None:
    text = "{a:hello b:hello c:hello}"
    assert "data" in (await ask(small, by_hash(text, query=text))).json()
    assert (await ask(small, by_hash(text))).json() == {"errors": [NOT_FOUND]}


@pytest.mark.parametrize("body", [by_hash(TEXT), by_hash(TEXT, query=TEXT), {"documentId": "x"}])
async def test_it_can_be_switched_off(body: dict[str, Any]) -> None:
    async with opened(Settings(persisted_queries=0)) as client:
        response = await ask(client, body)
        assert (response.status_code, response.json()) == (400, {"errors": [NOT_SUPPORTED]})
        assert (await ask(client, {"query": TEXT})).json() == {"data": {"hello": "world"}}
