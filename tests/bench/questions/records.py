"""Records: the newest of one operation on one architecture."""

from __future__ import annotations

from typing import Any, Final

from graph import Store
from tests.bench.questions.question import MEASURED, Answer, Question, Row, Variant, chosen

TEXT: Final = """
query Records($operation: String!, $architecture: String!, $first: Int = 20) {
  records(filter: { operation: $operation, architecture: $architecture }, first: $first) {
    pageInfo { hasNextPage endCursor }
    edges { node { group { key } takeOver
      event { at improvement previous { digest }
        run { digest primary { value unit } implementation { slug } } } } }
  }
}
"""

CYPHER: Final = """
MATCH (:Name {key: $operation})-[:NAMES]->(:Operation)<-[:CASE_OF]-(:Workload)<-[:ON_WORKLOAD]-(r:Run)
  -[:IN_ENVIRONMENT]->(:Environment {architecture: $architecture})
WHERE r.status = 'passed' AND r.published AND r.retractedAt IS NULL AND r.superseded IS NULL AND r.value > 0
MATCH (r)-[:IN_GROUP]->(g:ComparisonGroup) WHERE g.direction IS NOT NULL
WITH g, r, CASE g.direction WHEN 'HIGHER_IS_BETTER' THEN -r.value ELSE r.value END AS value
ORDER BY r.observedAt, value, r.digest
WITH g, collect({run: r, value: value}) AS runs
UNWIND range(0, size(runs) - 1) AS place
WITH g, runs[place] AS new, reduce(best = null, old IN runs[0..place] |
  CASE WHEN best IS NULL OR old.value < best.value THEN old ELSE best END) AS holder
WHERE holder IS NULL OR new.value < holder.value
WITH g, new.run AS r, holder.run AS previous ORDER BY r.observedAt DESC, g.key LIMIT $first
MATCH (r)-[:MEASURES]->(i:Implementation)
RETURN g.key AS group, g.unit AS unit, r.observedAt AS at, r.digest AS run, r.value AS value, i.slug AS slug,
  previous.digest AS previous, previous.value AS beaten
ORDER BY at DESC, group
"""
"""The same page; where nothing was retracted, as it is in the public data."""


async def question(store: Store) -> Question:
    """Of operations on architectures that they were measured on."""
    variants = []
    for row in await store.read(MEASURED):
        variables = {"operation": row["operation"], "architecture": row["architecture"]}
        params = {**variables, "operation": f"OperationSpec:{row['operation']}", "first": 20}
        variants.append(Variant(variables, params))
    return Question(TEXT, CYPHER, chosen(variants), told, found)


def told(data: Answer) -> Any:
    """The events of the page: group, run and the run before it."""
    nodes = [edge["node"] for edge in data["records"]["edges"]]
    return [
        (
            node["group"]["key"],
            node["event"]["run"]["digest"],
            (node["event"]["previous"] or {}).get("digest"),
        )
        for node in nodes
    ]


def found(rows: list[Row]) -> Any:
    """The same of the rows."""
    return [(row["group"], row["run"], row["previous"]) for row in rows]
