"""Search: a string becomes intent, issues, facets, and results in an order that is the same on every engine.

Results are operations, implementations and projects; an exact digest finds any object (search_results.py).
What an intent means for each kind of result is in docs/search.md. Source: docs/domain.md §8.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cachetools import LRUCache

from catalog.domain.search_intent import Intent, Issue
from catalog.domain.search_query import parse
from catalog.domain.search_words import words
from catalog.read import search_issues
from catalog.read.memory_lists import MemoryListing
from catalog.read.once import Once
from catalog.read.paging import Cursors, Window
from catalog.read.search_facets import Facet, facets
from catalog.read.search_filter import Conditions, family_members
from catalog.read.search_index import SearchIndex, search_index
from catalog.read.search_results import Hit, Results
from catalog.read.search_rows import Mask, Node
from catalog.read.search_scope import Scope, large_search, scoped_index
from catalog.read.search_suggest import Suggestion, fitting, last_word, order, suggest
from catalog.read.search_text import match_text
from catalog.read.snapshot import Snapshot
from catalog.read.totals import large
from graph import reads_search

SEARCHES_KEPT: Final = 64
LONGEST_KEPT: Final = 1_000
"""Characters of a search whose answer is kept for the next page."""


@dataclass(eq=False)
class Search:
    """The answer to one search string at one revision. Facets are counted when they are asked for."""

    intent: Intent
    issues: tuple[Issue, ...]
    results: Results
    cursors: Cursors
    exact: bool
    """Whether all of the catalog was looked at, and not only the best candidates of a large one."""
    _index: SearchIndex
    _rows: Mask

    @cached_property
    def facets(self) -> list[Facet]:
        """Per field how many of the results have which value, on every page."""
        return facets(self._index, self._rows, self.results)

    def listing(self, window: Window) -> MemoryListing[Hit]:
        """A page of the results."""

        async def read() -> Results:
            return self.results

        return MemoryListing(
            read,
            lambda hit: hit.order,
            self.cursors,
            window,
            types=(int, int, str, str),
            find=lambda _, position: self.results.span(position),
        )


async def search(snapshot: Snapshot, query: str, labels: tuple[str, ...]) -> Search:
    """The answer to a search string; `labels` are those that a digest may find.

    Once the index is in memory (search_index) at most four statements: names of the operation asked for, two
    digests, and the full-text indexes.
    """
    if len(query) > LONGEST_KEPT:
        return await _search(snapshot, query, labels)
    kept = snapshot.part(_searches)
    once = kept.get(query)
    if once is None:
        once = kept[query] = Once(lambda: _search(snapshot, query, labels))
    return await once()


def _searches(_: Snapshot) -> LRUCache[str, Once[Search]]:
    return LRUCache(SEARCHES_KEPT)


async def suggestions(snapshot: Snapshot, typed: str, first: int) -> list[Suggestion]:
    """At most `first` tokens that the last word of `typed` may become.

    In a large catalog no data type, language, licence, level or model is among them (docs/search.md).
    """
    if not await large(snapshot):
        return suggest(await search_index(snapshot), typed, first)
    kept, last = large_search(snapshot), last_word(typed)
    named = await kept.names(last) if words(last) and ":" not in last else []
    return fitting(sorted([*await kept.suggestions(), *named], key=order), typed, first)


async def _search(snapshot: Snapshot, query: str, labels: tuple[str, ...]) -> Search:
    scope: Scope | None = None
    if await large(snapshot):
        parsed = parse(query, await large_search(snapshot).known())
        index, scope = await scoped_index(snapshot, parsed.intent)
    else:
        index = await search_index(snapshot)
        parsed = parse(query, index.known)
    intent = parsed.intent
    conditions = Conditions(index, intent, await _operations_meant(snapshot, index, intent))
    named = await _by_digest(snapshot, intent, labels)
    excused = [term.raw for term in intent.terms if named and _digest_like(term.raw)]
    text = await match_text(snapshot.store, index, intent.terms, excused)
    # What has nothing left to select by finds nothing; an empty search finds everything.
    selects = conditions.all or text.understood or not query.strip()
    rows = conditions.rows() if selects else index.rows.none()
    results = Results(index, conditions, text, named, rows)
    said = await _said(snapshot, index, conditions, scope)
    issues = (
        *parsed.issues,
        *text.issues,
        *search_issues.of(index, conditions, parsed, text, said, found=bool(named)),
    )
    cursors = Cursors("search", filters={"query": query})
    return Search(intent, issues, results, cursors, not said.partial, index, rows)


async def _said(
    snapshot: Snapshot, index: SearchIndex, conditions: Conditions, scope: Scope | None
) -> search_issues.Said:
    """What can be said of the whole catalog: by an index of all of it, or beside one of a part."""
    intent = conditions.intent
    unmet = [condition for condition in conditions.all if not condition.rows.any()]
    both = intent.product is not None and intent.architecture is not None
    if scope is None:
        unrecorded = search_issues.unrecorded_runs(index, intent.product or "") if both else 0
        return search_issues.Said(unmet, unrecorded)
    kept = large_search(snapshot)
    return search_issues.Said(
        [condition for condition in unmet if await kept.unmet(condition, intent, scope)],
        await kept.unrecorded_runs(intent.product or "") if both else 0,
        frozenset(await kept.families()),
        scope.partial,
    )


async def _operations_meant(snapshot: Snapshot, index: SearchIndex, intent: Intent) -> frozenset[str] | None:
    """What `op:` selects: a slug, alias, family or digest, else the families that begin so."""
    if intent.operation is None:
        return None
    exact = {*await snapshot.operations_meant(intent.operation), *family_members(index, intent.operation)}
    return frozenset(exact or family_members(index, intent.operation, beginning=True))


def _digest_like(word: str) -> bool:
    """Whether a word may be a digest or its beginning."""
    return 8 <= len(word) <= 64 and set(word) <= set("0123456789abcdef")


async def _by_digest(snapshot: Snapshot, intent: Intent, labels: tuple[str, ...]) -> list[Node]:
    """Every object that a digest in the search names: by `sha256:…`, or a bare word of 8 digits or more."""
    asked = [term.raw for term in intent.terms if _digest_like(term.raw)][:1]
    nodes: list[Node] = []
    for prefix in dict.fromkeys((*filter(None, [intent.digest]), *asked)):
        low = f"sha256:{prefix}"
        rows = await snapshot.store.read(reads_search.by_digest(labels), low=low, high=f"{low}g")
        nodes += sorted((row["label"], row["key"]) for row in rows)
    return nodes
