"""What is known of one catalog revision, read as it is needed and kept until the revision moves on.

`Snapshots` belongs to a process: it hands out the snapshot of the current revision. A request keeps the one
it started with. Facts that a write can change (names, publication, standings, counts) are kept per
revision; parsed documents, which their digest covers, outlive it. Every method that takes many keys runs a
fixed number of statements, whatever their number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import intern
from typing import Any, Final, TypeVar

from cachetools import LRUCache

from catalog.domain.identity import load_canonical
from catalog.read.axes import AxisIndex, Cases
from catalog.read.entities import Documents, Entity
from catalog.read.groups import Group, IndexedGroup
from catalog.read.once import Keyed, Once
from catalog.read.recent import Recent
from catalog.read.search_codes import Codes
from graph import counts, reads
from graph.schema import NODES
from graph.store import EngineInfo, Store

ENTITIES_KEPT: Final = 10_000
GROUPS_KEPT: Final = 2_000
NAMES_KEPT: Final = 1_000
LONGEST_NAME_KEPT: Final = 200


T = TypeVar("T")


class Snapshots:
    """The way from a store to the snapshot of its current revision."""

    def __init__(
        self, store: Store, watch: Callable[[int, bool], None] | None = None, *, keep: bool = True
    ) -> None:
        """``watch`` is told of every snapshot that is handed out: its revision, and whether it was kept.
        Without ``keep`` none is, nor anything else that was read."""
        self.store = store
        self._keep = keep
        self._watch = watch
        self._documents = Documents()
        self._cases = Cases()
        self._codes = Codes()
        self._latest: Snapshot | None = None
        self._given: Snapshot | None = None
        self._asking = asyncio.Lock()
        self._next: Once[Snapshot] | None = None

    async def current(self) -> Snapshot:
        """The snapshot of the revision that holds now; costs one statement at most.

        All who ask while an earlier question is on its way share the next one, which is put after they asked:
        nobody gets a revision from before.
        """
        if not self._keep:
            return Snapshot(self.store, await self.store.revision(), Documents(), Cases(), Codes())
        if self._next is None:
            self._next = Once(self._current)
        snapshot = await self._next()
        if self._watch:
            self._watch(snapshot.revision, snapshot is self._given)
        self._given = snapshot
        return snapshot

    def leave(self, snapshot: Snapshot) -> bool:
        """Told by a request that it has read all that it wants of a snapshot; whether that is empty now."""
        if not self._keep:
            snapshot.forget()
        return not self._keep

    async def _current(self) -> Snapshot:
        async with self._asking:
            self._next = None  # who asks from now on must not get the answer to this
            revision = await self.store.revision()
        if self._latest is None or self._latest.revision != revision:
            if self._latest is not None:
                self._latest.retire()
            self._latest = Snapshot(self.store, revision, self._documents, self._cases, self._codes)
        return self._latest

    async def at_least(self, revision: int) -> Snapshot:
        """A snapshot of this revision or a later one: the newest that is known, if it will do."""
        if self._latest is not None and self._latest.revision >= revision:
            return self._latest
        return await self.current()


class Reads:
    """The reading side of a store, which counts the statements that have come back."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.engine = store.engine
        self.done = 0

    async def read(self, statement: str, **params: Any) -> list[dict[str, Any]]:
        """As :meth:`Store.read`."""
        try:
            return await self._store.read(statement, **params)
        finally:
            self.done += 1


class Snapshot:
    """One revision of the catalog, as far as it has been read."""

    def __init__(self, store: Store, revision: int, documents: Documents, cases: Cases, codes: Codes) -> None:
        self.store = Reads(store)
        self.revision = revision
        self._documents = documents
        self._cases = cases
        self.codes = codes
        """What search looks for in the manifests of implementations."""
        self._entities: Recent[tuple[str, str], Entity | None] = Recent(ENTITIES_KEPT)
        self._groups: Recent[str, Group] = Recent(GROUPS_KEPT)
        self._superseders: Recent[str, str | None] = Recent(ENTITIES_KEPT)
        self._operations_meant: LRUCache[str, Once[list[str]]] = LRUCache(NAMES_KEPT)
        self._loading: Keyed[tuple[str, str], Entity | None] = Keyed(self._load)
        self._grouping: Keyed[str, Group | None] = Keyed(self._load_groups)
        self.group_index: Once[list[IndexedGroup]] = Once(self._read_group_index)
        """Every comparison group, in no order."""
        self.axes: Once[AxisIndex] = Once(self._read_axes)
        """The axis values of every workload."""
        self.counts: Once[list[tuple[str, int]]] = Once(self._read_counts)
        """(kind, how many), in the order in which kinds are shown."""
        self.source_tally: Once[dict[str, SourceTally]] = Once(self._read_source_tally)
        """What each source reported, by slug; a source without runs is not in it."""
        self.source_slugs: Once[list[str]] = Once(self._read_source_slugs)
        """The slugs of all sources, sorted."""
        self.run_days: Once[list[tuple[str, int]]] = Once(self._read_run_days)
        """(day, how many runs were observed on it), by day."""
        self._environments: LRUCache[tuple[str | None, str | None], Once[list[str]]] = LRUCache(NAMES_KEPT)
        self._parts: dict[Any, Any] = {}

    def part(self, make: Callable[[Snapshot], T]) -> T:
        """What `make` makes of this snapshot, once, and gone with it: what a module keeps of a revision."""
        found: T | None = self._parts.get(make)
        if found is None:
            found = self._parts[make] = make(self)
        return found

    def retire(self) -> None:
        """Let go of what is kept of all of this revision, now that there is a later one.

        Requests that began with it hold on to it until they end, and in cycles until the next collection.
        What they have not asked for by now is read again.
        """
        self._parts.clear()
        self.group_index = Once(self._read_group_index)
        self.axes = Once(self._read_axes)

    def forget(self) -> None:
        """Let go of all that was read. A node and its view hold each other, so that without this they would
        stay until the next collection."""
        for entity in self._entities.values():
            if entity is not None:
                entity.view = None
        self._entities.clear()
        self._groups.clear()
        self.retire()

    @property
    def engine(self) -> EngineInfo:
        """Which database engine answers."""
        return self.store.engine

    def peek(self, label: str, key: str) -> Entity | None:
        """The node if it was loaded already; None says nothing about whether it exists."""
        return self._entities.get((label, key))

    def peek_group(self, key: str) -> Group | None:
        """The group if it was loaded already."""
        return self._groups.get(key)

    async def entities(self, label: str, keys: Iterable[str]) -> list[Entity | None]:
        """The nodes with these keys, in their order, None for one that does not exist; one statement."""
        return await self.mixed([(label, key) for key in keys])

    async def entity(self, label: str, key: str) -> Entity | None:
        """The node with this key, or None."""
        [entity] = await self.mixed([(label, key)])
        return entity

    async def mixed(self, nodes: Sequence[tuple[str, str]]) -> list[Entity | None]:
        """The nodes of any labels, named by (label, key), as :meth:`entities`."""
        known = {node: self._entities[node] for node in nodes if node in self._entities}
        if missing := [node for node in dict.fromkeys(nodes) if node not in known]:
            known |= await self._loading(missing)
        return [known[node] for node in nodes]

    async def _load(self, nodes: list[tuple[str, str]]) -> dict[tuple[str, str], Entity | None]:
        found: dict[tuple[str, str], Entity | None] = dict.fromkeys(nodes)
        wanted: dict[str, list[str]] = {}
        for label, key in nodes:
            wanted.setdefault(label, []).append(key)
        for row in await self.store.read(reads.nodes(tuple(sorted(wanted))), **wanted):
            label, names = row["label"], [intern(name) for name in row["names"]]
            for values in row["nodes"]:
                props = dict(zip(names, values, strict=True))
                key = props[NODES[label].key]
                found[label, key] = Entity(label, key, props, self._documents)
        for node, entity in found.items():
            self._entities[node] = entity
        return found

    def adopted(self, label: str, key: str, props: Mapping[str, Any]) -> Entity:
        """The node with this key, of which a statement of another purpose has read the properties."""
        entity = self._entities.get((label, key))
        if entity is None:
            entity = self._entities[label, key] = Entity(label, key, props, self._documents)
        return entity

    async def groups(self, keys: Sequence[str]) -> list[Group | None]:
        """The comparison groups with these keys, in their order; one statement."""
        known: dict[str, Group | None] = {key: self._groups[key] for key in keys if key in self._groups}
        if missing := [key for key in dict.fromkeys(keys) if key not in known]:
            known |= await self._grouping(missing)
        return [known.get(key) for key in keys]

    async def _load_groups(self, keys: list[str]) -> dict[str, Group | None]:
        found: dict[str, Group | None] = {}
        for row in await self.store.read(reads.GROUPS[self.engine.name], keys=keys):
            entity = self.adopted("ComparisonGroup", row["key"], row["node"])
            found[entity.key] = self._groups[entity.key] = Group.read(entity, row["runs"])
        return found

    async def correctness_rules(self, keys: Sequence[str]) -> list[Mapping[str, Any] | None]:
        """The `correctness` of the workloads with these correctness keys, in their order; one statement."""
        rows = await self.store.read(reads.CORRECTNESS_RULES, keys=list(dict.fromkeys(keys)))
        found = {row["key"]: load_canonical(row["manifest"])["spec"]["correctness"] for row in rows}
        return [found.get(key) for key in keys]

    async def superseders(self, digests: Sequence[str]) -> list[str | None]:
        """For each run the digest of the run that supersedes it: of several the newest, then by digest."""
        missing = [key for key in dict.fromkeys(digests) if key not in self._superseders]
        found: dict[str, str | None] = {k: self._superseders[k] for k in digests if k in self._superseders}
        if missing:
            rows = await self.store.read(reads.SUPERSEDERS, keys=missing)
            rows.sort(key=lambda row: row["digest"])
            rows.sort(key=lambda row: row["observedAt"] or "", reverse=True)
            for row in rows:
                found.setdefault(row["key"], row["digest"])
            for key in missing:
                self._superseders[key] = found.setdefault(key, None)
        return [found[key] for key in digests]

    async def environments(self, architecture: str | None, product: str | None) -> list[str]:
        """Digests of the environments with this architecture and product, where given.

        `unknown` selects those that record no architecture; nothing else does (docs/domain.md §8).
        """
        asked = (architecture, product)
        if len(f"{architecture}{product}") > LONGEST_NAME_KEPT:
            return await self._read_environments(*asked)
        once = self._environments.get(asked)
        if once is None:
            once = self._environments[asked] = Once(lambda: self._read_environments(*asked))
        return await once()

    async def _read_environments(self, architecture: str | None, product: str | None) -> list[str]:
        asked = {"architecture": architecture, "product": product}
        [row] = await self.store.read(reads.ENVIRONMENTS_OF, **asked)
        digests: list[str] = row["digests"]
        return digests

    async def operations_meant(self, name: str) -> list[str]:
        """Digests of the operations that a slug, alias, family or digest selects; maybe none.

        One statement, none for a name that was asked for lately.
        """
        if len(name) > LONGEST_NAME_KEPT:
            return await self._read_operations_meant(name)
        once = self._operations_meant.get(name)
        if once is None:
            once = self._operations_meant[name] = Once(lambda: self._read_operations_meant(name))
        return await once()

    async def _read_operations_meant(self, name: str) -> list[str]:
        rows = await self.store.read(reads.OPERATIONS_MEANT, key=f"OperationSpec:{name}", name=name)
        return sorted({row["digest"] for row in rows})

    async def _read_group_index(self) -> list[IndexedGroup]:
        rows = await self.store.read(reads.GROUP_INDEX)
        return [IndexedGroup(**{**row, "sources": frozenset(filter(None, row["sources"]))}) for row in rows]

    async def _read_axes(self) -> AxisIndex:
        return await AxisIndex.read(self.store, self._cases)

    async def _read_counts(self) -> list[tuple[str, int]]:
        statement = counts.COUNTS if self.engine.server else reads.COUNTS
        counted = {row["kind"]: row["count"] for row in await self.store.read(statement)}
        shown = (kind for kind in reads.COUNTED_KINDS if kind not in reads.OWN_KINDS or counted.get(kind))
        return [(kind, counted.get(kind, 0)) for kind in shown]

    async def _read_source_tally(self) -> dict[str, SourceTally]:
        tallies: dict[str, SourceTally] = {}
        statement = counts.SOURCE_TALLY if self.engine.server else reads.SOURCE_TALLY
        for row in await self.store.read(statement):
            tallies.setdefault(row["source"], SourceTally()).add(row["what"], row["count"], row["newest"])
        return tallies

    async def _read_source_slugs(self) -> list[str]:
        return [row["key"] for row in await self.store.read(reads.SOURCE_SLUGS)]

    async def _read_run_days(self) -> list[tuple[str, int]]:
        return [(row["day"], row["count"]) for row in await self.store.read(reads.RUN_DAYS)]


class SourceTally:
    """How much one source reported, and when it last observed (canonical instant)."""

    __slots__ = ("newest", "runs", "serving_runs")

    def __init__(self) -> None:
        self.runs = 0
        self.serving_runs = 0
        self.newest: str | None = None

    def add(self, what: str, count: int, newest: str | None) -> None:
        """Take in one row of the tally."""
        if what == "runs":
            self.runs += count
        else:
            self.serving_runs += count
        self.newest = max(filter(None, (self.newest, newest)), default=None)


def distinct(keys: Iterable[str | None]) -> list[str]:
    """The keys that are not None, each once, in their order."""
    return [key for key in dict.fromkeys(keys) if key is not None]
