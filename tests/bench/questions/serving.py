"""Serving: a model on an accelerator, by throughput."""

from __future__ import annotations

from typing import Any, Final

from graph import Store
from tests.bench.questions.question import Answer, Question, Row, Variant, chosen

TEXT: Final = """
query Serving($request: ResolveServingRequest!) {
  resolveServing(request: $request) {
    truncated
    cohorts {
      key
      model { name }
      workload { name }
      ranked { rank value run { digest } configuration { summary }
        outcomes { constraint state satisfied observed } }
      excluded { run { digest } reasons }
      frontier { run { digest } metrics { metric statistic unit value } }
      notComparable { run { digest } missing }
    }
  }
}
"""

CYPHER: Final = """
MATCH (:Name {key: $model})-[:NAMES]->(m:Model)<-[:SERVES]-(r:ServingRun)-[:IN_COHORT]->(c:ServingCohort)
WHERE toLower(c.topologyKey) CONTAINS $accelerator
MATCH (r)-[:USES]->(f:ServingConfiguration) MATCH (r)-[:LOADED_BY]->(w:ServingWorkload {slug: $workload})
RETURN c.key AS cohort, m.title AS model, w.slug AS workload, w.manifest AS bounds, r.digest AS run,
  r.status AS status, r.published AS published, r.retractedAt AS retractedAt, r.superseded AS superseded,
  r.observedAt AS observedAt, r.manifest AS manifest, f.summary AS summary
"""
"""The runs of the cohorts meant with what they measured, not parsed and not ranked."""

_SERVED: Final = """
MATCH (c:ServingCohort)<-[:IN_COHORT]-(r:ServingRun)-[:SERVES]->(m:Model)
MATCH (r)-[:LOADED_BY]->(w:ServingWorkload)
RETURN DISTINCT m.slug AS model, w.slug AS workload, c.topologyKey AS topology, c.metricSetKey AS metrics
"""


async def question(store: Store) -> Question:
    """Of models and accelerators that were measured."""
    variants = []
    for row in await store.read(_SERVED):
        accelerator = row["topology"].split("/")[1]
        metric = row["metrics"].partition("·")[0]
        request = {
            "model": row["model"],
            "workload": row["workload"],
            "acceleratorModel": accelerator,
            "objective": {"metric": metric, "maximize": True},
            "first": _MOST_COHORTS,
        }
        params = {
            "model": f"ModelRevision:{row['model']}",
            "workload": row["workload"],
            "accelerator": accelerator.lower(),
        }
        variants.append(Variant({"request": request}, params))
    return Question(TEXT, CYPHER, chosen(variants), told, found)


_MOST_COHORTS: Final = 50


def told(data: Answer) -> Any:
    """The runs of the cohorts, ranked or not."""
    return sorted(
        (cohort["key"], row["run"]["digest"])
        for cohort in data["resolveServing"]["cohorts"]
        for row in (*cohort["ranked"], *cohort["excluded"])
    )


def found(rows: list[Row]) -> Any:
    """The same of the rows."""
    return sorted((row["cohort"], row["run"]) for row in rows)
