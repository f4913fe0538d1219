"""Questions that clients ask, each as GraphQL and as the best Cypher we can write, and how to compare both.

Variants are made from what is in the catalog, always the same ones of the same data. A variant is what
differs from one request to the next: variables of the one side, parameters of the other.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from catalog.domain.identity import canonical_bytes, load_canonical
from catalog.domain.search_query import parse
from catalog.domain.search_words import joined, words
from graph import Store
from graph.textindex import SEARCHED, index_name
from tests.bench.bare import Row

MOST_VARIANTS: Final = 100
"""More than the answers that search and records keep."""

Params = dict[str, Any]
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """One request: variables of the GraphQL operation, parameters of the statement."""

    variables: Params
    params: Params


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its variants. `told` and `found` make of an answer and of rows what must be equal."""

    name: str
    text: str
    cypher: str
    variants: Sequence[Variant]
    told: Callable[[Answer], Any]
    found: Callable[[list[Row]], Any]


async def questions(store: Store) -> list[Question]:
    """Those of which the catalog has anything to ask."""
    made = [await make(store) for make in (_search, _resolve, _records, _serving)]
    return [question for question in made if question.variants]


def _chosen(variants: Iterable[Variant]) -> list[Variant]:
    unlike = {canonical_bytes(variant.variables): variant for variant in variants}
    ordered = [unlike[text] for text in sorted(unlike)]
    return random.Random(0).sample(ordered, min(MOST_VARIANTS, len(ordered)))


# -- search: two words of a name, and a GPU -------------------------------------------------------

SEARCH: Final = """
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

SEARCH_CYPHER: Final = f"""
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

_MEASURED: Final = """
MATCH (r:Run)-[:IN_ENVIRONMENT]->(e:Environment) MATCH (o:Operation {digest: r.operation})
RETURN DISTINCT o.slug AS operation, e.product AS product, e.architecture AS architecture
"""

_FACETS: Final = """
MATCH (o:Operation) UNWIND [o.family] + coalesce(o.tags, []) AS facet RETURN DISTINCT facet
UNION MATCH (p:Project) UNWIND [p.slug, p.kind] AS facet RETURN DISTINCT facet
UNION MATCH (i:Implementation) RETURN DISTINCT i.language AS facet
"""
"""A word that is one of these means more than the text that it is in: the statement would not do."""


async def _search(store: Store) -> Question:
    facets = {joined(row["facet"]) for row in await store.read(_FACETS) if row["facet"]}
    indexes = {f"index{label}": index_name(store.engine.name, label) for label in SEARCHED}
    chance = random.Random(0)
    variants = []
    for row in sorted(await store.read(_MEASURED), key=lambda row: json.dumps(row, sort_keys=True)):
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
    return Question("search", SEARCH, SEARCH_CYPHER, _chosen(variants), _told_by_search, _found_by_search)


def _is_text(word: str) -> bool:
    """Whether search takes it for a word to look for, and no digits, architecture or the like."""
    return word.isalpha() and [account for _, account in parse(word).accounts] == ["terms"]


def _told_by_search(data: Answer) -> Any:
    nodes = [edge["node"] for edge in data["search"]["edges"]]
    names = sorted((n["__typename"], n["digest"] if "digest" in n else n["projectSlug"]) for n in nodes)
    return data["search"]["totalCount"], names if len(names) == data["search"]["totalCount"] else None


def _found_by_search(rows: list[Row]) -> Any:
    names = sorted((row["kind"], row["key"]) for row in rows)
    return len(names), names if len(names) <= 20 else None


# -- resolve: a case that was measured, on a GPU --------------------------------------------------

RESOLVE: Final = """
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

RESOLVE_CYPHER: Final = """
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
MATCH (g:ComparisonGroup)-[:FOR_WORKLOAD]->(w:Workload)-[:CASE_OF]->(o:Operation)
MATCH (g)-[:FOR_ENVIRONMENT]->(e:Environment) WHERE w.kind = 'WorkloadCase'
RETURN DISTINCT o.slug AS operation, e.product AS product, w.manifest AS manifest
"""

_MOST_RUNS: Final = 100
"""Of which an answer shows all."""


async def _resolve(store: Store) -> Question:
    variants = []
    for row in await store.read(_CASES):
        axes = load_canonical(row["manifest"])["spec"]["axes"]
        asked = [{"name": name, "value": value} for name, value in axes.items()]
        request = {"operation": row["operation"], "axes": asked, "product": row["product"]}
        text = f'"axes":{canonical_bytes(axes).decode()}'
        params = {"operation": f"OperationSpec:{row['operation']}", "axes": text, "product": row["product"]}
        variants.append(Variant({"request": request}, params))
    return Question(
        "resolve", RESOLVE, RESOLVE_CYPHER, _chosen(variants), _told_by_resolve, _found_by_resolve
    )


def _told_by_resolve(data: Answer) -> Any:
    found = data["resolve"]
    return sorted(group["key"] for group in found["groups"]), sorted(
        alternative["run"]["digest"] for alternative in found["alternatives"]
    )


def _found_by_resolve(rows: list[Row]) -> Any:
    return sorted({row["group"] for row in rows}), sorted(row["run"] for row in rows)


# -- records: the newest of one operation on one architecture -------------------------------------

RECORDS: Final = """
query Records($operation: String!, $architecture: String!, $first: Int = 20) {
  records(filter: { operation: $operation, architecture: $architecture }, first: $first) {
    pageInfo { hasNextPage endCursor }
    edges { node { group { key } takeOver
      event { at improvement previous { digest }
        run { digest primary { value unit } implementation { slug } } } } }
  }
}
"""

RECORDS_CYPHER: Final = """
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


async def _records(store: Store) -> Question:
    variants = []
    for row in await store.read(_MEASURED):
        variables = {"operation": row["operation"], "architecture": row["architecture"]}
        params = {**variables, "operation": f"OperationSpec:{row['operation']}", "first": 20}
        variants.append(Variant(variables, params))
    return Question(
        "records", RECORDS, RECORDS_CYPHER, _chosen(variants), _told_by_records, _found_by_records
    )


def _told_by_records(data: Answer) -> Any:
    nodes = [edge["node"] for edge in data["records"]["edges"]]
    return [
        (
            node["group"]["key"],
            node["event"]["run"]["digest"],
            (node["event"]["previous"] or {}).get("digest"),
        )
        for node in nodes
    ]


def _found_by_records(rows: list[Row]) -> Any:
    return [(row["group"], row["run"], row["previous"]) for row in rows]


# -- serving: a model on an accelerator, by throughput --------------------------------------------

SERVING: Final = """
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

SERVING_CYPHER: Final = """
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


async def _serving(store: Store) -> Question:
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
    return Question(
        "serving", SERVING, SERVING_CYPHER, _chosen(variants), _told_by_serving, _found_by_serving
    )


_MOST_COHORTS: Final = 50


def _told_by_serving(data: Answer) -> Any:
    return sorted(
        (cohort["key"], row["run"]["digest"])
        for cohort in data["resolveServing"]["cohorts"]
        for row in (*cohort["ranked"], *cohort["excluded"])
    )


def _found_by_serving(rows: list[Row]) -> Any:
    return sorted((row["cohort"], row["run"]) for row in rows)
