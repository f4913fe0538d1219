"""What a node shows only together with others: keys, evidence, deployability (docs/domain.md §§2-5).

Pure functions of :class:`Node` values; the planner calls them when it writes, ``catalog verify`` when it
checks what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from catalog.domain import identity, metrics
from catalog.domain.evidence import evidence_level
from catalog.domain.facts import shown
from catalog.domain.identity import load_canonical
from catalog.ingest.projection import Props
from catalog.ingest.working import Node

Find = Callable[[str, str], Node | None]
"""The node of a label and key, or None when the graph has none."""

PARTS = (
    ("Implementation", "implementation"),
    ("Workload", "workload"),
    ("Protocol", "protocol"),
    ("Environment", "environment"),
)
"""The four parts of a run: label, and the run's property with its digest."""


def project(revisions: Iterable[Mapping[str, Any]]) -> Props:
    """A project as its revisions tell: each field from the first revision, by JCS bytes, that states it."""
    specs = sorted(revisions, key=identity.canonical_bytes)
    fields = ("name", "repository", "homepage", "kind")
    first = {field: next((s[field] for s in specs if field in s), None) for field in fields}
    return first | {"complete": bool(specs)}


def implementation(node: Node, find: Find) -> Props:
    """Public source and deployability, which need the projects that the implementation is named for."""
    slugs = node.value("projects") or ()
    repositories = (found.value("repository") for slug in slugs if (found := find("Project", slug)))
    public = bool(node.value("ownSource")) or any(repositories)
    deployable = public and bool(node.value("installable")) and bool(node.value("licenseKnown"))
    return {"publicSource": public, "deployable": deployable}


def run_metric(spec: Mapping[str, Any], protocol: Node | None) -> Props:
    """The primary value of a run and its interval; ``metricPending``: the missing protocol decides."""
    known = protocol is not None and protocol.complete
    statistic = protocol.value("primaryStatistic") if protocol is not None and known else None
    protocol_spec = {"measurement": {"primaryStatistic": statistic}} if known else None
    primary = metrics.primary(spec, protocol_spec)
    low, high = metrics.interval(spec) or (None, None)
    return {
        "metric": primary.metric if primary else None,
        "statistic": primary.statistic if primary else None,
        "unit": primary.unit if primary else None,
        "value": primary.value if primary else None,
        "direction": metrics.direction_of(primary.metric) if primary else None,
        "intervalLow": low,
        "intervalHigh": high,
        "metricPending": primary is None and not known and metrics.primary_depends_on_protocol(spec),
    }


def run_evidence(node: Node, find: Find) -> Props:
    """Whether the run's parts are all here, and its evidence level."""
    parts = {label: find(label, node.value(field)) for label, field in PARTS}
    complete = all(part is not None and part.complete for part in parts.values())
    code = parts["Implementation"]
    stated = node.statements()
    level = evidence_level(
        replications=shown("BenchmarkRun", "replications", stated) or 0,
        rerun_passed=bool(shown("BenchmarkRun", "controlledRerun", stated)),
        public_source=code is not None and bool(code.value("publicSource")),
        exact_revision=code is not None and bool(code.value("exactRevision")),
        parts_complete=complete,
        raw_evidence=bool(node.value("rawEvidence")),
    )
    return {"partsComplete": complete, "evidence": level.value}


def run_group(node: Node, find: Find) -> tuple[Props, Props | None]:
    """The run's operation and comparison key, and the properties of its group when it has one.

    ``node`` has its metric already; a run with a part known only by digest has no group.
    """
    workload = find("Workload", node.value("workload"))
    if workload is None or not workload.complete:
        return {"operation": None, "comparisonKey": None}, None
    operation = workload.value("operation")
    if not node.value("partsComplete"):
        return {"operation": operation, "comparisonKey": None}, None
    metric = node.value("metric")
    parts = {
        "operation": operation,
        "workload": workload.key,
        "protocol": node.value("protocol"),
        "environment": node.value("environment"),
        "correctness": workload.value("correctnessKey"),
    }
    statistic, unit = node.value("statistic"), node.value("unit")
    name = identity.metric_key(metric, statistic, unit) if metric else identity.NO_METRIC
    key = identity.comparison_key(**parts, metric=name)
    group = parts | {
        "metric": metric or identity.NO_METRIC,
        "statistic": statistic,
        "unit": unit,
        "direction": node.value("direction"),
    }
    return {"operation": operation, "comparisonKey": key}, {"key": key} | group


def serving_cohort(node: Node, spec: Mapping[str, Any], find: Find) -> tuple[Props, Props | None]:
    """The cohort key of a serving run, and its cohort; None while model or workload is missing."""
    model = find("Model", node.value("model"))
    workload = find("ServingWorkload", node.value("workload"))
    if model is None or workload is None or not (model.complete and workload.complete):
        return {"cohortKey": None}, None
    tokenizer = model.value("tokenizer")
    model_part = {} if tokenizer is None else {"tokenizer": load_canonical(tokenizer)}
    load = {name: workload.value(name) for name in ("streaming", "loadGeneration")}
    key = identity.cohort_key(run=spec, model=model_part, workload=load)
    return {"cohortKey": key}, {
        "key": key,
        "model": model.key,
        "workload": workload.key,
        "protocolKey": identity.serving_protocol_key(spec, load),
        "topologyKey": identity.topology_key(spec["topology"]),
        "qualityPolicy": spec["qualityPolicy"],
        "metricSetKey": identity.metric_set_key(spec["measurements"]),
    }
