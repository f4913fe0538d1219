"""examples/federation as a user starts it: joins through both gateways, in both directions."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any, Final

import pytest
import yaml

from tests.conformance import node
from tests.conformance.supergraphs import GATEWAYS
from tests.serving import ROOT, ask

EXAMPLE: Final = ROOT / "examples" / "federation"
ANSWERED: Final = re.findall(
    r"```graphql\n(\{.*?)```\n\n```json\n(.*?)```", (EXAMPLE / "README.md").read_text("utf-8"), re.DOTALL
)


@pytest.fixture(scope="module")
def urls(example: node.Package, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:  # noqa: ARG001 - installed first
    """What `make federation` starts, on free ports: name -> address. Ctrl-C ends it, and all its parts."""
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "CATALOG_"))
    }
    environ["CATALOG_DATA_DIR"] = str(tmp_path_factory.mktemp("federation") / "data")
    ports = [f"--{name}-port=0" for name in ("catalog", "deployments", "apollo", "hive")]
    command = [sys.executable, str(EXAMPLE / "start.py"), "--json", *ports]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            yield json.loads(started.stdout.readline())
        finally:
            started.send_signal(signal.SIGINT)
    assert started.returncode == 0


@pytest.mark.parametrize("gateway", GATEWAYS)
@pytest.mark.parametrize(("query", "answer"), ANSWERED)
def test_the_questions_of_the_readme_are_answered(
    urls: dict[str, str], gateway: str, query: str, answer: str
) -> None:
    assert ask(urls[gateway], query) == json.loads(answer)["data"]


def test_the_readme_asks_both_ways() -> None:
    assert [query.split("(")[0].strip("{\n ") for query, _ in ANSWERED] == [
        "deployments",
        "comparisonGroup",
        "deployments",
    ]


MANY: Final = """{ runs(first: 100) { edges { node { digest implementation { digest deployments { id } } } } }
  deployments { id implementation { digest complete slug } } }"""


@pytest.mark.parametrize("gateway", GATEWAYS)
def test_every_reference_of_a_list_is_joined(urls: dict[str, str], gateway: str) -> None:
    joined = ask(urls[gateway], MANY.replace("complete ", ""))
    of_the_team: dict[str, list[str]] = {}
    for deployment in ask(urls["deployments"], "{ deployments { id implementation { digest } } }")[
        "deployments"
    ]:
        of_the_team.setdefault(deployment["implementation"]["digest"], []).append(deployment["id"])
    edges = joined["runs"]["edges"]
    assert len(edges) == 100
    for edge in edges:
        implementation = edge["node"]["implementation"]
        expected = of_the_team.get(implementation["digest"], [])
        assert [deployment["id"] for deployment in implementation["deployments"]] == expected
    alone = ask(urls["catalog"], "{ implementations(first: 100) { edges { node { digest slug } } } }")
    slugs = {e["node"]["digest"]: e["node"]["slug"] for e in alone["implementations"]["edges"]}
    assert {d["implementation"]["digest"]: d["implementation"]["slug"] for d in joined["deployments"]} == {
        digest: slugs.get(digest) for digest in of_the_team
    }


FOLLOWED: Final = """subscription { recordBroken(filter: { operation: "liger-jsd" }, sinceRevision: 0) {
  cursor event { at run { implementation { digest %s } } } } }"""


def test_a_subscription_passes_hives_gateway_and_each_event_is_joined(urls: dict[str, str]) -> None:
    deployments = ask(urls["deployments"], "{ deployments { id implementation { digest } } }")["deployments"]
    alone = events(urls["catalog"], FOLLOWED % "slug", 12)
    joined = events(urls["hive"], FOLLOWED % "slug deployments { id }", 12)
    deployed = []
    for event in joined:
        implementation = event["recordBroken"]["event"]["run"]["implementation"]
        of_the_team = [
            d["id"] for d in deployments if d["implementation"]["digest"] == implementation["digest"]
        ]
        assert [deployment["id"] for deployment in implementation.pop("deployments")] == of_the_team
        deployed += of_the_team
    assert joined == alone
    assert deployed


def events(url: str, subscription: str, count: int) -> list[Any]:
    """The data of the first events of a subscription, as server-sent events."""
    body = json.dumps({"query": subscription}).encode()
    headers = {"content-type": "application/json", "accept": "text/event-stream"}
    found: list[Any] = []
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as response:
        for line in response:
            if line.startswith(b"data: {"):
                found.append(json.loads(line.removeprefix(b"data: "))["data"])
            if len(found) == count:
                return found
    raise AssertionError(f"{url} gave {found}")


def test_the_event_of_the_readme_is_the_first_one(urls: dict[str, str]) -> None:
    text = (EXAMPLE / "README.md").read_text("utf-8")
    [(asked, told)] = re.findall(r"<<'END'\n(.*?)\nEND\n.*?\nevent: next\ndata: (.*?)\n", text, re.DOTALL)
    assert events(urls["hive"], json.loads(asked)["query"], 1) == [json.loads(told)["data"]]


def test_docker_compose_starts_the_same_parts() -> None:
    services: dict[str, Any] = yaml.safe_load((EXAMPLE / "docker-compose.yml").read_text("utf-8"))["services"]
    assert services.keys() == {"catalog", "deployments", "composer", "apollo", "hive"}
    named = re.findall(r"[\w-]+\.(?:mjs|py|json|yaml)\b", json.dumps(services))
    assert {"compose.mjs", "apollo-gateway.mjs", "hive-gateway.mjs", "deployments.py", "supergraph.yaml"} <= {
        *named
    }
    assert all((EXAMPLE / name).is_file() for name in named)
    copied = (EXAMPLE / "Dockerfile").read_text("utf-8")
    assert all(name in copied for name in named if name.endswith((".mjs", ".yaml")))
