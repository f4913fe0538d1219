"""What an import did, counted: per file, per kind of object, per reason (docs/import.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from catalog.domain.errors import Fault
from catalog.ingest.items import Place, Rejected

PROBLEMS_KEPT: Final = 1000
"""Faults listed one by one; those beyond are counted only (the report stays in bounded memory)."""


@dataclass(slots=True)
class FileCounts:
    """The rows of one file, each counted once."""

    path: str
    rows: int = 0
    accepted: int = 0
    unchanged: int = 0
    skipped: int = 0
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a rejected row, and where it stands."""

    file: str
    row: int | None
    line: int | None
    pointer: str
    reason: str
    value: str | None
    message: str

    def to_json(self) -> dict[str, Any]:
        """As in the report: ``line`` for a document, ``row`` for a table."""
        place = {"line": self.line} if self.line is not None else {"row": self.row}
        rest = {name: getattr(self, name) for name in ("pointer", "reason", "value", "message")}
        return {"file": self.file} | place | rest


@dataclass(slots=True)
class ObjectCounts:
    """Distinct objects of one kind that the files held: brought by this import, or there before."""

    new: int = 0
    unchanged: int = 0


@dataclass(slots=True)
class Report:
    """The outcome of one import (or of a check, or a dry run: then it is what would happen)."""

    sources: list[str] = field(default_factory=list)
    dry_run: bool = False
    files: list[FileCounts] = field(default_factory=list)
    objects: dict[str, ObjectCounts] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    problems_omitted: int = 0
    revision_before: int | None = None
    revision_after: int | None = None

    @property
    def failed(self) -> bool:
        """Whether anything was rejected."""
        return bool(self.rejected)

    def total(self, name: str) -> int:
        """A count summed over the files."""
        return sum(getattr(file, name) for file in self.files)

    def add_source(self, name: str) -> None:
        """A file was of this source."""
        if name not in self.sources:
            self.sources.append(name)

    def reject(self, rejected: Rejected) -> None:
        """Count a faulty row under its reason and list its faults."""
        self.rejected[rejected.reason] += 1
        for fault in rejected.faults:
            self._problem(rejected.place, fault)

    def _problem(self, place: Place, fault: Fault) -> None:
        if len(self.problems) >= PROBLEMS_KEPT:
            self.problems_omitted += 1
            return
        self.problems.append(
            Problem(
                place.file, place.row, fault.line, fault.pointer, fault.reason, fault.value, fault.message
            )
        )

    def to_json(self) -> dict[str, Any]:
        """The report as JSON, in the form that docs/import.md documents."""
        return {
            "source": ", ".join(self.sources) or None,
            "dryRun": self.dry_run,
            "files": [asdict(file) for file in self.files],
            "objects": {kind: asdict(self.objects[kind]) for kind in sorted(self.objects)},
            "skipped": dict(sorted(self.skipped.items())),
            "rejected": dict(sorted(self.rejected.items())),
            "problems": [problem.to_json() for problem in self.problems],
            "problemsOmitted": self.problems_omitted,
            "revision": {"before": self.revision_before, "after": self.revision_after},
        }


class Seen:
    """Distinct objects over a whole import: eight bytes each, whatever the size of the files.

    They are told apart by the first 64 bits of their digests: ten million objects have two alike in one of
    three hundred thousand imports.
    """

    def __init__(self) -> None:
        self._new: dict[str, _Numbers] = {}
        self._old: dict[str, _Numbers] = {}

    def note(self, kind: str, digests: Iterable[str], new: Iterable[str]) -> None:
        """Objects were in the files; ``new`` are those that the import brought with them."""
        brought = self._new.setdefault(kind, _Numbers())
        brought.add(_numbers(new))
        there = _numbers(digests)
        self._old.setdefault(kind, _Numbers()).add(there[~brought.has(there)])

    def counts(self) -> dict[str, ObjectCounts]:
        """New and unchanged objects by kind."""
        return {kind: ObjectCounts(len(new), len(self._old[kind])) for kind, new in self._new.items()}


class _Numbers:
    """A set of numbers, as sorted arrays of which each is at least twice as long as the next."""

    def __init__(self) -> None:
        self._parts: list[npt.NDArray[np.uint64]] = []

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def has(self, numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Which of them are in the set."""
        found = np.zeros(len(numbers), np.bool_)
        for part in self._parts:
            places = np.minimum(np.searchsorted(part, numbers), len(part) - 1)
            found |= part[places] == numbers
        return found

    def add(self, numbers: npt.NDArray[np.uint64]) -> None:
        """Put them in; those that are there already do not count twice."""
        added = np.unique(numbers)
        added = added[~self.has(added)]
        while self._parts and len(self._parts[-1]) < 2 * len(added):
            added = np.sort(np.concatenate((self._parts.pop(), added)), kind="stable")
        if len(added):
            self._parts.append(added)


def _numbers(digests: Iterable[str]) -> npt.NDArray[np.uint64]:
    return np.fromiter((int(digest[7:23], 16) for digest in digests), np.uint64)
