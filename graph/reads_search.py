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
RETURN collect({digest: key, manifest: i.manifest}) AS rows
"""
"""One row, as the driver takes longer for a hundred."""

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

ENVIRONMENT_KEYS: Final = """
MATCH (e:Environment) WHERE e.complete = true RETURN collect(e.digest) AS keys
"""

SOME_ENVIRONMENTS: Final = """
UNWIND $keys AS key MATCH (e:Environment {digest: key}) RETURN key, e.manifest AS manifest
"""

RUNS: Final = """
MATCH (r:Run) WHERE r.complete = true
RETURN r.operation AS operation, r.workload AS workload, r.implementation AS implementation,
  r.environment AS environment, r.evidence AS evidence, r.source AS source,
  r.submittedProject AS project, count(r) AS runs
"""
"""What was run, as far as search tells runs apart."""


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
