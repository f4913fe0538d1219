"""Facets: how many of a search's results have which value, in a row that meets the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from catalog.domain.search_tables import stored_dtype
from catalog.read.search_index import KINDS, SearchIndex
from catalog.read.search_results import Results
from catalog.read.search_rows import Column, Mask, Place

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

Values = tuple[str, ...]
"""What a facet says of one row."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One field with its values and counts: most first, then by value."""

    field: str
    values: tuple[tuple[str, int], ...]


def facets(index: SearchIndex, rows: Mask, results: Results) -> list[Facet]:
    """The facets of some results, by the rows that meet their search. A result counts once for each value."""
    wanted = np.zeros(len(index.objects), np.bool_)
    wanted[results.objects] = True
    wanted[results.named_objects] = True
    kinds = Counter(label for label, _ in results.named)
    for number, label in enumerate(KINDS):
        kinds[label] += int(np.count_nonzero(index.kinds[results.objects] == number))
    counted: dict[str, Mapping[str, int]] = {
        "kind": {KIND_NAMES.get(label, label): count for label, count in (+kinds).items()},
        **index.rows.counts(_columns(index), rows, wanted),
    }
    return [
        Facet(name, tuple(sorted(counted[name].items(), key=lambda pair: (-pair[1], pair[0]))))
        for name in FIELDS
        if counted[name]
    ]


_COLUMNS: Final[WeakKeyDictionary[SearchIndex, dict[str, Column[Values]]]] = WeakKeyDictionary()


def _columns(index: SearchIndex) -> dict[str, Column[Values]]:
    """Per field what is told of every row, made once for an index."""
    columns = _COLUMNS.get(index)
    if columns is None:
        rows = index.rows
        columns = _COLUMNS[index] = {
            "family": rows.operation.told(lambda digest: _family(index, digest)),
            "architecture": rows.place.told(_architecture),
            "product": rows.place.told(lambda place: _given(place.product if place else None)),
            "dtype": rows.dtypes.told(lambda dtypes: tuple({*map(stored_dtype, dtypes)})),
            "language": rows.code.told(lambda code: _given(code.language if code else None)),
            "evidence": rows.evidence.told(lambda level: _given(level.value if level else None)),
            "license": rows.code.told(lambda code: tuple(code.licences) if code else ()),
            "source": rows.source.told(_given),
        }
    return columns


def _given(value: str | None) -> Values:
    return () if value is None else (value,)


def _family(index: SearchIndex, operation: str | None) -> Values:
    facts = index.operations.get(operation or "")
    return () if facts is None else (facts.family,)


def _architecture(place: Place | None) -> Values:
    return () if place is None else (place.architecture or UNKNOWN,)
