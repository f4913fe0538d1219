"""Reading statements, by name. Lists and filters are composed in browse.py; everything else is here.

Lists give keys; whole nodes are loaded by key, one statement for any number of keys and labels. Instants are
canonical texts (their order is time order) and are never formatted here. Source: docs/domain.md §2, §4, §6.
"""

from functools import lru_cache
from typing import Final

from graph.names import composed
from graph.schema import LABEL_OF_KIND, NODES


def _load(label: str) -> str:
    return f"UNWIND $keys AS key MATCH (n:{label} {{{NODES[label].key}: key}}) RETURN key, n {{.*}} AS node"


LOAD: Final[dict[str, str]] = {label: _load(label) for label in NODES}
"""Label -> the nodes with the given $keys; one row {key, node} per key that exists."""


@composed
def _nodes(labels: tuple[str, ...]) -> str:
    return " UNION ALL ".join(
        f"UNWIND ${label} AS key MATCH (n:{label} {{{NODES[label].key}: key}}) "
        f"WITH keys(n) AS names, properties(n) AS p "
        f"RETURN '{label}' AS label, names, collect([name IN names | p[name]]) AS nodes"
        for label in labels
    )


@lru_cache
def nodes(labels: tuple[str, ...]) -> str:
    """The nodes with the given keys, of several labels at once: one list of keys per label, named by it.

    A row {label, names, nodes} for each set of properties that there is: their names, and lists of values in
    that order, one for each node. So names travel once, and the driver has few rows to take apart.
    """
    return _nodes(labels)


def _prefix(label: str) -> str:
    key = NODES[label].key
    return (
        f"MATCH (n:{label}) WHERE n.{key} >= $low AND n.{key} < $high "
        f"RETURN n.{key} AS key, n.title AS title, n.architectures AS architectures ORDER BY key LIMIT 10"
    )


PREFIX: Final[dict[str, str]] = {
    label: _prefix(label) for label, node in NODES.items() if node.key in ("digest", "key", "contentDigest")
}
"""Label -> the nodes whose key lies between $low and $high: what a shortened digest may mean."""

_MEMBER: Final = {
    "digest": "r.digest",
    "status": "r.status",
    "observedAt": "r.observedAt",
    "published": "r.published",
    "retractedAt": "r.retractedAt",
    "superseded": "r.superseded",
    "partsComplete": "r.partsComplete",
    "metric": "r.metric",
    "value": "r.value",
    "intervalLow": "r.intervalLow",
    "intervalHigh": "r.intervalHigh",
    "evidence": "r.evidence",
    "source": "r.source",
    "submittedProject": "r.submittedProject",
    "submittedSlug": "r.submittedSlug",
    "implementation": "r.implementation",
    "deployable": "i.deployable",
    "project": "i.project",
    "submissions": "CASE WHEN r.submittedSlug IS NULL THEN [] ELSE "
    """[fact IN r.facts WHERE fact STARTS WITH '{"field":"submittedAs"'] END""",
}

GROUP_MEMBER: Final = tuple(_MEMBER)
"""What GROUPS gives of each run of a group, in this order."""

_OF_GROUPS: Final = """
UNWIND $keys AS key
MATCH (g:ComparisonGroup {key: key})<-[:IN_GROUP]-(n:Run)
OPTIONAL MATCH (n)-[:MEASURES]->(i:Implementation)
"""
_MEMBERS: Final = f"RETURN key, properties(g) AS node, collect([{', '.join(_MEMBER.values())}]) AS runs"

GROUPS: Final = {
    "neo4j": f"{_OF_GROUPS} WITH key, g, properties(n) AS r, i {_MEMBERS}",
    "arcadedb": f"{_OF_GROUPS} WITH key, g, n AS r, i {_MEMBERS}",
}
"""Engine -> the groups $keys, each with what ranking needs of its runs: one row {key, node, runs} per group.

Neo4j walks a node's properties for each that is asked for, so it is quicker to take them all at once.
"""

GROUP_INDEX: Final = """
MATCH (g:ComparisonGroup)<-[:IN_GROUP]-(r:Run)
RETURN g.key AS key, g.operation AS operation, g.workload AS workload, g.protocol AS protocol,
  g.environment AS environment, count(r) AS size, max(r.observedAt) AS newest,
  collect(DISTINCT r.source) AS sources
"""
"""Every comparison group with its size and newest observation."""

ENVIRONMENT_INDEX: Final = """
MATCH (e:Environment)
RETURN e.digest AS digest, e.architecture AS architecture, e.product AS product
"""

ENVIRONMENTS_OF: Final = """
MATCH (e:Environment)
WHERE ($architecture IS NULL OR coalesce(e.architecture, 'unknown') = $architecture)
  AND ($product IS NULL OR e.product = $product)
RETURN collect(e.digest) AS digests
"""
"""The environments with an architecture and a product, where given; `unknown` is none recorded. One row."""

WORKLOAD_INDEX: Final = """
MATCH (w:Workload) WHERE w.complete = true
RETURN w.digest AS digest, w.operation AS operation
"""

WORKLOAD_MANIFESTS: Final = """
MATCH (w:Workload) WHERE w.complete = true
RETURN w.digest AS digest, w.manifest AS manifest
"""

CORRECTNESS_RULES: Final = """
UNWIND $keys AS key
CALL (key) {
  MATCH (w:Workload {correctnessKey: key}) WHERE w.complete = true RETURN w.manifest AS manifest LIMIT 1
}
RETURN key, manifest
"""
"""For each of the correctness keys $keys a workload that states the rule; the key covers all of it."""

SOME_WORKLOAD_MANIFESTS: Final = """
UNWIND $keys AS key MATCH (w:Workload {digest: key}) WHERE w.complete = true
RETURN collect({digest: key, manifest: w.manifest}) AS rows
"""
"""One row, as the driver takes longer for a hundred."""

WORKLOADS_OF: Final = """
UNWIND $keys AS key MATCH (w:Workload {operation: key}) WHERE w.complete = true
RETURN w.digest AS digest, w.operation AS operation
"""

SOME_OPERATION_MANIFESTS: Final = """
UNWIND $keys AS key MATCH (o:Operation {digest: key}) WHERE o.complete = true
RETURN key, o.manifest AS manifest
"""

OPERATION_MANIFESTS: Final = """
MATCH (o:Operation) WHERE o.complete = true
RETURN o.digest AS digest, o.manifest AS manifest
"""

NAMED: Final = """
UNWIND $keys AS key
MATCH (n:Name {key: key})-[:NAMES]->(o)
RETURN DISTINCT key, o.digest AS digest, o.slug AS slug, o.title AS title, o.complete AS complete,
  o.architectures AS architectures
"""
"""What the names `<ManifestKind>:<name>` mean: slugs, aliases and metadata names alike."""

OPERATIONS_MEANT: Final = """
MATCH (:Name {key: $key})-[:NAMES]->(o:Operation) RETURN o.digest AS digest
UNION
MATCH (o:Operation {family: $name}) RETURN o.digest AS digest
UNION
MATCH (o:Operation {digest: $name}) RETURN o.digest AS digest
"""
"""The operations that a filter's slug, alias, family or digest selects."""

SUPERSEDERS: Final = """
UNWIND $keys AS key
MATCH (:Run {digest: key})<-[:SUPERSEDES]-(newer:Run)
RETURN key, newer.digest AS digest, newer.observedAt AS observedAt
"""

SOURCE_TALLY: Final = """
MATCH (r:Run) WHERE r.complete = true AND r.source IS NOT NULL
RETURN r.source AS source, 'runs' AS what, count(r) AS count, max(r.observedAt) AS newest
UNION ALL
MATCH (r:ServingRun) WHERE r.complete = true AND r.source IS NOT NULL
RETURN r.source AS source, 'servingRuns' AS what, count(r) AS count, max(r.observedAt) AS newest
"""
"""How much each source reported, and when it last observed."""

RUN_DAYS: Final = """
MATCH (r:Run) WHERE r.complete = true
RETURN substring(r.observedAt, 0, 10) AS day, count(r) AS count ORDER BY day
"""
"""How many runs were observed on each day (YYYY-MM-DD): where a page of runs must lie."""

SOURCE_SLUGS: Final = "MATCH (s:Source) RETURN s.slug AS key ORDER BY key"


COUNTED: Final = (
    ("OperationSpec", "Operation", "n.complete = true"),
    ("WorkloadCase", "Workload", "n.complete = true AND n.kind = 'WorkloadCase'"),
    ("WorkloadSuite", "Workload", "n.complete = true AND n.kind = 'WorkloadSuite'"),
    ("SoftwareProject", "Project", "n.complete = true"),
    ("ImplementationRevision", "Implementation", "n.complete = true"),
    ("BenchmarkProtocol", "Protocol", "n.complete = true"),
    ("ExecutionEnvironment", "Environment", "n.complete = true"),
    ("BenchmarkRun", "Run", "n.complete = true"),
    ("ModelRevision", "Model", "n.complete = true"),
    ("ServingStackRevision", "ServingStack", "n.complete = true"),
    ("ServingConfiguration", "ServingConfiguration", "n.complete = true"),
    ("ServingWorkload", "ServingWorkload", "n.complete = true"),
    ("ServingRun", "ServingRun", "n.complete = true"),
    ("ComparisonGroup", "ComparisonGroup", ""),
    ("EvidenceSource", "Source", ""),
    ("EvidenceArtifact", "Artifact", ""),
    ("ServingCohort", "ServingCohort", ""),
    ("OperationRelation", "OperationRelation", "n.complete = true"),
)
"""What is counted: kind, label, and the condition on a node `n`."""

OWN_KINDS: Final = frozenset({"OperationRelation"})
"""Kinds that only this catalog has: they are shown once there are any."""

COUNTED_KINDS: Final = tuple(kind for kind, _, _ in COUNTED)
"""The kinds that COUNTS counts, in the order in which they are shown."""

COUNTS: Final = " UNION ALL ".join(
    f"MATCH (n:{label}) {condition and f'WHERE {condition} '}RETURN '{kind}' AS kind, count(n) AS count"
    for kind, label, condition in COUNTED
)
"""How many objects of each kind there are; those known only by digest are left out. See also counts.py."""

MANIFESTS_BETWEEN: Final = " UNION ALL ".join(
    f"MATCH (n:{label}) WHERE n.digest >= $low AND n.digest < $high AND n.complete = true "
    "RETURN n.digest AS digest, n.manifest AS manifest"
    for label in sorted(set(LABEL_OF_KIND.values()))
)
"""The manifests, of any kind, whose digest lies between $low and $high."""
