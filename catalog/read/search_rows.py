"""The rows of search as columns of numbers, so that a condition is told on all of them at once.

A row is one thing of the catalog with all that it hangs on (search_index.py). A *mask* has a truth value for
each row. A column holds every value that occurs once, and per row only its number: what is asked of a value
is asked as often as there are values, not rows. Source: docs/domain.md §8.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from catalog.domain.evidence import EvidenceLevel

Node = tuple[str, str]
"""Label and key."""

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

NOT_MET: Final = -1
"""In place of an object's evidence: no row of it meets."""

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Code:
    """What conditions look at of an implementation."""

    language: str | None
    licences: frozenset[str]
    permissive: bool
    public_source: bool
    installable: bool
    dtypes: frozenset[str]
    layouts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """What conditions look at of an environment; architecture None where none was recorded."""

    product: str | None
    architecture: str | None
    form_factor: str | None
    framework: str
    cuda: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """One thing with all that it hangs on; None for what it does not have, or what is not known of it."""

    operation: str | None = None
    workload: str | None = None
    implementation: str | None = None
    projects: tuple[str, ...] = ()
    code: Code | None = None
    place: Place | None = None
    dtypes: frozenset[str] = frozenset()
    evidence: EvidenceLevel | None = None
    source: str | None = None
    runs: int = 0

    def nodes(self) -> Iterator[Node]:
        """The objects that the row speaks for."""
        if self.operation is not None:
            yield "Operation", self.operation
        if self.implementation is not None:
            yield "Implementation", self.implementation
        for project in self.projects:
            yield "Project", project


class Column(Generic[T]):
    """One part of every row: the `values` that occur, and per row the number of its value."""

    def __init__(self, values: Sequence[T], numbers: Numbers) -> None:
        self.values = values
        self.numbers = numbers

    @classmethod
    def of(cls, parts: Iterable[T]) -> Column[T]:
        """The column of these parts, one for each row."""
        known: dict[T, int] = {}
        numbers = [known.setdefault(part, len(known)) for part in parts]
        return cls(list(known), np.array(numbers, np.int64))

    def where(self, test: Callable[[T], bool]) -> Mask:
        """The rows whose part passes the test."""
        passing = np.fromiter(map(test, self.values), np.bool_, len(self.values))
        mask: Mask = passing[self.numbers]
        return mask

    def among(self, wanted: Collection[T]) -> Mask:
        """The rows whose part is one of these."""
        return self.where(wanted.__contains__)

    def present(self, rows: Mask) -> list[T]:
        """The values that some rows have."""
        return [self.values[number] for number in np.unique(self.numbers[rows])]

    def totals(self, amounts: Numbers) -> Iterator[tuple[T, int]]:
        """For each value the sum of the amounts of the rows that have it."""
        sums = np.zeros(len(self.values), np.int64)
        np.add.at(sums, self.numbers, amounts)
        return zip(self.values, sums.tolist(), strict=True)

    def told(self, tell: Callable[[T], U]) -> Column[U]:
        """The column of what is told of each part."""
        told = Column.of(map(tell, self.values))
        return Column(told.values, told.numbers[self.numbers])


class Rows:
    """All rows of a revision. `objects` gives the number of each object that can be found.

    A *link* is a row and one object that it speaks for; their two numbers stand at the same place of
    `link_rows` and `link_objects`.
    """

    def __init__(self, rows: Sequence[Row], objects: Mapping[Node, int]) -> None:
        self.operation = Column.of(row.operation for row in rows)
        self.workload = Column.of(row.workload for row in rows)
        self.code = Column.of(row.code for row in rows)
        self.place = Column.of(row.place for row in rows)
        self.dtypes = Column.of(row.dtypes for row in rows)
        self.evidence = Column.of(row.evidence for row in rows)
        self.source = Column.of(row.source for row in rows)
        self.runs: Numbers = np.array([row.runs for row in rows], np.int64)
        self._levels: Numbers = np.array(
            [row.evidence.order if row.evidence else 0 for row in rows], np.int64
        )
        self._objects = len(objects)
        links = [
            (number, objects[node])
            for number, row in enumerate(rows)
            for node in row.nodes()
            if node in objects
        ]
        pairs = np.array(links, np.int64).reshape(-1, 2)
        self.link_rows: Numbers = pairs[:, 0].copy()
        self.link_objects: Numbers = pairs[:, 1].copy()

    def all(self) -> Mask:
        """Every row."""
        return np.ones(len(self.runs), np.bool_)

    def none(self) -> Mask:
        """No row."""
        return np.zeros(len(self.runs), np.bool_)

    def evidence_of_objects(self, rows: Mask) -> Numbers:
        """Per object the best evidence (its order) among these rows of it; NOT_MET where there is none."""
        links = rows[self.link_rows]
        best = np.full(self._objects, NOT_MET, np.int64)
        np.maximum.at(best, self.link_objects[links], self._levels[self.link_rows[links]])
        return best

    def counts(
        self, columns: Mapping[str, Column[tuple[str, ...]]], rows: Mask, objects: Mask
    ) -> dict[str, dict[str, int]]:
        """For each column how many of these objects have which of its values in one of these rows."""
        links = rows[self.link_rows] & objects[self.link_objects]
        places = np.cumsum(objects) - 1
        at, who = self.link_rows[links], places[self.link_objects[links]]
        total = int(np.count_nonzero(objects))
        return {name: _counts(column, at, who, total) for name, column in columns.items()}


def _counts(column: Column[tuple[str, ...]], at: Numbers, who: Numbers, objects: int) -> dict[str, int]:
    seen = np.zeros((len(column.values), objects), np.bool_)
    seen[column.numbers[at], who] = True
    having: dict[str, Mask] = {}
    for number in np.flatnonzero(seen.any(axis=1)).tolist():
        for value in column.values[number]:
            having[value] = having[value] | seen[number] if value in having else seen[number]
    return {value: int(np.count_nonzero(mask)) for value, mask in having.items()}
