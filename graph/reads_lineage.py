"""Statements behind lineage and graph analytics (docs/domain.md §7).

The projection of the whole graph is read in one statement of tagged rows; what a withdrawal touches is found
from the node that is withdrawn.
"""

from __future__ import annotations

from typing import Final

_IMPLEMENTATIONS: Final = """
MATCH (i:Implementation) WHERE i.complete = true
RETURN 'implementation' AS what, {digest: i.digest, slug: i.slug, operation: i.operation, project: i.project,
  projects: i.projects, architectures: i.architectures, source: i.sourceDigest} AS row
"""
_ENVIRONMENTS: Final = """
MATCH (e:Environment)
RETURN 'environment' AS what, {digest: e.digest, architecture: e.architecture, product: e.product} AS row
"""
_SUPERSESSIONS: Final = """
MATCH (a:Run)-[:SUPERSEDES]->(b:Run)
RETURN 'supersession' AS what, {digest: a.digest, superseded: b.digest, implementation: a.implementation,
  supersededImplementation: b.implementation} AS row
"""
_RELATIONS: Final = """
MATCH (o:OperationRelation) WHERE o.complete = true
RETURN 'relation' AS what, {digest: o.fromOperation, other: o.toOperation, relation: o.relation} AS row
"""

PROJECTION: Final = " UNION ALL ".join((_IMPLEMENTATIONS, _ENVIRONMENTS, _SUPERSESSIONS, _RELATIONS))
"""Rows {what, row}: every implementation, environment, supersession and relation between operations."""

_AFFECTED: Final = "r.digest AS digest, r.comparisonKey AS comparisonKey, r.implementation AS implementation"

WITHDRAWN: Final[dict[str, str]] = {
    "Implementation": f"""
MATCH (:Implementation {{digest: $key}})<-[:MEASURES]-(r:Run) WHERE r.complete = true RETURN {_AFFECTED}
""",
    "Source": f"""
MATCH (:Source {{slug: $key}})<-[:REPORTED_BY]-(r:Run) WHERE r.complete = true RETURN {_AFFECTED}
""",
    "Artifact": f"""
MATCH (:Artifact {{contentDigest: $key}})<-[:HAS_SOURCE]-(:Implementation)<-[:MEASURES]-(r:Run)
WHERE r.complete = true RETURN {_AFFECTED}
UNION
MATCH (:Artifact {{contentDigest: $key}})<-[:HAS_EVIDENCE]-(r:Run) WHERE r.complete = true RETURN {_AFFECTED}
""",
}
"""Label -> the runs that rest on the node $key."""
