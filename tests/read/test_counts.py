"""What a server counts while it writes is what is there, also where only some of it has arrived."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from catalog.domain.manifests import Manifest
from graph import browse, counts, reads
from graph.store import Store
from tests.read import samples
from tests.read.samples import FAST, H100, MEDIAN, PAIR, SMALL, SOURCE, Item, fill

MANIFESTS: Final = [item for item in samples.CATALOG if isinstance(item, Manifest)]

RUNS_ALONE: Final = [item for item in MANIFESTS if item.kind == "BenchmarkRun"]
PARTS_ALONE: Final = [item for item in MANIFESTS if item.kind != "BenchmarkRun"]


# The embedded engine counts nothing ahead.
pytestmark = [pytest.mark.neo4j, pytest.mark.parametrize("engine", ["neo4j"], indirect=True, scope="session")]


async def told(store: Store, statement: str, **params: Any) -> list[str]:
    rows = await store.read(statement, **params)
    return sorted(str(sorted(row.items())) for row in rows if row["count"])


@pytest.mark.parametrize(
    "items",
    [[], RUNS_ALONE, PARTS_ALONE, samples.CATALOG],
    ids=["nothing", "runs without their parts", "parts without runs", "everything"],
)
async def test_counts_of_kinds_and_sources(store: Store, tmp_path: Path, items: list[Item]) -> None:
    await fill(store, tmp_path, items)
    assert await told(store, counts.COUNTS) == await told(store, reads.COUNTS)
    assert await told(store, counts.SOURCE_TALLY) == await told(store, reads.SOURCE_TALLY)


FILTERS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("Run", {"source": "nobody"}),
    *(("Run", filters) for filters in ({}, {"source": SOURCE}, {"environments": [H100.digest, "none"]})),
    ("Run", {"workloads": [SMALL.digest, PAIR.digest]}),
    ("Run", {"implementation": FAST.digest}),
    ("Run", {"workload": SMALL.digest}),
    ("Run", {"protocol": MEDIAN.digest}),
    ("Run", {"environment": H100.digest}),
    ("Run", {"environment": H100.digest, "status": ["passed"]}),
    *(("Workload", filters) for filters in ({}, {"kind": "WorkloadSuite"})),
    *((label, {}) for label in ("Operation", "Implementation", "Project", "Protocol", "Source")),
]


async def test_counts_of_lists(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, samples.CATALOG)
    for label, filters in FILTERS:
        one = await store.read(counts.count(label, filters), **filters)
        other = await store.read(browse.count(label, filters), **filters)
        assert one == other, (label, filters)


async def test_a_node_that_is_not_there_counts_nothing(store: Store) -> None:
    assert await store.read(counts.count("Run", ["protocol"]), protocol="sha256:none") == [{"count": 0}]
