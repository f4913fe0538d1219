"""What hangs together with an implementation, three steps away: project, operation and file, the other
implementations of these, and theirs."""

from __future__ import annotations

import base64
from typing import Any, Final

from graph import Store
from tests.bench.questions.question import Answer, Peer, Question, Row, Variant, chosen

TEXT: Final = """
query Lineage($id: ID!) {
  lineage(id: $id, depth: 3, relations: [REVISION_OF, IMPLEMENTS, HAS_SOURCE]) {
    truncated
    nodes { id }
    edges { from to relation }
  }
}
"""

CYPHER: Final = """
MATCH (i:Implementation {digest: $digest})
OPTIONAL MATCH (i)-[:REVISION_OF|IMPLEMENTS|HAS_SOURCE]->(m)
OPTIONAL MATCH (m)<-[:REVISION_OF|IMPLEMENTS|HAS_SOURCE]-(j:Implementation) WHERE j <> i
WITH i, collect(DISTINCT j) AS others
UNWIND [i] + others AS n
MATCH (n)-[e:REVISION_OF|IMPLEMENTS|HAS_SOURCE]->(m)
RETURN collect([n.digest, type(e), coalesce(m.digest, m.slug, m.contentDigest)]) AS edges
"""

PEER: Final = """
query Lineage($digest: String!) {
  implementations(where: { digest: { eq: $digest } }) {
    digest
    project { slug implementations { ...Around } }
    operation { digest implementations { ...Around } }
    artifact { contentDigest implementations { ...Around } }
  }
}
fragment Around on Implementation {
  digest project { slug } operation { digest } artifact { contentDigest }
}
"""

_NARROW: Final = """
MATCH (i:Implementation) WHERE i.complete = true AND i.digest > ''
WITH i ORDER BY i.digest LIMIT 5000
WHERE all(n IN [(i)-[:REVISION_OF|IMPLEMENTS|HAS_SOURCE]->(h) | h] WHERE
  COUNT { (n)<-[:REVISION_OF|IMPLEMENTS|HAS_SOURCE]-() } <= 50)
RETURN i.digest AS digest
"""
"""Implementations whose surroundings are shown whole: an answer has at most 500 nodes."""

Edges = set[tuple[str, str, str]]


async def question(store: Store) -> Question:
    """Of implementations by chance."""
    variants = []
    for row in await store.read(_NARROW):
        name = f"ImplementationRevision:{row['digest']}"
        variants.append(Variant({"id": base64.b64encode(name.encode()).decode()}, row))
    return Question(TEXT, CYPHER, chosen(variants), told, found, Peer(PEER, peer_told))


def told(data: Answer) -> Any:
    """The edges, by the keys of their ends."""
    found = data["lineage"]["edges"]
    return {(_key(edge["from"]), edge["relation"], _key(edge["to"])) for edge in found}


def _key(identifier: str) -> str:
    return base64.b64decode(identifier).decode().partition(":")[2]


def found(rows: list[Row]) -> Any:
    """The same of the one row."""
    return {tuple(edge) for edge in rows[0]["edges"]}


def peer_told(data: Answer) -> Any:
    """The same of the nested lists."""
    [start] = data["implementations"]
    edges: Edges = set()
    for name in ("project", "operation", "artifact"):
        for node in start[name]:
            for other in node["implementations"]:
                edges |= _edges(other)
    return edges


def _edges(implementation: dict[str, Any]) -> Edges:
    ends = (("REVISION_OF", "project", "slug"), ("IMPLEMENTS", "operation", "digest"))
    return {
        (implementation["digest"], relation, node[key])
        for relation, name, key in (*ends, ("HAS_SOURCE", "artifact", "contentDigest"))
        for node in implementation[name]
    }
