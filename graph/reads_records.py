"""Statements behind the record ledger (docs/domain.md §6): of the whole catalog, or of some groups."""

from typing import Final

_FACTS: Final = """
r.digest AS digest, r.comparisonKey AS comparisonKey, r.implementation AS implementation,
  r.operation AS operation, r.environment AS environment, r.status AS status, r.observedAt AS observedAt,
  r.published AS published, r.retractedAt AS retractedAt, r.superseded AS superseded,
  r.partsComplete AS partsComplete, r.metric AS metric, r.value AS value, r.evidence AS evidence,
  r.source AS source, r.submittedProject AS submittedProject
"""

RUNS: Final = f"MATCH (r:Run) WHERE r.complete = true RETURN {_FACTS}"
"""Every run with what the record rules ask of it, and what the ledger is filtered by."""

_WITH_PARTS: Final = f"""
OPTIONAL MATCH (r)-[:MEASURES]->(i:Implementation)
OPTIONAL MATCH (r)-[:IN_ENVIRONMENT]->(e:Environment)
RETURN {_FACTS}, i.project AS project, e.architecture AS architecture, e.product AS product
"""

RUNS_IN: Final = f"""
UNWIND $keys AS key MATCH (:ComparisonGroup {{key: key}})<-[:IN_GROUP]-(r:Run) {_WITH_PARTS}
"""
"""The runs of the groups $keys, with what the ledger asks of their parts too."""

RUNS_ON: Final = f"""
UNWIND $keys AS key MATCH (r:Run {{operation: key}}) WHERE r.complete = true {_WITH_PARTS}
"""
"""The runs on workloads of the operations $keys."""

GROUPS_OF: Final = """
MATCH (:Implementation {digest: $key})<-[:MEASURES]-(:Run)-[:IN_GROUP]->(g:ComparisonGroup)
RETURN DISTINCT g.key AS key
"""
"""The groups that an implementation has runs in."""

SHARING: Final = """
MATCH (:Artifact {contentDigest: $source})<-[:HAS_SOURCE]-(i:Implementation) WHERE i.complete = true
RETURN i.digest AS digest ORDER BY digest
"""
"""The implementations whose source file has the content $source."""
