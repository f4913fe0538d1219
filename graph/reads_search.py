"""What search keeps in memory of one revision, and finding anything by its digest. Source: docs/domain.md §8.

Only complete objects: search leaves out what is known by its digest alone.
"""

from functools import lru_cache
from typing import Final

from graph.names import composed
from graph.schema import LABEL_OF_KIND, NODES
from graph.textindex import TEXT

_OPERATION: Final = f"""
o.digest AS key, o.slug AS slug, o.family AS family, o.tags AS tags, o.{TEXT} AS text, o.manifest AS manifest
"""

OPERATIONS: Final = f"MATCH (o:Operation) WHERE o.complete = true RETURN {_OPERATION}"

_IMPLEMENTATION: Final = f"""
i.digest AS key, i.slug AS slug, i.operation AS operation, i.language AS language, i.projects AS projects,
  i.publicSource AS publicSource, i.installable AS installable, i.permissive AS permissive, i.{TEXT} AS text
"""

IMPLEMENTATIONS: Final = f"MATCH (i:Implementation) WHERE i.complete = true RETURN {_IMPLEMENTATION}"

IMPLEMENTATION_MANIFESTS: Final = """
MATCH (i:Implementation) WHERE i.complete = true
RETURN i.digest AS digest, i.manifest AS manifest
"""

SOME_IMPLEMENTATION_MANIFESTS: Final = """
UNWIND $keys AS key MATCH (i:Implementation {digest: key}) WHERE i.complete = true
RETURN i.digest AS digest, i.manifest AS manifest
"""

PROJECTS: Final = f"""
MATCH (p:Project) WHERE p.complete = true
RETURN p.slug AS key, p.name AS name, p.kind AS kind, p.{TEXT} AS text
"""

NAMES: Final = """
MATCH (n:Name)-[:NAMES]->(o:Operation) RETURN o.digest AS key, n.name AS name
UNION ALL
MATCH (n:Name)-[:NAMES]->(i:Implementation) RETURN i.digest AS key, n.name AS name
"""
"""Every name that an operation or an implementation answers to."""

ENVIRONMENTS: Final = """
MATCH (e:Environment) WHERE e.complete = true
RETURN e.digest AS key, e.manifest AS manifest
"""

RUNS: Final = """
MATCH (r:Run) WHERE r.complete = true
RETURN r.operation AS operation, r.workload AS workload, r.implementation AS implementation,
  r.environment AS environment, r.evidence AS evidence, r.source AS source,
  r.submittedProject AS project, count(r) AS runs
"""
"""What was run, as far as search tells runs apart."""


SOME_OPERATIONS: Final = f"""
UNWIND $keys AS key MATCH (o:Operation {{digest: key}}) WHERE o.complete = true RETURN {_OPERATION}
"""

FAMILIES: Final = """
MATCH (o:Operation) WHERE o.family > '' AND o.complete = true
RETURN o.family AS family, count(o) AS operations
"""
"""How many operations each family has."""

OPERATIONS_IN: Final = """
UNWIND $families AS family MATCH (o:Operation {family: family}) WHERE o.complete = true
RETURN o.digest AS key LIMIT $most
"""

SOME_IMPLEMENTATIONS: Final = f"""
UNWIND $implementations AS each MATCH (i:Implementation {{digest: each}}) WHERE i.complete = true
RETURN {_IMPLEMENTATION} LIMIT $most
UNION
UNWIND $operations AS each MATCH (i:Implementation {{operation: each}}) WHERE i.complete = true
RETURN {_IMPLEMENTATION} LIMIT $most
UNION
UNWIND $projects AS each MATCH (:Project {{slug: each}})<-[:REVISION_OF]-(i:Implementation)
WHERE i.complete = true
RETURN {_IMPLEMENTATION} LIMIT $most
"""
"""Implementations by their digests, of some operations, and of some projects."""

IN_LANGUAGES: Final = """
UNWIND $languages AS language MATCH (i:Implementation) WHERE i.language = language AND i.complete = true
RETURN i.digest AS key LIMIT $most
"""

SOME_PROJECTS: Final = f"""
UNWIND $keys AS key MATCH (p:Project {{slug: key}}) WHERE p.complete = true
RETURN p.slug AS key, p.name AS name, p.kind AS kind, p.{TEXT} AS text
"""

SOME_NAMES: Final = """
UNWIND $operations AS each MATCH (o:Operation {digest: each})<-[:NAMES]-(n:Name)
RETURN each AS key, n.name AS name
UNION ALL
UNWIND $implementations AS each MATCH (i:Implementation {digest: each})<-[:NAMES]-(n:Name)
RETURN each AS key, n.name AS name
"""

SOME_WORKLOADS: Final = """
UNWIND $operations AS each MATCH (w:Workload {operation: each}) WHERE w.complete = true
RETURN w.digest AS digest, w.operation AS operation LIMIT $most
UNION
UNWIND $workloads AS each MATCH (w:Workload {digest: each}) WHERE w.complete = true
RETURN w.digest AS digest, w.operation AS operation
"""
"""Workloads of some operations, and by their digests."""

_MEETING: Final = """
WHERE r.complete = true AND ($environments IS NULL OR r.environment IN $environments)
  AND ($source IS NULL OR r.source = $source)
"""

_RUN: Final = """
r.operation AS operation, r.workload AS workload, r.implementation AS implementation,
  r.environment AS environment, r.evidence AS evidence, r.source AS source,
  r.submittedProject AS project, count(r) AS runs LIMIT $most
"""

SOME_RUNS: Final = f"""
UNWIND $operations AS each MATCH (r:Run {{operation: each}}) {_MEETING} RETURN {_RUN}
UNION
UNWIND $implementations AS each MATCH (:Implementation {{digest: each}})<-[:MEASURES]-(r:Run) {_MEETING}
RETURN {_RUN}
UNION
UNWIND $projects AS each MATCH (:Project {{slug: each}})<-[:SUBMITTED_AS]-(r:Run) {_MEETING} RETURN {_RUN}
UNION
UNWIND $projects AS each
MATCH (:Project {{slug: each}})<-[:REVISION_OF]-(:Implementation)<-[:MEASURES]-(r:Run) {_MEETING}
RETURN {_RUN}
"""
"""What RUNS tells, of the runs on some operations, of some implementations, and for some projects."""

PARTS_OF_RUNS: Final = """
UNWIND $keys AS key MATCH (r:Run {digest: key})-[:MEASURES]->(i:Implementation)
RETURN r.operation AS operation, r.implementation AS implementation, r.submittedProject AS project,
  i.projects AS projects
"""

PARTS_OF_RUNS_ON: Final = """
UNWIND $operations AS key MATCH (r:Run {operation: key})-[:MEASURES]->(i:Implementation)
RETURN DISTINCT r.operation AS operation, r.implementation AS implementation, r.submittedProject AS project,
  i.projects AS projects LIMIT $most
"""

RUNS_AT: Final = """
MATCH (e:Environment) WHERE e.complete = true
RETURN e.digest AS key, COUNT { (e)<-[:IN_ENVIRONMENT]-() } AS runs
"""
"""How many runs there are in each environment."""

ANY: Final = " UNION ALL ".join(
    f"MATCH (n:{label}) WHERE n.complete = true RETURN '{label}' AS label, n.{NODES[label].key} AS key "
    "LIMIT $most"
    for label in ("Operation", "Implementation", "Project")
)
"""Some objects of each kind, all of a kind that has no more than $most."""

DIGEST_KEYS: Final = frozenset({"digest", "key", "contentDigest"})


def _between(label: str) -> str:
    key = NODES[label].key
    complete = " AND n.complete = true" if label in LABEL_OF_KIND.values() else ""
    return (
        f"MATCH (n:{label}) WHERE n.{key} >= $low AND n.{key} < $high{complete} "
        f"RETURN '{label}' AS label, n.{key} AS key LIMIT 100"
    )


@lru_cache(maxsize=16)
@composed
def by_digest(labels: tuple[str, ...]) -> str:
    """The objects of these labels whose digest or key lies between $low and $high: rows {label, key}."""
    return " UNION ALL ".join(_between(label) for label in labels if NODES[label].key in DIGEST_KEYS)
