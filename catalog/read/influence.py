"""How much others rest on an implementation, or fell to it: PageRank over take-overs and derivation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import rustworkx as rx

from catalog.read.projection import Edge, Projection

DAMPING: Final = 0.85
_TOLERANCE: Final = 1e-12
_ROUNDS: Final = 10_000
_DIGITS: Final = 12
"""Scores are rounded before they are ordered, so that nodes alike in the graph are alike in rank."""


@dataclass(frozen=True, slots=True)
class Influence:
    """An implementation's score (all add up to 1) and what it comes from, counted in edges' weights."""

    digest: str
    rank: int
    score: float
    take_overs: int
    losses: int
    successors: int


def influence(graph: Projection) -> list[Influence]:
    """All implementations, most influential first, then by digest.

    A walker goes from an implementation to the one it follows, and from a beaten one to the one that took
    its record, once for each record it took. It stays where it is once for each record that was taken here
    and each revision that follows: else one defeat would count as much as twenty where there is only one
    rival. At nodes without any of these, and 15 times in 100, it starts anew.
    """
    votes: rx.PyDiGraph[str, float] = rx.PyDiGraph()
    places = dict(zip(graph.implementations, votes.add_nodes_from(list(graph.implementations)), strict=True))
    counted = [
        edge
        for edge in graph.edges
        if edge.relation in ("FOLLOWS", "BEAT") and edge.start[1] in places and edge.end[1] in places
    ]
    for edge in counted:
        voter, chosen = _vote(edge)
        votes.add_edge(places[voter], places[chosen], float(edge.weight))
        votes.add_edge(places[chosen], places[chosen], float(edge.weight))
    if not places:
        return []
    scores = rx.pagerank(votes, alpha=DAMPING, weight_fn=float, tol=_TOLERANCE, max_iter=_ROUNDS)
    tallies: dict[str, list[int]] = {digest: [0, 0, 0] for digest in places}
    for edge in counted:
        (_, start), (_, end) = edge.start, edge.end
        if edge.relation == "FOLLOWS":
            tallies[end][2] += edge.weight
        else:
            tallies[start][0] += edge.weight
            tallies[end][1] += edge.weight
    rounded = {digest: round(scores[place], _DIGITS) for digest, place in places.items()}
    ordered = sorted(rounded, key=lambda digest: (-rounded[digest], digest))
    rows: list[Influence] = []
    for digest in ordered:
        same = bool(rows) and rows[-1].score == rounded[digest]
        rank = rows[-1].rank if same else (rows[-1].rank + 1 if rows else 1)
        rows.append(Influence(digest, rank, rounded[digest], *tallies[digest]))
    return rows


def _vote(edge: Edge) -> tuple[str, str]:
    """(who votes, for whom)."""
    (_, start), (_, end) = edge.start, edge.end
    return (end, start) if edge.relation == "BEAT" else (start, end)
