"""What a source hands to the pipeline: one outcome per row read.

A *row* is the unit that a source counts: a CSV data row, a line of JSONL, a document of a manifest
file. It brings manifests and catalog facts (:class:`Row`), or it was read correctly but lies outside
what the source's facts cover (:class:`Skipped`), or it is faulty (:class:`Rejected`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from catalog.domain.errors import Fault
from catalog.domain.facts import Statement
from catalog.domain.manifests import Manifest


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: the file, and its 1-based row (CSV data row, JSONL line, document)."""

    file: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row that was read: what it states."""

    place: Place
    manifests: tuple[Manifest, ...] = ()
    statements: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row outside what the source's facts cover; ``reason`` is a counter's name."""

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A faulty row, with every fault found in it. ``reason`` is a counter's name."""

    place: Place
    reason: str
    faults: tuple[Fault, ...]


Outcome = Row | Skipped | Rejected


class Source(Protocol):
    """A kind of evidence file. ``read`` streams; it holds no more of the file than the format needs."""

    name: str

    def detects(self, path: Path, head: bytes) -> bool:
        """Whether the first bytes of the (decompressed) file are of this source."""

    def read(self, path: Path, stream: IO[bytes]) -> Iterator[Outcome]:
        """The outcomes of the file, in file order. ``path`` is for messages and places only."""
