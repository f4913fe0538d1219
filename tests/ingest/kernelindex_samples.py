"""A small public export: one row of every table, all of which agree."""

from __future__ import annotations

import copy
from typing import Any

from catalog.domain.identity import cohort_key, comparison_key, correctness_key
from catalog.domain.manifests import validate
from tests.ingest.source_samples import (
    ENVIRONMENT,
    IMPLEMENTATION,
    OPERATION,
    PROTOCOL,
    WORKLOAD,
    manifest,
    run,
)

PROJECT = manifest("SoftwareProject", {"name": "Made"}, "made-project")
MODEL = manifest("ModelRevision", {"model": "made-7b"}, "made-7b")
STACK = manifest(
    "ServingStackRevision",
    {"project": {"name": "Made"}, "revision": {"version": "1"}, "apiProtocol": "openai"},
    "made-stack",
)
CONFIGURATION = manifest(
    "ServingConfiguration", {"dtype": "fp8", "stackDigest": validate(STACK).digest}, "made-configuration"
)
SERVING_WORKLOAD = manifest(
    "ServingWorkload",
    {
        "slo": [],
        "arrival": "poisson",
        "dataset": {"name": "made"},
        "streaming": True,
        "loadGeneration": "open_loop",
    },
    "made-load",
)
SERVING_RUN = manifest(
    "ServingRun",
    {
        "status": "valid",
        "harness": {"name": "loadgen", "version": "v1"},
        "topology": {"nodeCount": 1, "acceleratorModel": "B200", "acceleratorsPerNode": 8},
        "observedAt": "2026-01-01T00:00:00Z",
        "modelDigest": validate(MODEL).digest,
        "workloadDigest": validate(SERVING_WORKLOAD).digest,
        "configurationDigest": validate(CONFIGURATION).digest,
        "qualityPolicy": "made",
        "measurements": [{"unit": "tokens_s", "value": 8840.42, "metric": "output_tps", "statistic": "mean"}],
    },
    "made-serving-run",
)
ARTIFACT = "sha256:" + "a" * 64
KEY = comparison_key(
    operation=validate(OPERATION).digest,
    workload=validate(WORKLOAD).digest,
    protocol=validate(PROTOCOL).digest,
    environment=validate(ENVIRONMENT).digest,
    correctness=correctness_key(WORKLOAD["spec"]),
    metric="latency:median:ns",
)
COHORT = cohort_key(run=SERVING_RUN["spec"], model=MODEL["spec"], workload=SERVING_WORKLOAD["spec"])

Line = dict[str, Any]


def line(table: str, **row: Any) -> Line:
    """A line of the export."""
    return {"table": table, "row": row}


def run_line(key: str, median: int, **changes: Any) -> Line:
    """A row of benchmark_runs with the id ``key``."""
    body = run(median)
    row = {
        "id": key,
        "runDigest": validate(body).digest,
        "implementationId": "implementation",
        "workloadId": "workload",
        "sourceId": "source",
        "publishedAt": "2026-02-01T00:00:00.5Z",
        "protocolKey": validate(PROTOCOL).digest,
        "environmentKey": validate(ENVIRONMENT).digest,
        "correctnessKey": correctness_key(WORKLOAD["spec"]),
        "comparisonKey": KEY,
        "reproducedByKernelindex": False,
        "independentReplicationCount": 0,
        "supersedesId": None,
        "retractedAt": None,
        "retractionReason": None,
        "manifest": {"run": body, "protocol": PROTOCOL, "environment": ENVIRONMENT},
    }
    return line("benchmark_runs", **(row | changes))


def serving_run_line(**changes: Any) -> Line:
    """The row of serving_runs."""
    row = {
        "id": "serving-run",
        "runDigest": validate(SERVING_RUN).digest,
        "modelRevisionId": "model",
        "configurationId": "configuration",
        "workloadId": "load",
        "sourceId": "source",
        "publishedAt": "2026-02-01T00:00:00Z",
        "cohortKey": COHORT,
        "supersedesId": None,
        "retractedAt": None,
        "retractionReason": None,
        "manifest": SERVING_RUN,
    }
    return line("serving_runs", **(row | changes))


def measurement(run_id: str, statistic: str, value: float, samples: int | None) -> Line:
    """A row of measurements."""
    return line(
        "measurements",
        id="m",
        runId=run_id,
        metric="latency",
        statistic=statistic,
        unit="ns",
        value=value,
        sampleCount=samples,
    )


def record_event(run_id: str, previous: str | None = None, key: str = KEY) -> Line:
    """A row of record_events."""
    return line(
        "record_events", id="e", comparisonKey=key, runId=run_id, previousRunId=previous, cause="new_run"
    )


def base() -> dict[str, Line]:
    """Everything that runs are made of, by table."""
    lines = [
        line(
            "sources",
            id="source",
            slug="made-source",
            kind="leaderboard",
            name="Made source",
            policy={
                "url": "https://example.org/terms",
                "terms": "Attribution.",
                "license": "Apache-2.0",
                "verified": "2026-08-15",
                "attribution": "Made",
                "freshnessDays": 30,
            },
        ),
        line("projects", id="project", slug="made-project", manifest=PROJECT),
        line(
            "operations",
            id="operation",
            slug="copy-slug",
            semanticDigest=validate(OPERATION).digest,
            tags=["memory", "elementwise"],
            manifest=OPERATION,
        ),
        line("operation_aliases", operationId="operation", alias="Copy (v1)"),
        line(
            "workloads",
            id="workload",
            operationId="operation",
            workloadDigest=validate(WORKLOAD).digest,
            manifest=WORKLOAD,
        ),
        line(
            "implementations",
            id="implementation",
            projectId="project",
            operationId="operation",
            slug="copy-in-export",
            title="Copy · made",
            implementationDigest=validate(IMPLEMENTATION).digest,
            manifest=IMPLEMENTATION,
        ),
        line(
            "artifacts",
            contentDigest=ARTIFACT,
            kind="source",
            mediaType="text/x-python",
            sizeBytes=10,
            uri="https://example.org/file",
            license="MIT",
        ),
        line(
            "model_revisions",
            id="model",
            slug="made-7b",
            modelDigest=validate(MODEL).digest,
            manifest=MODEL,
        ),
        line(
            "serving_stack_revisions",
            id="stack",
            projectId="project",
            slug="made-stack",
            stackDigest=validate(STACK).digest,
            manifest=STACK,
        ),
        line(
            "serving_configurations",
            id="configuration",
            stackRevisionId="stack",
            configurationDigest=validate(CONFIGURATION).digest,
            summary="Made · 8 × B200",
            manifest=CONFIGURATION,
        ),
        line(
            "serving_workloads",
            id="load",
            slug="made-load",
            workloadDigest=validate(SERVING_WORKLOAD).digest,
            manifest=SERVING_WORKLOAD,
        ),
    ]
    return {item["table"]: copy.deepcopy(item) for item in lines}
