"""Statements that read the whole graph in pages, for verifying and exporting it.

A pattern starts at the node whose key is given: the embedded engine walks patterns as they are written, and
would go through every start node otherwise.
"""

from __future__ import annotations

from typing import Final

from graph.schema import NODES, RELATIONSHIPS


def _keys(label: str) -> str:
    key = NODES[label].key
    return f"MATCH (n:{label}) RETURN n.{key} AS key ORDER BY key"


KEYS: Final[dict[str, str]] = {label: _keys(label) for label in NODES}
"""Label -> the keys of all its nodes, bare ones too, in order."""


def _edges(name: str) -> str:
    edge = RELATIONSHIPS[name]
    start, end = NODES[edge.start], NODES[edge.end]
    return (
        f"UNWIND $keys AS key MATCH (a:{start.label} {{{start.key}: key}})-[:{edge.type}]->(b:{end.label}) "
        f"RETURN key AS start, b.{end.key} AS end"
    )


EDGES: Final[dict[str, str]] = {name: _edges(name) for name in RELATIONSHIPS}
"""Relationship name -> the relationships that leave the nodes with these keys."""


def _edges_into(name: str) -> str:
    edge = RELATIONSHIPS[name]
    start, end = NODES[edge.start], NODES[edge.end]
    return (
        f"UNWIND $keys AS key MATCH (b:{end.label} {{{end.key}: key}})<-[:{edge.type}]-(a:{start.label}) "
        f"RETURN a.{start.key} AS start, key AS end"
    )


EDGES_INTO: Final[dict[str, str]] = {name: _edges_into(name) for name in RELATIONSHIPS}
"""Relationship name -> the relationships that reach the nodes with these keys."""
