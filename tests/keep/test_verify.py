"""A catalog altered by hand does not verify, and the problem names node and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalog.ingest.pipeline import import_paths
from catalog.keep.verify import verify
from graph import Store
from tests.engines import raw_write

EVIDENCE = Path("tests/data/made/evidence.jsonl")

RUN = "MATCH (n:Run {title: 'made second'}) "

GROUP = "MATCH (n:ComparisonGroup {metric: 'tflops'}) "

ALTERED = {
    "value": (RUN + "SET n.value = 94", "Run", "value"),
    "status": (RUN + "SET n.status = 'timeout'", "Run", "status"),
    "key": (RUN + "SET n.comparisonKey = 'sha256:' + '0'", "Run", "comparisonKey"),
    "digest": (RUN + "SET n.digest = 'sha256:' + 'f'", "Run", "manifest"),
    "observedAt": (RUN + "SET n.observedAt = '2026-01-03T00:00:01.000000000Z'", "Run", "observedAt"),
    "evidence": (RUN + "SET n.evidence = 'REPLICATED'", "Run", "evidence"),
    "superseded": (RUN + "SET n.superseded = true", "Run", "superseded"),
    "retraction": (RUN + "SET n.retractedAt = '2026-01-03T00:00:01.000000000Z'", "Run", "retractedAt"),
    "one byte of a manifest": (
        RUN + "SET n.manifest = replace(n.manifest, '\"median\":95', '\"median\":96')",
        "Run",
        "manifest",
    ),
    "a lost manifest": (RUN + "REMOVE n.manifest", "Run", "manifest"),
    "a statement": (RUN + "SET n.facts = ['{}']", "Run", "facts"),
    "a lost relationship": (RUN + "MATCH (n)-[r:IN_GROUP]->() DELETE r", "Run", "IN_GROUP"),
    "a second relationship": (
        RUN + "MATCH (e:Environment) CREATE (n)-[:IN_ENVIRONMENT]->(e)",
        "Run",
        "IN_ENVIRONMENT",
    ),
    "deployability": (
        "MATCH (n:Implementation {slug: 'made-bare'}) SET n.deployable = true",
        "Implementation",
        "deployable",
    ),
    "a workload's operation": (
        "MATCH (n:Workload {title: 'Scaled vector sum · n=1024'}) SET n.operation = 'sha256:1'",
        "Workload",
        "operation",
    ),
    "a project's repository": ("MATCH (n:Project) REMOVE n.repository", "Project", "repository"),
    "a group's metric": (
        "MATCH (n:ComparisonGroup {metric: 'tflops'}) SET n.metric = 'latency'",
        "ComparisonGroup",
        "metric",
    ),
    "a group's direction": (
        "MATCH (n:ComparisonGroup {metric: 'tflops'}) REMOVE n.direction",
        "ComparisonGroup",
        "direction",
    ),
    "a group's part": (
        "MATCH (:ComparisonGroup {metric: 'tflops'})-[r:FOR_WORKLOAD]->() DELETE r",
        "ComparisonGroup",
        "FOR_WORKLOAD",
    ),
    "a group without runs": ("CREATE (:ComparisonGroup {key: 'sha256:0'})", "ComparisonGroup", "key"),
    "a name": ("MATCH (n:Name {name: 'axpy-alpha'}) SET n.name = 'other'", "Name", "name"),
    "an artifact's size": ("MATCH (n:Artifact) SET n.sizeBytes = 1", "Artifact", "sizeBytes"),
}


@pytest.mark.parametrize("what", ALTERED)
async def test_what_was_altered_is_named(store: Store, what: str) -> None:
    statement, label, field = ALTERED[what]
    await import_paths(store, [EVIDENCE])
    assert (await verify(store)).problems == []
    await raw_write(store, statement)
    found = await verify(store)
    assert not found.ok
    assert (label, field) in {(problem.node.split()[0], problem.field) for problem in found.problems}
