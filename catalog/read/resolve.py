"""Answering requests: which operations each means, one load for all, then the rules of the domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from catalog.domain.relations import Relation
from catalog.domain.resolve import honoured, resolve
from catalog.domain.resolve_types import Request, Resolution, World
from catalog.read.resolve_index import index_of
from catalog.read.snapshot import Snapshot

MOST_REQUESTS: Final = 50


async def resolve_many(snapshot: Snapshot, requests: Sequence[Request]) -> list[Resolution]:
    """The answers, in the order of the requests.

    At most fifteen statements, whatever their number and size: five for the size and the indexes of the
    revision, five for the operations, five for those that relations join to them; only what was not read
    before is read.
    """
    index = index_of(snapshot)
    names = await index.names(request.operation for request in requests)
    relations, environments = await index.relations(), await index.environments()
    meant = [names.meant(request.operation) for request in requests]
    tried = await index.tried(digest for digests in meant for digest in digests)
    worlds = []
    for digests in meant:
        known = [digest for digest in digests if digest in tried]
        touching = _touching(known, relations)
        worlds.append(World(known, tried, environments, touching, names.all))
    joined: list[str] = []
    for request, world in zip(requests, worlds, strict=True):
        own = [tried[digest] for digest in world.meant]
        joined += honoured(request, own, world.relations)[0]
    if joined:
        tried |= await index.tried(joined)
    return [resolve(request, world) for request, world in zip(requests, worlds, strict=True)]


def _touching(operations: Sequence[str], relations: Sequence[Relation]) -> list[Relation]:
    known = frozenset(operations)
    return [relation for relation in relations if known & {relation.start, relation.end}]


async def relations_of(snapshot: Snapshot, operation: str) -> list[str]:
    """Digests of the reviewed relations that an operation is at either end of, sorted; one statement."""
    return [r.digest for r in _touching([operation], await index_of(snapshot).relations())]
