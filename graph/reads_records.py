"""The statement behind the record ledger (docs/domain.md §6). Runs carry all that it needs."""

from typing import Final

RUNS: Final = """
MATCH (r:Run) WHERE r.complete = true
RETURN r.digest AS digest, r.comparisonKey AS comparisonKey, r.implementation AS implementation,
  r.operation AS operation, r.environment AS environment, r.status AS status, r.observedAt AS observedAt,
  r.published AS published, r.retractedAt AS retractedAt, r.superseded AS superseded,
  r.partsComplete AS partsComplete, r.metric AS metric, r.value AS value, r.evidence AS evidence,
  r.source AS source, r.submittedProject AS submittedProject
"""
"""Every run with what the record rules ask of it, and what the ledger is filtered by."""
