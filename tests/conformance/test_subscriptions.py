"""The clients of graphql-ws and graphql-sse follow the feed, are cut, and go on."""

from __future__ import annotations

import json

import pytest

from tests import serving
from tests.conformance.node import Package

COUNT = 60
CHANGES = """query ($first: Int) { changes(sinceRevision: 0, first: $first) { edges { node {
  ... on RunPublished { cursor run { digest } } } } } }"""


@pytest.mark.parametrize("client", ["graphql-ws", "graphql-sse"])
def test_a_client_gets_every_event_once(tools: Package, served: str, client: str) -> None:
    ran = tools.node("subscriptions.mjs", served, COUNT)
    assert ran.code == 0, ran
    told = json.loads(ran.out)[client]
    edges = serving.ask(served, CHANGES, first=COUNT)["changes"]["edges"]
    assert told["events"] == [edge["node"] for edge in edges]
    assert [error["extensions"]["code"] for error in told["failure"]] == ["GRAPHQL_VALIDATION_FAILED"]
