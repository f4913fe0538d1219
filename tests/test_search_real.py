"""Search on all real data, against answers worked out from the raw files alone, never from the graph."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.api.context import Context
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from tests.answers.raw import Raw, code_of
from tests.data import liger_raw
from tests.data.export_raw import Tables

pytestmark = [pytest.mark.real_data, pytest.mark.slow]

QUERY = """query ($query: String!, $first: Int, $after: String) {
  search(query: $query, first: $first, after: $after) { totalCount issues { token message suggestion }
    facets { field values { value count } } pageInfo { hasNextPage endCursor }
    edges { score matched node { __typename ... on OperationSpec { slug }
      ... on ImplementationRevision { digest } ... on SoftwareProject { projectSlug: slug } } } } }"""


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


async def test_rmsnorm_on_b200_in_bf16(snapshots: Snapshots, raw: Raw) -> None:
    """Operations of the family, in front of those that have the word in a name only."""
    met = [
        run.operation
        for run in raw.runs
        if run.row["hardwareModel"] == "NVIDIA B200" and "bf16" in run.dtypes
    ]
    family = {o["slug"] for o in met if o["family"] == "rmsnorm"}
    named = {o["slug"] for o in met if "rmsnorm" in o["slug"].split("-")}
    search = await found(snapshots, "rmsnorm gpu:B200 dtype:bf16")
    operations = of_kind(search, "OperationSpec")
    assert operations[: len(family)] == sorted(family)
    assert set(operations) == family | named
    assert len(family) > 5
    assert search["issues"] == []


async def test_suites_are_found_by_constants(snapshots: Snapshots, raw: Raw) -> None:
    met = set()
    for run in raw.runs:
        heads = any(case.get("num_kv_heads") == 8 for case in run.cases)
        if run.operation["family"].startswith("gqa") and run.architecture == "sm_100" and heads:
            assert run.workload["manifest"]["kind"] == "WorkloadSuite"
            met.add(run.operation["slug"])
    search = await found(snapshots, "op:gqa arch:sm_100 num_kv_heads=8")
    assert of_kind(search, "OperationSpec") == sorted(met)
    assert len(met) == 3
    assert search["issues"] == []


async def test_words_of_a_name_in_any_order(snapshots: Snapshots, export: Tables) -> None:
    wanted = {"paged", "decode", "h32", "kv8"}
    slugs = {o["slug"] for o in export["operations"] if wanted <= set(o["slug"].split("-"))}
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


async def test_an_axis_by_another_name(snapshots: Snapshots, export: Tables, raw: Raw) -> None:
    others = [
        operation
        for operation in export["operations"]
        if operation["family"] == "rmsnorm" and "hidden_size" in operation["manifest"]["spec"]["axes"]
    ]
    assert not any("hidden" in operation["manifest"]["spec"]["axes"] for operation in others)
    large = {
        liger_raw.operation_slug(row.kernel)
        for row in raw.liger_rows
        if liger_raw.KERNELS[row.kernel]["family"] == "rmsnorm" and dict(row.axes).get("hidden", 0) >= 4096
    }
    search = await found(snapshots, "hidden>=4096 family:rmsnorm")
    operations = [("OperationSpec", slug) for slug in sorted(large)]
    assert search["nodes"][: len(large)] == operations
    assert len(of_kind(search, "OperationSpec")) == len(large) == 3
    [issue] = search["issues"]
    assert issue["token"] == "hidden>=4096"
    assert f"`hidden_size` in {len(others)} operations" in issue["message"]
    assert issue["suggestion"] == "hidden_size>=4096"
    assert len(others) == 15


async def test_what_may_be_installed(snapshots: Snapshots, export: Tables, raw: Raw) -> None:
    assert not any(row["installable"] for row in export["implementations"])
    ready = [row for row in raw.liger_rows if "pipPackage" in liger_raw.PROVIDERS[row.provider]]
    facts = [liger_raw.PROVIDERS[row.provider] for row in ready]
    codes = {code_of(row) for row in ready}
    assert {of["concluded"] for of in facts} == {"BSD-2-Clause"}
    search = await found(snapshots, "license:permissive installable:true")
    assert len(of_kind(search, "ImplementationRevision")) == len(codes) == 31
    assert of_kind(search, "SoftwareProject") == sorted({of["project"] for of in facts})
    slugs = {liger_raw.operation_slug(row.kernel) for row in ready}
    assert set(of_kind(search, "OperationSpec")) == slugs


async def test_runs_without_an_architecture(snapshots: Snapshots, raw: Raw) -> None:
    bare = [
        run for run in raw.runs if run.row["hardwareModel"] == "NVIDIA B200" and run.architecture == "unknown"
    ]
    search = await found(snapshots, "gpu:B200 arch:sm_100")
    [issue] = search["issues"]
    assert issue["token"] == "arch:sm_100"
    assert issue["message"].startswith(f"{len(bare)} runs on this GPU have no architecture recorded")
    met = {
        run.operation["slug"]
        for run in raw.runs
        if (run.row["hardwareModel"], run.architecture) == ("NVIDIA B200", "sm_100")
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


async def test_every_operation_is_first_for_its_own_slug(snapshots: Snapshots, export: Tables) -> None:
    for operation in list(export["operations"])[::20]:
        search = await found(snapshots, operation["slug"])
        assert search["nodes"][0] == ("OperationSpec", operation["slug"])
        assert search["edges"][0]["score"] >= 5
