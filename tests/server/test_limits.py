"""Limits on documents: refused early, with the limit named, and without exponential work."""

import time

import httpx
import pytest
from graphql import parse

from catalog.server.limits import LimitExceeded, Limits, check_document
from tests.server.sample import REQUEST_ID


def nested(depth: int) -> str:
    return "{" + "board{" * (depth - 1) + "name" + "}" * depth


def chain(length: int, spreads: int = 2) -> str:
    """Fragments that each spread the next several times, one level deeper."""
    inner = "".join(f"a{number}:board{{...F%d}} " for number in range(spreads))
    fragments = "".join(
        f"fragment F{number} on Board{{{inner % ((number + 1,) * spreads)}}}" for number in range(length)
    )
    return "{board{...F0}}" + fragments + f"fragment F{length} on Board{{name}}"


OVER = {
    "tokens": ("{" + "hello " * 2000 + "}", "tokens"),
    "directives": ("{hello " + "@include(if: true) " * 2000 + "}", "tokens"),
    "aliases": ("{" + " ".join(f"a{number}:hello" for number in range(5_000)) + "}", "tokens"),
    "comments": ("{" + "#\n" * 2000 + "hello}", "comments"),
    "characters": ('{echo(text: "' + "x" * 100_000 + '")}', "100000 code points"),
    "deep": (nested(16), "16 levels"),
    "too deep to parse": (nested(600), "too deep"),
    "deep by fragments": (chain(20), "levels"),
    "root fields": ("{" + " ".join(f"a{number}:hello" for number in range(51)) + "}", "51 root fields"),
    "root fields by fragments": (
        "{...F ...F} fragment F on Query{" + " ".join(f"a{number}:hello" for number in range(26)) + "}",
        "52 root fields",
    ),
    "repeated": ("{board{" + "board{name} " * 102 + "}}", "repeats fields"),
    "repeated in levels": ("{board{" + ("board{" + "board{name} " * 12 + "}") * 12 + "}}", "repeats fields"),
    "repeated by fragments": (
        "{board{"
        + "".join(f"...F{n} " for n in range(102))
        + "}}"
        + "".join(f"fragment F{n} on Board{{name}}" for n in range(102)),
        "repeats fields",
    ),
    "introspection": ("{__schema{types{" + "ofType{" * 20 + "name" + "}" * 20 + "}}}", "introspection"),
}


@pytest.mark.parametrize("name", OVER)
async def test_over_a_limit_is_refused_with_the_reason(client: httpx.AsyncClient, name: str) -> None:
    query, text = OVER[name]
    response = await client.post(
        "/graphql", json={"query": query}, headers={"accept": "*/*, application/graphql-response+json"}
    )
    [error] = response.json()["errors"]
    assert (response.status_code, error["extensions"]["code"]) == (400, "LIMIT_EXCEEDED")
    assert text in error["message"]


@pytest.mark.parametrize(
    "query",
    [
        nested(15),
        chain(13),
        "{" + " ".join(f"a{number}:hello" for number in range(50)) + "}",
        "{board{" + "board{name} " * 50 + "}}",
    ],
)
async def test_up_to_a_limit_is_answered(client: httpx.AsyncClient, query: str) -> None:
    if query == chain(13):  # 8,192 leaves: checked, not run
        check_document(parse(query), Limits())
        return
    response = await client.post("/graphql", json={"query": query})
    assert "errors" not in response.json()


def test_fragments_are_measured_once() -> None:
    with pytest.raises(LimitExceeded, match="levels"):
        check_document(parse(chain(60, 4)), Limits(max_repeated_fields=10**9))


@pytest.mark.parametrize("number", ["9" * 101, "9" * 5000, "1e" + "9" * 5000, "0." + "1" * 99])
@pytest.mark.parametrize(
    "query", ["{echo(text: %s)}", "query($a: Int = %s) {hello}", "{nothing(a: [{b: %s}])}"]
)
async def test_a_long_number_is_refused_without_an_echo(
    client: httpx.AsyncClient, query: str, number: str
) -> None:
    response = await client.post("/graphql", json={"query": query % number})
    found = f"The query has a number of {len(number)} characters; at most 100 are allowed."
    extensions = {"limit": "max_number", "code": "LIMIT_EXCEEDED", "requestId": REQUEST_ID}
    assert response.json() == {"errors": [{"message": found, "extensions": extensions}]}


def test_a_number_of_a_hundred_characters_is_taken() -> None:
    check_document(parse("{echo(text: %s)}" % ("9" * 100)), Limits())


def test_cycles_and_unknown_fragments_are_left_to_validation() -> None:
    check_document(
        parse("{...A ...Nope} fragment A on Query{...B} fragment B on Query{hello ...A}"), Limits()
    )


async def test_a_cycle_of_fragments_is_a_validation_error(client: httpx.AsyncClient) -> None:
    response = await client.post("/graphql", json={"query": "{...A} fragment A on Query{hello ...A}"})
    assert response.json()["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


def test_a_long_chain_of_fragments_ends() -> None:
    fragments = "".join(f"fragment F{number} on Query{{...F{number + 1}}}" for number in range(2000))
    began = time.perf_counter()
    with pytest.raises(LimitExceeded):
        check_document(parse("{...F0}" + fragments + "fragment F2000 on Query{hello}"), Limits())
    print(f"{time.perf_counter() - began:.3f} s")
