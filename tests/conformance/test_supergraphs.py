"""Catalog servers that share some of their data, and one beside an owner of its names: as processes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from catalog.api.prefix import Prefix
from catalog.api.registry import ENTITIES
from catalog.api.schema import moved
from examples.federation.start import CATALOG, HERE, answering, free_port, running
from tests.conformance import node
from tests.conformance.supergraphs import GATEWAYS, compose, gateway
from tests.serving import ROOT, ask

OVERLAPPING: Final = (
    ROOT / "catalog" / "data" / "liger" / "all_benchmark_data.csv",
    ROOT / "tests" / "data" / "made" / "evidence.jsonl",
    ROOT / "tests" / "data" / "made" / "serving.jsonl",
)
"""What the other catalog holds: the bundled data, as the first does, and more."""
KERNELS: Final = Prefix("kernels")
KEYS: Final = {
    "runs": "node { digest }",
    "comparisonGroups": "node { key }",
    "operations": "node { digest }",
    "workloads": "node { digest correctnessPolicy { key } }",
    "implementations": "node { digest sourceArtifact { contentDigest } }",
    "protocols": "node { digest }",
    "environments": "node { digest }",
    "projects": "node { slug }",
    "sources": "node { slug }",
    "servingRuns": "node { digest }",
    "servingCohorts": "node { key }",
    "models": "node { digest }",
}


@dataclass(frozen=True)
class Served:
    """A server, and how its root fields are called."""

    url: str
    prefix: Prefix | None = None

    def ask(self, query: str, **variables: object) -> Any:
        return ask(self.url, moved(query, self.prefix), **variables)

    def references(self) -> list[dict[str, str]]:
        """A reference to every entity that its lists lead to."""
        found: dict[tuple[str, str], dict[str, str]] = {}
        for field, selection in KEYS.items():
            after: str | None = None
            while True:
                selected = selection.replace("{ ", "{ __typename ")
                listed = f"edges {{ {selected} }} pageInfo {{ hasNextPage endCursor }}"
                query = f"query ($after: String) {{ {field}(first: 100, after: $after) {{ {listed} }} }}"
                page = self.ask(query, after=after)[field]
                for edge in page["edges"]:
                    _refer(edge["node"], found)
                if not page["pageInfo"]["hasNextPage"]:
                    break
                after = page["pageInfo"]["endCursor"]
        return list(found.values())

    def entities(self, references: list[dict[str, str]]) -> list[Any]:
        """What it answers to references."""
        query = """query ($r: [_Any!]!) { _entities(representations: $r) { __typename
          ... on Node { id } ... on BenchmarkRun { primary { value } comparisonKey }
          ... on ComparisonGroup { metric { metric } workload { digest } }
          ... on WorkloadCorrectness { comparator } } }"""
        answers: list[Any] = []
        for start in range(0, len(references), 500):
            answers += self.ask(query, r=references[start : start + 500])["_entities"]
        return answers


def _refer(shown: dict[str, Any], found: dict[tuple[str, str], dict[str, str]]) -> None:
    name = shown["__typename"]
    key = ENTITIES[name].key
    found[name, shown[key]] = {"__typename": name, key: shown[key]}
    for value in shown.values():
        if isinstance(value, dict):
            _refer(value, found)


@pytest.fixture(scope="module")
def first(served: str) -> Served:
    """A catalog with the bundled data."""
    return Served(served)


@pytest.fixture(scope="module")
def environ(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of another catalog, filled."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "CATALOG_"))}
    environ |= {
        "CATALOG_DATA_DIR": str(tmp_path_factory.mktemp("other") / "data"),
        "LOG_LEVEL": "warning",
        "PYTHONPATH": str(ROOT),
    }
    for path in OVERLAPPING:
        subprocess.run([*CATALOG, "import", path], env=environ, check=True, capture_output=True)
    return environ


@contextlib.contextmanager
def serving(environ: Mapping[str, str], **settings: str) -> Iterator[str]:
    """A server of the other catalog; its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/graphql"
    command = (*CATALOG, "serve", "--json", "--port", str(port))
    with running("catalog", *command, environ={**environ, **settings}) as process:
        answering("catalog", url, process)
        yield url


@pytest.fixture(scope="module")
def other(environ: dict[str, str]) -> Iterator[Served]:
    """Another catalog with the bundled data and more, under a prefix that leaves entities their names."""
    with serving(environ, FEDERATION_PREFIX="kernels") as url:
        yield Served(url, KERNELS)


def test_what_both_catalogs_hold_has_equal_keys_and_ids(first: Served, other: Served) -> None:
    ours, theirs = first.references(), other.references()
    assert {reference["__typename"] for reference in ours} == {
        *("BenchmarkRun", "ComparisonGroup", "OperationSpec", "BenchmarkWorkload", "ImplementationRevision"),
        *("BenchmarkProtocol", "ExecutionEnvironment", "SoftwareProject", "EvidenceSource"),
        "WorkloadCorrectness",
    }
    only_theirs = [reference for reference in theirs if reference not in ours]
    assert len(ours) > 2500
    assert len(theirs) == len(ours) + len(only_theirs)
    assert len(only_theirs) > 30
    answers = first.entities(ours)
    assert None not in answers
    assert other.entities(ours) == answers
    assert None not in other.entities(only_theirs)
    assert first.entities(only_theirs) == [None] * len(only_theirs)


BOTH: Final = """query ($digest: Digest!) {
  run(digest: $digest) { digest comparisonKey primary { value } workload { correctnessPolicy { key } } }
  teamRun(digest: $digest) { digest comparisonKey primary { value } workload { correctnessPolicy { key } } }
  teamServingRuns { totalCount } servingRuns { totalCount } }"""


@pytest.mark.parametrize("kind", GATEWAYS)
def test_two_catalogs_in_one_supergraph_answer_side_by_side(
    example: node.Package, tmp_path: Path, first: Served, environ: dict[str, str], kind: str
) -> None:
    digest = first.ask("{ runs(first: 1) { edges { node { digest } } } }")["runs"]["edges"][0]["node"][
        "digest"
    ]
    settings = {"FEDERATION_PREFIX": "team", "FEDERATION_PREFIX_ENTITIES": "true"}
    with serving(environ, **settings) as team:
        urls = {"catalog": first.url, "team": team}
        with _supergraph(example, tmp_path, kind, urls) as url:
            answer = ask(url, BOTH, digest=digest)
    assert answer["teamRun"] == answer["run"]
    assert answer["run"]["digest"] == digest
    assert answer["servingRuns"]["totalCount"] == 0
    assert answer["teamServingRuns"]["totalCount"] > 0


BESIDE: Final = """{
  project(slug: "atlas") { license { spdx seats } metrics { name direction } }
  search(text: "at") { pageInfo { page pages } projects { id createdAt } }
  node(id: "1") { id createdAt ... on Project { slug } }
  kernelsProject(slug: "liger-kernel") { slug }
  kernelsSearch(query: "jsd b200", first: 1) { pageInfo { hasNextPage }
    edges { node { id ... on OperationSpec { slug } } } }
  kernelsImplementations(filter: { slug: "liger-bench-jsd-liger" }) { edges { node {
    id license { concluded } deployments { id implementation { slug } } } } }
}"""


@pytest.mark.parametrize("kind", GATEWAYS)
def test_beside_an_owner_of_its_names_both_teams_fields_are_answered(
    example: node.Package, tmp_path: Path, other: Served, kind: str
) -> None:
    owner = ROOT / "tests" / "conformance" / "subgraphs" / "owner.py"
    with (
        _subgraph("owner", owner) as owner_url,
        _subgraph("deployments", HERE / "deployments.py", "--port") as theirs,
    ):
        urls = {"catalog": other.url, "owner": owner_url, "deployments": theirs}
        with _supergraph(example, tmp_path, kind, urls) as url:
            answer = ask(url, BESIDE)
            [edge] = answer.pop("kernelsImplementations")["edges"]
            refetch = (
                "query ($id: ID!) { kernelsNode(id: $id) { id ... on ImplementationRevision { slug } } }"
            )
            again = ask(url, refetch, id=edge["node"]["id"])
    assert answer == {
        "project": {
            "license": {"spdx": "MIT", "seats": 5},
            "metrics": [{"name": "tickets", "direction": "DOWN"}],
        },
        "search": {
            "pageInfo": {"page": 1, "pages": 1},
            "projects": [{"id": "1", "createdAt": "2026-01-01"}],
        },
        "node": {"id": "1", "createdAt": "2026-01-01", "slug": "atlas"},
        "kernelsProject": {"slug": "liger-kernel"},
        "kernelsSearch": other.ask(
            """{ search(query: "jsd b200", first: 1) { pageInfo { hasNextPage }
            edges { node { id ... on OperationSpec { slug } } } } }"""
        )["search"],
    }
    slug = "liger-bench-jsd-liger"
    assert edge["node"]["license"] == {"concluded": "BSD-2-Clause"}
    assert edge["node"]["deployments"] == [{"id": "distiller-loss", "implementation": {"slug": slug}}]
    assert again == {"kernelsNode": {"id": edge["node"]["id"], "slug": slug}}


@contextlib.contextmanager
def _subgraph(name: str, program: Path, *option: str) -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}/graphql"
    with running(name, sys.executable, str(program), *option, str(port)) as process:
        answering(name, url, process)
        yield url


@contextlib.contextmanager
def _supergraph(example: node.Package, folder: Path, kind: str, urls: Mapping[str, str]) -> Iterator[str]:
    """A gateway of a kind over the subgraphs at these addresses, composed by the composer of that kind."""
    subgraphs = {name: ask(url, "{ _service { sdl } }")["_service"]["sdl"] for name, url in urls.items()}
    ran = compose(example, folder, subgraphs, kind, urls)
    assert ran.code == 0, ran
    supergraph = folder / "supergraph.graphql"
    supergraph.write_text(ran.out, "utf-8")
    with gateway(kind, supergraph) as url:
        yield url
