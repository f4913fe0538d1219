"""Statements by which a writer learns what is there: the state of the nodes that a batch touches.

Each answers ``key`` and ``node``: the properties that a plan is made from (never the manifest, unless the
statement's name says so). Patterns start at the node whose key is given (see audit.py). Lists come inside the
map ``$input``: Neo4j makes another plan for each order of magnitude of a list that is a parameter itself.
"""

from __future__ import annotations

from typing import Final

from graph.names import ByKey
from graph.schema import LABEL_OF_KIND, NODES

_OBJECT: Final = ("complete", "kind", "metadata", "facts")

STATE_PROPERTIES: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(LABEL_OF_KIND.values(), _OBJECT),
    "Operation": (*_OBJECT, "family"),
    "Implementation": (
        *_OBJECT,
        "publicSource",
        "ownSource",
        "exactRevision",
        "installable",
        "licenseKnown",
        "deployable",
        "operation",
        "projects",
        "shown",
        "slug",
        "title",
        "project",
    ),
    "Workload": (*_OBJECT, "operation", "correctnessKey"),
    "Protocol": (*_OBJECT, "primaryStatistic"),
    "Run": (
        *_OBJECT,
        "implementation",
        "workload",
        "protocol",
        "environment",
        "superseded",
        "rawEvidence",
        "partsComplete",
        "comparisonKey",
        "evidence",
        "published",
        "retractedAt",
    ),
    "Model": (*_OBJECT, "tokenizer"),
    "ServingWorkload": (*_OBJECT, "streaming", "loadGeneration"),
    "ServingRun": (*_OBJECT, "model", "workload", "configuration", "superseded", "cohortKey"),
    "Project": ("complete", "name", "repository"),
    "Source": ("facts",),
    "Artifact": ("facts",),
    "Name": ("name",),
    "ComparisonGroup": ("metric",),
    "ServingCohort": ("model",),
}


def _projection(variable: str, label: str) -> str:
    return f"{variable} {{{', '.join(f'.{name}' for name in STATE_PROPERTIES[label])}}}"


def _state(label: str) -> ByKey:
    return ByKey(
        f"UNWIND $input.keys AS key MATCH (n:{label} {{{NODES[label].key}: key}}) "
        f"RETURN key, {_projection('n', label)} AS node"
    )


STATE: Final[dict[str, ByKey]] = {label: _state(label) for label in STATE_PROPERTIES}
"""Label -> the state of the nodes with these keys; absent ones give no row."""


def _held(label: str) -> ByKey:
    conditions = ["all(text IN row.facts WHERE text IN n.facts)"]
    if "metadata" in STATE_PROPERTIES[label]:
        conditions.append("all(text IN row.metadata WHERE text IN n.metadata)")
    return ByKey(
        f"UNWIND $input.rows AS row MATCH (n:{label} {{{NODES[label].key}: row.key}}) "
        f"WITH row.key AS key, {' AND '.join(conditions)} AS held "
        "RETURN collect(CASE WHEN held THEN key END) AS held, "
        "collect(CASE WHEN held THEN null ELSE key END) AS others"
    )


SUBJECTS: Final = (*dict.fromkeys(LABEL_OF_KIND.values()), "Source", "Artifact")
"""Labels of the nodes that rows are about."""

HELD: Final[dict[str, ByKey]] = {label: _held(label) for label in SUBJECTS}
"""Label -> of the rows {key, metadata, facts}: the keys of the nodes that hold all these texts, and those of
the other nodes that there are. A node with a metadata variant is complete."""


def _dependents(start: str, relationship: str, end: str) -> ByKey:
    return ByKey(
        f"UNWIND $input.keys AS key MATCH (:{end} {{{NODES[end].key}: key}})<-[:{relationship}]-(n:{start}) "
        f"RETURN DISTINCT n.{NODES[start].key} AS key, {_projection('n', start)} AS node, "
        "n.manifest AS manifest"
    )


DEPENDENTS: Final[dict[str, ByKey]] = {
    "Implementation": _dependents("Run", "MEASURES", "Implementation"),
    "Workload": _dependents("Run", "ON_WORKLOAD", "Workload"),
    "Protocol": _dependents("Run", "UNDER_PROTOCOL", "Protocol"),
    "Environment": _dependents("Run", "IN_ENVIRONMENT", "Environment"),
    "Model": _dependents("ServingRun", "SERVES", "Model"),
    "ServingWorkload": _dependents("ServingRun", "LOADED_BY", "ServingWorkload"),
    "Project": _dependents("Implementation", "REVISION_OF", "Project"),
}
"""Label of a part -> the state and manifest of the objects that are derived from such parts."""

PROJECT_REVISIONS: Final = ByKey("""
UNWIND $input.keys AS key
MATCH (:Project {slug: key})<-[:DESCRIBES]-(v:ProjectRevision)
RETURN key, v.digest AS digest, v.manifest AS manifest
""")

NAMES_SEEN: Final = ByKey("""
UNWIND $input.keys AS key
MATCH (:Implementation {digest: key})<-[:MEASURES]-(r:Run)
WHERE r.submittedSlug IS NOT NULL AND r.observedAt IS NOT NULL
RETURN key, r.submittedSlug AS slug, min(r.observedAt + r.digest) AS earliest
""")
"""Under which names the runs of an implementation were submitted, each with its earliest run."""

RECORD_RUNS: Final = ByKey("""
UNWIND $input.keys AS key
MATCH (:ComparisonGroup {key: key})<-[:IN_GROUP]-(r:Run)
RETURN key, r.digest AS digest, r.status AS status, r.observedAt AS observedAt, r.published AS published,
  r.retractedAt AS retractedAt, r.superseded AS superseded, r.partsComplete AS partsComplete,
  r.metric AS metric, r.value AS value
""")
"""What the record history of the groups $input.keys needs of every run: one row per run."""

INSTANT_LENGTH: Final = len("2026-01-01T00:00:00.000000000Z")
"""``earliest`` is a canonical instant of this length, then the run's digest."""
