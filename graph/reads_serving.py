"""Reading statements for serving results: cohorts, their runs, what names mean.

Source: docs/domain.md §10.
"""

from typing import Final

COHORT_INDEX: Final = """
MATCH (c:ServingCohort)<-[:IN_COHORT]-(r:ServingRun)
RETURN c.key AS key, c.model AS model, c.workload AS workload, c.topologyKey AS topologyKey,
  c.qualityPolicy AS qualityPolicy, c.metricSetKey AS metricSetKey, count(r) AS size,
  max(r.observedAt) AS newest, collect(DISTINCT r.source) AS sources
"""
"""Every serving cohort with its size and newest observation."""

COHORTS: Final = """
UNWIND $keys AS key
MATCH (c:ServingCohort {key: key})<-[:IN_COHORT]-(r:ServingRun)
OPTIONAL MATCH (r)-[:USES]->(s:ServingConfiguration)
WITH key, c, collect(r {.*, configured: s.complete}) AS runs
OPTIONAL MATCH (w:ServingWorkload {digest: c.workload})
RETURN key, c {.*} AS node, runs, w {.*} AS workload
"""
"""The cohorts $keys with their runs and their workload (which may be missing): one row per cohort."""

BOUND_METRICS: Final = """
MATCH (w:ServingWorkload) WHERE w.complete = true
RETURN w.digest AS digest, w.manifest AS manifest
"""
"""The workloads of serving runs, for the metrics that they declare bounds of."""

SERVING_NAMES: Final = """
UNWIND $keys AS key
MATCH (n:Name {key: key})-[:NAMES]->(o)
RETURN DISTINCT key, o.digest AS digest
"""
"""The digests that the names `<ManifestKind>:<name>` mean."""
