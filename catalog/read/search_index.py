"""What search looks at, per revision: the objects that can be found, and the rows that say what meets.

A *row* is one thing of the catalog with all that it hangs on: a run with its workload, implementation and
environment; a workload; an implementation; an operation; a project. A filter holds for an object when one row
of it meets every condition (docs/search.md). Which objects have a word is asked of the engine's full-text
index; kept here are the words of each object, by which a hit is judged. Source: docs/domain.md §8.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from cachetools import LRUCache

from catalog.domain import licences
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.identity import load_canonical
from catalog.domain.search_intent import Known
from catalog.domain.search_tables import framework_of, stored_dtype
from catalog.domain.search_words import Vocabulary, joined
from catalog.read.axes import AxisIndex
from catalog.read.once import Once
from catalog.read.snapshot import Snapshot
from graph import reads_search

KINDS: Final = ("Operation", "Implementation", "Project")
"""The labels that are found by text and filters, in the order in which equals are shown."""

WORDS_KEPT: Final = 2_000
CODES_KEPT: Final = 100_000

Node = tuple[str, str]
"""Label and key."""


@dataclass(slots=True, eq=False)
class Found:
    """An object that search can find. `names` are what it answers to, `titles` all its texts, `facets` the
    values that a word may be exactly; all as joined words."""

    label: str
    key: str
    slug: str
    words: frozenset[str]
    names: set[str] = field(default_factory=set)
    facets: set[str] = field(default_factory=set)

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


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """What conditions look at of an implementation."""

    language: str | None
    licences: frozenset[str]
    permissive: bool
    public_source: bool
    installable: bool
    dtypes: frozenset[str]
    layouts: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """What conditions look at of an environment; architecture None where none was recorded."""

    product: str | None
    architecture: str | None
    form_factor: str | None
    framework: str
    cuda: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One thing with all that it hangs on: keys, None for what it does not have."""

    operation: str | None = None
    workload: str | None = None
    implementation: str | None = None
    environment: str | None = None
    projects: tuple[str, ...] = ()
    dtypes: frozenset[str] = frozenset()
    evidence: EvidenceLevel | None = None
    source: str | None = None
    runs: int = 0

    def nodes(self) -> Iterator[Node]:
        """The objects that the row speaks for."""
        if self.operation is not None:
            yield "Operation", self.operation
        if self.implementation is not None:
            yield "Implementation", self.implementation
        for project in self.projects:
            yield "Project", project


class SearchIndex:
    """One revision in memory. Its size grows with the number of runs: some hundred bytes for each."""

    def __init__(self) -> None:
        self.found: dict[Node, Found] = {}
        self.operations: dict[str, OperationFacts] = {}
        self.codes: dict[str, Code] = {}
        self.places: dict[str, Place] = {}
        self.rows: list[Row] = []
        self.by_node: dict[Node, list[Row]] = {}
        """Object -> the rows that speak for it."""
        self.by_facet: dict[str, list[Found]] = {}
        """Joined words of a facet -> the objects that have it."""
        self.vocabulary = Vocabulary(())
        self.known = Known()
        self.axes: AxisIndex
        self.beginning: LRUCache[str, list[Found]] = LRUCache(WORDS_KEPT)
        """Word -> the objects whose text has a word that begins so, as the engine answered."""

    def add(self, row: Row) -> None:
        """Take in a row."""
        self.rows.append(row)
        for node in row.nodes():
            self.by_node.setdefault(node, []).append(row)

    def rows_of(self, nodes: Iterable[Node]) -> Iterable[Row]:
        """The rows that speak for any of these objects, each once."""
        lists = [self.by_node.get(node, []) for node in nodes]
        if sum(map(len, lists)) > len(self.rows):
            return self.rows
        return {id(row): row for rows in lists for row in rows}.values()


class _Codes:
    """What implementations' digests cover, kept beyond revisions."""

    def __init__(self) -> None:
        self.parsed: LRUCache[str, tuple[frozenset[str], frozenset[str], frozenset[str]]]
        self.parsed = LRUCache(CODES_KEPT)

    async def read(self, snapshot: Snapshot, digests: list[str]) -> None:
        missing = [digest for digest in digests if digest not in self.parsed]
        if len(missing) == len(digests):
            rows = await snapshot.store.read(reads_search.IMPLEMENTATION_MANIFESTS)
        elif missing:
            rows = await snapshot.store.read(reads_search.SOME_IMPLEMENTATION_MANIFESTS, keys=missing)
        else:
            return
        for row in rows:
            spec = load_canonical(row["manifest"])["spec"]
            support = spec["support"]
            self.parsed[row["digest"]] = (
                frozenset(map(stored_dtype, support["dtypes"])),
                frozenset(map(joined, support.get("layouts", ()))),
                licences.named_in(licences.effective_licence(spec)),
            )


_CODES: Final = _Codes()
_INDEXES: Final[WeakKeyDictionary[Snapshot, Once[SearchIndex]]] = WeakKeyDictionary()


async def search_index(snapshot: Snapshot) -> SearchIndex:
    """The index of a revision, read once: at most ten statements."""
    once = _INDEXES.get(snapshot)
    if once is None:
        once = _INDEXES[snapshot] = Once(lambda: _read(snapshot))
    return await once()


async def _read(snapshot: Snapshot) -> SearchIndex:
    read, index = snapshot.store.read, SearchIndex()
    index.axes = await snapshot.axes()
    for row in await read(reads_search.OPERATIONS):
        _operation(index, row)
    implementations = await read(reads_search.IMPLEMENTATIONS)
    await _CODES.read(snapshot, [row["key"] for row in implementations])
    for row in implementations:
        _implementation(index, row)
    for row in await read(reads_search.PROJECTS):
        _found(index, "Project", row, row["name"]).facets |= _facets(row["kind"])
        index.add(Row(projects=(row["key"],)))
    for row in await read(reads_search.NAMES):
        for label in ("Operation", "Implementation"):
            if (found := index.found.get((label, row["key"]))) is not None:
                found.names.add(joined(row["name"]))
    for row in await read(reads_search.ENVIRONMENTS):
        index.places[row["key"]] = _place(load_canonical(row["manifest"])["spec"])
    for workload, operation in index.axes.operations.items():
        index.add(Row(operation, workload, dtypes=_case_dtypes(index, workload, operation)))
    projects = {row["key"]: tuple(row["projects"] or ()) for row in implementations}
    for row in await read(reads_search.RUNS):
        _run(index, row, projects)
    _close(index)
    return index


def _found(index: SearchIndex, label: str, row: Mapping[str, Any], *names: str | None) -> Found:
    text = (sys.intern(word) for word in (row["text"] or "").split())
    found = Found(label, row["key"], row.get("slug") or row["key"], frozenset(text))
    found.names |= {joined(name) for name in (found.slug, row["key"], *names) if name}
    index.found[label, row["key"]] = found
    return found


def _facets(*values: str | None) -> set[str]:
    return {joined(value) for value in values if value}


def _operation(index: SearchIndex, row: Mapping[str, Any]) -> None:
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
    index.add(Row(row["key"], dtypes=facts.dtypes))


def _implementation(index: SearchIndex, row: Mapping[str, Any]) -> None:
    dtypes, layouts, named = _CODES.parsed.get(row["key"], (frozenset(), frozenset(), frozenset()))
    operation = index.operations.get(row["operation"])
    projects = tuple(row["projects"] or ())
    found = _found(index, "Implementation", row)
    found.facets |= _facets(row["language"], operation.family if operation else None, *projects)
    index.codes[row["key"]] = Code(
        language=row["language"],
        licences=named,
        permissive=row["permissive"] is True,
        public_source=bool(row["publicSource"]),
        installable=bool(row["installable"]),
        dtypes=dtypes,
        layouts=layouts,
    )
    index.add(Row(row["operation"], None, row["key"], projects=projects, dtypes=dtypes))


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


def _run(index: SearchIndex, row: Mapping[str, Any], projects: Mapping[str, tuple[str, ...]]) -> None:
    workload, operation = row["workload"], row["operation"]
    submitted = (row["project"],) if row["project"] else projects.get(row["implementation"], ())
    index.add(
        Row(
            operation=operation,
            workload=workload,
            implementation=row["implementation"],
            environment=row["environment"],
            projects=submitted,
            dtypes=_case_dtypes(index, workload, operation),
            evidence=EvidenceLevel(row["evidence"] or EvidenceLevel.REPORTED),
            source=row["source"],
            runs=row["runs"],
        )
    )


def _close(index: SearchIndex) -> None:
    """What follows from all of it."""
    index.vocabulary = Vocabulary(word for found in index.found.values() for word in found.words)
    for found in index.found.values():
        for facet in found.facets:
            index.by_facet.setdefault(facet, []).append(found)
    places, codes = index.places.values(), index.codes.values()
    index.known = Known(
        dtypes=frozenset(dtype for row in index.rows for dtype in row.dtypes),
        products=_set(place.product for place in places),
        architectures=_set(place.architecture for place in places),
        languages=_set(code.language for code in codes),
        sources=_set(row.source for row in index.rows),
    )


def _set(values: Iterable[str | None]) -> frozenset[str]:
    return frozenset(value for value in values if value is not None)
