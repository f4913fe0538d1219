"""Statements behind resolving a request: operations by name, and all that was tried on them.

Each takes any number of keys at once. Patterns start at the node whose key is given (see audit.py).
Source: docs/domain.md §7, §9.
"""

from typing import Final

OPERATIONS: Final = """
MATCH (o:Operation) WHERE o.complete = true
RETURN o.digest AS digest, o.slug AS slug, o.family AS family
"""
"""Every operation, as far as it can be asked for without an alias."""

OPERATION_NAMES: Final = """
MATCH (n:Name {kind: 'OperationSpec'})-[:NAMES]->(o:Operation)
RETURN n.name AS name, o.digest AS digest
"""
"""Every slug, alias and metadata name of the operations."""

ENVIRONMENTS: Final = """
MATCH (e:Environment) RETURN collect([e.digest, e.product, e.architecture]) AS rows
"""
"""Every environment, in one row, as the driver takes longer for many."""

_NAMED: Final = "o.complete = true RETURN name, o.digest AS digest, o.slug AS slug, o.family AS family"

OPERATIONS_NAMED: Final = f"""
UNWIND $keys AS key MATCH (n:Name {{key: key}})-[:NAMES]->(o:Operation)
WITH n.name AS name, o WHERE {_NAMED}
UNION
UNWIND $names AS name MATCH (o:Operation {{family: name}}) WHERE {_NAMED}
UNION
UNWIND $names AS name MATCH (o:Operation {{digest: name}}) WHERE {_NAMED}
"""
"""What some $names mean: slugs, aliases, metadata names ($keys of their nodes), families and digests."""

RELATIONS: Final = """
MATCH (r:OperationRelation) WHERE r.complete = true
RETURN r.digest AS digest, r.manifest AS manifest
"""
"""Every reviewed relation between operations: people write them, so there are few."""

OPERATION_SPECS: Final = """
UNWIND $keys AS key MATCH (o:Operation {digest: key}) WHERE o.complete = true
RETURN key, o.manifest AS manifest
"""

CASES: Final = """
UNWIND $keys AS key MATCH (w:Workload {operation: key}) WHERE w.complete = true
RETURN key, w.digest AS digest, w.kind AS kind, w.manifest AS manifest
"""
"""The cases and suites of the operations $keys."""

ATTEMPTS: Final = """
UNWIND $keys AS key MATCH (r:Run {operation: key}) WHERE r.complete = true
RETURN key, r.digest AS digest, r.status AS status, r.observedAt AS observedAt, r.published AS published,
  r.retractedAt AS retractedAt, r.superseded AS superseded, r.partsComplete AS partsComplete,
  r.metric AS metric, r.value AS value, r.metricPending AS metricPending, r.intervalLow AS intervalLow,
  r.intervalHigh AS intervalHigh, r.evidence AS evidence, r.source AS source,
  r.comparisonKey AS comparisonKey, r.implementation AS implementation, r.workload AS workload,
  r.protocol AS protocol, r.environment AS environment
"""
"""The runs on workloads of the operations $keys."""

SUPPORTERS: Final = """
UNWIND $keys AS key MATCH (i:Implementation {operation: key}) WHERE i.complete = true
RETURN i.digest AS digest, i.publicSource AS publicSource, i.deployable AS deployable,
  i.manifest AS manifest
"""
"""The implementations that declare the operations $keys."""

IMPLEMENTATIONS: Final = """
UNWIND $keys AS key MATCH (i:Implementation {digest: key}) WHERE i.complete = true
RETURN key AS digest, i.publicSource AS publicSource, i.deployable AS deployable, i.manifest AS manifest
"""
"""The implementations with these digests."""
