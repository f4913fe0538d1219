"""Tables of the public export that hold what serving runs are made of."""

from __future__ import annotations

from catalog.ingest.sources.kernelindex_columns import Brought, Columns, Known, check, remember
from catalog.ingest.sources.kernelindex_tables import of_kind, stated


def model_revisions(known: Known, columns: Columns) -> Brought:
    """Models."""
    manifest = of_kind(columns.mapping("manifest"), "ModelRevision")
    check("modelDigest", columns.text("modelDigest"), manifest.digest)
    statements = stated("ModelRevision", manifest.digest, [("slug", columns.text("slug"))])
    for_cohort = {name: manifest.spec[name] for name in ("tokenizer",) if name in manifest.spec}
    remember(known.models, columns, (manifest.digest, for_cohort))
    return Brought((manifest,), statements)


def serving_stack_revisions(known: Known, columns: Columns) -> Brought:
    """Serving stacks with their project."""
    manifest = of_kind(columns.mapping("manifest"), "ServingStackRevision")
    check("stackDigest", columns.text("stackDigest"), manifest.digest)
    project = columns.refer("projectId", known.projects)
    facts = [("slug", columns.text("slug")), ("project", project)]
    statements = stated("ServingStackRevision", manifest.digest, facts)
    remember(known.stacks, columns, manifest.digest)
    return Brought((manifest,), statements)


def serving_configurations(known: Known, columns: Columns) -> Brought:
    """Configurations of serving stacks."""
    manifest = of_kind(columns.mapping("manifest"), "ServingConfiguration")
    check("configurationDigest", columns.text("configurationDigest"), manifest.digest)
    stack = columns.refer("stackRevisionId", known.stacks)
    check("stackRevisionId", stack, manifest.spec["stackDigest"])
    facts = [("summary", columns.optional_text("summary"))]
    statements = stated("ServingConfiguration", manifest.digest, facts)
    remember(known.configurations, columns, manifest.digest)
    return Brought((manifest,), statements)


def serving_workloads(known: Known, columns: Columns) -> Brought:
    """Workloads of serving runs."""
    manifest = of_kind(columns.mapping("manifest"), "ServingWorkload")
    check("workloadDigest", columns.text("workloadDigest"), manifest.digest)
    statements = stated("ServingWorkload", manifest.digest, [("slug", columns.text("slug"))])
    for_cohort = {name: manifest.spec[name] for name in ("streaming", "loadGeneration")}
    remember(known.serving_workloads, columns, (manifest.digest, for_cohort))
    return Brought((manifest,), statements)
