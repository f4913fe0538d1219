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
from catalog.read.search import search
from catalog.read.search_index import search_index
from catalog.read.search_suggest import suggest


@strawberry.type(description="Search.")
class SearchFields:
    @paged(
        costs=SEARCH,
        description="Operations, implementations and projects that a search string asks for, best first; a "
        "digest finds any object. The grammar is in docs/search.md. An empty string finds everything. At "
        "most 21 statements: the revision twice, ten for the index, the operation's name, two digests, the "
        "words, and one for each kind on the page.",
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
        "and projects that begin so, most frequent first. At most 12 statements: the revision twice, ten "
        "for the "
        "index of `search`.",
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
        index = await search_index(await info.context.open())
        return [SearchSuggestion.of(each) for each in suggest(index, prefix, size)]
