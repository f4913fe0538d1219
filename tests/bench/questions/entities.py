"""What a gateway asks for a list of another subgraph: a hundred runs by their keys."""

from __future__ import annotations

from typing import Any, Final

from graph import Store
from tests.bench.questions.question import Answer, Peer, Question, Row, Variant, digests

SIZE: Final = 100
VARIANTS: Final = 20

TEXT: Final = """
query Entities($representations: [_Any!]!) {
  _entities(representations: $representations) {
    ... on BenchmarkRun {
      digest title status observedAt comparisonKey evidenceLevel
      primary { value unit }
      implementation { slug title }
      environment { product architecture }
    }
  }
}
"""

CYPHER: Final = """
UNWIND $digests AS digest
MATCH (r:Run {digest: digest})-[:MEASURES]->(i:Implementation)
MATCH (r)-[:IN_ENVIRONMENT]->(e:Environment)
RETURN collect([r.digest, r.comparisonKey, r.value, i.slug, e.product, r.title, r.status, r.observedAt,
  r.evidence, r.unit, i.title, e.architecture]) AS rows
"""

PEER: Final = """
query Entities($digests: [String!]!) {
  runs(where: { digest: { in: $digests } }) {
    digest title status observedAt comparisonKey evidence value unit
    implementation { slug title }
    environment { product architecture }
  }
}
"""
"""Its own `_entities` asks one by one, so this is the same by a filter."""

_SOME: Final = """
MATCH (r:Run) WHERE r.digest >= $place AND r.complete = true
RETURN r.digest AS digest ORDER BY digest LIMIT $size
"""


async def question(store: Store) -> Question:
    """Of runs by chance: those that stand behind each other by digest have nothing else in common."""
    variants = []
    for place in digests(VARIANTS):
        keys = [row["digest"] for row in await store.read(_SOME, place=place, size=SIZE)]
        if len(keys) == SIZE:
            asked = [{"__typename": "BenchmarkRun", "digest": key} for key in keys]
            variants.append(Variant({"representations": asked}, {"digests": keys}))
    return Question(TEXT, CYPHER, variants, told, found, Peer(PEER, peer_told))


def told(data: Answer) -> Any:
    """Of each run what tells it apart, by digest."""
    return sorted(
        (
            run["digest"],
            run["comparisonKey"],
            run["primary"] and run["primary"]["value"],
            run["implementation"]["slug"],
            run["environment"]["product"],
        )
        for run in data["_entities"]
    )


def found(rows: list[Row]) -> Any:
    """The same of the one row."""
    return sorted(tuple(run[:5]) for run in rows[0]["rows"])


def peer_told(data: Answer) -> Any:
    """The same of the peer's answer, whose relationships are lists."""
    return sorted(
        (
            run["digest"],
            run["comparisonKey"],
            run["value"],
            run["implementation"][0]["slug"],
            run["environment"][0]["product"],
        )
        for run in data["runs"]
    )
