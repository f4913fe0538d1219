"""Tables of the public export that hold runs, and those derived from them, which are only checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from catalog.domain.errors import Fault, ManifestError
from catalog.domain.facts import Statement
from catalog.domain.identity import NO_METRIC, cohort_key, comparison_key, metric_key
from catalog.domain.manifests import Manifest
from catalog.domain.metrics import Measurement, measurements, primary
from catalog.ingest.sources.kernelindex_columns import (
    Brought,
    Columns,
    Known,
    KnownRun,
    KnownWorkload,
    check,
    invalid,
    mismatch,
    unknown_reference,
)
from catalog.ingest.sources.kernelindex_tables import of_kind

_BUNDLE = {"run": "BenchmarkRun", "protocol": "BenchmarkProtocol", "environment": "ExecutionEnvironment"}
"""What the manifest column of a benchmark run holds."""


def benchmark_runs(known: Known, columns: Columns) -> Brought:
    """Runs; each row carries its protocol and environment as well."""
    manifests = columns.mapping("manifest")
    if manifests.keys() != _BUNDLE.keys():
        raise invalid("manifest", "must be an object of run, protocol and environment", list(manifests))
    run, protocol, environment = _bundle(known, manifests)
    workload = columns.refer("workloadId", known.workloads)
    check("runDigest", columns.text("runDigest"), run.digest)
    check("protocolKey", columns.text("protocolKey"), protocol.digest)
    check("protocolKey", columns.text("protocolKey"), run.spec["protocolDigest"])
    check("environmentKey", columns.text("environmentKey"), environment.digest)
    check("environmentKey", columns.text("environmentKey"), run.spec["environmentDigest"])
    check("correctnessKey", columns.text("correctnessKey"), workload.correctness)
    check("workloadId", workload.digest, run.spec["workloadDigest"])
    implementation = columns.refer("implementationId", known.implementations)
    check("implementationId", implementation, run.spec["implementationDigest"])
    key = _comparison_key(run, protocol, workload)
    check("comparisonKey", columns.text("comparisonKey"), key)

    source = columns.refer("sourceId", known.sources)
    facts: list[tuple[str, Any]] = _publication(columns)
    replications = columns.count("independentReplicationCount")
    if replications:
        facts.append(("replications", replications))
    if columns.boolean("reproducedByKernelindex"):
        facts.append(("controlledRerun", True))
    return Brought(
        (protocol, environment, run),
        _run_statements(run, source, facts),
        KnownRun(run.kind, run.digest, source, key, tuple(measurements(run.spec))),
        columns.optional_text("supersedesId"),
    )


def _bundle(known: Known, raw: dict[str, Any]) -> tuple[Manifest, Manifest, Manifest]:
    """Run, protocol and environment of one row. Few of the latter two stand in thousands of rows.

    Raises:
        ManifestError: with the faults of all three.
    """
    found: list[Manifest] = []
    faults: list[Fault] = []
    for member, kind in _BUNDLE.items():
        try:
            if member == "run":
                found.append(of_kind(raw[member], kind))
            else:
                found.append(_part(known, raw[member], kind))
        except ManifestError as error:
            faults += [replace(fault, pointer=f"/{member}{fault.pointer}") for fault in error.faults]
    if faults:
        raise ManifestError(faults)
    run, protocol, environment = found
    return run, protocol, environment


def _part(known: Known, raw: object, kind: str) -> Manifest:
    return known.parts.get((kind, msgspec.json.encode(raw)), lambda: of_kind(raw, kind))


def _comparison_key(run: Manifest, protocol: Manifest, workload: KnownWorkload) -> str:
    metric = primary(run.spec, protocol.spec)
    return comparison_key(
        operation=workload.operation,
        workload=workload.digest,
        protocol=protocol.digest,
        environment=run.spec["environmentDigest"],
        correctness=workload.correctness,
        metric=NO_METRIC if metric is None else metric_key(metric.metric, metric.statistic, metric.unit),
    )


def _publication(columns: Columns) -> list[tuple[str, Any]]:
    facts: list[tuple[str, Any]] = []
    published = columns.optional_instant("publishedAt")
    facts.append(("published", False) if published is None else ("publishedAt", published))
    retracted = columns.optional_instant("retractedAt")
    if retracted is not None:
        reason = columns.optional_text("retractionReason")
        facts.append(("retraction", {"at": retracted} | ({"reason": reason} if reason else {})))
    return facts


def _run_statements(run: Manifest, source: str, facts: list[tuple[str, Any]]) -> tuple[Statement, ...]:
    """What is known of a run is stated by the run's own source."""
    return tuple(Statement(run.kind, run.digest, field, value, source) for field, value in facts)


def serving_runs(known: Known, columns: Columns) -> Brought:
    """Runs of serving stacks."""
    run = of_kind(columns.mapping("manifest"), "ServingRun")
    model, model_spec = columns.refer("modelRevisionId", known.models)
    workload, workload_spec = columns.refer("workloadId", known.serving_workloads)
    check("runDigest", columns.text("runDigest"), run.digest)
    check("modelRevisionId", model, run.spec["modelDigest"])
    check("workloadId", workload, run.spec["workloadDigest"])
    configuration = columns.refer("configurationId", known.configurations)
    check("configurationId", configuration, run.spec["configurationDigest"])
    key = cohort_key(run=run.spec, model=model_spec, workload=workload_spec)
    check("cohortKey", columns.text("cohortKey"), key)
    source = columns.refer("sourceId", known.sources)
    return Brought(
        (run,),
        _run_statements(run, source, _publication(columns)),
        KnownRun(run.kind, run.digest, source, key, tuple(measurements(run.spec))),
        columns.optional_text("supersedesId"),
    )


def run_measurements(known: Known, columns: Columns) -> Brought:
    """Measurements of runs: each must be one that its run's manifest gives; it brings nothing new."""
    run = columns.refer("runId", known.runs)
    row = Measurement(
        columns.text("metric"),
        columns.text("statistic"),
        columns.text("unit"),
        columns.number("value"),
        columns.optional_count("sampleCount"),
    )
    if row not in run.measurements:
        same = [m for m in run.measurements if m[:2] == row[:2]] or list(run.measurements)
        raise mismatch("value", row, same, "measurement_mismatch")
    return Brought()


def record_events(known: Known, columns: Columns) -> Brought:
    """Record events: they must be about known runs of the group they name; they bring nothing new."""
    run = columns.refer("runId", known.runs)
    previous_id = columns.optional_text("previousRunId")
    if previous_id is not None and previous_id not in known.runs:
        raise unknown_reference("previousRunId", previous_id)
    key = columns.text("comparisonKey")
    if key != run.key:
        raise mismatch("comparisonKey", key, run.key, "record_mismatch")
    if previous_id is not None and known.runs[previous_id].key != key:
        raise mismatch("previousRunId", key, known.runs[previous_id].key, "record_mismatch")
    return Brought()
