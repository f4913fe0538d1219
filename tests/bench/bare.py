"""What imports are measured against: the same rows by the driver alone, without any of our machinery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from neo4j import AsyncDriver, AsyncManagedTransaction, RoutingControl

from graph import audit, reads
from graph.plan import CHUNK_CHARS, CHUNK_ROWS, EDGE_STATEMENTS, NEW_STATEMENTS
from graph.schema import LOCAL, NODES, RELATIONSHIPS

Row = dict[str, Any]


@dataclass(slots=True)
class Content:
    """All nodes and relationships as rows of the statements that write them."""

    nodes: dict[str, list[Row]] = field(default_factory=dict)
    edges: dict[str, list[Row]] = field(default_factory=dict)

    def counts(self) -> tuple[int, int]:
        """How many nodes and relationships."""
        return sum(map(len, self.nodes.values())), sum(map(len, self.edges.values()))


async def read_all(driver: AsyncDriver, database: str | None) -> Content:
    """Read the whole graph back, in pages."""
    content = Content()

    async def read(statement: str, **params: Any) -> list[Row]:
        found = await driver.execute_query(
            statement, params, database_=database, routing_=RoutingControl.READ
        )
        return [record.data() for record in found.records]

    for label in NODES:
        if label in LOCAL:
            continue
        keys = [row["key"] for row in await read(audit.KEYS[label])]
        rows = content.nodes[label] = []
        for page in _pages(keys):
            rows += [row["node"] for row in await read(reads.LOAD[label], keys=page)]
    for name, edge in RELATIONSHIPS.items():
        content.edges[name] = []
        for page in _pages([row[NODES[edge.start].key] for row in content.nodes[edge.start]]):
            content.edges[name] += await read(audit.EDGES[name], keys=page)
    return content


def batches(content: Content) -> list[tuple[str, list[Row]]]:
    """Statements with the rows they carry: nodes first, each as large as the catalog's own."""
    made: list[tuple[str, list[Row]]] = []
    for statement, rows in (
        *((NEW_STATEMENTS[label], rows) for label, rows in content.nodes.items()),
        *((EDGE_STATEMENTS[name], rows) for name, rows in content.edges.items()),
    ):
        made += [(statement, batch) for batch in _batches(rows)]
    return made


async def load(driver: AsyncDriver, database: str | None, work: Iterable[tuple[str, list[Row]]]) -> None:
    """Write batches as they are, each in one managed transaction."""

    async def unit(tx: AsyncManagedTransaction, statement: str, rows: list[Row]) -> None:
        await (await tx.run(statement, input={"rows": rows})).consume()

    async with driver.session(database=database) as session:
        for statement, rows in work:
            await session.execute_write(unit, statement, rows)


def _pages(keys: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(keys), CHUNK_ROWS):
        yield keys[start : start + CHUNK_ROWS]


def _batches(rows: list[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    size = 0
    for row in rows:
        more = len(str(row))
        if batch and (len(batch) == CHUNK_ROWS or size + more > CHUNK_CHARS):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += more
    if batch:
        yield batch
