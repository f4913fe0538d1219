"""Answers that are kept, and their entity tags: nothing is made twice, and never of two revisions."""

import json
from typing import Any

import httpx
import pytest

from catalog.server.settings import Settings
from tests.server.sample import StoreDownError, Watch, make_app
from tests.server.test_persisted import by_hash

QUERY = "query A {counted} query B($t: String) {echo(text: $t)}"


async def get(
    client: httpx.AsyncClient, tag: str | None = None, accept: str = "application/json", **values: Any
) -> httpx.Response:
    asked = {"query": "{counted}", **values} if "extensions" not in values else values
    given = {name: value if isinstance(value, str) else json.dumps(value) for name, value in asked.items()}
    headers = {"accept": accept, **({} if tag is None else {"if-none-match": tag})}
    return await client.get("/graphql", params=given, headers=headers)


async def test_an_answer_has_a_tag_and_is_not_made_again(client: httpx.AsyncClient, watch: Watch) -> None:
    first = await get(client)
    assert (first.status_code, first.json()) == (200, {"data": {"counted": 7}})
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    assert (watch.executed, watch.asked) == (1, 2)
    for given in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = await get(client, given)
        assert (again.status_code, again.content) == (304, b"")
        kept = f"W/{tag}" if given.startswith("W/") else tag  # weak where the client's copy came compressed
        assert (again.headers["etag"], again.headers["cache-control"]) == (kept, "no-cache")
        assert "accept" in again.headers["vary"]
    assert (watch.executed, watch.asked) == (1, 6)


async def test_head_has_the_tag_of_get(client: httpx.AsyncClient) -> None:
    tag = (await get(client)).headers["etag"]
    response = await client.head(
        "/graphql", params={"query": "{counted}"}, headers={"accept": "application/json"}
    )
    assert (response.status_code, response.headers["etag"]) == (200, tag)


async def test_a_new_revision_has_another_tag(client: httpx.AsyncClient, watch: Watch) -> None:
    tag = (await get(client)).headers["etag"]
    watch.revision += 1
    answer = await get(client, tag)
    assert (answer.status_code, answer.json()) == (200, {"data": {"counted": 8}})
    assert answer.headers["etag"] != tag


async def test_what_is_asked_is_in_the_tag(client: httpx.AsyncClient) -> None:
    asked: list[dict[str, Any]] = [
        {},
        {"query": "{ counted }"},
        {"query": QUERY, "operationName": "A"},
        {"query": QUERY, "operationName": "B"},
        {"query": QUERY, "operationName": "B", "variables": {"t": "x"}},
        {"query": QUERY, "operationName": "B", "variables": {"t": "y"}},
        {"accept": "application/graphql-response+json"},
    ]
    tags = [(await get(client, **each)).headers["etag"] for each in asked]
    assert len(set(tags)) == len(tags)
    assert tags == [(await get(client, **each)).headers["etag"] for each in asked]


async def test_settings_are_in_the_tag(client: httpx.AsyncClient) -> None:
    transport = httpx.ASGITransport(make_app(settings=Settings(public_url="https://example.org")))
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as other:
        assert (await get(other)).headers["etag"] != (await get(client)).headers["etag"]


async def test_a_persisted_query_is_tagged(client: httpx.AsyncClient, watch: Watch) -> None:
    await client.post("/graphql", json=by_hash("{counted}", query="{counted}"))
    first = await get(client, **by_hash("{counted}"))
    again = await get(client, first.headers["etag"], **by_hash("{counted}"))
    assert (first.status_code, again.status_code, watch.executed) == (200, 304, 1)


async def test_an_overtaken_answer_is_made_again(client: httpx.AsyncClient, watch: Watch) -> None:
    watch.moves = 1
    answer = await get(client)
    assert (answer.json(), watch.executed) == ({"data": {"counted": 8}}, 2)
    assert (await get(client, answer.headers["etag"])).status_code == 304


async def test_writers_wait_for_an_answer_that_is_overtaken_each_time(
    client: httpx.AsyncClient, watch: Watch
) -> None:
    watch.moves = 100
    answer = await get(client)
    assert (answer.json(), watch.executed, watch.halted) == ({"data": {"counted": 10}}, 4, 1)
    assert (await get(client, answer.headers["etag"])).status_code == 304


@pytest.mark.parametrize(
    "query",
    [
        "{",
        "{nope}",
        "{secret}",
        "{hello coded: codedError}",
        "query($x: Int!) {hello}",
        "{hello",
        "{__typename}",
    ],
)
async def test_errors_and_introspection_have_no_tag(client: httpx.AsyncClient, query: str) -> None:
    answer = await get(client, "*", query=query)
    assert answer.status_code == 200
    assert (answer.headers.get("etag"), answer.headers["cache-control"]) == (None, "no-store")


async def test_introspection_asks_no_store(client: httpx.AsyncClient, watch: Watch) -> None:
    await get(client, query="{__typename ...F} fragment F on Query {__typename}")
    assert watch.asked == 2
    await get(client, query="{__typename __schema {queryType {name}}}")
    assert watch.asked == 2


async def test_post_has_no_tag(client: httpx.AsyncClient, watch: Watch) -> None:
    answer = await client.post("/graphql", json={"query": "{counted}"}, headers={"if-none-match": "*"})
    assert (answer.status_code, answer.json(), watch.asked) == (200, {"data": {"counted": 7}}, 2)
    assert "etag" not in answer.headers
    assert "cache-control" not in answer.headers


async def test_a_store_that_fails_is_an_error_of_the_request(client: httpx.AsyncClient, watch: Watch) -> None:
    watch.context_error = StoreDownError("bolt://10.0.0.7:7687")
    answer = await get(client, accept="application/graphql-response+json")
    assert (answer.status_code, answer.headers["cache-control"]) == (503, "no-store")
    assert answer.json()["errors"][0]["extensions"]["code"] == "SERVICE_UNAVAILABLE"
