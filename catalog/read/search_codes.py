"""What search looks for in the manifests of implementations. Digests cover it, so it outlives revisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cachetools import LRUCache

from catalog.domain import licences
from catalog.domain.identity import load_canonical
from catalog.domain.search_tables import stored_dtype
from catalog.domain.search_words import joined
from graph import reads_search
from graph.store import Reader

CODES_KEPT: Final = 100_000


class CodeFacts(NamedTuple):
    """Data types and layouts that an implementation supports, and the licences that it names."""

    dtypes: frozenset[str] = frozenset()
    layouts: frozenset[str] = frozenset()
    licences: frozenset[str] = frozenset()


class Codes:
    """The facts of implementations by digest, the least recently used dropped first."""

    def __init__(self) -> None:
        self._facts: LRUCache[str, CodeFacts] = LRUCache(CODES_KEPT)

    def of(self, digest: str) -> CodeFacts:
        """The facts of an implementation; empty for one that was not read."""
        return self._facts.get(digest, CodeFacts())

    async def read(self, store: Reader, digests: Sequence[str], *, every: bool = False) -> None:
        """Read those of these implementations that are not known; at most one statement.

        `every`: these are all that there are, so that they can be read without naming each.
        """
        missing = [digest for digest in digests if digest not in self._facts]
        if not missing:
            return
        if every and len(missing) == len(digests):
            rows = await store.read(reads_search.IMPLEMENTATION_MANIFESTS)
        else:
            [found] = await store.read(reads_search.SOME_IMPLEMENTATION_MANIFESTS, keys=missing)
            rows = found["rows"]
        for row in rows:
            spec = load_canonical(row["manifest"])["spec"]
            support = spec["support"]
            self._facts[row["digest"]] = CodeFacts(
                frozenset(map(stored_dtype, support["dtypes"])),
                frozenset(map(joined, support.get("layouts", ()))),
                licences.named_in(licences.effective_licence(spec)),
            )
