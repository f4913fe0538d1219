"""Speed-ups, the best run per owner and key differences, against the raw Liger files."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from catalog.ingest.pipeline import import_paths
from graph.store import Store
from tests.asking import ask
from tests.data import liger_raw
from tests.data.liger_raw import PROVIDERS, Raw
from tests.engines import Engine

GROUPS = """
query ($after: String, $bestPer: BestPer) {
  comparisonGroups(first: 100, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges { node { key size runs(first: 40, bestPer: $bestPer) {
      totalCount pageInfo { hasNextPage }
      edges { rank speedupOverBaseline node { observedAt primary { value } sourceNative { externalId } } }
    } } }
  }
}
"""


def files() -> list[Path]:
    folder = os.environ.get("CATALOG_TEST_DATA")
    return [liger_raw.BUNDLED, *((Path(folder) / name for name in liger_raw.FILES[1:]) if folder else ())]


@pytest.fixture(scope="module")
async def liger(engine: Engine) -> AsyncIterator[Store]:
    """The bundled file; with CATALOG_TEST_DATA all three."""
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, files())).rejected
        yield store


async def groups(store: Store, best_per: str | None = None) -> list[dict[str, Any]]:
    """The runs of every group."""
    found: list[dict[str, Any]] = []
    after = None
    while True:
        data = await ask(store, GROUPS, {"after": after, "bestPer": best_per})
        page = data["comparisonGroups"]
        found += [edge["node"]["runs"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            assert not any(runs["pageInfo"]["hasNextPage"] for runs in found)
            return found


def row_of(edge: dict[str, Any]) -> tuple[str, float]:
    return edge["node"]["sourceNative"]["externalId"], edge["node"]["primary"]["value"]


def speedups(rows: list[Raw]) -> list[tuple[str, float, float | None]]:
    baselines = [row.ns for row in rows if PROVIDERS[row.provider].get("role") == "baseline"]
    best = min(baselines, default=None)
    return sorted((row.external, row.ns, None if best is None else best / row.ns) for row in rows)


async def test_speedups_of_all_groups_are_those_of_the_raw_files(liger: Store) -> None:
    expected = sorted(speedups(rows) for rows in liger_raw.groups(files()).values())
    found = sorted(
        sorted((*row_of(edge), edge["speedupOverBaseline"]) for edge in runs["edges"])
        for runs in await groups(liger)
    )
    assert found == expected
    assert any(speedup is not None and speedup > 1 for rows in found for *_, speedup in rows)


# Liger's importer makes a name of the kernel's and the provider's.
OWNERS: dict[str, Callable[[Raw], Any]] = {
    "NAME": lambda row: (row.external.split("/")[0], row.provider),
    "PROJECT": lambda row: PROVIDERS[row.provider]["project"],
}


@pytest.mark.parametrize("best_per", OWNERS)
async def test_the_best_per_owner_is_the_fastest_then_newest_row(liger: Store, best_per: str) -> None:
    expected, several = [], 0
    for rows in liger_raw.groups(files()).values():
        firsts: dict[Any, Raw] = {}
        for row in sorted(sorted(rows, key=lambda r: r.stamp, reverse=True), key=lambda r: r.ns):
            firsts.setdefault(OWNERS[best_per](row), row)
        several += len(firsts) < len(rows)
        expected.append(sorted((row.ns, row.stamp) for row in firsts.values()))
    found = []
    for runs in await groups(liger, best_per):
        values = [edge["node"]["primary"]["value"] for edge in runs["edges"]]
        assert values == sorted(values)
        assert runs["totalCount"] == len(runs["edges"])
        stamps = [edge["node"]["observedAt"].replace("T", " ").rstrip("Z") for edge in runs["edges"]]
        found.append(sorted(zip(values, stamps, strict=True)))
    assert sorted(found) == sorted(expected)
    assert several > 0


async def test_all_runs_are_listed_unless_the_best_are_asked_for(liger: Store) -> None:
    assert await groups(liger, "RUN") == await groups(liger)


RUNS = """
query ($product: String!, $after: String) {
  runs(filter: { product: $product }, first: 100, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges { node { digest workload { digest operation { slug } } protocol { digest }
      environment { formFactor } } }
  }
}
"""
DIFF = """
query ($run: Digest!, $other: Digest!) {
  keyDiff(run: $run, other: $other) { parts { part differs fields { field } } }
}
"""


async def runs_on(store: Store, product: str, form: str | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = None
    while True:
        page = (await ask(store, RUNS, {"product": product, "after": after}))["runs"]
        found += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return [run for run in found if run["environment"]["formFactor"] == form]


async def differing(store: Store, run: dict[str, Any], other: dict[str, Any]) -> dict[str, list[str]]:
    found = await ask(store, DIFF, {"run": run["digest"], "other": other["digest"]})
    return {
        part["part"]: [field["field"] for field in part["fields"]]
        for part in found["keyDiff"]["parts"]
        if part["differs"]
    }


async def test_two_gpus_differ_in_product_architecture_and_form_factor(liger: Store) -> None:
    one, other = (
        await runs_on(liger, "NVIDIA GeForce RTX 3090"),
        await runs_on(liger, "NVIDIA H100", "80GB HBM3"),
    )
    pairs = [
        (a, b)
        for a in one
        for b in other
        if a["workload"] == b["workload"] and a["protocol"] == b["protocol"]
    ]
    assert pairs
    fields = ("product", "architecture", "formFactor")
    expected = {"ENVIRONMENT": [f"environment.hardware.{field}" for field in fields]}
    for a, b in pairs[:: max(1, len(pairs) // 10)]:
        assert await differing(liger, a, b) == expected


async def test_runs_of_two_operations_differ_in_operation_and_workload_too(liger: Store) -> None:
    pcie = await runs_on(liger, "NVIDIA H100", "PCIe")
    jsd = next(run for run in pcie if run["workload"]["operation"]["slug"] == "liger-jsd")
    others = await runs_on(liger, "NVIDIA H100", "80GB HBM3")
    for other in others[:: max(1, len(others) // 20)]:
        found = await differing(liger, jsd, other)
        assert list(found) in (
            ["OPERATION", "WORKLOAD", "ENVIRONMENT"],
            ["OPERATION", "WORKLOAD", "PROTOCOL", "ENVIRONMENT"],
        )
        assert found["ENVIRONMENT"] == ["environment.hardware.formFactor"]
