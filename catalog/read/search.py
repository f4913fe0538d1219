"""Search: a string becomes intent, issues, facets, and results in an order that is the same on every engine.

Results are operations, implementations and projects; an exact digest finds any object. Order, and `score`
with it: how well the words are met, then kind, then evidence; equals by slug and key. What an intent means
for each kind of result is in docs/search.md. Source: docs/domain.md §8.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final
from weakref import WeakKeyDictionary

from cachetools import LRUCache

from catalog.domain.search_intent import Intent, Issue
from catalog.domain.search_query import parse
from catalog.domain.search_words import joined
from catalog.read import search_issues
from catalog.read.once import Once
from catalog.read.paging import Cursors, Page
from catalog.read.search_facets import Facet, facets
from catalog.read.search_filter import Conditions, family_members
from catalog.read.search_index import KINDS, Found, Node, Row, SearchIndex, search_index
from catalog.read.search_text import EXACT, FACET, HOW, TextMatch, match_text
from catalog.read.snapshot import Snapshot
from graph import reads_search

SEARCHES_KEPT: Final = 64
LONGEST_KEPT: Final = 1_000
"""Characters of a search whose answer is kept for the next page."""

Order = tuple[int, int, str, str]
"""Score in millionths, negated; kind; slug; key."""


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A result: what it is, how well it is meant, and what of the search it meets."""

    node: Node
    score: float
    matched: tuple[str, ...]
    order: Order


@dataclass(eq=False)
class Search:
    """The answer to one search string at one revision. Facets are counted when they are asked for."""

    intent: Intent
    issues: tuple[Issue, ...]
    hits: list[Hit]
    cursors: Cursors
    _index: SearchIndex
    _rows: list[Row] = field(default_factory=list)

    @cached_property
    def facets(self) -> list[Facet]:
        """Per field how many of the results have which value, on every page."""
        return facets(self._index, self._rows, [hit.node for hit in self.hits])

    def page(self, size: int, after: str | None) -> Page[Hit]:
        """The results behind the present place of the one that `after` names."""
        position = self.position(after)
        start = 0
        if position is not None:
            places = (n for n, hit in enumerate(self.hits) if hit.order[1:] == position[1:])
            place = next(places, None)
            # One that is gone by now: go on where it would be.
            start = bisect_right(self.hits, position, key=_order) if place is None else place + 1
        hits = self.hits[start : start + size]
        cursors = [self.cursors.make(*hit.order) for hit in hits]
        return Page(hits, cursors, start + size < len(self.hits), start > 0)

    def position(self, after: str | None) -> Order | None:
        """What the cursor names; raises InputError for one that is not of this search."""
        found = self.cursors.position(after, int, int, str, str)
        return None if found is None else (found[0], found[1], found[2], found[3])


def _order(hit: Hit) -> Order:
    return hit.order


_SEARCHES: Final[WeakKeyDictionary[Snapshot, LRUCache[str, Once[Search]]]] = WeakKeyDictionary()


async def search(snapshot: Snapshot, query: str, labels: tuple[str, ...]) -> Search:
    """The answer to a search string; `labels` are those that a digest may find.

    Once the index is in memory (search_index) at most four statements: names of the operation asked for, two
    digests, and the full-text indexes.
    """
    if len(query) > LONGEST_KEPT:
        return await _search(snapshot, query, labels)
    kept = _SEARCHES.setdefault(snapshot, LRUCache(SEARCHES_KEPT))
    once = kept.get(query)
    if once is None:
        once = kept[query] = Once(lambda: _search(snapshot, query, labels))
    return await once()


async def _search(snapshot: Snapshot, query: str, labels: tuple[str, ...]) -> Search:
    index = await search_index(snapshot)
    parsed = parse(query, index.known)
    intent = parsed.intent
    conditions = Conditions(index, intent, await _operations_meant(snapshot, index, intent))
    named = await _by_digest(snapshot, intent, labels)
    excused = [term.raw for term in intent.terms if named and _digest_like(term.raw)]
    text = await match_text(snapshot.store, index, intent.terms, excused)
    # What has nothing left to select by finds nothing; an empty search finds everything.
    selects = conditions.all or text.understood or not query.strip()
    meant = [(found.label, found.key) for found in text.levels] if text.understood else None
    rows = list(conditions.rows(meant)) if selects else []
    hits = _hits(index, conditions, text if text.understood else None, rows)
    hits[:0] = _digest_hits(named, hits)
    issues = (
        *parsed.issues,
        *text.issues,
        *search_issues.of(index, conditions, parsed, text, found=bool(named)),
    )
    return Search(intent, issues, hits, Cursors("search", filters={"query": query}), index, rows)


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


def _hits(
    index: SearchIndex, conditions: Conditions, text: TextMatch | None, rows: Iterable[Row]
) -> list[Hit]:
    """The objects that the words mean and of which a row meets the conditions, in their order."""
    evidence: dict[Found, int] = {}
    levels = text.levels if text is not None else None
    for row in rows:
        order = row.evidence.order if row.evidence is not None else 0
        for node in row.nodes():
            found = index.found.get(node)
            if found is not None and (levels is None or found in levels):
                evidence[found] = max(order, evidence.get(found, 0))
    told = tuple(condition.told for condition in conditions.all)
    asked = joined(conditions.intent.operation or "")
    hits = []
    for found, order in evidence.items():
        by_term = levels[found] if levels is not None else {}
        exact = found.label == "Operation" and asked in found.names
        base = EXACT if exact else FACET if told else 0.0
        score = _score(list(by_term.values()) or [base], found, order)
        words = tuple(f"{HOW[level]}:{raw}" for raw, level in by_term.items())
        hits.append(Hit((found.label, found.key), score, words + told, (-round(score * 1e6), *found.order)))
    hits.sort(key=lambda hit: hit.order)
    return hits


def _score(levels: list[float], found: Found, evidence: int) -> float:
    """The worst met word decides, then all of them, then the kind; evidence is the last signal."""
    worst = min(levels)
    mean = sum(levels) / len(levels)
    kind = 0.01 * (len(KINDS) - 1 - KINDS.index(found.label))
    return round(worst + (mean - worst) / 10 + kind + 0.001 * evidence, 6)


def _digest_hits(named: Iterable[Node], hits: list[Hit]) -> list[Hit]:
    """Objects named by digest go first; one that is among the others already is moved to the front."""
    chosen = list(dict.fromkeys(named))
    hits[:] = [hit for hit in hits if hit.node not in chosen]
    score = EXACT + 1
    return [
        Hit(node, score, ("digest",), (-round(score * 1e6), len(KINDS), node[0], node[1])) for node in chosen
    ]
