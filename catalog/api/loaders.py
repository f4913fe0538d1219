"""Loaders of one request: what many fields ask for at the same time becomes one statement per kind."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from strawberry.dataloader import DataLoader

from catalog.domain.resolve_types import Request, Resolution
from catalog.domain.suites import SuiteScore
from catalog.read import Entity, Group, Snapshot
from catalog.read.once import Once
from catalog.read.resolve import resolve_many
from catalog.read.serving import Cohort, serving_reads
from catalog.read.suites import suite_scores


class Nodes:
    """Reads nodes of any labels ahead: what several fields want at the same time is one statement."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._wanted: dict[tuple[str, str], None] = {}
        self._next: Once[None] | None = None

    async def __call__(self, nodes: Mapping[tuple[str, str], None]) -> list[Entity]:
        """Those of the nodes (label, key) that there are."""
        peek = self._snapshot.peek
        found = [entity for node in nodes if (entity := peek(*node)) is not None]
        if len(found) == len(nodes):
            return found
        self._wanted |= nodes
        if self._next is None:
            self._next = Once(self._read)
        await self._next()
        return [entity for node in nodes if (entity := peek(*node)) is not None]

    async def _read(self) -> None:
        await asyncio.sleep(0)  # the others who were woken with whoever came first
        wanted, self._wanted, self._next = list(self._wanted), {}, None
        await self._snapshot.mixed(wanted)


class Loaders:
    """One loader per label, and one for each thing that is no single node."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._entities: dict[str, DataLoader[str, Entity | None]] = {}
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

    def entities(self, label: str) -> DataLoader[str, Entity | None]:
        """The loader of nodes of a label, by key."""
        loader = self._entities.get(label)
        if loader is None:

            async def load(keys: list[str]) -> Sequence[Entity | None]:
                return await self._snapshot.entities(label, keys)

            loader = self._entities[label] = DataLoader(load)
        return loader
