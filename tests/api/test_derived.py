"""Derived rows have ids, and `node` finds them again; on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from catalog.api.derived import DERIVED
from catalog.api.node import global_id
from catalog.ingest.pipeline import import_paths
from graph import Store
from tests.asking import ask
from tests.engines import Engine
from tests.serving import ROOT

MADE = ROOT / "tests" / "data" / "made"
LISTS = {
    "CoverageCell": "coverage { edges { node { id operation { slug } architecture runCount } } }",
    "CoverageGap": "coverageGaps { edges { node { id operation { slug } architecture runCount } } }",
    "UndeployableOperation": "undeployableOperations { edges { node { id operation { slug } groupCount } } }",
    "ExcludedRun": "exclusions { edges { node { id run { digest } reasons architecture } } }",
    "DuplicateEvidence": "duplicateEvidence { edges { node { id kind value names runs { digest } } } }",
    "RecordEntry": "records { edges { node { id event { at cause } group { key } leadChanges } } }",
    "RecordHolder": "recordHolders { edges { node { id group { key } run { digest } since } } }",
}


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, [MADE / "coverage.jsonl", MADE / "lineage.jsonl"])).rejected
        yield store


def test_every_derived_row_is_tried() -> None:
    assert LISTS.keys() == DERIVED.keys()


@pytest.mark.parametrize("name", LISTS)
async def test_a_row_is_found_again_by_its_id(made: Store, name: str) -> None:
    [listed] = (await ask(made, f"{{ {LISTS[name]} }}")).values()
    rows = [edge["node"] for edge in listed["edges"]]
    assert len(rows) > 1
    assert len({row["id"] for row in rows}) == len(rows)
    fields = LISTS[name].partition("node {")[2].removesuffix("} } }")
    query = f"query ($ids: [ID!]!) {{ nodes(ids: $ids) {{ __typename ... on {name} {{ {fields} }} }} }}"
    found = (await ask(made, query, {"ids": [row["id"] for row in rows]}))["nodes"]
    assert found == [{"__typename": name, **row} for row in rows]


@pytest.mark.parametrize("name", LISTS)
async def test_a_row_that_is_not_there_is_null(made: Store, name: str) -> None:
    query = "query ($id: ID!) { node(id: $id) { id } }"
    assert await ask(made, query, {"id": global_id(name, "nothing")}) == {"node": None}
