"""Manifests as bytes, by digest or the beginning of one."""

from __future__ import annotations

from typing import Final

from graph import reads
from graph.store import Store

_MOST: Final = 10


async def find_manifests(store: Store, beginning: str) -> dict[str, bytes]:
    """The canonical bytes of the manifests whose digest begins so, by full digest; at most ten.

    `beginning` is `sha256:` and 8 to 64 lower-case hexadecimal digits.
    """
    rows = await store.read(reads.MANIFESTS_BETWEEN, low=beginning, high=f"{beginning}g")
    rows.sort(key=lambda row: str(row["digest"]))
    return {row["digest"]: row["manifest"].encode() for row in rows[:_MOST]}
