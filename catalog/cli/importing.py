"""``catalog import`` and ``catalog check``: files in, one report out."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from catalog.cli import exits, files, output, places

if TYPE_CHECKING:
    from catalog.ingest.report import FileCounts, Problem, Report

PROBLEMS_SHOWN: Final = 20
FILES_SHOWN: Final = 30

Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH...",
        help="Files, plain or compressed (.zst, .gz), and folders of them.",
        show_default=False,
    ),
]
SourceName = Annotated[
    str | None,
    typer.Option(
        "--source",
        parser=output.whole_text,
        metavar="NAME",
        help="The source of all files [default: told by their content].",
    ),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", dir_okay=False, metavar="FILE", help="Write the whole report there, as JSON."),
]


def import_(
    paths: Paths,
    source: SourceName = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what the import would change, and change nothing.")
    ] = False,
    report: ReportFile = None,
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Import evidence: faulty rows are rejected, all others go in; importing again changes nothing."""
    _check_some_exist(paths)
    with _report_file(report) as file:
        return _finish(asyncio.run(_imported(paths, source, dry_run, data_dir)), file, as_json)


async def _imported(paths: list[Path], source: str | None, dry_run: bool, data_dir: Path | None) -> Report:
    from catalog.ingest.pipeline import import_paths

    async with places.opened(places.for_writing(data_dir)) as store:
        with output.import_progress() as progress:
            return await import_paths(store, paths, source=source, dry_run=dry_run, progress=progress)


def check(
    paths: Paths, source: SourceName = None, report: ReportFile = None, as_json: output.Json = False
) -> int:
    """Validate files as an import would, without a database."""
    from catalog.ingest.pipeline import check_paths

    _check_some_exist(paths)
    with _report_file(report) as file:
        with output.import_progress() as progress:
            checked = check_paths(paths, source=source, progress=progress)
        return _finish(checked, file, as_json, checked_only=True)


def _check_some_exist(paths: Sequence[Path]) -> None:
    """One path of several that is not there is a rejection in the report; none at all is wrong usage."""
    if not any(os.path.lexists(path) for path in paths):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(paths[0]))


def _report_file(path: Path | None) -> AbstractContextManager[Path | None]:
    """Where to write the report, once it is certain that it can be written."""
    return nullcontext() if path is None else files.replaced(path)


def _finish(report: Report, file: Path | None, as_json: bool, *, checked_only: bool = False) -> int:
    if file is not None:
        file.write_bytes(output.json_bytes(report.to_json()))
    if as_json:
        output.print_json(report.to_json())
    else:
        print_report(report, checked_only=checked_only)
    return exits.REJECTED if report.failed else exits.DONE


def print_report(report: Report, *, checked_only: bool = False) -> None:
    """The report for people: counts on stdout, faults on stderr."""
    for problem in report.problems[:PROBLEMS_SHOWN]:
        output.say(describe(problem))
    hidden = len(report.problems) - PROBLEMS_SHOWN + report.problems_omitted
    if hidden > 0:
        output.say(f"... and {hidden:,} more faults; --report FILE lists them")
    console = output.console()
    columns = [("file", "left"), *((name, "right") for name in _COUNTS)]
    console.print(output.table(columns, _file_rows(report.files)))
    if report.objects and checked_only:
        rows = [(kind, f"{counts.new:,}") for kind, counts in sorted(report.objects.items())]
        console.print(output.table([("kind", "left"), ("valid", "right")], rows))
    elif report.objects:
        rows3 = [(k, f"{c.new:,}", f"{c.unchanged:,}") for k, c in sorted(report.objects.items())]
        console.print(output.table([("kind", "left"), ("new", "right"), ("unchanged", "right")], rows3))
    for what, reasons in (("skipped", report.skipped), ("rejected", report.rejected)):
        if reasons:
            rows = [(reason, f"{count:,}") for reason, count in sorted(reasons.items())]
            console.print(output.table([(f"{what} because", "left"), ("rows", "right")], rows))
    console.print(_summary(report, checked_only))


_COUNTS: Final = ("rows", "accepted", "unchanged", "skipped", "rejected")


def _file_rows(counted: list[FileCounts]) -> Iterable[list[str]]:
    shown = counted if len(counted) <= FILES_SHOWN else []
    for file in shown:
        yield [file.path, *(f"{getattr(file, name):,}" for name in _COUNTS)]
    if len(counted) != 1:
        totals = (sum(getattr(file, name) for file in counted) for name in _COUNTS)
        yield [f"{len(counted):,} files", *(f"{total:,}" for total in totals)]


def describe(problem: Problem) -> str:
    """One fault in one line: file:line: pointer: reason: what would be right, not what was found."""
    if problem.line is not None:
        where = f"{problem.file}:{problem.line}"
    elif problem.row is not None:
        where = f"{problem.file}: row {problem.row}"
    else:
        where = problem.file
    pointer = f" {problem.pointer}:" if problem.pointer else ""
    found = "" if problem.value is None else f", not {problem.value}"
    return f"{where}:{pointer} {problem.reason}: {problem.message}{found}"


def _summary(report: Report, checked_only: bool) -> str:
    if checked_only:
        return f"{report.total('rejected'):,} of {report.total('rows'):,} rows are faulty."
    before, after = report.revision_before, report.revision_after
    if report.dry_run:
        return f"Dry run: nothing was written; the revision is {after}."
    if before == after:
        return f"Nothing changed; the revision is {after}."
    return f"Revision {before} -> {after}."
