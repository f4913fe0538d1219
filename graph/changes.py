"""The log of changes: what each write published, and which records it changed; one node per write.

The log is state of this database, not content: it is neither exported nor compared. A node is written in the
transaction whose revision it bears and never again, so what was read of it once holds for ever. Statements go
from revision to node, each by its key: the embedded engine answers a short range ten times as fast so.
"""

from __future__ import annotations

from typing import Final

from graph.names import ByKey
from graph.store import WriteTx

WRITE: Final = ByKey("""
CREATE (c:Change {revision: $input.revision, runCount: size($input.runs), recordCount: size($input.records),
  runs: $input.runs, records: $input.records, kinds: $input.kinds, counts: $input.counts})
""")

SIZES: Final = """
UNWIND range($first, $last) AS revision
MATCH (c:Change {revision: revision})
RETURN revision, c.runCount AS runs, c.recordCount AS records
"""
"""How many events each write of these revisions brought."""

EVENTS: Final = """
UNWIND $revisions AS revision
MATCH (c:Change {revision: revision})
RETURN revision, c.runs AS runs, c.records AS records
"""
"""The events of these writes: digests of the runs that were published, and record events as JCS texts."""

OBJECTS: Final = """
UNWIND range($first, $last) AS revision
MATCH (c:Change {revision: revision})
UNWIND range(0, size(c.kinds) - 1) AS each
RETURN c.kinds[each] AS kind, sum(c.counts[each]) AS count
"""
"""How many objects of each kind the writes of these revisions completed."""

COUNT: Final = """
MATCH (c:Change) WHERE c.revision >= $first AND c.revision <= $last
RETURN coalesce(sum(c.runCount + c.recordCount), 0) AS count
"""
"""How many events there are in these revisions, however many those are."""

RUNS: Final = """
UNWIND $keys AS key
MATCH (r:Run {digest: key})
OPTIONAL MATCH (r)-[:MEASURES]->(i:Implementation)
OPTIONAL MATCH (r)-[:IN_ENVIRONMENT]->(e:Environment)
RETURN r.digest AS digest, r.comparisonKey AS comparisonKey, r.operation AS operation, r.workload AS workload,
  r.protocol AS protocol, r.environment AS environment, r.implementation AS implementation,
  r.status AS status, r.source AS source, r.evidence AS evidence, r.observedAt AS observedAt,
  r.submittedProject AS submittedProject, i.project AS project, i.language AS language,
  i.deployable AS deployable, e.architecture AS architecture, e.product AS product
"""
"""What filters of runs and of record events look at: one row per run."""


async def log(tx: WriteTx, *, runs: list[str], records: list[str], objects: dict[str, int]) -> None:
    """Note what a write brings, inside its transaction.

    `runs`: digests of those that it publishes. `records`: new record events, each as text. `objects`: how
    many objects of each manifest kind it completes.
    """
    change = {
        "revision": tx.revision,
        "runs": runs,
        "records": records,
        "kinds": list(objects),
        "counts": list(objects.values()),
    }
    await tx.run(WRITE, input=change)
