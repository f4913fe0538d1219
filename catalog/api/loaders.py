"""Loaders of one request: what many fields ask for at the same time becomes one statement per kind."""

from __future__ import annotations

from collections.abc import Sequence

from strawberry.dataloader import DataLoader

from catalog.read import Entity, Group, Snapshot


class Loaders:
    """One loader per label, one for comparison groups, one for superseding runs."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._entities: dict[str, DataLoader[str, Entity | None]] = {}

        async def groups(keys: list[str]) -> Sequence[Group | None]:
            return await snapshot.groups(keys)

        async def superseders(keys: list[str]) -> Sequence[str | None]:
            return await snapshot.superseders(keys)

        self.groups: DataLoader[str, Group | None] = DataLoader(groups)
        self.superseders: DataLoader[str, str | None] = DataLoader(superseders)

    def entities(self, label: str) -> DataLoader[str, Entity | None]:
        """The loader of nodes of a label, by key."""
        loader = self._entities.get(label)
        if loader is None:

            async def load(keys: list[str]) -> Sequence[Entity | None]:
                return await self._snapshot.entities(label, keys)

            loader = self._entities[label] = DataLoader(load)
        return loader
