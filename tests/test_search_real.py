"""Search on all real data, against answers worked out from the raw files alone, never from the graph."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from catalog.api.context import Context
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from tests.data import liger_raw
from tests.engines import EmbeddedEngine

pytestmark = [pytest.mark.real_data, pytest.mark.slow]

EXPORT = "kernelindex-catalog-2026-08-16.jsonl.zst"
LIGER = [f"liger-all_benchmark_data{part}.csv" for part in ("", "_cutedsl", "_cutile")]
TABLES = {"operations", "workloads", "benchmark_runs", "implementations"}
QUERY = """query ($query: String!, $first: Int, $after: String) {
  search(query: $query, first: $first, after: $after) { totalCount issues { token message suggestion }
    facets { field values { value count } } pageInfo { hasNextPage endCursor }
    edges { score matched node { __typename ... on OperationSpec { slug }
      ... on ImplementationRevision { digest } ... on SoftwareProject { projectSlug: slug } } } } }"""


@pytest.fixture(scope="module")
async def full(embedded: EmbeddedEngine, real_data: Path) -> AsyncIterator[Store]:
    """The public export and Liger's three files; the other engine is held against this one elsewhere."""
    await embedded.reset()
    async with embedded.store() as store:
        await import_paths(store, [real_data / name for name in (EXPORT, *LIGER)])
        yield store


@pytest.fixture(scope="module")
def raw(real_data: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """The rows of the export, by table and id."""
    tables: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    with (real_data / EXPORT).open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8")
        for line in lines:
            entry = json.loads(line)
            if entry["table"] in TABLES:
                tables[entry["table"]][entry["row"]["id"]] = entry["row"]
    return tables


@pytest.fixture(scope="module")
def snapshots(full: Store) -> Snapshots:
    return Snapshots(full)


async def found(snapshots: Snapshots, query: str) -> dict[str, Any]:
    """The first page, with all results of all pages in `nodes`: (kind, slug or digest), in their order."""
    nodes: list[tuple[str, str]] = []
    first: dict[str, Any] = {}
    after = None
    while True:
        variables = {"query": query, "first": 100, "after": after}
        answer = await run_query(snapshots.store, QUERY, variables, context=Context(snapshots))
        assert "errors" not in answer, answer["errors"]
        search: dict[str, Any] = answer["data"]["search"]
        first = first or search
        for edge in search["edges"]:
            node = dict(edge["node"])
            nodes.append((node.pop("__typename"), *node.values()))
        after = search["pageInfo"]["endCursor"]
        if not search["pageInfo"]["hasNextPage"]:
            assert len(nodes) == len(set(nodes)) == search["totalCount"]
            return first | {"nodes": nodes}


def of_kind(search: dict[str, Any], kind: str) -> list[str]:
    return [key for each, key in search["nodes"] if each == kind]


def measured(raw: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """(run, workload, operation) of every exported run."""
    joined = []
    for run in raw["benchmark_runs"].values():
        workload = raw["workloads"][run["workloadId"]]
        joined.append((run, workload, raw["operations"][workload["operationId"]]))
    return joined


def dtypes(workload: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    """Of the case's tensors; of a suite the operation's."""
    tensors = workload["manifest"]["spec"].get("tensors")
    if tensors:
        return {tensor["dtype"] for tensor in tensors.values()}
    spec = operation["manifest"]["spec"]
    return {part["tensor"]["dtype"] for part in spec["inputs"] + spec["outputs"] if "tensor" in part}


async def test_rmsnorm_on_b200_in_bf16(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    """Operations of the family, in front of those that have the word in a name only."""
    met = [
        operation
        for run, workload, operation in measured(raw)
        if run["hardwareModel"] == "NVIDIA B200" and "bf16" in dtypes(workload, operation)
    ]
    family = {o["slug"] for o in met if o["family"] == "rmsnorm"}
    named = {o["slug"] for o in met if "rmsnorm" in o["slug"].split("-")}
    search = await found(snapshots, "rmsnorm gpu:B200 dtype:bf16")
    operations = of_kind(search, "OperationSpec")
    assert operations[: len(family)] == sorted(family)
    assert set(operations) == family | named
    assert len(family) > 5
    assert search["issues"] == []


async def test_suites_are_found_by_constants(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    met = set()
    for run, workload, operation in measured(raw):
        spec, axes = workload["manifest"]["spec"], operation["manifest"]["spec"]["axes"]
        cases = spec.get("cases", [spec])
        fixed = axes.get("num_kv_heads", {}).get("value")
        heads = any(case["axes"].get("num_kv_heads", fixed) == 8 for case in cases)
        if operation["family"].startswith("gqa") and run["hardwareArchitecture"] == "sm_100" and heads:
            assert "cases" in spec
            met.add(operation["slug"])
    search = await found(snapshots, "op:gqa arch:sm_100 num_kv_heads=8")
    assert of_kind(search, "OperationSpec") == sorted(met)
    assert len(met) == 3
    assert search["issues"] == []


async def test_words_of_a_name_in_any_order(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    wanted = {"paged", "decode", "h32", "kv8"}
    slugs = {o["slug"] for o in raw["operations"].values() if wanted <= set(o["slug"].split("-"))}
    for query in ("paged decode h32 kv8", "kv8 h32 paged decode"):
        search = await found(snapshots, query)
        assert search["nodes"][: len(slugs)] == [("OperationSpec", slug) for slug in sorted(slugs)]
        assert len(slugs) == 5
        assert search["issues"] == []


async def test_a_typo(snapshots: Snapshots) -> None:
    search = await found(snapshots, "rmsnrm")
    message = "no such word here; taken for `rmsnorm`"
    assert search["issues"] == [{"token": "rmsnrm", "message": message, "suggestion": "rmsnorm"}]
    meant = await found(snapshots, "rmsnorm")
    assert set(search["nodes"]) == set(meant["nodes"])
    assert search["nodes"][0][0] == meant["nodes"][0][0] == "OperationSpec"


async def test_an_axis_by_another_name(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    others = [
        operation
        for operation in raw["operations"].values()
        if operation["family"] == "rmsnorm" and "hidden_size" in operation["manifest"]["spec"]["axes"]
    ]
    kernels = {name for name, kernel in liger_raw.KERNELS.items() if kernel["family"] == "rmsnorm"}
    search = await found(snapshots, "hidden>=4096 family:rmsnorm")
    assert search["nodes"][:3] == [
        ("OperationSpec", "liger-fused-add-rms-norm"),
        ("OperationSpec", "liger-megatron-rms-norm"),
        ("OperationSpec", "liger-rms-norm"),
    ]
    assert len(of_kind(search, "OperationSpec")) == 3 <= len(kernels)
    [issue] = search["issues"]
    assert issue["token"] == "hidden>=4096"
    assert f"`hidden_size` in {len(others)} operations" in issue["message"]
    assert issue["suggestion"] == "hidden_size>=4096"
    assert len(others) == 15


async def test_what_may_be_installed(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    assert not any(row["installable"] for row in raw["implementations"].values())
    search = await found(snapshots, "license:permissive installable:true")
    assert len(of_kind(search, "ImplementationRevision")) == 31  # Liger's with a recipe, all BSD-2-Clause
    assert of_kind(search, "SoftwareProject") == ["liger-kernel"]
    assert len(of_kind(search, "OperationSpec")) == 31


async def test_runs_without_an_architecture(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    bare = [
        run
        for run in raw["benchmark_runs"].values()
        if run["hardwareModel"] == "NVIDIA B200" and run["hardwareArchitecture"] in (None, "unknown")
    ]
    search = await found(snapshots, "gpu:B200 arch:sm_100")
    [issue] = search["issues"]
    assert issue["token"] == "arch:sm_100"
    assert issue["message"].startswith(f"{len(bare)} runs on this GPU have no architecture recorded")
    met = {
        o["slug"]
        for run, _, o in measured(raw)
        if (run["hardwareModel"], run["hardwareArchitecture"]) == ("NVIDIA B200", "sm_100")
    }
    operations = of_kind(search, "OperationSpec")
    assert {slug for slug in operations if not slug.startswith("liger-")} == met
    facets = {f["field"]: {v["value"]: v["count"] for v in f["values"]} for f in search["facets"]}
    assert facets["architecture"] == {"sm_100": search["totalCount"]}
    assert facets["kind"]["OperationSpec"] == len(operations)


@pytest.mark.parametrize("query", ["dtype:bf17", "colour:red", "[ " * 5000, "zq9x " * 2000])
async def test_what_is_not_understood_is_said(snapshots: Snapshots, query: str) -> None:
    search = await found(snapshots, query)
    assert (search["totalCount"], bool(search["issues"])) == (0, True)


async def test_every_operation_is_first_for_its_own_slug(snapshots: Snapshots, raw: dict[str, Any]) -> None:
    for operation in list(raw["operations"].values())[::20]:
        search = await found(snapshots, operation["slug"])
        assert search["nodes"][0] == ("OperationSpec", operation["slug"])
        assert search["edges"][0]["score"] >= 5
