"""The lineage graph of one revision in memory: small nodes and typed edges, for rustworkx to walk.

Nodes are implementations with what they hang on (projects, operations, source files) and the runs that
replace or are replaced by others. Source: docs/domain.md §7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import rustworkx as rx

from catalog.domain import lineage
from catalog.domain.lineage import Revision
from catalog.read.record_ledger import RecordLedger

MANIFEST: Final = "manifest"
CATALOG_FACT: Final = "catalog-fact"
REVIEWED: Final = "reviewed-relation"
RECORD_HISTORY: Final = "derived:record-history"

PROVENANCE: Final[dict[str, str]] = {
    "REVISION_OF": CATALOG_FACT,
    "IMPLEMENTS": MANIFEST,
    "HAS_SOURCE": MANIFEST,
    "FOLLOWS": lineage.FIRST_OBSERVATION,
    "BEAT": RECORD_HISTORY,
    "SUPERSEDES": CATALOG_FACT,
    "MEASURES": MANIFEST,
    "EXACTLY_EQUIVALENT": REVIEWED,
    "EQUIVALENT_UNDER_CONSTRAINTS": REVIEWED,
    "IMPLEMENTS_SUBSET": REVIEWED,
    "APPROXIMATELY_EQUIVALENT": REVIEWED,
    "DERIVED_FROM": REVIEWED,
    "SUPERSEDES_OPERATION": REVIEWED,
    "RELATES_TO": REVIEWED,
}
"""Relation -> where its edges come from. Edges read from start to end, as in `A FOLLOWS B`."""

_REVIEWED_NAMES: Final[dict[str, str]] = {"supersedes": "SUPERSEDES_OPERATION", "unknown": "RELATES_TO"}
"""Reviewed relations whose own name says too little here."""

DESCENT: Final = frozenset(
    {"REVISION_OF", "IMPLEMENTS", "HAS_SOURCE", "FOLLOWS", "DERIVED_FROM", "SUPERSEDES_OPERATION"}
)
"""Relations that lead from what is newer to what it comes from."""

Node = tuple[str, str]
"""(label, key)."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the projection. `weight` counts what it sums up: one, or the take-overs between the two."""

    start: Node
    end: Node
    relation: str
    weight: int = 1

    @property
    def provenance(self) -> str:
        """Where the edge comes from."""
        return PROVENANCE[self.relation]


@dataclass(frozen=True, slots=True)
class Implementation:
    """An implementation as far as lineage looks at it."""

    digest: str
    slug: str | None
    operation: str | None
    project: str | None
    projects: tuple[str, ...]
    architectures: frozenset[str]
    source: str | None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Implementation:
        return cls(
            row["digest"],
            row["slug"],
            row["operation"],
            row["project"],
            tuple(row["projects"] or ()),
            frozenset(row["architectures"] or ()),
            row["source"],
        )


class Projection:
    """The graph and views of it, made when first asked for."""

    def __init__(self, implementations: Iterable[Implementation], edges: Iterable[Edge]) -> None:
        self.implementations = {each.digest: each for each in sorted(implementations, key=_digest)}
        self.edges = sorted(edges, key=lambda edge: (edge.start, edge.relation, edge.end))
        ends = {node for edge in self.edges for node in (edge.start, edge.end)}
        self.nodes: list[Node] = sorted(ends | {("Implementation", key) for key in self.implementations})
        self.places = {node: place for place, node in enumerate(self.nodes)}
        self._view = lru_cache(maxsize=16)(self._make_view)

    def directed(self, relations: frozenset[str], *, backwards: bool = False) -> rx.PyDiGraph[Node, Edge]:
        """The graph with the edges of these relations only; node indices are places in `nodes`."""
        view = self._view(relations, backwards, False)
        assert isinstance(view, rx.PyDiGraph)
        return view

    def undirected(self, relations: frozenset[str]) -> rx.PyGraph[Node, Edge]:
        """The same without directions."""
        view = self._view(relations, False, True)
        assert isinstance(view, rx.PyGraph)
        return view

    def _make_view(
        self, relations: frozenset[str], backwards: bool, undirected: bool
    ) -> rx.PyDiGraph[Node, Edge] | rx.PyGraph[Node, Edge]:
        view: rx.PyDiGraph[Node, Edge] | rx.PyGraph[Node, Edge]
        view = rx.PyGraph() if undirected else rx.PyDiGraph()
        view.add_nodes_from(self.nodes)
        view.add_edges_from(
            [
                (self.places[b], self.places[a], edge)
                if backwards
                else (self.places[a], self.places[b], edge)
                for edge in self.edges
                if edge.relation in relations
                for a, b in [(edge.start, edge.end)]
            ]
        )
        return view


def projection(parts: Iterable[Mapping[str, Any]], ledger: RecordLedger) -> Projection:
    """The projection from the tagged rows of `graph.reads_lineage.PROJECTION` and the record ledger."""
    implementations: list[Implementation] = []
    edges: list[Edge] = []
    for part in parts:
        match part["what"]:
            case "implementation":
                implementations.append(Implementation.of(part["row"]))
            case "supersession":
                edges.extend(_supersession(part["row"]))
            case "relation":
                edges.append(_relation(part["row"]))
    for each in implementations:
        edges.extend(_stated(each))
    revisions = [_revision(each, ledger.first_observed) for each in implementations]
    edges += [
        Edge(("Implementation", later), ("Implementation", earlier), "FOLLOWS")
        for later, earlier in lineage.predecessors(revisions)
    ]
    edges += _take_overs(ledger)
    return Projection(implementations, dict.fromkeys(edges))


def _digest(each: Implementation) -> str:
    return each.digest


def _stated(each: Implementation) -> Iterator[Edge]:
    start = ("Implementation", each.digest)
    for project in each.projects:
        yield Edge(start, ("Project", project), "REVISION_OF")
    if each.operation is not None:
        yield Edge(start, ("Operation", each.operation), "IMPLEMENTS")
    if each.source is not None:
        yield Edge(start, ("Artifact", each.source), "HAS_SOURCE")


def _revision(each: Implementation, first_observed: Mapping[str, str]) -> Revision:
    return Revision(
        each.digest,
        each.project,
        each.operation,
        each.architectures,
        each.source,
        first_observed.get(each.digest),
    )


def _take_overs(ledger: RecordLedger) -> Iterator[Edge]:
    pairs = Counter(
        (entry.run.implementation, entry.previous.implementation)
        for entry in ledger.take_overs()
        if entry.run is not None and entry.previous is not None
    )
    for (winner, loser), times in pairs.items():
        yield Edge(("Implementation", winner), ("Implementation", loser), "BEAT", times)


def _supersession(row: Mapping[str, Any]) -> Iterator[Edge]:
    newer, older = ("Run", row["digest"]), ("Run", row["superseded"])
    yield Edge(newer, older, "SUPERSEDES")
    for run, code in ((newer, row["implementation"]), (older, row["supersededImplementation"])):
        if code is not None:
            yield Edge(run, ("Implementation", code), "MEASURES")


def _relation(row: Mapping[str, Any]) -> Edge:
    stated = str(row["relation"])
    name = _REVIEWED_NAMES.get(stated, stated.upper())
    return Edge(("Operation", row["digest"]), ("Operation", row["other"]), name)
