"""Statements behind the record ledger (docs/domain.md §6): of the whole catalog, or of some groups."""

from typing import Final

_FACTS: Final = (
    *("digest", "comparisonKey", "implementation", "operation", "environment", "status", "observedAt"),
    *("published", "retractedAt", "superseded", "partsComplete", "metric", "value", "evidence", "source"),
    "submittedProject",
)

RUNS: Final = f"""
MATCH (r:Run) WHERE r.complete = true RETURN {", ".join(f"r.{name} AS {name}" for name in _FACTS)}
"""
"""Every run with what the record rules ask of it, and what the ledger is filtered by."""

COLUMNS: Final = (*_FACTS, "project", "architecture", "product")
"""What the lists of RUNS_IN and RUNS_ON hold."""

_LISTED: Final = f"""
OPTIONAL MATCH (r)-[:MEASURES]->(i:Implementation)
OPTIONAL MATCH (r)-[:IN_ENVIRONMENT]->(e:Environment)
RETURN collect([{", ".join(f"r.{name}" for name in _FACTS)}, i.project, e.architecture, e.product]) AS rows
"""

RUNS_IN: Final = f"""
UNWIND $keys AS key MATCH (:ComparisonGroup {{key: key}})<-[:IN_GROUP]-(r:Run) {_LISTED}
"""
"""The runs of the groups $keys, with what the ledger asks of their parts too; one row, as the driver takes
longer for many."""

RUNS_ON: Final = f"""
UNWIND $keys AS key MATCH (r:Run {{operation: key}}) WHERE r.complete = true {_LISTED}
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
