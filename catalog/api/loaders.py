"""Loaders of one request: what many fields ask for at the same time becomes one statement per kind."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from strawberry.dataloader import DataLoader

from catalog.domain.resolve_types import Request, Resolution
from catalog.domain.suites import SuiteScore
from catalog.read import Entity, Group, Snapshot
from catalog.read.once import Once
from catalog.read.resolve import resolve_many
from catalog.read.serving import Cohort, serving_reads
from catalog.read.suites import suite_scores

TURNS: Final = 5
"""Turns of the event loop for which a batch waits for more: as many as a list needs from its field being
begun until it asks for what its first page holds."""


class Nodes:
    """Loads nodes of any labels: what several fields want at the same time is one statement."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._wanted: dict[tuple[str, str], None] = {}
        self._next: Once[Mapping[tuple[str, str], Entity | None]] | None = None

    async def load(self, label: str, key: str) -> Entity | None:
        """The node of this label with this key."""
        [entity] = await self.load_many([(label, key)])
        return entity

    async def load_many(self, nodes: Sequence[tuple[str, str]]) -> list[Entity | None]:
        """The nodes (label, key), in their order; None for one that does not exist."""
        peek = self._snapshot.peek
        found = {node: peek(*node) for node in nodes}
        if missing := [node for node, entity in found.items() if entity is None]:
            self._wanted |= dict.fromkeys(missing)
            if self._next is None:
                self._next = Once(self._read)
            read = await self._next()
            found |= {node: read[node] for node in missing}
        return [found[node] for node in nodes]

    async def _read(self) -> Mapping[tuple[str, str], Entity | None]:
        for _ in range(TURNS):
            await asyncio.sleep(0)
        wanted, self._wanted, self._next = list(self._wanted), {}, None
        return dict(zip(wanted, await self._snapshot.mixed(wanted), strict=True))


class Loaders:
    """The loader of nodes, and one for each thing that is no single node."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.nodes = Nodes(snapshot)

        async def groups(keys: list[str]) -> Sequence[Group | None]:
            return await snapshot.groups(keys)

        async def superseders(keys: list[str]) -> Sequence[str | None]:
            return await snapshot.superseders(keys)

        async def cohorts(keys: list[str]) -> Sequence[Cohort | None]:
            return await serving_reads(snapshot).cohorts(keys)

        async def scores(keys: list[str]) -> Sequence[list[SuiteScore]]:
            return await suite_scores(snapshot, keys)

        async def resolutions(requests: list[Request]) -> Sequence[Resolution]:
            return await resolve_many(snapshot, requests)

        async def rules(keys: list[str]) -> Sequence[Mapping[str, Any] | None]:
            return await snapshot.correctness_rules(keys)

        self.correctness_rules: DataLoader[str, Mapping[str, Any] | None] = DataLoader(rules)
        self.resolutions: DataLoader[Request, Resolution] = DataLoader(resolutions, cache=False)
        self.groups: DataLoader[str, Group | None] = DataLoader(groups)
        self.superseders: DataLoader[str, str | None] = DataLoader(superseders)
        self.suite_scores: DataLoader[str, list[SuiteScore]] = DataLoader(scores)
        self.cohorts: DataLoader[str, Cohort | None] = DataLoader(cohorts)
