"""What one batch writes, and the statements that write it: nodes first, then relationships.

A plan is plain data, made by whoever decides (catalog/ingest); the statements are derived from the
schema tables, so neither a label nor a relationship type can come from anywhere else. Values travel as
parameters, in chunks (why inside a map, state.py says).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from graph.names import ByKey
from graph.schema import NODES, RELATIONSHIPS
from graph.store import WriteTx

CHUNK_ROWS: Final = 4000
CHUNK_CHARS: Final = 4 * 2**20
"""A statement carries so many rows, or as many as hold so much text: engines bound the size of a message."""

_T = TypeVar("_T")


@dataclass(slots=True)
class WritePlan:
    """Nodes to bring and relationships to create, by the names of the schema tables.

    `new`: label -> key -> properties of nodes that do not exist yet: they are created, not merged.
    `nodes`: label -> key -> properties to set; a property given as None is removed, one not given is left.
    `edges`: relationship name (`Run-MEASURES->Implementation`) -> (start key, end key); only those that do
    not exist yet: they are created, not merged. Both ends must exist or be in `new` or `nodes`.
    """

    new: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    nodes: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    edges: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def node(self, label: str, key: str, **properties: Any) -> None:
        """Set properties on the node with this key; it is created where there is none."""
        self.nodes.setdefault(label, {}).setdefault(key, {}).update(properties)

    def create(self, label: str, key: str, **properties: Any) -> None:
        """Create a node that does not exist yet."""
        self.new.setdefault(label, {})[key] = properties

    def edge(self, name: str, start: str, end: str) -> None:
        """Create a relationship that does not exist yet."""
        self.edges.setdefault(name, []).append((start, end))

    def __bool__(self) -> bool:
        return any(any(part.values()) for part in (self.new, self.nodes, self.edges))


def node_statement(label: str) -> ByKey:
    """The statement that merges rows {key, set} into the nodes of a label."""
    kind = NODES[label]
    return ByKey(f"UNWIND $input.rows AS row MERGE (n:{kind.label} {{{kind.key}: row.key}}) SET n += row.set")


def new_statement(label: str) -> ByKey:
    """The statement that creates nodes of a label from rows of their properties, key included."""
    return ByKey(f"UNWIND $input.rows AS row CREATE (n:{NODES[label].label}) SET n = row")


def edge_statement(name: str) -> ByKey:
    """The statement that creates relationships from rows {start, end} and counts them."""
    edge = RELATIONSHIPS[name]
    start, end = NODES[edge.start], NODES[edge.end]
    return ByKey(
        f"UNWIND $input.rows AS row "
        f"MATCH (a:{start.label} {{{start.key}: row.start}}) "
        f"MATCH (b:{end.label} {{{end.key}: row.end}}) "
        f"CREATE (a)-[:{edge.type}]->(b) RETURN count(*) AS created"
    )


NEW_STATEMENTS: Final = {label: new_statement(label) for label in NODES}
NODE_STATEMENTS: Final = {label: node_statement(label) for label in NODES}
EDGE_STATEMENTS: Final = {name: edge_statement(name) for name in RELATIONSHIPS}


async def apply(tx: WriteTx, plan: WritePlan) -> None:
    """Write a plan inside the caller's transaction.

    Raises KeyError for a label or relationship that the schema does not have, and LookupError when an end
    of a relationship is missing: then nothing of the transaction is kept.
    """
    for label, nodes in plan.new.items():
        statement, name = NEW_STATEMENTS[label], NODES[label].key
        for chunk in _chunks(nodes.items(), lambda node: _chars(node[1].values())):
            await tx.run(statement, input={"rows": [{name: key, **properties} for key, properties in chunk]})
    for label, nodes in plan.nodes.items():
        statement = NODE_STATEMENTS[label]
        for chunk in _chunks(nodes.items(), lambda node: _chars(node[1].values())):
            rows = [{"key": key, "set": properties} for key, properties in chunk]
            await tx.run(statement, input={"rows": rows})
    for name, edges in plan.edges.items():
        statement = EDGE_STATEMENTS[name]
        for pairs in _chunks(edges, lambda _: 0):
            rows = [{"start": start, "end": end} for start, end in pairs]
            [answer] = await tx.run(statement, input={"rows": rows})
            if missing := len(pairs) - answer["created"]:
                raise LookupError(f"{missing} relationship(s) {name} name a node that does not exist")


def _chunks(rows: Iterable[_T], weigh: Callable[[_T], int]) -> Iterator[list[_T]]:
    chunk: list[_T] = []
    weight = 0
    for row in rows:
        more = weigh(row)
        if chunk and (len(chunk) == CHUNK_ROWS or weight + more > CHUNK_CHARS):
            yield chunk
            chunk, weight = [], 0
        chunk.append(row)
        weight += more
    if chunk:
        yield chunk


def _chars(values: Iterable[Any]) -> int:
    """How much text a row carries, in itself or in its lists."""
    total = 0
    for value in values:
        kind = type(value)
        if kind is str:
            total += len(value)
        elif kind is list or kind is tuple:
            total += _chars(value)
    return total
