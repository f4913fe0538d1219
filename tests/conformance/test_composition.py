"""The schema as a part of supergraphs, by both composers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from graphql import GraphQLObjectType, build_schema

from catalog.api.prefix import Prefix
from catalog.api.registry import ENTITIES
from catalog.api.schema import sdl
from examples.federation import deployments
from tests.conformance import node
from tests.conformance.subgraphs import owner
from tests.conformance.supergraphs import COMPOSERS, compose

RELAY = Path(__file__).with_name("subgraphs") / "relay.graphql"


@cache
def subgraph(name: str) -> str:
    """The SDL of a subgraph: a catalog (plain, kernels, team), or one of another team."""
    match name:
        case "plain":
            return sdl()
        case "kernels":
            return sdl(Prefix("kernels"))
        case "team":
            return sdl(Prefix("team", entities=True))
        case "owner":
            return owner.schema.as_str()
        case "deployments":
            return deployments.schema.as_str()
    return RELAY.read_text("utf-8")


@pytest.mark.parametrize("composer", COMPOSERS)
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["plain"], id="alone"),
        pytest.param(["plain", "relay"], id="beside another Relay subgraph"),
        pytest.param(["kernels", "owner"], id="beside an owner of its names"),
        pytest.param(["plain", "team"], id="beside a second catalog"),
        pytest.param(["kernels", "team", "owner", "deployments"], id="all of them"),
    ],
)
def test_it_composes(example: node.Package, tmp_path: Path, composer: str, names: list[str]) -> None:
    ran = compose(example, tmp_path, {name: subgraph(name) for name in names}, composer)
    assert (ran.code, ran.err) == (0, ""), ran
    supergraph = build_schema(ran.out, assume_valid=True)
    query = supergraph.query_type
    assert query is not None
    offered = {
        "plain": "run",
        "kernels": "kernelsRun",
        "team": "teamRun",
        "owner": "project",
        "relay": "tickets",
    }
    assert {offered[name] for name in names if name in offered} <= query.fields.keys()
    for name, entity in ENTITIES.items():
        for type_name in {name} if "team" not in names else {name, f"Team{name}"}:
            type_ = supergraph.type_map[type_name]
            assert isinstance(type_, GraphQLObjectType)
            assert entity.key in type_.fields


@pytest.mark.parametrize("composer", COMPOSERS)
def test_without_a_prefix_an_owner_of_its_names_is_in_the_way(
    example: node.Package, tmp_path: Path, composer: str
) -> None:
    ran = compose(example, tmp_path, {"catalog": subgraph("plain"), "owner": subgraph("owner")}, composer)
    assert ran.code == 1
    for name in ("Query.node", "Query.project", "Query.search", "SearchConnection.pageInfo"):
        assert f'"{name}' in ran.err, ran
    assert {line.split()[0] for line in ran.err.splitlines()} >= {
        "INVALID_FIELD_SHARING",
        "FIELD_TYPE_MISMATCH",
    }


@pytest.mark.parametrize(
    ("tag", "gone", "kept"),
    [
        (
            "serving",
            {"servingRuns", "resolveServing", "models", "ServingRun", "ServingCohort", "ServingConstraint"},
            {"runs", "coverage", "BenchmarkRun"},
        ),
        (
            "analysis",
            {"records", "lineage", "coverage", "exclusions", "BlastRadius", "CoverageGap"},
            {"runs", "servingRuns", "BenchmarkRun", "ServingRun"},
        ),
    ],
)
def test_a_contract_variant_leaves_out_what_a_tag_marks(
    tools: node.Package, tmp_path: Path, tag: str, gone: set[str], kept: set[str]
) -> None:
    schema = tmp_path / "catalog.graphql"
    schema.write_text(sdl(), "utf-8")
    ran = tools.node("contract.mjs", schema, tag)
    assert ran.code == 0, ran
    variant = json.loads(ran.out)
    left = {*variant["types"], *variant["fields"]}
    assert kept <= left
    assert not gone & left
