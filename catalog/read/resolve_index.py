"""What resolving looks at, per revision: operations by name, and all that was tried on each.

An operation is read when it is first asked for, with its cases, runs and implementations; so what a request
costs depends on its operations, and another request for the same costs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cachetools import LRUCache

from catalog.domain import ranking
from catalog.domain.identity import load_canonical
from catalog.domain.licences import effective_licence
from catalog.domain.relations import Relation, relation_of
from catalog.domain.resolve_types import (
    Attempt,
    Code,
    Environment,
    Operation,
    RankedGroup,
    Tried,
    Workload,
)
from catalog.read.groups import run_facts
from catalog.read.once import Once
from catalog.read.search_scope import large_search
from catalog.read.snapshot import Snapshot
from catalog.read.totals import large
from graph import reads_resolve

OPERATIONS_KEPT: Final = 500
WORKLOADS_KEPT: Final = 20_000

Rows = list[dict[str, Any]]
Spec = Mapping[str, Any]


class ResolveIndex:
    """One revision, as far as requests have needed it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._store = snapshot.store
        self._tried: LRUCache[str, Tried] = LRUCache(OPERATIONS_KEPT)
        self._names: Once[OperationNames] = Once(self._read_names)
        self.relations: Once[list[Relation]] = Once(self._read_relations)
        """Every reviewed relation, by digest."""
        self.environments: Once[dict[str, Environment]] = Once(self._read_environments)
        """Every environment, by digest."""

    async def names(self, asked: Iterable[str]) -> OperationNames:
        """What these names mean; of a small catalog all names, read once. At most two statements.

        In a large catalog a name that means nothing is compared with the families alone.
        """
        if not await large(self._snapshot):
            return await self._names()
        wanted = sorted(set(asked))
        keys = [f"OperationSpec:{name}" for name in wanted]
        rows = await self._store.read(reads_resolve.OPERATIONS_NAMED, names=wanted, keys=keys)
        return OperationNames(rows, rows, await large_search(self._snapshot).families())

    async def tried(self, operations: Iterable[str]) -> dict[str, Tried]:
        """What was tried on these operations, those that are known; at most five statements."""
        wanted = list(dict.fromkeys(operations))
        found = {digest: self._tried[digest] for digest in wanted if digest in self._tried}
        missing = [digest for digest in wanted if digest not in found]
        if missing:
            read = await self._read(missing)
            self._tried.update(read)
            found |= read
        return found

    async def _read(self, keys: Sequence[str]) -> dict[str, Tried]:
        read = self._store.read
        specs = {row["key"]: _spec(row) for row in await read(reads_resolve.OPERATION_SPECS, keys=keys)}
        known = sorted(specs)
        if not known:
            return {}
        cases = _by_key(await read(reads_resolve.CASES, keys=known))
        runs = _by_key(await read(reads_resolve.ATTEMPTS, keys=known))
        codes = [_code(row) for row in await read(reads_resolve.SUPPORTERS, keys=known)]
        declared = {code.digest for code in codes}
        others = {r["implementation"] for rows in runs.values() for r in rows} - declared
        if others:
            rows = await read(reads_resolve.IMPLEMENTATIONS, keys=sorted(others))
            codes += map(_code, rows)
        by_digest = {code.digest: code for code in codes}
        found = {}
        for key in known:
            attempts = {row["digest"]: _attempt(row) for row in runs.get(key, ())}
            run_here = {attempt.implementation for attempt in attempts.values()}
            found[key] = Tried(
                operation=_operation(key, specs[key]),
                workloads={row["digest"]: _workload(row) for row in cases.get(key, ())},
                attempts=attempts,
                groups=_groups(attempts.values()),
                codes={d: c for d, c in by_digest.items() if c.operation == key or d in run_here},
            )
        return found

    async def _read_names(self) -> OperationNames:
        operations = await self._store.read(reads_resolve.OPERATIONS)
        return OperationNames(operations, await self._store.read(reads_resolve.OPERATION_NAMES))

    async def _read_relations(self) -> list[Relation]:
        rows = await self._store.read(reads_resolve.RELATIONS)
        return sorted((relation_of(r["digest"], _spec(r)) for r in rows), key=lambda r: r.digest)

    async def _read_environments(self) -> dict[str, Environment]:
        [found] = await self._store.read(reads_resolve.ENVIRONMENTS)
        return {row[0]: Environment(*row) for row in found["rows"]}


class OperationNames:
    """Which operations a slug, alias, family or digest means."""

    def __init__(self, operations: Rows, names: Rows, others: Iterable[str] | None = None) -> None:
        """`others`: the names that a mistyped one may be meant for; all that there are unless given."""
        self._digests = {row["digest"] for row in operations}
        self._slugs: dict[str, set[str]] = {}
        self._others: dict[str, set[str]] = {}
        for row in operations:
            if row["slug"] is not None:
                self._slugs.setdefault(row["slug"], set()).add(row["digest"])
            self._others.setdefault(row["family"], set()).add(row["digest"])
        for row in names:
            if row["digest"] in self._digests:
                self._others.setdefault(row["name"], set()).add(row["digest"])
        self.all = sorted({*self._slugs, *self._others} if others is None else others)
        """Every name but the digests, or the others, sorted."""

    def meant(self, name: str) -> list[str]:
        """Digests of the operations meant: the one whose own slug it is, else all that answer to it."""
        if name in self._digests:
            return [name]
        return sorted(self._slugs.get(name) or self._others.get(name) or set())


_WORKLOADS: LRUCache[str, Workload] = LRUCache(WORKLOADS_KEPT)
"""Parsed workloads by digest, which covers all of them."""


def index_of(snapshot: Snapshot) -> ResolveIndex:
    """The index of a revision, made on first use."""
    return snapshot.part(ResolveIndex)


def _by_key(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row["key"], []).append(row)
    return found


def _spec(row: Mapping[str, Any]) -> Spec:
    spec: Spec = load_canonical(row["manifest"])["spec"]
    return spec


def _operation(digest: str, spec: Spec) -> Operation:
    axes = spec["axes"]
    constants = {name: axis["value"] for name, axis in axes.items() if axis["role"] == "constant"}
    arguments = (*spec["inputs"], *spec["outputs"])
    tensors = tuple(argument["tensor"] for argument in arguments if "tensor" in argument)
    return Operation(digest, axes, tensors, constants)


def _workload(row: Mapping[str, Any]) -> Workload:
    found = _WORKLOADS.get(row["digest"])
    if found is None:
        spec = _spec(row)
        tensors = spec.get("tensors", {}).values()
        found = _WORKLOADS[row["digest"]] = Workload(
            digest=row["digest"],
            suite="cases" in spec,
            cases=tuple(case["axes"] for case in spec.get("cases", (spec,))),
            shapes=frozenset(tuple(tensor["shape"]) for tensor in tensors),
            dtypes=frozenset(tensor["dtype"] for tensor in tensors),
        )
    return found


def _attempt(row: Mapping[str, Any]) -> Attempt:
    return Attempt(
        run_facts(row),
        row["comparisonKey"],
        row["implementation"],
        row["workload"],
        row["protocol"],
        row["environment"],
    )


def _groups(attempts: Iterable[Attempt]) -> list[RankedGroup]:
    members: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.key is not None:
            members.setdefault(attempt.key, []).append(attempt)
    return [
        RankedGroup(
            key,
            runs[0].workload,
            runs[0].protocol,
            runs[0].environment,
            ranking.standings(run.facts for run in runs),
        )
        for key, runs in sorted(members.items())
    ]


def _code(row: Mapping[str, Any]) -> Code:
    spec = _spec(row)
    return Code(
        digest=row["digest"],
        operation=spec["operation"]["specDigest"],
        public_source=bool(row["publicSource"]),
        installable=bool(spec.get("buildVariants")),
        deployable=bool(row["deployable"]),
        licence=effective_licence(spec),
        support=spec["support"],
    )
