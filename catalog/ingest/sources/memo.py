"""Validated manifests kept for a while: rows of one file share most of their parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from cachetools import LRUCache

from catalog.domain.manifests import Manifest


class ManifestMemo:
    """The last validated manifests by a key of the caller's, so that equal parts are validated once."""

    def __init__(self, size: int) -> None:
        self._kept: LRUCache[Hashable, Manifest] = LRUCache(size)

    def get(self, key: Hashable, make: Callable[[], Manifest]) -> Manifest:
        """The manifest kept under ``key``, else the one that ``make`` makes; what it raises goes through."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = make()
        return found
