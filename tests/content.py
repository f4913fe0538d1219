"""The content of a catalog as plain values, to compare two: everything but provenance and local state."""

from __future__ import annotations

from typing import Any

from graph import Store, audit, reads
from graph.schema import LOCAL, NODES, RELATIONSHIPS

PROVENANCE = {"importer", "importFile", "importRow", "importRevision", "importNotes"}


async def content(store: Store) -> dict[str, Any]:
    """All nodes by label and key, without provenance, and all relationships."""
    nodes: dict[str, Any] = {}
    for label in NODES:
        if label in LOCAL:
            continue
        keys = [row["key"] for row in await store.read(audit.KEYS[label])]
        for row in await store.read(reads.LOAD[label], keys=keys):
            kept = {name: value for name, value in row["node"].items() if name not in PROVENANCE}
            nodes[f"{label} {row['key']}"] = {k: v for k, v in kept.items() if v is not None}
    edges = {}
    for name, edge in RELATIONSHIPS.items():
        keys = [row["key"] for row in await store.read(audit.KEYS[edge.start])]
        rows = await store.read(audit.EDGES[name], keys=keys)
        edges[name] = sorted((row["start"], row["end"]) for row in rows)
    return {"nodes": nodes, "edges": edges}
