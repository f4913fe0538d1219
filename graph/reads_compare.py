"""Reading statements for key differences and for suites. Source: docs/domain.md §9, §10."""

from typing import Final

_PARTS: Final = """
RETURN g.key AS key, g.operation AS operation, g.workload AS workload, g.protocol AS protocol,
  g.environment AS environment, g.correctness AS correctness, g.metric AS metric, g.statistic AS statistic,
  g.unit AS unit, count(r) AS size
"""

GROUPS_BESIDE: Final = f"""
MATCH (:Workload {{digest: $workload}})<-[:FOR_WORKLOAD]-(g:ComparisonGroup)<-[:IN_GROUP]-(r:Run)
{_PARTS}
UNION
MATCH (:Environment {{digest: $environment}})<-[:FOR_ENVIRONMENT]-(g:ComparisonGroup)<-[:IN_GROUP]-(r:Run)
WHERE g.operation = $operation AND g.protocol = $protocol AND g.workload <> $workload
{_PARTS}
"""
"""All groups that differ from a key in one part at most, and some more, with how many runs each has.

Whatever part is let go of, either the workload stays or environment, protocol and operation do.
"""

CASES_OF: Final = """
UNWIND $keys AS key
MATCH (:Operation {digest: key})<-[:CASE_OF]-(w:Workload) WHERE w.kind = 'WorkloadCase' AND w.complete = true
RETURN key, w.digest AS digest, w.manifest AS manifest
"""
"""The cases of the operations $keys."""

GROUPS_ON: Final = """
UNWIND $keys AS key
MATCH (:Workload {digest: key})<-[:FOR_WORKLOAD]-(g:ComparisonGroup)
RETURN key, g.key AS group
"""
"""The comparison groups on the workloads $keys."""
