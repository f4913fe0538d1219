"""Federated traces, read by Apollo's own decoder."""

import json
from typing import Any

import httpx

from tests.conformance.node import Package
from tests.server.sample import make_app


def decoded(tools: Package, trace: str) -> Any:
    ran = tools.node("trace.mjs", trace)
    assert ran.code == 0, ran
    return json.loads(ran.out)


def fields(node: dict[str, Any], path: str = "") -> dict[str, tuple[str, str]]:
    """Path -> type and parent's type, of the whole tree; list items have neither."""
    found = {}
    for child in node["child"]:
        place = f"{path}/{child.get('responseName', child.get('index'))}"
        found[place] = (child.get("type", ""), child.get("parentType", ""))
        found |= fields(child, place)
    return found


def test_a_trace_has_every_field_and_its_times(tools: Package, served: str) -> None:
    query = "query ($n: Int) { some: runs(first: $n) { edges { node { status } } } }"
    body = {"query": query, "variables": {"n": 2}}
    answer = httpx.post(served, json=body, headers={"apollo-federation-include-trace": "ftv1"}).json()
    assert answer["data"] == httpx.post(served, json=body).json()["data"]
    trace = decoded(tools, answer["extensions"]["ftv1"])
    assert fields(trace["root"]) == {
        "/some": ("BenchmarkRunConnection!", "Query"),
        "/some/edges": ("[BenchmarkRunEdge!]!", "BenchmarkRunConnection"),
        "/some/edges/0": ("", ""),
        "/some/edges/0/node": ("BenchmarkRun!", "BenchmarkRunEdge"),
        "/some/edges/0/node/status": ("RunStatus", "BenchmarkRun"),
        "/some/edges/1": ("", ""),
        "/some/edges/1/node": ("BenchmarkRun!", "BenchmarkRunEdge"),
        "/some/edges/1/node/status": ("RunStatus", "BenchmarkRun"),
    }
    [field] = trace["root"]["child"]
    assert 0 <= field["startTime"] <= field["endTime"] <= trace["durationNs"]
    assert trace["startTime"]["seconds"] <= trace["endTime"]["seconds"]


async def test_errors_in_a_trace_are_masked_as_in_the_response(tools: Package) -> None:
    transport = httpx.ASGITransport(make_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client:
        answer = await client.post(
            "/graphql",
            json={"query": "{ hello secret }"},
            headers={"apollo-federation-include-trace": "ftv1"},
        )
    body = answer.json()
    root = decoded(tools, body["extensions"]["ftv1"])["root"]
    [error] = [error for child in root["child"] for error in child["error"]]
    assert [json.loads(error["json"])] == body["errors"]
    assert (error["message"], error["location"]) == (
        body["errors"][0]["message"],
        body["errors"][0]["locations"],
    )
    assert "MATCH" not in json.dumps(root)


def test_without_the_header_there_is_no_trace(served: str) -> None:
    assert httpx.post(served, json={"query": "{ __typename }"}).json() == {"data": {"__typename": "Query"}}
