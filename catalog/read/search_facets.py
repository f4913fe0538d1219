"""Facets: how many of a search's results have which value, in a row that meets the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from catalog.domain.search_tables import stored_dtype
from catalog.read.search_index import Node, Row, SearchIndex

FIELDS: Final = (
    *("kind", "family", "architecture", "product", "dtype", "language", "evidence", "license", "source"),
)
"""The facets, in the order in which they are shown."""

UNKNOWN: Final = "unknown"
"""Shown for environments that record no architecture."""

KIND_NAMES: Final = {
    "Operation": "OperationSpec",
    "Implementation": "ImplementationRevision",
    "Project": "SoftwareProject",
    "Workload": "BenchmarkWorkload",
    "Run": "BenchmarkRun",
    "Protocol": "BenchmarkProtocol",
    "Environment": "ExecutionEnvironment",
    "Artifact": "EvidenceArtifact",
    "Model": "ModelRevision",
    "ServingStack": "ServingStackRevision",
}
"""Label -> the name of the type in the schema, where it is another."""

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """One field with its values and counts: most first, then by value."""

    field: str
    values: tuple[tuple[str, int], ...]


def facets(index: SearchIndex, rows: Iterable[Row], results: Sequence[Node]) -> list[Facet]:
    """The facets of some results, by the rows that meet their search. A result counts once for each value."""
    wanted = set(results)
    having: dict[tuple[str, str], set[Node]] = {}
    for row in _unlike(rows):
        told = tuple(_values(index, row))
        for node in row.nodes():
            if node in wanted:
                for pair in told:
                    having.setdefault(pair, set()).add(node)
    for node in results:
        having.setdefault(("kind", KIND_NAMES.get(node[0], node[0])), set()).add(node)
    counted: dict[str, list[tuple[str, int]]] = {name: [] for name in FIELDS}
    for (name, value), nodes in having.items():
        counted[name].append((value, len(nodes)))
    return [
        Facet(name, tuple(sorted(values, key=lambda pair: (-pair[1], pair[0]))))
        for name, values in counted.items()
        if values
    ]


def _unlike(rows: Iterable[Row]) -> Iterator[Row]:
    """One of the rows that differ in their workload only, which no facet tells."""
    seen = set()
    for row in rows:
        parts = (row.operation, row.implementation, row.environment, row.projects, row.dtypes)
        told = (*parts, row.evidence, row.source)
        if told not in seen:
            seen.add(told)
            yield row


def _values(index: SearchIndex, row: Row) -> Iterator[tuple[str, str]]:
    if row.operation in index.operations:
        yield "family", index.operations[row.operation].family
    place = index.places.get(row.environment or "")
    if place is not None:
        yield "architecture", place.architecture or UNKNOWN
        if place.product is not None:
            yield "product", place.product
    for dtype in row.dtypes:
        yield "dtype", stored_dtype(dtype)
    code = index.codes.get(row.implementation or "")
    if code is not None:
        if code.language is not None:
            yield "language", code.language
        for licence in code.licences:
            yield "license", licence
    if row.evidence is not None:
        yield "evidence", row.evidence.value
    if row.source is not None:
        yield "source", row.source
