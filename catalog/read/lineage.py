"""Walks over the lineage graph: what a node descends from, what came after it, how two nodes are joined.

Every walk is a breadth-first search, so cycles end it, and what it gives is a subgraph, so of several ways to
the same node all are kept. It is bounded; a walk that left anything out says so. Source: docs/domain.md §7.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

import rustworkx as rx

from catalog.read.projection import DESCENT, PROVENANCE, Edge, Node, Projection

MAXIMUM_NODES: Final = 500
MAXIMUM_EDGES: Final = 5_000

EVERYTHING: Final = frozenset(PROVENANCE)


class Direction(Enum):
    """Which way edges are walked."""

    FORWARD = "forward"
    BACKWARD = "backward"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Nodes, nearest first, and the edges between them; `truncated`: something reachable is missing."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool


NOTHING: Final = Subgraph((), (), False)


def around(
    graph: Projection,
    start: Node,
    depth: int,
    direction: Direction = Direction.EITHER,
    relations: frozenset[str] = EVERYTHING,
) -> Subgraph:
    """Everything at most `depth` steps from `start`, itself included.

    A node that is not in the projection has no edges: it is alone.
    """
    if start not in graph.places:
        return Subgraph((start,), (), False)
    layers = _layers(graph, start, direction, relations)
    nodes = [graph.nodes[place] for layer in layers[: depth + 1] for place in sorted(layer)]
    kept = nodes[:MAXIMUM_NODES]
    edges = _between(graph, kept, relations)
    truncated = len(layers) > depth + 1 or len(kept) < len(nodes) or len(edges) > MAXIMUM_EDGES
    return Subgraph(tuple(kept), tuple(edges[:MAXIMUM_EDGES]), truncated)


def ancestors(graph: Projection, start: Node, depth: int) -> Subgraph:
    """What a node descends from: its project, operation, source file, and the same of earlier revisions."""
    return around(graph, start, depth, Direction.FORWARD, DESCENT)


def descendants(graph: Projection, start: Node, depth: int) -> Subgraph:
    """What descends from a node: for an implementation the revisions after it."""
    return around(graph, start, depth, Direction.BACKWARD, DESCENT)


def between(graph: Projection, start: Node, end: Node, relations: frozenset[str] = EVERYTHING) -> Subgraph:
    """All shortest ways from one node to another, edges walked either way; nothing when there is none."""
    if start == end:
        return Subgraph((start,), (), False)
    if start not in graph.places or end not in graph.places:
        return NOTHING
    ahead = _distances(_layers(graph, start, Direction.EITHER, relations))
    back = _distances(_layers(graph, end, Direction.EITHER, relations))
    length = ahead.get(graph.places[end])
    if length is None:
        return NOTHING
    steps: list[list[int]] = [[] for _ in range(length + 1)]
    for place, distance in ahead.items():
        if distance + back.get(place, length + 1) == length:
            steps[distance].append(place)
    kept, truncated = _bounded(graph, steps, relations)
    distance_of = {graph.nodes[place]: distance for distance, step in enumerate(kept) for place in step}
    edges = [
        edge
        for edge in _between(graph, distance_of, relations)
        if abs(distance_of[edge.start] - distance_of[edge.end]) == 1
    ]
    truncated = truncated or len(edges) > MAXIMUM_EDGES
    return Subgraph(tuple(distance_of), tuple(edges[:MAXIMUM_EDGES]), truncated)


def with_run(run: Node, implementation: Node, rest: Subgraph) -> Subgraph:
    """The surroundings of an implementation, seen from one of its runs that is not in the projection."""
    nodes = (run, *rest.nodes[: MAXIMUM_NODES - 1])
    kept = set(nodes)
    edges = [edge for edge in rest.edges if edge.start in kept and edge.end in kept]
    edges = [Edge(run, implementation, "MEASURES"), *edges]
    truncated = rest.truncated or len(nodes) <= len(rest.nodes)
    return Subgraph(nodes, tuple(edges[:MAXIMUM_EDGES]), truncated or len(edges) > MAXIMUM_EDGES)


def _layers(
    graph: Projection, start: Node, direction: Direction, relations: frozenset[str]
) -> list[list[int]]:
    place = graph.places[start]
    if direction is Direction.EITHER:
        return rx.graph_bfs_layers(graph.undirected(relations), [place])
    backwards = direction is Direction.BACKWARD
    return rx.digraph_bfs_layers(graph.directed(relations, backwards=backwards), [place])


def _distances(layers: Iterable[Iterable[int]]) -> dict[int, int]:
    return {place: distance for distance, layer in enumerate(layers) for place in layer}


def _between(graph: Projection, nodes: Collection[Node], relations: frozenset[str]) -> list[Edge]:
    """The edges between these nodes, those of the nearest nodes first."""
    view, kept = graph.directed(relations), frozenset(nodes)
    return [
        edge
        for node in nodes
        for edge in sorted(
            (edge for _, _, edge in view.out_edges(graph.places[node]) if edge.end in kept),
            key=lambda edge: (edge.relation, edge.end),
        )
    ]


def _bounded(
    graph: Projection, steps: list[list[int]], relations: frozenset[str]
) -> tuple[list[list[int]], bool]:
    """The steps of the ways, each cut to its share of the bound, with one whole way in any case."""
    share = max(1, MAXIMUM_NODES // len(steps))
    if all(len(step) <= share for step in steps):
        return [sorted(step) for step in steps], False
    view, way = graph.undirected(relations), [steps[0][0]]
    for step in steps[1:]:
        way.append(min(frozenset(step).intersection(view.neighbors(way[-1]))))
    kept = []
    for chosen, step in zip(way, steps, strict=True):
        others = sorted(place for place in step if place != chosen)
        kept.append(sorted([chosen, *others[: share - 1]]))
    return kept, True
