"""Statements that read one row of every run, implementation and operation: what is counted over the catalog.

Source: docs/domain.md §4, §5, §7.
"""

from typing import Final

EVIDENCE_ROWS: Final = """
MATCH (r:Run) WHERE r.complete = true
RETURN r.digest AS digest, r.status AS status, r.observedAt AS observedAt, r.published AS published,
  r.retractedAt AS retractedAt, r.superseded AS superseded, r.partsComplete AS partsComplete,
  r.metric AS metric, r.value AS value, r.intervalLow AS intervalLow, r.intervalHigh AS intervalHigh,
  r.metricPending AS metricPending, r.evidence AS evidence, r.source AS source,
  r.submittedSlug AS submittedSlug, r.implementation AS implementation, r.operation AS operation,
  r.environment AS environment, r.comparisonKey AS comparisonKey
"""
"""What ranking needs of every run, and where the run belongs."""

IMPLEMENTATION_ROWS: Final = """
MATCH (i:Implementation) WHERE i.complete = true
RETURN i.digest AS digest, i.operation AS operation, i.architectures AS architectures,
  i.sourceDigest AS sourceDigest, i.deployable AS deployable, i.publicSource AS publicSource,
  i.installable AS installable, i.licenseKnown AS licenseKnown
"""

OPERATION_ROWS: Final = """
MATCH (o:Operation) WHERE o.complete = true
RETURN o.digest AS digest, o.slug AS slug, o.family AS family
"""
