"""Import: stream -> validate -> digest -> plan -> batched write -> report (docs/import.md).

Each batch is one transaction that raises the catalog revision, or none at all when it brings nothing. A
batch is planned on plain reads first; inside the write transaction the plan stands if no other writer came
between (the revision tells), else it is made again there. So an import that was interrupted completes when
it is run again, one that is run twice writes nothing, and any number may run at the same time.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from catalog.domain.errors import Fault
from catalog.ingest import streams
from catalog.ingest.items import Outcome, Place, Rejected, Row, Skipped, Source
from catalog.ingest.planner import Planned, as_written, plan_batch, settle_names
from catalog.ingest.report import FileCounts, Report, Seen
from catalog.ingest.sources.table import SOURCES, detect, source_named
from catalog.ingest.working import Node, NodeId
from graph import Store, WriteTx, changes
from graph.plan import apply

BATCH_ROWS: Final = 1000
SLICE_ROWS: Final = 20

_EVIDENCE_NAME: Final = re.compile(r"\.(ya?ml|json|jsonl|csv)(\.(zst|gz))?$", re.IGNORECASE)
"""Names of the files that are taken up from a folder."""


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
    for found in streams.walk(paths):
        await importer.file(found, forced)
    report.objects = importer.seen.counts()
    report.revision_after = await store.revision()
    return report


def check_paths(
    paths: Sequence[Path], *, source: str | None = None, progress: Progress | None = None
) -> Report:
    """Read and validate files as an import would, without a graph: everything valid counts as accepted."""
    forced = source_named(source) if source else None
    reader, seen = _Reader(Report(), progress or _Silent()), Seen()
    for found in streams.walk(paths):
        file = reader.open(found, forced)
        while (rows := file.take()) is not None:
            file.counts.accepted += len(rows)
            for manifest in (m for row in rows for m in row.manifests):
                seen.note(manifest.kind, manifest.digest, is_new=True)
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
        batch = list(islice(self._outcomes, BATCH_ROWS))
        return self._sort_out(batch) if batch else None

    async def take_gently(self) -> list[Row] | None:
        """As :meth:`take`, in small slices: meanwhile the last batch is on its way to the graph.

        A thread would do worse: for each message from the database the event loop would wait until the
        thread gives up the interpreter.
        """
        batch: list[Outcome] = []
        while len(batch) < BATCH_ROWS and (part := list(islice(self._outcomes, SLICE_ROWS))):
            batch += part
            await asyncio.sleep(0)
        return self._sort_out(batch) if batch else None

    def _sort_out(self, batch: Sequence[Outcome]) -> list[Row]:
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


class _Importer:
    def __init__(self, store: Store, dry_run: bool, progress: Progress) -> None:
        self._store = store
        self._reader = _Reader(Report(dry_run=dry_run), progress)
        self._overlay: dict[NodeId, Node] | None = {} if dry_run else None
        self.seen = Seen()

    @property
    def report(self) -> Report:
        return self._reader.report

    async def file(self, found: streams.Found, forced: Source | None) -> None:
        """Import one file; while a batch is on its way to the graph, the next one is read."""
        file = self._reader.open(found, forced)
        pending = asyncio.create_task(file.take_gently())
        try:
            while (rows := await pending) is not None:
                pending = asyncio.create_task(file.take_gently())
                if rows:
                    self._count(rows, await self._commit(rows, file.importer), file.counts)
                self._reader.progress.batch(file.counts)
        finally:
            pending.cancel()

    async def _commit(self, rows: Sequence[Row], importer: str) -> Planned:
        planned = await plan_batch(rows, self._store.read, importer, self._overlay)
        if not planned.plan:
            return planned
        if self._overlay is not None:
            self._overlay.update(((node.label, node.key), as_written(node)) for node in planned.touched)
            return planned

        async def work(tx: WriteTx) -> Planned:
            current = planned
            if tx.previous != planned.base:
                current = await plan_batch(rows, tx.run, importer, revision=tx.revision)
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
        for row, changed in zip(rows, planned.changed, strict=True):
            counts.accepted += changed
            counts.unchanged += not changed
            for manifest in row.manifests:
                is_new = manifest.digest in planned.completed.get(manifest.kind, ())
                self.seen.note(manifest.kind, manifest.digest, is_new=is_new)
