"""Root fields for search."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.costs import SEARCH
from catalog.api.fields import resolved
from catalog.api.node import Info, given
from catalog.api.paging import paged
from catalog.api.types.search import LABELS, SearchConnection, SearchSuggestion
from catalog.read.paging import Window, page_size
from catalog.read.search import search, suggestions


@strawberry.type(description="Search.")
class SearchFields:
    @paged(
        costs=SEARCH,
        description="Operations, implementations and projects that a search string asks for, best first; a "
        "digest finds any object. The grammar is in docs/search.md. An empty string finds everything. At "
        "most 20 statements: the revision twice, how large the catalog is, ten for the index, the "
        "operation's name, two digests, the words; nodes, groups and cohorts on the page. In a catalog of "
        "more than 20,000 runs only the best candidates are looked at, and totalCountIsExact tells; that "
        "takes as many.",
    )
    async def search(
        self,
        info: Info,
        window: Window,
        query: Annotated[
            str, strawberry.argument(description="Words, `key:value`, `axis>=number`, in any order.")
        ],
    ) -> SearchConnection:
        found = await search(await info.context.open(), query, LABELS)
        return SearchConnection.of(found.listing(window), search=found)

    @resolved(
        costs=SEARCH,
        description="What the last word of a search string may become: keys' values, families, operations "
        "and projects that begin so, most frequent first. At most 13 statements: the revision twice, how "
        "large the catalog is, ten for the index of `search`. In a catalog of more than 20,000 runs "
        "families, GPUs, architectures, sources and names only.",
    )
    async def suggest(
        self,
        info: Info,
        prefix: Annotated[str, strawberry.argument(description="What was typed so far.")],
        first: Annotated[
            int | None, strawberry.argument(description="How many to give: 10 unless given, at most 100.")
        ] = 10,
    ) -> list[SearchSuggestion]:
        size = page_size(given(first), default=10)
        found = await suggestions(await info.context.open(), prefix, size)
        return [SearchSuggestion.of(each) for each in found]
