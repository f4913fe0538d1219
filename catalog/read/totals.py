"""How many there are, counted once a revision, and what a catalog's size decides. Source: docs/scale.md."""

from __future__ import annotations

from typing import Any, Final

from cachetools import LRUCache

from catalog.domain.errors import InputError
from catalog.read.once import Once
from catalog.read.snapshot import Snapshot
from graph import browse, counts

IN_MEMORY: Final = 20_000
"""Runs. A catalog of so many is read into memory as a whole for records, groups and search; of a larger one
only what a question is about is read."""

Conditions = dict[str, Any]
"""Filter name in graph.browse -> the value of its parameter."""

MOST_ANALYSED: Final = 150_000
"""Runs. What is derived from the whole catalog at once is refused for a larger one."""

COUNTS_KEPT: Final = 200
LONGEST_KEPT: Final = 10_000
"""Characters of conditions whose count is kept."""


async def count(snapshot: Snapshot, label: str, conditions: Conditions | None) -> int:
    """How many nodes meet the conditions, counted once a revision: every page of a list tells it."""
    if conditions is None:
        return 0
    given = conditions
    kept = snapshot.part(_counts)
    key = repr((label, sorted(given.items())))
    if len(key) > LONGEST_KEPT:
        return await _read(snapshot, label, given)
    once = kept.get(key)
    if once is None:
        once = kept[key] = Once(lambda: _read(snapshot, label, given))
    return await once()


def _counts(_: Snapshot) -> LRUCache[str, Once[int]]:
    return LRUCache(COUNTS_KEPT)


async def _read(snapshot: Snapshot, label: str, conditions: Conditions) -> int:
    statement = (counts if snapshot.engine.server else browse).count(label, conditions)
    [row] = await snapshot.store.read(statement, **conditions)
    return int(row["count"])


async def check_analysed(snapshot: Snapshot) -> None:
    """Raises InputError where the catalog is too large for what is derived from all of it."""
    runs = await count(snapshot, "Run", {})
    if runs > MOST_ANALYSED:
        message = f"must have at most {MOST_ANALYSED:,} runs for a question about all of it"
        raise InputError("catalog", runs, message)


async def large(snapshot: Snapshot) -> bool:
    """Whether the catalog is larger than what is kept in memory; one statement a revision."""
    return await count(snapshot, "Run", {}) > IN_MEMORY
