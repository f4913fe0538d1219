"""Browsing: the newest runs of a source, by the contract's query."""

from __future__ import annotations

from typing import Any, Final

from catalog.read.paging import Cursors
from graph import Store
from graph.browse import LAST
from tests.bench.questions.question import Answer, Peer, Question, Row, Variant, contract

SIZE: Final = 20

CYPHER: Final = """
MATCH (s:Source {slug: $source}) WITH COUNT { (s)<-[:REPORTED_BY]-(:Run) } AS total
CALL () {
  MATCH (r:Run) WHERE r.observedAt <= $at AND (r.observedAt < $at OR r.digest > $near) AND r.source = $source
  WITH r ORDER BY r.observedAt DESC, r.digest LIMIT 21
  MATCH (r)-[:MEASURES]->(i:Implementation)
  MATCH (r)-[:ON_WORKLOAD]->(w:Workload)-[:CASE_OF]->(o:Operation)
  MATCH (r)-[:IN_ENVIRONMENT]->(e:Environment)
  WITH r, i, w, o, e ORDER BY r.observedAt DESC, r.digest
  RETURN collect([r.digest, r.comparisonKey, r.value, i.slug, w.title, o.slug, e.product, r.status,
    r.observedAt, r.unit, i.project, e.architecture]) AS rows
}
RETURN total, rows
"""
"""Behind a key, as the catalog pages; the row that is too many says that there are more."""

PEER: Final = """
query Runs($source: String!, $offset: Int!) {
  runsConnection(where: { sourceSlug: { eq: $source } }) { aggregate { count { nodes } } }
  runs(
    where: { sourceSlug: { eq: $source } }
    sort: [{ observedAt: DESC }, { digest: ASC }]
    limit: 21
    offset: $offset
  ) {
    digest status observedAt comparisonKey value unit
    implementation { slug project { slug } }
    workload { title operation { slug } }
    environment { architecture product }
  }
}
"""
"""By an offset, which is how it pages."""

_SOURCES: Final = "MATCH (s:Source) RETURN s.slug AS source, COUNT { (s)<-[:REPORTED_BY]-(:Run) } AS total"
_PLACE: Final = """
MATCH (r:Run) WHERE r.observedAt > '' AND r.source = $source
RETURN r.observedAt AS at, r.digest AS key ORDER BY at DESC, key SKIP $skip LIMIT 1
"""


async def question(store: Store, *, page: int) -> Question:
    """Of every source that has so many pages."""
    variants = [
        await _variant(store, row["source"], (page - 1) * SIZE)
        for row in await store.read(_SOURCES)
        if row["total"] > page * SIZE
    ]
    return Question(contract("runs"), CYPHER, variants, told, found, Peer(PEER, peer_told))


async def _variant(store: Store, source: str, offset: int) -> Variant:
    chosen = {"source": source}
    variables = {"filter": chosen, "orderBy": "OBSERVED_DESC", "first": SIZE}
    params = {"source": source, "at": LAST, "near": "", "offset": offset}
    if offset:
        [before] = await store.read(_PLACE, source=source, skip=offset - 1)
        params |= {"at": before["at"], "near": before["key"]}
        variables["after"] = Cursors("runs", "OBSERVED_DESC", chosen).make(before["at"], before["key"])
    return Variant(variables, params)


def told(data: Answer) -> Any:
    """How many there are; of each run on the page what tells it apart."""
    nodes = [edge["node"] for edge in data["runs"]["edges"]]
    return data["runs"]["totalCount"], [
        (
            node["digest"],
            node["comparisonKey"],
            node["primary"] and node["primary"]["value"],
            node["implementation"]["slug"],
            node["workload"]["title"],
            node["workload"]["operation"]["slug"],
            node["environment"]["product"],
        )
        for node in nodes
    ]


def found(rows: list[Row]) -> Any:
    """The same of the one row."""
    return rows[0]["total"], [tuple(run[:7]) for run in rows[0]["rows"][:SIZE]]


def peer_told(data: Answer) -> Any:
    """The same of the peer's answer, whose relationships are lists."""
    return data["runsConnection"]["aggregate"]["count"]["nodes"], [
        (
            run["digest"],
            run["comparisonKey"],
            run["value"],
            run["implementation"][0]["slug"],
            run["workload"][0]["title"],
            run["workload"][0]["operation"][0]["slug"],
            run["environment"][0]["product"],
        )
        for run in data["runs"][:SIZE]
    ]
