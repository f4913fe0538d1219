"""What search looks at, per revision: the objects that can be found, and the rows that say what meets.

A *row* is one thing of the catalog with all that it hangs on: a run with its workload, implementation and
environment; a workload; an implementation; an operation; a project. A filter holds for an object when one row
of it meets every condition (docs/search.md). Rows are kept as columns (search_rows.py). Which objects have a
word is asked of the engine's full-text index; kept here are the words of each object, by which a hit is
judged. Source: docs/domain.md §8.
"""

from __future__ import annotations

import asyncio
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from cachetools import LRUCache

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.identity import load_canonical
from catalog.domain.search_intent import Known
from catalog.domain.search_tables import framework_of, stored_dtype
from catalog.domain.search_words import Vocabulary, joined
from catalog.read.axes import AxisIndex
from catalog.read.once import Once
from catalog.read.search_codes import CodeFacts, Codes
from catalog.read.search_rows import Code, Node, Numbers, Place, Row, Rows
from catalog.read.snapshot import Snapshot
from graph import reads_search

KINDS: Final = ("Operation", "Implementation", "Project")
"""The labels that are found by text and filters, in the order in which equals are shown."""

WORDS_KEPT: Final = 2_000

Records = list[dict[str, Any]]


@dataclass(slots=True, eq=False)
class Found:
    """An object that search can find. `names` are what it answers to, `titles` all its texts, `facets` the
    values that a word may be exactly; all as joined words. `number` is its place in the order of equals."""

    label: str
    key: str
    slug: str
    words: frozenset[str]
    names: set[str] = field(default_factory=set)
    facets: set[str] = field(default_factory=set)
    number: int = -1

    @property
    def node(self) -> Node:
        """Label and key."""
        return self.label, self.key

    @property
    def order(self) -> tuple[int, str, str]:
        """Kind, slug, key: the order of equals."""
        return KINDS.index(self.label), self.slug, self.key


@dataclass(frozen=True, slots=True, eq=False)
class OperationFacts:
    """What conditions look at of an operation."""

    family: str
    tags: frozenset[str]
    axes: frozenset[str]
    dtypes: frozenset[str]


class SearchIndex:
    """One revision in memory, or a part of it (search_scope.py): some hundred bytes for each run."""

    def __init__(self) -> None:
        self.found: dict[Node, Found] = {}
        self.objects: list[Found] = []
        """What can be found, in the order of equals."""
        self.kinds: Numbers
        """Per object the number of its kind."""
        self.operations: dict[str, OperationFacts] = {}
        self.codes: dict[str, Code] = {}
        self.places: dict[str, Place] = {}
        self.rows: Rows
        self.by_facet: dict[str, list[Found]] = {}
        """Joined words of a facet -> the objects that have it."""
        self.by_family: dict[str, list[str]] = {}
        """Joined words of a family -> its operations."""
        self.vocabulary = Vocabulary(())
        self.known = Known()
        self.axes: AxisIndex
        self.beginning: LRUCache[str, list[Found]] = LRUCache(WORDS_KEPT)
        """Word -> the objects whose text has a word that begins so, as the engine answered."""
        self._names: list[str] = []
        self._named: list[int] = []

    def close(self, rows: list[Row]) -> None:
        """Take in the rows, and what follows from all of it."""
        self.objects = sorted(self.found.values(), key=lambda found: found.order)
        for number, found in enumerate(self.objects):
            found.number = number
            for facet in found.facets:
                self.by_facet.setdefault(facet, []).append(found)
        self.kinds = np.array([KINDS.index(found.label) for found in self.objects], np.int64)
        self.rows = Rows(rows, {found.node: found.number for found in self.objects})
        self.vocabulary = Vocabulary(word for found in self.objects for word in found.words)
        named = sorted((name, found.number) for found in self.objects for name in found.names)
        self._names = [name for name, _ in named]
        self._named = [number for _, number in named]
        self.known = Known(
            dtypes=frozenset(dtype for dtypes in self.rows.dtypes.values for dtype in dtypes),
            products=_set(place.product for place in self.places.values()),
            architectures=_set(place.architecture for place in self.places.values()),
            languages=_set(code.language for code in self.codes.values()),
            sources=_set(self.rows.source.values),
        )

    def named(self, beginning: str) -> set[Found]:
        """The objects that answer to a name which begins so."""
        low = bisect_left(self._names, beginning)
        high = bisect_left(self._names, f"{beginning}\U0010ffff")
        return {self.objects[number] for number in self._named[low:high]}

    @cached_property
    def axis_names(self) -> dict[str, set[str]]:
        """Operation -> the axes that it or a case of it has."""
        names = {digest: set(facts.axes) for digest, facts in self.operations.items()}
        for workload, operation in self.axes.operations.items():
            if operation in names:
                names[operation] |= self.axes.names(workload)
        return names


async def search_index(snapshot: Snapshot) -> SearchIndex:
    """The index of a revision, read once: at most ten statements."""
    return await snapshot.part(_index)()


def _index(snapshot: Snapshot) -> Once[SearchIndex]:
    return Once(lambda: _read(snapshot))


@dataclass(frozen=True, slots=True)
class Parts:
    """The rows that an index is made of, as the statements of graph.reads_search give them."""

    operations: Records
    implementations: Records
    projects: Records
    names: Records
    places: Mapping[str, Place]
    runs: Records


async def _read(snapshot: Snapshot) -> SearchIndex:
    read = snapshot.store.read
    axes = await snapshot.axes()
    operations = await read(reads_search.OPERATIONS)
    implementations = await read(reads_search.IMPLEMENTATIONS)
    await snapshot.codes.read(snapshot.store, [row["key"] for row in implementations], every=True)
    parts = Parts(
        operations,
        implementations,
        await read(reads_search.PROJECTS),
        await read(reads_search.NAMES),
        places_of(await read(reads_search.ENVIRONMENTS)),
        await read(reads_search.RUNS),
    )
    return await asyncio.to_thread(assembled, parts, axes, snapshot.codes)


def assembled(
    parts: Parts, axes: AxisIndex, codes: Codes, keep: Callable[[Node], bool] = lambda _: True
) -> SearchIndex:
    """The index of these parts; of their objects those can be found that `keep` says."""
    index = SearchIndex()
    index.axes = axes
    index.places = dict(parts.places)
    rows = [
        *(_operation(index, row) for row in parts.operations),
        *(_implementation(index, row, codes.of(row["key"])) for row in parts.implementations),
        *(_project(index, row) for row in parts.projects),
        *(_workload(index, *pair) for pair in index.axes.operations.items()),
    ]
    submitters = {row["key"]: tuple(row["projects"] or ()) for row in parts.implementations}
    rows += (_run(index, row, submitters) for row in parts.runs)
    for row in parts.names:
        for label in ("Operation", "Implementation"):
            if (found := index.found.get((label, row["key"]))) is not None:
                found.names.add(joined(row["name"]))
    index.found = {node: found for node, found in index.found.items() if keep(node)}
    index.close(rows)
    return index


def places_of(environments: Records) -> dict[str, Place]:
    """What conditions look at of environments, by digest."""
    return {row["key"]: _place(load_canonical(row["manifest"])["spec"]) for row in environments}


def _found(index: SearchIndex, label: str, row: Mapping[str, Any], *names: str | None) -> Found:
    text = (sys.intern(word) for word in (row["text"] or "").split())
    found = Found(label, row["key"], row.get("slug") or row["key"], frozenset(text))
    found.names |= {joined(name) for name in (found.slug, row["key"], *names) if name}
    index.found[label, row["key"]] = found
    return found


def _facets(*values: str | None) -> set[str]:
    return {joined(value) for value in values if value}


def _operation(index: SearchIndex, row: Mapping[str, Any]) -> Row:
    spec = load_canonical(row["manifest"])["spec"]
    tags = row["tags"] or ()
    models = [tag.removeprefix("model:") for tag in tags if tag.startswith("model:")]
    _found(index, "Operation", row).facets |= _facets(row["family"], *tags, *models)
    tensors = (part["tensor"] for part in (*spec["inputs"], *spec["outputs"]) if "tensor" in part)
    facts = OperationFacts(
        family=row["family"],
        tags=frozenset(tags),
        axes=frozenset(spec.get("axes", {})),
        dtypes=frozenset(stored_dtype(tensor["dtype"]) for tensor in tensors),
    )
    index.operations[row["key"]] = facts
    index.by_family.setdefault(joined(facts.family), []).append(row["key"])
    return Row(row["key"], dtypes=facts.dtypes)


def _implementation(index: SearchIndex, row: Mapping[str, Any], facts: CodeFacts) -> Row:
    operation = index.operations.get(row["operation"])
    projects = tuple(row["projects"] or ())
    found = _found(index, "Implementation", row)
    found.facets |= _facets(row["language"], operation.family if operation else None, *projects)
    code = index.codes[row["key"]] = Code(
        language=row["language"],
        licences=facts.licences,
        permissive=row["permissive"] is True,
        public_source=bool(row["publicSource"]),
        installable=bool(row["installable"]),
        dtypes=facts.dtypes,
        layouts=facts.layouts,
    )
    return Row(row["operation"], None, row["key"], projects, code, dtypes=facts.dtypes)


def _project(index: SearchIndex, row: Mapping[str, Any]) -> Row:
    _found(index, "Project", row, row["name"]).facets |= _facets(row["kind"])
    return Row(projects=(row["key"],))


def _workload(index: SearchIndex, digest: str, operation: str | None) -> Row:
    return Row(operation, digest, dtypes=_case_dtypes(index, digest, operation))


def _place(spec: Mapping[str, Any]) -> Place:
    hardware, software = spec["hardware"], spec.get("software", {})
    framework = software.get("framework", {})
    architecture = hardware.get("architecture")
    return Place(
        product=hardware.get("product"),
        architecture=None if architecture == "unknown" else architecture,
        form_factor=hardware.get("formFactor"),
        framework=framework_of(framework.get("name", ""), framework.get("version", "")),
        cuda=software.get("cudaToolkit"),
    )


def _case_dtypes(index: SearchIndex, workload: str, operation: str | None) -> frozenset[str]:
    """Of the case's tensors; a suite has none, so its operation's count."""
    dtypes = index.axes.tensors(workload).dtypes
    if dtypes or operation is None or operation not in index.operations:
        return frozenset(map(stored_dtype, dtypes))
    return index.operations[operation].dtypes


def _run(index: SearchIndex, row: Mapping[str, Any], projects: Mapping[str, tuple[str, ...]]) -> Row:
    workload, operation, implementation = row["workload"], row["operation"], row["implementation"]
    return Row(
        operation=operation,
        workload=workload,
        implementation=implementation,
        projects=(row["project"],) if row["project"] else projects.get(implementation, ()),
        code=index.codes.get(implementation),
        place=index.places.get(row["environment"]),
        dtypes=_case_dtypes(index, workload, operation),
        evidence=EvidenceLevel(row["evidence"] or EvidenceLevel.REPORTED),
        source=row["source"],
        runs=row["runs"],
    )


def _set(values: Iterable[str | None]) -> frozenset[str]:
    return frozenset(value for value in values if value is not None)
