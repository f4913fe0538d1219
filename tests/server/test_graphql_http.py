"""GraphQL over HTTP: methods, media types, statuses, and the shape of every refusal."""

import json
from typing import Any

import httpx
import pytest
from graphql import get_introspection_query

from tests.server.sample import Watch

RESPONSE_JSON = "application/graphql-response+json"
JSON = "application/json"


def codes(response: httpx.Response) -> list[str]:
    assert response.headers["content-type"].split(";")[0] in (JSON, RESPONSE_JSON)
    return [error["extensions"]["code"] for error in response.json()["errors"]]


async def post(client: httpx.AsyncClient, body: object, accept: str = RESPONSE_JSON) -> httpx.Response:
    return await client.post("/graphql", json=body, headers={"accept": accept})


async def post_bytes(client: httpx.AsyncClient, body: bytes, **headers: str) -> httpx.Response:
    return await client.post("/graphql", content=body, headers={"content-type": JSON, **headers})


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        (RESPONSE_JSON, RESPONSE_JSON),
        (f"{JSON}, {RESPONSE_JSON}", RESPONSE_JSON),
        (f"{RESPONSE_JSON};q=0.5, {JSON};q=0.6", JSON),
        (f"{JSON};q=0, */*;q=0.1", RESPONSE_JSON),
        (f"{RESPONSE_JSON}, */*", RESPONSE_JSON),
        ("APPLICATION/JSON;Q=0.3", JSON),
    ],
)
async def test_the_media_type_follows_accept(
    client: httpx.AsyncClient, accept: str | None, media: str
) -> None:
    headers = {} if accept is None else {"accept": accept}
    if accept is None:
        del client.headers["accept"]
    response = await client.post("/graphql", json={"query": "{hello}"}, headers=headers)
    assert (response.status_code, response.headers["content-type"]) == (200, f"{media}; charset=utf-8")
    assert response.json() == {"data": {"hello": "world"}}
    assert "accept" in response.headers["vary"]


@pytest.mark.parametrize(
    "accept", ["text/plain", "image/*", f"{JSON};q=0", f"{JSON};q=nonsense", "json", "text/html"]
)
async def test_neither_media_type_is_406(client: httpx.AsyncClient, accept: str) -> None:
    response = await post(client, {"query": "{hello}"}, accept)
    assert (response.status_code, codes(response)) == (406, ["BAD_USER_INPUT"])


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        ({"query": "{"}, "GRAPHQL_PARSE_FAILED", "Expected Name"),
        ({"query": "{}"}, "GRAPHQL_PARSE_FAILED", "Expected Name"),
        ({"query": " "}, "GRAPHQL_PARSE_FAILED", "Unexpected <EOF>"),
        ({"query": "{nope}"}, "GRAPHQL_VALIDATION_FAILED", "Cannot query field 'nope'"),
        ({"query": "fragment F on Query {hello}"}, "GRAPHQL_VALIDATION_FAILED", "never used"),
        ({"query": "query($x: Float!) {slow(seconds: $x)}"}, "BAD_USER_INPUT", "'$x' has invalid value"),
        (
            {"query": "query($x: Float) {slow(seconds: $x)}", "variables": {"x": "a"}},
            "BAD_USER_INPUT",
            "'$x' has invalid value: Float cannot represent non numeric value: 'a'",
        ),
        (
            {"query": "query A {hello} query B {hello}"},
            "BAD_USER_INPUT",
            "several operations, name one of A, B",
        ),
        ({"query": "query A {hello}", "operationName": "C"}, "BAD_USER_INPUT", 'no operation named "C"'),
        ({"query": "{hello}", "operationName": "C"}, "BAD_USER_INPUT", 'no operation named "C"'),
        ({"query": "subscription {hello}"}, "GRAPHQL_VALIDATION_FAILED", "on type 'Subscription'"),
    ],
)
async def test_a_request_error_is_400_or_200_by_media_type(
    client: httpx.AsyncClient, body: dict[str, Any], code: str, text: str
) -> None:
    for accept, status in ((RESPONSE_JSON, 400), (JSON, 200)):
        response = await post(client, body, accept)
        assert (response.status_code, codes(response)[0]) == (status, code)
        assert text in response.json()["errors"][0]["message"]
        assert "data" not in response.json()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"", "Expecting value at line 1, column 1"),
        (b"{", "line 1, column 2"),
        (b"null", "must be a JSON object"),
        (b"5", "must be a JSON object"),
        (b'"x"', "must be a JSON object"),
        (b"[]", "Batches are not supported"),
        (json.dumps([{"query": "{hello}"}] * 1000).encode(), "Batches are not supported"),
        (b"{}", "query: it is missing"),
        (b'{"query":null}', "query: it is missing"),
        (b'{"query":""}', "query: it is missing"),
        (b'{"query":1}', "query: a string is wanted, not a number"),
        (b'{"query":"{hello}","variables":[]}', "variables: an object is wanted, not an array"),
        (b'{"query":"{hello}","variables":"{}"}', "variables: an object is wanted, not a string"),
        (b'{"query":"{hello}","operationName":true}', "operationName: a string is wanted, not a boolean"),
        (b'{"query":"{hello}","extensions":1.5}', "extensions: an object is wanted, not a number"),
        (b'{"query":"{hello}","variables":{"x":NaN}}', "NaN is not a JSON number"),
        (b'{"query":"{hello}","variables":{"x":-Infinity}}', "-Infinity is not a JSON number"),
        (b'{"query":"{hello}","variables":{"x":1e999}}', "1e999 is too large"),
        (b'{"query":"{hello}","variables":{"x":' + b"9" * 5000 + b"}}", "5000 digits"),
        (b'{"query":"{hello}","query":"{hello}"}', '"query" is there twice'),
        (b'{"query":"{hello}","variables":{"x":' + b"[" * 100_000, "nested too deeply"),
        (b'{"query":"{hello}","variables":{"x":"\\ud800"}}', "lone surrogate"),
        (b'{"query":"\xff{hello}"}', "Byte 10 is not UTF-8"),
        ("{}".encode("utf-16"), "not UTF-8"),
    ],
)
async def test_what_is_no_request_is_400_json(client: httpx.AsyncClient, body: bytes, text: str) -> None:
    for accept in (RESPONSE_JSON, JSON):
        response = await post_bytes(client, body, accept=accept)
        assert (response.status_code, codes(response)) == (400, ["BAD_USER_INPUT"])
        assert text in response.json()["errors"][0]["message"]


@pytest.mark.parametrize(
    "media",
    [
        None,
        "text/plain",
        "application/jsonp",
        "application/vnd.api+json",
        "application/graphql",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
        "application",
    ],
)
async def test_another_content_type_is_415(client: httpx.AsyncClient, media: str | None) -> None:
    headers = {} if media is None else {"content-type": media}
    response = await client.post("/graphql", content=b'{"query":"{hello}"}', headers=headers)
    assert (response.status_code, codes(response)) == (415, ["BAD_USER_INPUT"])


@pytest.mark.parametrize("media", ["application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"'])
async def test_json_in_utf_8_is_taken_however_it_is_spelt(client: httpx.AsyncClient, media: str) -> None:
    response = await client.post(
        "/graphql", content='{"query":"{echo(text:\\"µ\\")}"}', headers={"content-type": media}
    )
    assert response.json() == {"data": {"echo": "µ"}}


async def test_a_compressed_body_is_415(client: httpx.AsyncClient) -> None:
    response = await post_bytes(client, b"x", **{"content-encoding": "gzip"})
    assert response.status_code == 415


async def test_get_runs_queries(client: httpx.AsyncClient) -> None:
    parameters = {
        "query": "query A($t: String!) {echo(text: $t)} query B {hello}",
        "operationName": "A",
        "variables": '{"t":"é"}',
    }
    response = await client.get("/graphql", params=parameters, headers={"accept": JSON})
    assert (response.status_code, response.json()) == (200, {"data": {"echo": "é"}})


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("", "query: it is missing"),
        ("query=%7Bhello%7D&query=%7Bhello%7D", "query: given 2 times"),
        ("query=%7Bhello%7D&variables=%7B", "variables: not valid JSON"),
        ("query=%7Bhello%7D&variables=5", "variables: an object is wanted"),
    ],
)
async def test_a_wrong_get_is_400(client: httpx.AsyncClient, query: str, text: str) -> None:
    response = await client.get(f"/graphql?{query}", headers={"accept": JSON})
    assert (response.status_code, codes(response)) == (400, ["BAD_USER_INPUT"])
    assert text in response.json()["errors"][0]["message"]


@pytest.mark.parametrize("accept", [RESPONSE_JSON, JSON])
async def test_a_mutation_by_get_is_405_and_does_not_run(
    client: httpx.AsyncClient, watch: Watch, accept: str
) -> None:
    parameters = {"query": "query Q {hello} mutation M {change}", "operationName": "M"}
    response = await client.get("/graphql", params=parameters, headers={"accept": accept})
    assert (response.status_code, response.headers["allow"], codes(response)) == (
        405,
        "POST",
        ["BAD_USER_INPUT"],
    )
    assert watch.changes == 0
    assert (await post(client, {"query": "mutation {change}"})).json() == {"data": {"change": 1}}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_another_method_is_405_with_allow(client: httpx.AsyncClient, method: str) -> None:
    response = await client.request(method, "/graphql")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD, POST")
    assert codes(response) == ["BAD_USER_INPUT"]


@pytest.mark.parametrize("name", [None, ""])
async def test_no_operation_name_takes_the_only_operation(
    client: httpx.AsyncClient, name: str | None
) -> None:
    body = {"query": "query A {hello} fragment F on Board {name}", "operationName": name}
    response = await post(client, {**body, "query": "query A {hello}"})
    assert response.json() == {"data": {"hello": "world"}}


async def test_the_standard_introspection_query_is_allowed(client: httpx.AsyncClient) -> None:
    query = get_introspection_query(
        descriptions=True,
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
    )
    response = await post(client, {"query": query})
    assert response.status_code == 200
    assert response.json()["data"]["__schema"]["queryType"]["name"] == "Query"


async def test_unknown_members_are_ignored_and_a_byte_order_mark_too(client: httpx.AsyncClient) -> None:
    response = await post_bytes(client, b'\xef\xbb\xbf{"query":"{hello}","id":"x"}')
    assert response.json() == {"data": {"hello": "world"}}


async def test_a_browser_gets_graphiql_and_a_tool_does_not(client: httpx.AsyncClient) -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = await client.get("/graphql?query=%7Bhello%7D", headers={"accept": browser})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "script-src 'self';" in page.headers["content-security-policy"]
    assert "https://" not in page.text
    tool = await client.get("/graphql?query=%7Bhello%7D", headers={"accept": "*/*"})
    assert tool.json() == {"data": {"hello": "world"}}
