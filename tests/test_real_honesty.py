"""Serving frontiers, the exclusion ledger, coverage and shared sources on all real data.

Everything is worked out a second time from the raw files, without the catalog's rules.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from tests.answers.raw import Raw, architecture_of
from tests.data.export_raw import Row, Tables

pytestmark = [pytest.mark.real_data, pytest.mark.slow]


@pytest.fixture(scope="module")
def liger(raw: Raw) -> Counter[str]:
    """Liger's runs by architecture; all of them passed."""
    return Counter(map(architecture_of, raw.liger_rows))


async def pages(store: Store, field: str, selection: str, arguments: str = "") -> list[dict[str, Any]]:
    """The nodes of a whole list."""
    text = f"""query ($after: String) {{ {field}(first: 100, after: $after {arguments}) {{
      totalCount pageInfo {{ hasNextPage endCursor }} edges {{ node {{ {selection} }} }} }} }}"""
    snapshots, nodes, after = Snapshots(store), list[dict[str, Any]](), None
    while True:
        answer = await run_query(store, text, {"after": after}, context=Context(snapshots))
        assert "errors" not in answer, answer["errors"]
        page = answer["data"][field]
        nodes += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            assert len(nodes) == page["totalCount"]
            return nodes


HIGHER = {"output_token_throughput_tps": True}
"""The metrics of the exported serving runs, and whether more is better."""


def undominated(runs: list[Row]) -> set[str]:
    """The frontier by its definition, each run against each other one."""
    points = {}
    for run in runs:
        numbers = {
            (m["metric"], m["statistic"], m["unit"]): m["value"]
            for m in run["manifest"]["spec"]["measurements"]
        }
        points[run["runDigest"]] = {
            axis: value if HIGHER[axis[0]] else -value for axis, value in numbers.items()
        }
    shared = set.intersection(*(set(point) for point in points.values()))
    return {
        one
        for one, point in points.items()
        if not any(
            all(other[axis] >= point[axis] for axis in shared)
            and any(other[axis] > point[axis] for axis in shared)
            for other in points.values()
        )
    }


async def test_the_frontier_of_every_cohort(full: Store, export: Tables) -> None:
    cohorts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in export["serving_runs"]:
        assert (row["status"], row["retractedAt"], row["supersedesId"]) == ("valid", None, None)
        cohorts[row["cohortKey"]].append(row)
    selection = "key size frontier { run { digest } } excluded { reasons } notComparable { missing }"
    found = await pages(full, "servingCohorts", selection)
    assert len(found) == len(cohorts) == 341
    for cohort in found:
        runs = cohorts[cohort["key"]]
        assert {point["run"]["digest"] for point in cohort["frontier"]} == undominated(runs)
        assert (cohort["size"], cohort["excluded"], cohort["notComparable"]) == (len(runs), [], [])


async def test_ranks_by_throughput_in_every_cohort(full: Store, export: Tables) -> None:
    values: dict[str, dict[str, float]] = defaultdict(dict)
    for row in export["serving_runs"]:
        values[row["cohortKey"]][row["runDigest"]] = row["manifest"]["spec"]["measurements"][0]["value"]
    text = """query ($request: ResolveServingRequest!) { resolveServing(request: $request) {
      truncated cohorts { key ranked { rank value run { digest } } } } }"""
    request = {"first": 100, "objective": {"metric": "output_token_throughput_tps", "maximize": True}}
    answer = await run_query(full, text, {"request": request})
    assert answer["data"]["resolveServing"]["truncated"]
    for cohort in answer["data"]["resolveServing"]["cohorts"]:
        own = values[cohort["key"]]
        best = sorted(set(own.values()), reverse=True)
        assert {row["run"]["digest"]: row["rank"] for row in cohort["ranked"]} == {
            digest: best.index(value) + 1 for digest, value in own.items()
        }


async def test_the_ledger_adds_up(full: Store, raw: Raw, liger: Counter[str]) -> None:
    total: dict[str, Counter[str]] = {"source": Counter(), "architecture": Counter()}
    ranked: dict[str, Counter[str]] = {"source": Counter(), "architecture": Counter()}
    reasons: dict[str, tuple[str, ...]] = {}
    for run in raw.runs:
        if run.reasons:
            reasons[run.digest] = run.reasons
        for part, name in (("source", run.source["slug"]), ("architecture", run.architecture)):
            total[part][name] += 1
            ranked[part][name] += not run.reasons
    for architecture, count in liger.items():
        for part, name in (("source", "liger-kernel-bench"), ("architecture", architecture)):
            total[part][name] += count
            ranked[part][name] += count

    text = """{ exclusions { summary { runCount rankedCount excludedCount
      bySource { source { slug } runCount rankedCount excludedCount }
      byArchitecture { architecture runCount rankedCount excludedCount }
      byReason { reason runCount firstCount } byReasons { reasons runCount } } } }"""
    summary = (await run_query(full, text))["data"]["exclusions"]["summary"]
    assert summary["runCount"] == 7857 + 1757 == summary["rankedCount"] + summary["excludedCount"]
    assert summary["excludedCount"] == len(reasons) == 86
    for part, found in (
        ("source", {row["source"]["slug"]: row for row in summary["bySource"]}),
        ("architecture", {row["architecture"]: row for row in summary["byArchitecture"]}),
    ):
        assert {name: row["runCount"] for name, row in found.items()} == total[part]
        assert {name: row["rankedCount"] for name, row in found.items()} == ranked[part]
        assert all(row["runCount"] == row["rankedCount"] + row["excludedCount"] for row in found.values())
    assert {row["reason"]: row["runCount"] for row in summary["byReason"]} == Counter(
        reason for why in reasons.values() for reason in why
    )
    assert sum(row["firstCount"] for row in summary["byReason"]) == 86
    assert {tuple(row["reasons"]): row["runCount"] for row in summary["byReasons"]} == Counter(
        reasons.values()
    )
    listed = await pages(full, "exclusions", "run { digest } reasons")
    assert {row["run"]["digest"]: tuple(row["reasons"]) for row in listed} == reasons


async def test_coverage_and_its_gaps(full: Store, raw: Raw, liger: Counter[str]) -> None:
    runs = Counter((run.operation["slug"], run.architecture) for run in raw.runs)
    exported = {row["slug"] for row in raw.tables["operations"]}
    selection = "operation { slug } architecture runCount"
    cells = await pages(full, "coverage", selection)
    found = {(cell["operation"]["slug"], cell["architecture"]): cell["runCount"] for cell in cells}
    assert {cell: count for cell, count in found.items() if cell[0] in exported} == runs
    assert sum(found.values()) == runs.total() + liger.total()

    architectures = {architecture for _, architecture in found} - {"unknown"}
    measured = {slug for slug, architecture in found if architecture != "unknown"}
    gaps = await pages(full, "coverageGaps", "operation { slug } architecture")
    assert {(gap["operation"]["slug"], gap["architecture"]) for gap in gaps} == {
        (slug, architecture)
        for slug in measured
        for architecture in architectures
        if (slug, architecture) not in found
    }


async def test_shared_sources(full: Store, export: Tables) -> None:
    shared: dict[str, set[str]] = defaultdict(set)
    for row in export["implementations"]:
        source = row["manifest"]["spec"].get("source")
        if source:
            shared[source["contentDigest"]].add(row["implementationDigest"])
    selection = "artifact { contentDigest } implementations { digest }"
    found = await pages(full, "duplicateEvidence", selection, "kind: SAME_SOURCE")
    assert {
        each["artifact"]["contentDigest"]: {code["digest"] for code in each["implementations"]}
        for each in found
    } == {artifact: codes for artifact, codes in shared.items() if len(codes) > 1}
    assert max(len(each["implementations"]) for each in found) == 31


async def test_the_same_numbers(full: Store, export: Tables) -> None:
    alike: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in export["benchmark_runs"]:
        spec = row["manifest"]["run"]["spec"]
        if row["primaryValue"] is not None:
            numbers = json.dumps([spec.get("timing"), spec.get("measurements")], sort_keys=True)
            alike[row["comparisonKey"], numbers].append(row)
    wanted = {
        frozenset(row["runDigest"] for row in rows)
        for rows in alike.values()
        if len({row["implementationId"] for row in rows}) > 1
    }
    selection = "runs { digest source { slug } }"
    found = await pages(full, "duplicateEvidence", selection, "kind: SAME_NUMBERS")
    assert {
        frozenset(run["digest"] for run in each["runs"])
        for each in found
        if each["runs"][0]["source"]["slug"] != "liger-kernel-bench"
    } == wanted


async def test_the_example_of_the_serving_page(full: Store) -> None:
    page = (Path(__file__).parent.parent / "docs" / "serving.md").read_text()
    [(query, answer)] = re.findall(r"```graphql\n(.*?)```.*?```json\n(.*?)```", page, re.DOTALL)
    assert await run_query(full, query) == json.loads(answer)


async def test_each_exported_implementation_ran_on_one_architecture(full: Store) -> None:
    selection = "portability { architecture runCount eligibleCount failedCount state }"
    ported = await pages(full, "implementations", selection)
    assert sum(port["runCount"] for code in ported for port in code["portability"]) == 7857 + 1757
    assert {
        (port["state"] == "NEVER_TRIED") == (port["runCount"] == 0)
        for code in ported
        for port in code["portability"]
    } == {True}
