"""All nodes of a label, whole, in the order of their keys, a page at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final, NamedTuple

from graph import Store, audit, reads

PAGE_SIZE: Final = 1000

Advance = Callable[[str, int, int], None]
"""Told the label, how many of its nodes are done, and how many there are."""


class Stored(NamedTuple):
    """A node as it is stored."""

    key: str
    props: dict[str, Any]


async def pages(store: Store, label: str, advance: Advance | None = None) -> AsyncIterator[list[Stored]]:
    """Pages of at most :data:`PAGE_SIZE` nodes, of those that were there when the first was asked for.

    Only the keys are held for the whole label: 71 bytes each.
    """
    keys = [row["key"] for row in await store.read(audit.KEYS[label])]
    for start in range(0, len(keys), PAGE_SIZE):
        rows = await store.read(reads.LOAD[label], keys=keys[start : start + PAGE_SIZE])
        yield [Stored(row["key"], row["node"]) for row in rows]
        if advance is not None:
            advance(label, min(start + PAGE_SIZE, len(keys)), len(keys))
