"""KernelIndex's public export: JSON Lines of ``{"table", "row"}``, 16 tables.

A row refers to rows before it by their ids, which mean nothing outside the file. Digests and keys that the
export states are computed again, and a row that disagrees is rejected. Tables that are derived from
manifests (measurements, record events) bring nothing and are only checked. Of a file no more is kept than
what its ids stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from catalog.domain.errors import Fault, InputError, ManifestError, quote
from catalog.domain.facts import Statement
from catalog.ingest.items import Outcome, Place, Row
from catalog.ingest.sources import jsonl
from catalog.ingest.sources import kernelindex_runs as runs
from catalog.ingest.sources import kernelindex_serving as serving
from catalog.ingest.sources import kernelindex_tables as tables
from catalog.ingest.sources.kernelindex_columns import (
    Brought,
    Columns,
    Known,
    KnownRun,
    Table,
    remember,
    unknown_reference,
)
from catalog.ingest.sources.rejection import RejectRow, rejected, unreadable

TABLES: Mapping[str, Table] = {
    "sources": tables.sources,
    "projects": tables.projects,
    "operations": tables.operations,
    "operation_aliases": tables.operation_aliases,
    "workloads": tables.workloads,
    "implementations": tables.implementations,
    "artifacts": tables.artifacts,
    "benchmark_runs": runs.benchmark_runs,
    "measurements": runs.run_measurements,
    "record_events": runs.record_events,
    "model_revisions": serving.model_revisions,
    "serving_stack_revisions": serving.serving_stack_revisions,
    "serving_configurations": serving.serving_configurations,
    "serving_workloads": serving.serving_workloads,
    "serving_runs": runs.serving_runs,
    "serving_measurements": runs.run_measurements,
}

_HEAD = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:table"\s*:\s*"|row"\s*:\s*\{)')


class KernelIndexSource:
    """The public export, ``.jsonl`` or ``.jsonl.zst``."""

    name = "kernelindex"

    def detects(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - content decides
        """A first line that is an object of ``table`` and ``row``."""
        return _HEAD.match(head) is not None

    def read(self, path: Path, stream: IO[bytes]) -> Iterator[Outcome]:
        """One outcome a line. A run that supersedes one further down follows after that one."""
        reader = _Reader(str(path))
        try:
            yield from reader.read(stream)
        except OSError as error:
            yield unreadable(str(path), reader.line + 1, error)
        yield from reader.rest()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A run whose row is held until the run it supersedes is known."""

    place: Place
    brought: Brought
    run: KnownRun


class _Reader:
    def __init__(self, file: str) -> None:
        self.line = 0
        self._file = file
        self._known = Known()
        self._waiting: dict[str, list[_Waiting]] = {}

    def read(self, stream: IO[bytes]) -> Iterator[Outcome]:
        for line in jsonl.objects(stream):
            self.line = line.number
            place = Place(self._file, line.number)
            if isinstance(line.value, RejectRow):
                yield rejected(place, line.value, line.number)
            else:
                yield from self._row(place, line.value)

    def rest(self) -> Iterator[Outcome]:
        """The runs that supersede one that never came."""
        for key, held in self._waiting.items():
            for waiting in held:
                error = unknown_reference("supersedesId", key)
                yield rejected(waiting.place, error, waiting.place.row)

    def _row(self, place: Place, value: dict[str, Any]) -> Iterator[Outcome]:
        try:
            table, columns = _table(value)
            brought = table(self._known, columns)
            if brought.run is None:
                yield Row(place, brought.manifests, brought.statements)
                return
            remember(self._known.runs, columns, brought.run)
        except (RejectRow, ManifestError, InputError) as error:
            under = "/row" if isinstance(error, InputError) else "/row/manifest"
            yield rejected(place, error, place.row, under)
            return
        yield from self._run(place, columns.text("id"), brought, brought.run)

    def _run(self, place: Place, key: str, brought: Brought, run: KnownRun) -> Iterator[Outcome]:
        """The row of a run, unless it must wait; then the rows that waited for it."""
        target = brought.supersedes_id
        if target is None:
            yield Row(place, brought.manifests, brought.statements)
        else:
            waiting = _Waiting(place, brought, run)
            if target in self._known.runs:
                yield self._superseding(waiting, target)
            else:
                self._waiting.setdefault(target, []).append(waiting)
        for waiting in self._waiting.pop(key, ()):
            yield self._superseding(waiting, key)

    def _superseding(self, waiting: _Waiting, target: str) -> Outcome:
        run, superseded = waiting.run, self._known.runs[target]
        if superseded.kind != run.kind or superseded.digest == run.digest:
            fault = Fault(
                "invalid_column", "/row/supersedesId", "supersedesId must be another run of its kind"
            )
            return rejected(waiting.place, RejectRow("invalid_row", fault), waiting.place.row)
        statement = Statement(run.kind, run.digest, "supersedes", superseded.digest, run.source)
        return Row(waiting.place, waiting.brought.manifests, (*waiting.brought.statements, statement))


def _table(line: dict[str, Any]) -> tuple[Table, Columns]:
    if line.keys() != {"table", "row"} or not isinstance(line["row"], dict):
        message = "a line must be an object of table and row, and the row an object"
        raise RejectRow("invalid_row", Fault("invalid_row", "", message, quote(list(line))))
    name = line["table"]
    if not isinstance(name, str) or name not in TABLES:
        message = f"the tables of the export are {', '.join(TABLES)}"
        raise RejectRow("unknown_table", Fault("unknown_table", "/table", message, quote(name)))
    return TABLES[name], Columns(line["row"])
