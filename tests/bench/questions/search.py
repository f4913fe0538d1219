"""Search: two words of a name, and a GPU."""

from __future__ import annotations

import json
import random
from typing import Any, Final

from catalog.domain.search_query import parse
from catalog.domain.search_words import joined, words
from graph import Store
from graph.textindex import SEARCHED, index_name
from tests.bench.questions.question import MEASURED, Answer, Question, Row, Variant, chosen

TEXT: Final = """
query Search($query: String!, $first: Int = 20) {
  search(query: $query, first: $first) {
    totalCount
    intent { text product }
    issues { token message suggestion }
    facets { field values { value count } }
    pageInfo { hasNextPage endCursor }
    edges { score matched node { __typename
      ... on OperationSpec { digest slug title family }
      ... on ImplementationRevision { digest implementationSlug: slug title }
      ... on SoftwareProject { projectSlug: slug name } } }
  }
}
"""

_ON_GPU: Final = "<-[:MEASURES]-(r:Run)-[:IN_ENVIRONMENT]->(:Environment {product: $product})"

CYPHER: Final = f"""
CALL db.index.fulltext.queryNodes($indexOperation, $words) YIELD node AS o
WHERE EXISTS {{ MATCH (o)<-[:CASE_OF]-(:Workload)<-[:ON_WORKLOAD]-(:Run)
  -[:IN_ENVIRONMENT]->(:Environment {{product: $product}}) }}
RETURN 'OperationSpec' AS kind, o.digest AS key, o.slug AS slug, o.title AS title
UNION ALL
CALL db.index.fulltext.queryNodes($indexImplementation, $words) YIELD node AS i
WHERE EXISTS {{ MATCH (i){_ON_GPU} }}
RETURN 'ImplementationRevision' AS kind, i.digest AS key, i.slug AS slug, i.title AS title
UNION ALL
CALL db.index.fulltext.queryNodes($indexProject, $words) YIELD node AS p
WHERE EXISTS {{ MATCH (p)<-[:SUBMITTED_AS]-(:Run)-[:IN_ENVIRONMENT]->(:Environment {{product: $product}}) }}
  OR EXISTS {{ MATCH (p)<-[:REVISION_OF]-(:Implementation){_ON_GPU} WHERE r.submittedProject IS NULL }}
RETURN 'SoftwareProject' AS kind, p.slug AS key, p.slug AS slug, p.name AS title
"""
"""Which objects; without their order, the facets and the issues."""

_FACETS: Final = """
MATCH (o:Operation) UNWIND [o.family] + coalesce(o.tags, []) AS facet RETURN DISTINCT facet
UNION MATCH (p:Project) UNWIND [p.slug, p.kind] AS facet RETURN DISTINCT facet
UNION MATCH (i:Implementation) RETURN DISTINCT i.language AS facet
"""
"""A word that is one of these means more than the text that it is in: the statement would not do."""


async def question(store: Store) -> Question:
    """Of names of operations, on GPUs that they were measured on."""
    facets = {joined(row["facet"]) for row in await store.read(_FACETS) if row["facet"]}
    indexes = {f"index{label}": index_name(store.engine.name, label) for label in SEARCHED}
    chance = random.Random(0)
    variants = []
    for row in sorted(await store.read(MEASURED), key=lambda row: json.dumps(row, sort_keys=True)):
        own = sorted({word for word in words(row["operation"]) if word not in facets and _is_text(word)})
        if len(own) < 2 or row["product"] is None:
            continue
        asked = chance.sample(own, 2)
        variants.append(
            Variant(
                {"query": f'{" ".join(asked)} gpu:"{row["product"]}"'},
                {"words": " AND ".join(f"{word}*" for word in asked), "product": row["product"], **indexes},
            )
        )
    return Question(TEXT, CYPHER, chosen(variants), told, found)


def _is_text(word: str) -> bool:
    """Whether search takes it for a word to look for, and no digits, architecture or the like."""
    return word.isalpha() and [account for _, account in parse(word).accounts] == ["terms"]


def told(data: Answer) -> Any:
    """How many objects, and which where a page holds them all."""
    nodes = [edge["node"] for edge in data["search"]["edges"]]
    names = sorted((n["__typename"], n["digest"] if "digest" in n else n["projectSlug"]) for n in nodes)
    return data["search"]["totalCount"], names if len(names) == data["search"]["totalCount"] else None


def found(rows: list[Row]) -> Any:
    """The same of the rows."""
    names = sorted((row["kind"], row["key"]) for row in rows)
    return len(names), names if len(names) <= 20 else None
