"""The same imports, the same questions, two engines: whole answers are equal."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from catalog.server.ask import run_query
from graph import Store, reads
from tests.data import export_raw, liger_raw
from tests.data.made import TOGETHER
from tests.engines import EmbeddedEngine, Engine

EXAMPLES = Path("catalog/server/examples")

pytestmark = pytest.mark.neo4j


class Both(NamedTuple):
    embedded: Store
    neo4j: Store


@pytest.fixture(scope="module")
async def both(embedded: EmbeddedEngine, neo4j: Engine) -> AsyncIterator[Both]:
    """Both engines with Liger's and the made data, and the public export where it is at hand."""
    folder = os.environ.get("CATALOG_TEST_DATA")
    real = [Path(folder) / name for name in (export_raw.FILE, *liger_raw.FILES)] if folder else []
    for engine in (embedded, neo4j):
        await engine.fill([*(real or [liger_raw.BUNDLED]), *TOGETHER])
    async with embedded.store() as one, neo4j.store() as other:
        yield Both(one, other)


async def sample(store: Store, label: str, kept: int) -> list[str]:
    """Some keys, spread over all."""
    rows = await store.read(SAMPLE[label])
    step = max(1, len(rows) // kept)
    return [row["key"] for row in rows][::step]


SAMPLE = {
    "Run": "MATCH (n:Run) RETURN n.digest AS key ORDER BY key",
    "ComparisonGroup": "MATCH (n:ComparisonGroup) RETURN n.key AS key ORDER BY key",
}

RUN_FILTERS: list[dict[str, Any]] = [
    {},
    {"orderBy": "OBSERVED_ASC"},
    {"orderBy": "PUBLISHED_DESC"},
    {"orderBy": "PUBLISHED_ASC"},
    {"filter": {"architecture": "sm_100", "status": ["PASSED"]}},
    {"filter": {"architecture": "unknown"}},
    {"filter": {"project": "deepspeed"}},
    {"filter": {"operation": "jsd", "axes": [{"name": "vocab", "operator": "GTE", "value": 65536}]}},
    {"filter": {"deployable": True, "language": "triton", "product": "NVIDIA H100"}},
    {"filter": {"minimumEvidence": "REPRODUCIBLE"}},
    {"filter": {"observedFrom": "2025-03-01T00:00:00Z", "observedBefore": "2025-06-01T00:00:00Z"}},
    {"filter": {"source": "gpumode-kernelbot", "status": ["RUNTIME_ERROR", "COMPILE_ERROR"]}},
]
GROUP_FILTERS: list[dict[str, Any]] = [
    {},
    {"orderBy": "OBSERVED_DESC"},
    {"filter": {"operation": "liger-jsd", "architecture": "sm_100"}},
    {"filter": {"minimumSize": 10, "source": "gpumode-kernelbot"}},
    {"filter": {"product": "NVIDIA H100", "axes": [{"name": "hidden", "operator": "EQ", "value": 4096}]}},
]


def example(name: str) -> str:
    return (EXAMPLES / f"{name}.graphql").read_text()


def without_engine(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what may differ: the engine, and revisions."""
    text = json.dumps(answer)
    plain: dict[str, Any] = json.loads(text, object_hook=_forget)
    return plain


def _forget(value: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value[key]
        for key in value
        if key not in ("engine", "revision", "cursor", "endCursor", "startCursor")
    }


async def agree(both: Both, text: str, variables: dict[str, Any]) -> dict[str, Any]:
    one = without_engine(await run_query(both.embedded, text, variables))
    other = without_engine(await run_query(both.neo4j, text, variables))
    assert "errors" not in one, one
    assert one == other, variables
    return one


async def test_catalog(both: Both) -> None:
    await agree(both, example("catalog"), {})


async def test_ranked_groups_and_their_records(both: Both) -> None:
    for key in await sample(both.embedded, "ComparisonGroup", 120):
        answer = await agree(both, example("ranked"), {"key": key, "first": 500})
        assert answer["data"]["comparisonGroup"]["size"] > 0
        await agree(both, example("record-history"), {"key": key})


async def test_dossiers(both: Both) -> None:
    for digest in await sample(both.embedded, "Run", 120):
        answer = await agree(both, example("run-dossier"), {"digest": digest})
        assert answer["data"]["run"]["digest"] == digest


@pytest.mark.parametrize("variables", RUN_FILTERS, ids=str)
async def test_runs_page_by_page(both: Both, variables: dict[str, Any]) -> None:
    await pages_agree(both, "runs", variables)


@pytest.mark.parametrize("variables", GROUP_FILTERS, ids=str)
async def test_groups_page_by_page(both: Both, variables: dict[str, Any]) -> None:
    await pages_agree(both, "groups", variables)


async def pages_agree(both: Both, name: str, variables: dict[str, Any]) -> None:
    """Three pages; the two engines' cursors are each its own."""
    after: list[str | None] = [None, None]
    for _ in range(3):
        answers = [
            await run_query(store, example(name), {**variables, "first": 25, "after": cursor})
            for store, cursor in zip(both, after, strict=True)
        ]
        assert "errors" not in answers[0], answers[0]
        assert without_engine(answers[0]) == without_engine(answers[1])
        connections: Iterator[Any] = (next(iter(answer["data"].values())) for answer in answers)
        infos = [connection["pageInfo"] for connection in connections]
        if not infos[0]["hasNextPage"]:
            break
        after = [info["endCursor"] for info in infos]


async def test_counts_agree_with_the_nodes(both: Both) -> None:
    one = await both.embedded.read(reads.COUNTS)
    other = await both.neo4j.read(reads.COUNTS)
    assert sorted(map(str, one)) == sorted(map(str, other))


RESOLVE_SERVING = """query ($request: ResolveServingRequest!) { resolveServing(request: $request) {
  truncated cohorts { key size model { name } workload { name }
    ranked { rank value run { digest } configuration { summary }
      outcomes { constraint state satisfied observed } }
    excluded { run { digest } reasons } notComparable { run { digest } missing }
    frontier { run { digest } metrics { metric statistic unit value } } } } }"""
FASTEST = {"metric": "output_token_throughput_tps", "maximize": True}
REQUESTS: list[dict[str, Any]] = [
    {"first": 100},
    {"first": 100, "objective": FASTEST},
    {"objective": FASTEST, "constraints": [{"metric": "ttft_ms", "operator": "LTE", "value": 450}]},
    {"acceleratorModel": "MI300X", "maximumAccelerators": 8, "qualityPolicy": "mlperf_closed_99"},
    {"model": "made-llm", "objective": {"metric": "ttft_ms", "maximize": False}},
]
HONESTY = """{
  coverage(first: 100) { totalCount edges { node { operation { slug } architecture groupCount runCount
    eligibleCount bestEvidence deployableCount hasDeployableWinner } } }
  coverageGaps(first: 100) { totalCount edges { node { operation { slug } architecture runCount } } }
  undeployableOperations(first: 100) { totalCount edges { node { operation { slug }
    reasons { reason count } } } }
  exclusions(first: 100) { totalCount edges { node { run { digest } reasons architecture } }
    summary { runCount rankedCount excludedCount byReasons { reasons runCount } } }
  duplicateEvidence(first: 100) { totalCount edges { node { kind value names runs { digest } } } }
  implementations(first: 100) { edges { node { portability { architecture state best { digest } } } } }
}"""


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
async def test_serving(both: Both, request_: dict[str, Any]) -> None:
    await agree(both, RESOLVE_SERVING, {"request": request_})


async def test_coverage_and_honesty(both: Both) -> None:
    await agree(both, HONESTY, {})
