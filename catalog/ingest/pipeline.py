"""Import: stream -> validate -> digest -> plan -> batched write -> report (docs/import.md).

Each batch is one transaction that raises the catalog revision, or none at all when it brings nothing. A
batch is planned on plain reads first; inside the write transaction the plan stands if no other writer came
between (the revision tells), else it is made again there. So an import that was interrupted completes when
it is run again, one that is run twice writes nothing, and any number may run at the same time.

Three batches are on their way at once: one is written, the next is planned as if that one were in the graph,
the one after is read.
"""

from __future__ import annotations

import asyncio
import gc
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from catalog.domain.errors import Fault
from catalog.ingest import streams
from catalog.ingest.gently import gently
from catalog.ingest.items import Outcome, Place, Rejected, Row, Skipped, Source
from catalog.ingest.planner import Planned, as_written, plan_batch, settle_names
from catalog.ingest.report import FileCounts, Report, Seen
from catalog.ingest.sources.table import SOURCES, detect, source_named
from catalog.ingest.working import Node, NodeId
from graph import Store, WriteTx, changes
from graph.plan import apply

BATCH_ROWS: Final = 5000
BATCH_CHARS: Final = 4 * 2**20
"""A batch has so many rows, or as many as bring so much text."""

_GC_THRESHOLD: Final = (30_000, 10, 10)

_EVIDENCE_NAME: Final = re.compile(r"\.(ya?ml|json|jsonl|csv)(\.(zst|gz))?$", re.IGNORECASE)
"""Names of the files that are taken up from a folder."""


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Rows live for a few batches and hold no cycles: looking for those took a fifth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(*_GC_THRESHOLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Progress(Protocol):
    """Told how an import goes on; a terminal draws it."""

    def start(self, path: Path, size: int) -> None:
        """A file of ``size`` (compressed) bytes begins."""

    def advance(self, read: int) -> None:
        """That many more bytes of it were read."""

    def batch(self, counts: FileCounts) -> None:
        """A batch of it is in the graph."""


class _Silent:
    def start(self, path: Path, size: int) -> None: ...

    def advance(self, read: int) -> None: ...

    def batch(self, counts: FileCounts) -> None: ...


async def import_paths(
    store: Store,
    paths: Sequence[Path],
    *,
    source: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Import files and folders into the graph; ``source`` None recognises each file by its content.

    Faulty rows are reported and the rest goes in. Raises InputError for an unknown source name, StoreError
    when the graph fails (what was written until then stays, and the same import completes it later).
    """
    forced = source_named(source) if source else None
    importer = _Importer(store, dry_run, progress or _Silent())
    report = importer.report
    report.revision_before = await store.revision()
    with _seldom_collected():
        try:
            for found in streams.walk(paths):
                await importer.file(found, forced)
            await importer.settle()
        finally:
            await importer.break_off()
    report.objects = importer.seen.counts()
    report.revision_after = await store.revision()
    return report


def check_paths(
    paths: Sequence[Path], *, source: str | None = None, progress: Progress | None = None
) -> Report:
    """Read and validate files as an import would, without a graph: everything valid counts as accepted."""
    forced = source_named(source) if source else None
    reader, seen = _Reader(Report(), progress or _Silent()), Seen()
    with _seldom_collected():
        for found in streams.walk(paths):
            file = reader.open(found, forced)
            while (rows := file.take()) is not None:
                file.counts.accepted += len(rows)
                for kind, digests in _objects(rows).items():
                    seen.note(kind, digests, digests)
                reader.progress.batch(file.counts)
    reader.report.objects = seen.counts()
    return reader.report


class _File:
    """One file on its way: its outcomes in batches, sorted out and counted."""

    def __init__(
        self, counts: FileCounts, importer: str, outcomes: Iterator[Outcome], report: Report
    ) -> None:
        self.counts = counts
        self.importer = importer
        self._outcomes = outcomes
        self._report = report

    def take(self) -> list[Row] | None:
        """The rows of the next batch that go on; None at the end. What is skipped or rejected is counted."""
        batch = _Taken()
        for outcome in self._outcomes:
            if batch.add(outcome):
                break
        return self._sort_out(batch.outcomes)

    async def take_gently(self) -> list[Row] | None:
        """As :meth:`take`, while other batches are on their way."""
        batch = _Taken()
        async for outcome in gently(self._outcomes):
            if batch.add(outcome):
                break
        return self._sort_out(batch.outcomes)

    def _sort_out(self, batch: Sequence[Outcome]) -> list[Row] | None:
        if not batch:
            return None
        rows = []
        self.counts.rows += len(batch)
        for outcome in batch:
            if isinstance(outcome, Row):
                rows.append(outcome)
            elif isinstance(outcome, Skipped):
                self.counts.skipped += 1
                self._report.skipped[outcome.reason] += 1
            else:
                self.counts.rejected += 1
                self._report.reject(outcome)
        return rows


class _Taken:
    """Outcomes until they are enough for a batch."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self._chars = 0

    def add(self, outcome: Outcome) -> bool:
        """Take one in; whether that is enough."""
        self.outcomes.append(outcome)
        if isinstance(outcome, Row):
            for manifest in outcome.manifests:
                self._chars += len(manifest.canonical)
        return len(self.outcomes) >= BATCH_ROWS or self._chars >= BATCH_CHARS


class _Reader:
    """Opens the files of one import or check, all counted in one report."""

    def __init__(self, report: Report, progress: Progress) -> None:
        self.report = report
        self.progress = progress

    def open(self, found: streams.Found, forced: Source | None) -> _File:
        """A file of any known source; one that is none, or cannot be read, gives one rejection.

        In a folder, where a README may lie beside data, its name decides whether it is looked at.
        """
        path = found.path
        counts = FileCounts(str(path))
        self.report.files.append(counts)
        if found.error is not None:
            return self._unreadable(counts, path, found.error)
        if not found.named and not _EVIDENCE_NAME.search(path.name):
            return _File(counts, "", iter([Skipped(Place(str(path)), "not_evidence")]), self.report)
        try:
            self.progress.start(path, path.stat().st_size)
            source = forced or detect(path, streams.head(path))
        except OSError as error:
            return self._unreadable(counts, path, error)
        if source is None:
            names = ", ".join(SOURCES)
            message = f"must be a file of a known source ({names})"
            rejected = _rejected(path, "unknown_format", message, path.name)
            return _File(counts, "", iter([rejected]), self.report)
        self.report.add_source(source.name)
        return _File(counts, source.name, self._read(path, source), self.report)

    def _read(self, path: Path, source: Source) -> Iterator[Outcome]:
        try:
            with streams.open_stream(path, self.progress.advance) as stream:
                yield from source.read(path, stream)
        except OSError as error:
            yield _rejected(path, "unreadable_file", str(error))

    def _unreadable(self, counts: FileCounts, path: Path, error: OSError) -> _File:
        rejected = _rejected(path, "unreadable_file", error.strerror or "cannot be read")
        return _File(counts, "", iter([rejected]), self.report)


def _rejected(path: Path, reason: str, message: str, value: str | None = None) -> Rejected:
    return Rejected(Place(str(path)), reason, (Fault(reason, "", message, value=value),))


@dataclass(frozen=True, slots=True)
class _Flight:
    """A batch on its way to the graph."""

    rows: Sequence[Row]
    counts: FileCounts
    planned: Planned
    written: asyncio.Task[Planned]
    """What was written in the end: ``planned``, or what it was planned again to be."""


class _Importer:
    def __init__(self, store: Store, dry_run: bool, progress: Progress) -> None:
        self._store = store
        self._reader = _Reader(Report(dry_run=dry_run), progress)
        self._dry = dry_run
        self._overlay: dict[NodeId, Node] = {}
        self._flight: _Flight | None = None
        self.seen = Seen()

    @property
    def report(self) -> Report:
        return self._reader.report

    async def file(self, found: streams.Found, forced: Source | None) -> None:
        """Import one file. Its last batch may still be on its way afterwards: see :meth:`settle`."""
        file = self._reader.open(found, forced)
        reading = asyncio.create_task(file.take_gently())
        try:
            while (rows := await reading) is not None:
                reading = asyncio.create_task(file.take_gently())
                if rows:
                    await self._batch(rows, file)
                else:
                    self._reader.progress.batch(file.counts)
        finally:
            reading.cancel()

    async def settle(self) -> bool:
        """Wait for the batch on its way and count it; whether it was written as it was planned."""
        flight, self._flight = self._flight, None
        if flight is None:
            return True
        try:
            written = await flight.written
        finally:
            flight.written.cancel()
        self._count(flight.rows, written, flight.counts)
        self._reader.progress.batch(flight.counts)
        return written is flight.planned

    async def break_off(self) -> None:
        """Nothing goes on in the background after an error."""
        if self._flight is not None:
            self._flight.written.cancel()
            await asyncio.wait([self._flight.written])

    async def _batch(self, rows: Sequence[Row], file: _File) -> None:
        """Plan a batch while the one before is written, then send it on its way."""
        planned = await self._plan_ahead(rows, file.importer)
        as_planned = await self.settle()
        if self._dry:
            self._overlay.update({place: as_written(node) for place, node in planned.touched.items()})
        elif planned.plan:
            revision = await self._store.revision()
            if not as_planned or revision != planned.base:  # another writer came between
                planned = await plan_batch(rows, self._store.read, file.importer, revision)
        write = self._write(planned, rows, file.importer)
        self._flight = _Flight(rows, file.counts, planned, asyncio.create_task(write))

    async def _plan_ahead(self, rows: Sequence[Row], importer: str) -> Planned:
        flight = self._flight
        if self._dry or flight is None:
            base = await self._store.revision()
            return await plan_batch(
                rows, self._store.read, importer, base, known=self._overlay, dry=self._dry
            )

        async def read_related(statement: str, **params: Any) -> list[dict[str, Any]]:
            await asyncio.wait([flight.written])
            return await self._store.read(statement, **params)

        before = flight.planned
        return await plan_batch(
            rows,
            self._store.read,
            importer,
            before.base + bool(before.plan),
            known=before.touched,
            read_related=read_related,
        )

    async def _write(self, planned: Planned, rows: Sequence[Row], importer: str) -> Planned:
        if self._dry or not planned.plan:
            return planned

        async def work(tx: WriteTx) -> Planned:
            current = planned
            if tx.previous != planned.base:
                current = await plan_batch(rows, tx.run, importer, tx.previous)
                if not current.plan:
                    tx.abandon(current)
            await apply(tx, current.plan)
            await apply(tx, await settle_names(tx.run, current.several_names))
            await changes.log(
                tx,
                runs=current.news.runs,
                records=current.news.records,
                objects={kind: len(digests) for kind, digests in sorted(current.completed.items())},
            )
            return current

        return await self._store.write(work)

    def _count(self, rows: Sequence[Row], planned: Planned, counts: FileCounts) -> None:
        accepted = sum(planned.changed)
        counts.accepted += accepted
        counts.unchanged += len(rows) - accepted
        for kind, digests in _objects(rows).items():
            self.seen.note(kind, digests, planned.completed.get(kind, ()))


def _objects(rows: Iterable[Row]) -> dict[str, set[str]]:
    """The digests of the manifests in rows, by kind."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for manifest in row.manifests:
            found[manifest.kind].add(manifest.digest)
    return found
