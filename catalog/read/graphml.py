"""The lineage graph as a GraphML file, for networkx, rustworkx, Gephi and the like."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import rustworkx as rx

from catalog.read.projection import Projection

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, even escaped."""

_UNTYPED: Final[Any] = rx
"""For what the library's stubs leave out."""

_KEYS: Final = (
    ("kind", _UNTYPED.GraphMLDomain.Node, _UNTYPED.GraphMLType.String),
    ("key", _UNTYPED.GraphMLDomain.Node, _UNTYPED.GraphMLType.String),
    ("name", _UNTYPED.GraphMLDomain.Node, _UNTYPED.GraphMLType.String),
    ("relation", _UNTYPED.GraphMLDomain.Edge, _UNTYPED.GraphMLType.String),
    ("provenance", _UNTYPED.GraphMLDomain.Edge, _UNTYPED.GraphMLType.String),
    ("weight", _UNTYPED.GraphMLDomain.Edge, _UNTYPED.GraphMLType.Int),
)
"""The attributes; their names serve as ids, since other readers want ids that are unique in the file."""


def write_graphml(graph: Projection, path: Path) -> None:
    """Write all nodes and edges, in the projection's order, so that one catalog gives one file.

    A node has `kind` (Implementation, Project, Operation, Artifact, Run), `key` (digest or slug) and `name`
    (an implementation's slug, else empty); an edge has `relation`, `provenance` and `weight`.
    """
    plain: rx.PyDiGraph[dict[str, Any], dict[str, Any]] = rx.PyDiGraph()
    plain.add_nodes_from(
        [
            {"kind": kind, "key": _text(key), "name": _text(_name(graph, kind, key))}
            for kind, key in graph.nodes
        ]
    )
    plain.add_edges_from(
        [
            (
                graph.places[edge.start],
                graph.places[edge.end],
                {"relation": edge.relation, "provenance": edge.provenance, "weight": edge.weight},
            )
            for edge in graph.edges
        ]
    )
    keys = [_UNTYPED.GraphMLKey(name, domain, name, type_, None) for name, domain, type_ in _KEYS]
    rx.digraph_write_graphml(plain, str(path), keys=keys)


def _name(graph: Projection, kind: str, key: str) -> str:
    known = graph.implementations.get(key) if kind == "Implementation" else None
    return (known.slug if known is not None else None) or ""


def _text(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
