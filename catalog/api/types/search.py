"""Search: what was understood, what was not, facets, and results of several kinds."""

from __future__ import annotations

import asyncio
from typing import Final, Self

import strawberry

from catalog.api.costs import long
from catalog.api.enums import AxisOperator, EvidenceLevel
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, settled
from catalog.api.paging import Connection
from catalog.api.registry import REACHABLE
from catalog.api.types.issue import SearchIssue
from catalog.domain import search_intent as domain
from catalog.domain.search_intent import Intent
from catalog.read.search import Search
from catalog.read.search_facets import Facet
from catalog.read.search_results import Hit
from catalog.read.search_suggest import Suggestion

SHOWN: Final = {reachable.type.label: reachable for reachable in REACHABLE.values()}
"""Label -> how the type of the schema is reached that shows its nodes."""

LABELS: Final = tuple(sorted(SHOWN))
"""What a digest may find."""


@strawberry.type(description="An axis compared with a value.")
class AxisBinding:
    name: str = strawberry.field(description="Name of the axis.")
    operator: AxisOperator = strawberry.field(description="How it is compared.")
    value: float = strawberry.field(description="What it is compared with.")


def _binding(binding: domain.AxisBinding) -> AxisBinding:
    return AxisBinding(name=binding.name, operator=AxisOperator(binding.operator), value=float(binding.value))


@strawberry.type(description="What a search string was understood to ask for; all that is set must hold.")
class SearchIntent:
    text: list[str] = strawberry.field(description="What is looked for in names and texts.")
    digest: str | None = strawberry.field(description="The digest, or its beginning, behind `sha256:`.")
    family: str | None = strawberry.field(description="The family of the operation.")
    operation: str | None = strawberry.field(
        description="Slug, alias, family or digest of the operation, or the beginning of a family."
    )
    model: str | None = strawberry.field(description="The model that the operation was taken from.")
    product: str | None = strawberry.field(description="The GPU.")
    architecture: str | None = strawberry.field(description="Architecture of the GPU, exact.")
    dtypes: list[str] = strawberry.field(description="Data types that must all occur.")
    shape: list[float] | None = strawberry.field(
        description="The shape of a tensor. It is matched by a case when one of its tensors has exactly it."
    )
    layout: str | None = strawberry.field(description="The layout of the data.")
    framework: str | None = strawberry.field(description="The framework, maybe with a version.")
    language: str | None = strawberry.field(description="The language of the implementation.")
    cuda: str | None = strawberry.field(description="Version of the CUDA toolkit, as far as it is given.")
    axes: list[AxisBinding] = strawberry.field(description="Axes; all must hold in one case.")
    minimum_evidence: EvidenceLevel | None = strawberry.field(description="The least evidence level.")
    license: str | None = strawberry.field(description="An SPDX identifier, or `permissive`.")
    source: str | None = strawberry.field(description="Slug of who reported the runs.")
    require_source: bool = strawberry.field(description="Whether the source must be public.")
    require_installable: bool = strawberry.field(description="Whether there must be an install recipe.")

    @classmethod
    def of(cls, intent: Intent) -> Self:
        """The intent as it is shown."""
        level = intent.minimum_evidence
        return cls(
            text=[term.raw for term in intent.terms],
            digest=intent.digest,
            family=intent.family,
            operation=intent.operation,
            model=intent.model,
            product=intent.product,
            architecture=intent.architecture,
            dtypes=list(intent.dtypes),
            shape=None if intent.shape is None else [float(size) for size in intent.shape],
            layout=intent.layout,
            framework=intent.framework,
            language=intent.language,
            cuda=intent.cuda,
            axes=[_binding(each) for each in intent.axes],
            minimum_evidence=None if level is None else EvidenceLevel(level.value),
            license=intent.license,
            source=intent.source,
            require_source=intent.require_source,
            require_installable=intent.require_installable,
        )


@strawberry.type(description="A value of a facet.")
class SearchFacetValue:
    value: str = strawberry.field(description="The value.")
    count: int = strawberry.field(description="How many of the results, on all pages, have it.")


@strawberry.type(description="A field by which the results can be narrowed.")
class SearchFacet:
    field: str = strawberry.field(
        description="One of kind, family, architecture, product, dtype, language, evidence, license, source."
    )
    values: list[SearchFacetValue] = strawberry.field(
        directives=long(10), description="Its values, most frequent first."
    )

    @classmethod
    def of(cls, facet: Facet) -> Self:
        """The facet as it is shown."""
        return cls(
            field=facet.field,
            values=[SearchFacetValue(value=value, count=count) for value, count in facet.values],
        )


@strawberry.type(description="A result.")
class SearchEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    score: float = strawberry.field(
        description="How well it is meant: 6 a digest, 5 a name, 4 a facet or conditions only, 3 the "
        "beginning of a name, 2 a word, 1 a typo; the fraction orders the rest. The same on every engine."
    )
    matched: list[str] = strawberry.field(
        description="What of the search it meets: `how:word` for text, the conditions as `field:value`."
    )
    node: Node = strawberry.field(description="An operation, implementation or project; any for a digest.")


@strawberry.type(description="The answer to a search.")
class SearchConnection(Connection):
    search: strawberry.Private[Search]

    @resolved(
        description="Whether totalCount and the facets tell of all that is meant. In a catalog of more than "
        "20,000 runs only the best candidates are looked at, at most 100 of each kind (docs/search.md)."
    )
    def total_count_is_exact(self) -> bool:
        return self.search.exact

    @resolved(description="What was understood.")
    def intent(self) -> SearchIntent:
        return SearchIntent.of(self.search.intent)

    @resolved(description="What was not understood, left out or taken for something else.")
    def issues(self) -> list[SearchIssue]:
        return [
            SearchIssue(token=issue.token, message=issue.message, suggestion=issue.suggestion)
            for issue in self.search.issues
        ]

    @resolved(
        costs=long(10),
        description="By what the results can be narrowed, with counts; empty ones are left out.",
    )
    def facets(self) -> list[SearchFacet]:
        return [SearchFacet.of(facet) for facet in self.search.facets]

    @resolved(description="The results of this page, best first.")
    async def edges(self, info: Info) -> list[SearchEdge]:
        page = await self.deferred.page()
        nodes = await _nodes(info, page.items)
        return [
            SearchEdge(cursor=cursor, score=hit.score, matched=list(hit.matched), node=node)
            for cursor, hit, node in zip(page.cursors, page.items, nodes, strict=True)
        ]


async def _nodes(info: Info, hits: list[Hit]) -> list[Node]:
    """The objects of a page; asked for at the same time, so one statement for each kind among them."""
    loading = (SHOWN[label].load(info, key, "query") for label, key in (hit.node for hit in hits))
    return list(await asyncio.gather(*map(settled, loading)))


@strawberry.type(description="What the last word of a search that is being typed may become.")
class SearchSuggestion:
    text: str = strawberry.field(description="A token to stand in its place.")
    field: str = strawberry.field(description="What it names, such as family, product or operation.")
    count: int = strawberry.field(
        description="How many it stands for: operations of a family or model, implementations in a "
        "language or under a licence, runs for the rest; 1 for a name."
    )

    @classmethod
    def of(cls, suggestion: Suggestion) -> Self:
        """The suggestion as it is shown."""
        return cls(text=suggestion.text, field=suggestion.field, count=suggestion.count)
