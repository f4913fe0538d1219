"""Resolve: a case that was measured, on a GPU."""

from __future__ import annotations

from typing import Any, Final

from catalog.domain.identity import canonical_bytes, load_canonical
from graph import Store
from tests.bench.questions.question import Answer, Question, Row, Variant, chosen

TEXT: Final = """
query Resolve($request: ResolveRequest!) {
  resolve(request: $request) {
    match
    groups { key size workload { title } environment { product architecture }
      leader { digest primary { value unit } } }
    bestVerified { run { digest } reasons }
    bestDeployable { run { digest primary { value unit } implementation { digest slug installs { command } } }
      reasons }
    alternatives { rank run { digest } excluded }
    nearMatches { run { digest } mismatches { field requested observed } }
    bracket { axis requested below { value workload { digest } } above { value workload { digest } } }
    unresolved
    issues { token message suggestion }
    truncated
  }
}
"""

CYPHER: Final = """
MATCH (:Name {key: $operation})-[:NAMES]->(:Operation)<-[:CASE_OF]-(w:Workload)
WHERE w.manifest CONTAINS $axes
MATCH (w)<-[:ON_WORKLOAD]-(r:Run)-[:IN_ENVIRONMENT]->(e:Environment {product: $product})
MATCH (r)-[:IN_GROUP]->(g:ComparisonGroup) MATCH (r)-[:MEASURES]->(i:Implementation)
RETURN g.key AS group, w.title AS workload, e.architecture AS architecture, g.unit AS unit, r.digest AS run,
  r.status AS status, r.published AS published, r.retractedAt AS retractedAt, r.superseded AS superseded,
  r.value AS value, r.evidence AS evidence, r.observedAt AS observedAt, i.digest AS implementation,
  i.slug AS slug, i.deployable AS deployable, i.manifest AS manifest
ORDER BY group, value
"""
"""The runs that meet it, group by group; no ranks, near matches or brackets, install recipes not parsed."""

_CASES: Final = """
MATCH (g:ComparisonGroup) WHERE g.key > '' WITH g ORDER BY g.key LIMIT 5000
MATCH (g)-[:FOR_WORKLOAD]->(w:Workload)-[:CASE_OF]->(o:Operation)
MATCH (g)-[:FOR_ENVIRONMENT]->(e:Environment) WHERE w.kind = 'WorkloadCase'
RETURN DISTINCT o.slug AS operation, e.product AS product, w.manifest AS manifest
"""


async def question(store: Store) -> Question:
    """Of cases that groups are about."""
    variants = []
    for row in await store.read(_CASES):
        axes = load_canonical(row["manifest"])["spec"]["axes"]
        asked = [{"name": name, "value": value} for name, value in axes.items()]
        request = {"operation": row["operation"], "axes": asked, "product": row["product"]}
        text = f'"axes":{canonical_bytes(axes).decode()}'
        params = {"operation": f"OperationSpec:{row['operation']}", "axes": text, "product": row["product"]}
        variants.append(Variant({"request": request}, params))
    return Question(TEXT, CYPHER, chosen(variants), told, found)


def told(data: Answer) -> Any:
    """The groups and the runs that meet the request; an answer shows a hundred runs."""
    found = data["resolve"]
    return sorted(group["key"] for group in found["groups"]), sorted(
        alternative["run"]["digest"] for alternative in found["alternatives"]
    )


def found(rows: list[Row]) -> Any:
    """The same of the rows."""
    return sorted({row["group"] for row in rows}), sorted(row["run"] for row in rows)
