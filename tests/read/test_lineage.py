"""Walks over small lineage graphs, the weighing of them, and their export; no database."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
import rustworkx as rx
from hypothesis import given
from hypothesis import strategies as st

from catalog.api.enums import LineageRelation
from catalog.read import lineage
from catalog.read.graphml import write_graphml
from catalog.read.influence import DAMPING, influence
from catalog.read.lineage import Direction, Subgraph
from catalog.read.projection import PROVENANCE, Edge, Implementation, Node, Projection, projection
from catalog.read.record_ledger import RecordLedger


def code(digest: str) -> Implementation:
    return Implementation(digest, f"name-{digest}", None, None, (), frozenset(), None)


def node(digest: str) -> Node:
    return ("Implementation", digest)


def graph(*edges: str, relation: str = "FOLLOWS") -> Projection:
    """Edges as `ab`: a follows b."""
    named = [Edge(node(edge[0]), node(edge[1]), relation) for edge in edges]
    return Projection([code(digest) for digest in sorted({*"".join(edges)})], named)


def told(found: Subgraph) -> tuple[str, list[str], bool]:
    """(nodes, edges, truncated) as short texts."""
    nodes = "".join(digest for _, digest in found.nodes)
    return nodes, sorted(edge.start[1] + edge.end[1] for edge in found.edges), found.truncated


DIAMOND = graph("ab", "ac", "bd", "cd", "de")
CIRCLE = graph("ab", "bc", "ca", relation="BEAT")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (lineage.ancestors(DIAMOND, node("a"), 0), ("a", [], True)),
        (lineage.ancestors(DIAMOND, node("a"), 1), ("abc", ["ab", "ac"], True)),
        (lineage.ancestors(DIAMOND, node("a"), 2), ("abcd", ["ab", "ac", "bd", "cd"], True)),
        (lineage.ancestors(DIAMOND, node("a"), 3), ("abcde", ["ab", "ac", "bd", "cd", "de"], False)),
        (lineage.ancestors(DIAMOND, node("a"), 99), ("abcde", ["ab", "ac", "bd", "cd", "de"], False)),
        (lineage.ancestors(DIAMOND, node("e"), 3), ("e", [], False)),
        (lineage.descendants(DIAMOND, node("d"), 3), ("dbca", ["ab", "ac", "bd", "cd"], False)),
        (lineage.descendants(DIAMOND, node("a"), 3), ("a", [], False)),
        (lineage.around(DIAMOND, node("d"), 1), ("dbce", ["bd", "cd", "de"], True)),
        (lineage.around(DIAMOND, node("z"), 3), ("z", [], False)),
        (lineage.around(CIRCLE, node("a"), 10, Direction.FORWARD), ("abc", ["ab", "bc", "ca"], False)),
        (lineage.around(CIRCLE, node("a"), 10, relations=frozenset({"FOLLOWS"})), ("a", [], False)),
        (lineage.ancestors(CIRCLE, node("a"), 3), ("a", [], False)),
        (lineage.between(DIAMOND, node("a"), node("d")), ("abcd", ["ab", "ac", "bd", "cd"], False)),
        (lineage.between(DIAMOND, node("e"), node("b")), ("edb", ["bd", "de"], False)),
        (lineage.between(DIAMOND, node("b"), node("c")), ("badc", ["ab", "ac", "bd", "cd"], False)),
        (lineage.between(DIAMOND, node("a"), node("a")), ("a", [], False)),
        (lineage.between(DIAMOND, node("a"), node("z")), ("", [], False)),
        (lineage.between(graph("ab", "cd"), node("a"), node("d")), ("", [], False)),
    ],
)
def test_walks(found: Subgraph, expected: tuple[str, list[str], bool]) -> None:
    assert told(found) == expected


def test_a_walk_is_bounded_and_says_so() -> None:
    hub = ("Operation", "o")
    names = [f"{n:04}" for n in range(lineage.MAXIMUM_NODES)]
    wide = Projection([code(name) for name in names], [Edge(node(name), hub, "IMPLEMENTS") for name in names])
    found = lineage.around(wide, hub, 3)
    assert len(found.nodes) == lineage.MAXIMUM_NODES
    assert found.nodes == (hub, *(node(name) for name in names[:-1]))
    assert found.truncated
    assert lineage.around(wide, node("0003"), 1) == Subgraph(
        (node("0003"), hub), (Edge(node("0003"), hub, "IMPLEMENTS"),), True
    )


def test_a_bundle_of_ways_that_is_too_wide_keeps_whole_ones() -> None:
    middle = [f"m{n:04}" for n in range(2 * lineage.MAXIMUM_NODES)]
    edges = [
        edge for m in middle for edge in (Edge(node("a"), node(m), "BEAT"), Edge(node(m), node("z"), "BEAT"))
    ]
    found = lineage.between(Projection([code(m) for m in ("a", "z", *middle)], edges), node("a"), node("z"))
    assert found.truncated
    assert len(found.nodes) <= lineage.MAXIMUM_NODES
    ends = Counter(end for edge in found.edges for end in (edge.start, edge.end))
    assert ends[node("a")] == ends[node("z")] == len(found.nodes) - 2
    assert all(ends[inner] == 2 for inner in found.nodes[1:-1])


PAIRS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(lambda pair: pair[0] != pair[1]),
    min_size=1,
    unique=True,
)


@given(PAIRS, st.integers(0, 4))
def test_a_walk_finds_what_a_plain_search_finds(pairs: list[tuple[str, str]], depth: int) -> None:
    start = pairs[0][0]
    found, _, truncated = told(lineage.ancestors(graph(*map("".join, pairs)), node(start), depth))
    reached, edge_of_it = {start}, {start}
    for _ in range(depth):
        edge_of_it = {b for a, b in pairs if a in edge_of_it} - reached
        reached |= edge_of_it
    assert set(found) == reached
    assert truncated == any(a in reached and b not in reached for a, b in pairs)


@given(PAIRS, st.lists(st.integers(1, 5), min_size=30, max_size=30))
def test_influence_is_pagerank(pairs: list[tuple[str, str]], weights: list[int]) -> None:
    edges = [
        Edge(node(a), node(b), "BEAT" if weight > 1 else "FOLLOWS", weight)
        for (a, b), weight in zip(pairs, weights, strict=False)
    ]
    names = sorted({*"".join(map("".join, pairs))})
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for edge in edges:
        a, b = (edge.end[1], edge.start[1]) if edge.relation == "BEAT" else (edge.start[1], edge.end[1])
        votes[a][b] += edge.weight
        votes[b][b] += edge.weight
    score = dict.fromkeys(names, 1 / len(names))
    for _ in range(300):
        spread = sum(score[name] for name in names if not votes[name]) / len(names)
        score = {
            name: (1 - DAMPING) / len(names)
            + DAMPING * spread
            + DAMPING * sum(score[a] * to[name] / to.total() for a, to in votes.items() if name in to)
            for name in names
        }
    found = influence(Projection(map(code, names), edges))
    assert {row.digest: row.score for row in found} == pytest.approx(score, abs=1e-9)
    assert [row.rank for row in found] == sorted(row.rank for row in found)
    assert sum(row.take_overs for row in found) == sum(e.weight for e in edges if e.relation == "BEAT")


def test_those_alike_share_a_rank() -> None:
    rows = influence(graph("ab", "cd"))
    assert [(row.digest, row.rank, row.successors) for row in rows] == [
        ("b", 1, 1),
        ("d", 1, 1),
        ("a", 2, 0),
        ("c", 2, 0),
    ]
    assert influence(Projection([], [])) == []


def test_operations_relate_and_runs_supersede() -> None:
    parts = [
        {"what": "relation", "row": {"digest": "o", "other": "p", "relation": "derived_from"}},
        {"what": "relation", "row": {"digest": "p", "other": "o", "relation": "supersedes"}},
        {
            "what": "supersession",
            "row": {
                "digest": "new",
                "superseded": "old",
                "implementation": "i",
                "supersededImplementation": None,
            },
        },
    ]
    made = projection(parts, RecordLedger((), {}))
    assert {(edge.start, edge.relation, edge.end, edge.provenance) for edge in made.edges} == {
        (("Operation", "o"), "DERIVED_FROM", ("Operation", "p"), "reviewed-relation"),
        (("Operation", "p"), "SUPERSEDES_OPERATION", ("Operation", "o"), "reviewed-relation"),
        (("Run", "new"), "SUPERSEDES", ("Run", "old"), "catalog-fact"),
        (("Run", "new"), "MEASURES", ("Implementation", "i"), "manifest"),
    }


def test_the_schema_names_every_relation() -> None:
    assert [member.value for member in LineageRelation] == list(PROVENANCE)


def test_graphml_is_read_back(tmp_path: Path) -> None:
    odd = Implementation("i", 'a <"&\x00> b', None, None, ("é",), frozenset(), None)
    made = Projection(
        [odd, code("j")],
        [Edge(node("i"), ("Project", "é"), "REVISION_OF"), Edge(node("i"), node("j"), "BEAT", 3)],
    )
    write_graphml(made, tmp_path / "a.graphml")
    write_graphml(made, tmp_path / "b.graphml")
    assert (tmp_path / "a.graphml").read_bytes() == (tmp_path / "b.graphml").read_bytes()
    [read] = rx.read_graphml(str(tmp_path / "a.graphml"))
    assert [(n["kind"], n["key"], n["name"]) for n in read.nodes()] == [
        ("Implementation", "i", 'a <"&\ufffd> b'),
        ("Implementation", "j", "name-j"),
        ("Project", "é", None),
    ]
    assert sorted((a, b, e["relation"], e["weight"]) for a, b, e in read.weighted_edge_list()) == [
        (0, 1, "BEAT", 3),
        (0, 2, "REVISION_OF", 1),
    ]
    text = (tmp_path / "a.graphml").read_text()
    ids = [part.split('"')[0] for part in text.split('<key id="')[1:]]
    assert len(set(ids)) == len(ids) == 6
