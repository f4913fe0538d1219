"""Hostile requests, one of each kind that GraphQL servers have been brought down with."""

from __future__ import annotations

import json
from typing import Any, Final


def _query(text: str, **variables: Any) -> bytes:
    return json.dumps({"query": text, "variables": variables}).encode()


def _cycle(levels: int) -> str:
    inner = "digest"
    for _ in range(levels):
        inner = "group {runs(first: 100) {edges {node {" + inner + "}}}}"
    return "{runs(first: 100) {edges {node {" + inner + "}}}}"


def _levels(count: int, each: str, leaf: str) -> str:
    """Fragments that each ask for the next one, twice."""
    fragments = "".join(f"fragment F{n} on BenchmarkRun {{{each % ((n + 1,) * 2)}}}" for n in range(count))
    return "{run(digest: 5) {...F0}}" + fragments + f"fragment F{count} on BenchmarkRun {{{leaf}}}"


def _nested(opening: str, leaf: str, levels: int) -> str:
    return opening * levels + leaf + "}" * levels


_ALIASED: Final = "a:supersededBy {...F%d} b:supersededBy {...F%d}"
_REPRESENTATIONS: Final = "query($r: [_Any!]!) {_entities(representations: $r) {__typename}}"

REQUESTS: Final[dict[str, tuple[bytes, int, str]]] = {
    "alias bomb, nine levels": (
        _query(_levels(9, _ALIASED, "group {" + _cycle(1)[1:])),
        400,
        "LIMIT_EXCEEDED",
    ),
    "aliases, 40 levels": (_query(_levels(40, _ALIASED, "id")), 400, "LIMIT_EXCEEDED"),
    "fragment spreads, 40 levels": (_query(_levels(40, "...F%d ...F%d", "id id")), 400, "LIMIT_EXCEEDED"),
    "fragments in a circle": (
        _query("{run(digest: 5) {...A}} fragment A on BenchmarkRun {...B} fragment B on BenchmarkRun {...A}"),
        400,
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "cycle of connections": (_query(_cycle(3)), 400, "LIMIT_EXCEEDED"),
    "300 repeated nested fields": (
        _query("{run(digest: 5) {" + "group {leader {id}} " * 300 + "}}"),
        400,
        "LIMIT_EXCEEDED",
    ),
    "10,000 aliases": (
        _query("{" + " ".join(f"a{n}:__typename" for n in range(10_000)) + "}"),
        400,
        "LIMIT_EXCEEDED",
    ),
    "10,000 directives": (_query("{__typename " + "@a " * 10_000 + "}"), 400, "LIMIT_EXCEEDED"),
    "900 unknown fields": (
        _query("{run(digest: 5) {" + " ".join(f"digset{n}" for n in range(900)) + "}}"),
        400,
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "600 levels of fields": (_query(_nested("{run", "{id}", 600)), 400, "LIMIT_EXCEEDED"),
    "introspection, 30 levels": (
        _query("{__schema {types {" + _nested("ofType {", "name", 30) + "}}}"),
        400,
        "LIMIT_EXCEEDED",
    ),
    "50 whole schemas": (
        _query("{" + " ".join(f"a{n}:__schema {{types {{name}}}}" for n in range(50)) + "}"),
        400,
        "LIMIT_EXCEEDED",
    ),
    "a list in a list": (
        _query("{runs(first: 100) {edges {node {implementation {ancestors {nodes {id}}}}}}}"),
        400,
        "LIMIT_EXCEEDED",
    ),
    "1,000 requests in variables": (
        _query(
            "query($r: [ResolveRequest!]!) {resolveMany(requests: $r) {match}}", r=[{"operation": "x"}] * 1000
        ),
        400,
        "LIMIT_EXCEEDED",
    ),
    "20,000 representations": (
        _query(_REPRESENTATIONS, r=[{"__typename": "BenchmarkRun"}] * 20_000),
        400,
        "LIMIT_EXCEEDED",
    ),
    "a text of 200,000 characters": (_query("{__typename}" + " " * 200_000), 400, "LIMIT_EXCEEDED"),
    "5,000 comments": (_query("#\n" * 5000 + "{__typename}"), 400, "LIMIT_EXCEEDED"),
    "a number of 100,000 digits": (
        _query("{runs(first: %s) {totalCount}}" % ("9" * 99_000)),
        400,
        "LIMIT_EXCEEDED",
    ),
    "JSON, 100,000 levels": (b'{"query":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400, "BAD_USER_INPUT"),
    "JSON number of 100,000 digits": (
        b'{"query":"{__typename}","variables":{"a":' + b"9" * 100_000 + b"}}",
        400,
        "BAD_USER_INPUT",
    ),
    "a batch of 1,000": (json.dumps([{"query": "{__typename}"}] * 1000).encode(), 400, "BAD_USER_INPUT"),
    "a key twice": (b'{"query":"{__typename}","query":"{__typename}"}', 400, "BAD_USER_INPUT"),
    "a lone surrogate": (b'{"query":"{__typename}","variables":{"a":"\\ud800"}}', 400, "BAD_USER_INPUT"),
    "a body of 2 MB": (b'{"query":"' + b" " * (1 << 21) + b'"}', 413, "LIMIT_EXCEEDED"),
}
"""Kind -> body of a POST, status under application/graphql-response+json, code of the first error."""
