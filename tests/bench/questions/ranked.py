"""The ranked contract query: the best runs of a comparison group, 26 fields each."""

from __future__ import annotations

from typing import Any, Final

from graph import Store
from tests.bench.questions.question import Answer, Peer, Question, Row, Variant, chosen, contract

CYPHER: Final = """
MATCH (g:ComparisonGroup {key: $key})<-[:IN_GROUP]-(r:Run)
WITH g, r, coalesce(r.status = 'passed' AND r.published AND r.retractedAt IS NULL AND r.superseded IS NULL
    AND r.partsComplete AND r.value > 0, false) AS eligible,
  CASE g.direction WHEN 'HIGHER_IS_BETTER' THEN -r.value ELSE r.value END AS value
ORDER BY eligible DESC, value, r.observedAt DESC, r.digest
WITH g, collect(r) AS runs, sum(CASE WHEN eligible THEN 1 ELSE 0 END) AS eligibleCount,
  collect(DISTINCT r.source) AS sources
MATCH (w:Workload {digest: g.workload})-[:CASE_OF]->(o:Operation)
MATCH (e:Environment {digest: g.environment})
CALL (runs) {
  UNWIND runs[..$first] AS r
  MATCH (r)-[:MEASURES]->(i:Implementation)
  OPTIONAL MATCH (p:Project {slug: i.project})
  RETURN collect([r.digest, r.value, r.evidence, i.digest, i.slug, i.title, p.slug, r.source,
    r.status, r.observedAt, r.metric, r.statistic, r.unit, r.manifest, r.facts, r.submittedSlug,
    r.submittedProject, i.language, i.manifest, i.deployable, i.publicSource, i.installable, i.licenseKnown,
    p.name]) AS rows
}
RETURN size(runs) AS size, eligibleCount, sources, g {.key, .metric, .statistic, .unit, .direction} AS group,
  o.slug AS operation, o.family AS family, o.title AS operationTitle, w.digest AS workload, w.title AS title,
  e.digest AS environment, e.product AS product, e.architecture AS architecture, rows
"""
"""All that the answer is made of, as stored: other measurements than the primary one and submitted titles
only stand in the run's own texts, reasons against deployment in the implementation's; none is parsed.
One record, because the driver takes longer for a hundred."""

PEER: Final = """
query Ranked($key: String!, $first: Int!) {
  comparisonGroups(where: { key: { eq: $key } }) {
    key metric statistic unit direction
    runsConnection { aggregate { count { nodes } } }
    workload { digest title operation { slug family title } }
    runs(sort: [{ value: ASC }, { observedAt: DESC }, { digest: ASC }], limit: $first) {
      digest status observedAt evidence metric statistic unit value submittedSlug submittedProject
      implementation { digest slug title language deployable project { slug name } }
      environment { digest product architecture }
      source { slug }
    }
  }
}
"""
"""As far as it is a property by itself: no ranks, other measurements, submitted titles, reasons."""

_GROUPS: Final = """
MATCH (g:ComparisonGroup) WITH g.key AS key, COUNT { (g)<-[:IN_GROUP]-() } AS size
WHERE size >= $least RETURN key, size ORDER BY size, key LIMIT 100
"""
_LARGEST: Final = """
MATCH (g:ComparisonGroup) RETURN max(COUNT { (g)<-[:IN_GROUP]-() }) AS size
"""


async def question(store: Store, *, first: int) -> Question:
    """Of the smallest groups that have so many runs, or of the largest where none has."""
    [largest] = await store.read(_LARGEST)
    rows = await store.read(_GROUPS, least=min(first, largest["size"] or 1))
    variants = [Variant(both, both) for row in rows if (both := {"key": row["key"], "first": first})]
    return Question(contract("ranked"), CYPHER, chosen(variants), told, found, Peer(PEER, peer_told))


def told(data: Answer) -> Any:
    """Of the group its size, operation and workload; of the runs what tells them apart, in order."""
    group = data["comparisonGroup"]
    nodes = [edge["node"] for edge in group["runs"]["edges"]]
    return (
        (group["size"], group["operation"]["slug"], group["workload"]["digest"]),
        [
            (
                node["digest"],
                node["primary"]["value"],
                node["evidenceLevel"],
                *(node["implementation"][name] for name in ("digest", "slug", "title")),
                node["implementation"]["project"] and node["implementation"]["project"]["slug"],
                node["source"] and node["source"]["slug"],
            )
            for node in nodes
        ],
    )


def found(rows: list[Row]) -> Any:
    """The same of the one row."""
    [row] = rows
    return (
        (row["size"], row["operation"], row["workload"]),
        [tuple(run[:8]) for run in row["rows"]],
    )


def peer_told(data: Answer) -> Any:
    """The same of the peer's answer, whose relationships are lists."""
    [group] = data["comparisonGroups"]
    [workload] = group["workload"]
    return (
        (
            group["runsConnection"]["aggregate"]["count"]["nodes"],
            workload["operation"][0]["slug"],
            workload["digest"],
        ),
        [
            (
                run["digest"],
                run["value"],
                run["evidence"],
                *(run["implementation"][0][name] for name in ("digest", "slug", "title")),
                next((project["slug"] for project in run["implementation"][0]["project"]), None),
                next((source["slug"] for source in run["source"]), None),
            )
            for run in group["runs"]
        ],
    )
