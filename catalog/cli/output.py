"""What commands print: tables and sentences for people, JSON for programs, progress on a terminal.

Answers go to stdout, all else to stderr. Nothing that came out of a file reaches the terminal as a control
sequence or as markup.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from catalog.cli.exits import one_line
from catalog.domain.errors import quote

if TYPE_CHECKING:
    from catalog.ingest.pipeline import Progress as ImportProgress
    from catalog.ingest.report import FileCounts

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]

PIPE_WIDTH: Final = 200
"""Columns of a table that goes into a file or a pipe."""

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_UNITS: Final = (("s", 10**9), ("ms", 10**6), ("µs", 10**3))


def console(*, stderr: bool = False) -> Console:
    """A console that prints text as it is."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)


def whole_number(text: str) -> int:
    """The parser of options that are numbers; the library's own message would not quote the value."""
    try:
        return int(text)
    except ValueError as error:
        raise typer.BadParameter(f"must be a whole number, not {quote(text)}") from error


def whole_text(text: str) -> str:
    """The parser of arguments that go to the database: bytes that are no UTF-8 are no name there."""
    if _LONE_SURROGATE.search(text):
        raise typer.BadParameter(f"must be text in UTF-8, not {quote(text)}")
    return text


def say(text: str) -> None:
    """A line on stderr."""
    print(one_line(text), file=sys.stderr)


def print_json(value: Any) -> None:
    """A JSON document on stdout."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json_bytes(value))
    sys.stdout.flush()


def json_bytes(value: Any) -> bytes:
    """A JSON document in UTF-8; U+FFFD for each byte of a file name that is none."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return _LONE_SURROGATE.sub("\ufffd", text).encode()


def table(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]]) -> Table:
    """A table of texts; ``columns`` are (heading, justification); without a head when all are empty."""
    headed = any(heading for heading, _ in columns)
    made = Table(box=SIMPLE_HEAD if headed else None, show_header=headed, pad_edge=False, show_edge=False)
    for heading, justify in columns:
        made.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type] # a literal
    for row in rows:
        made.add_row(*(one_line(str(cell)) for cell in row))
    return made


def exact(value: int | float, unit: str) -> str:
    """All digits of a measured value, with its unit: 9,110,560 ns."""
    number = int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
    return f"{number:,} {unit}" if isinstance(number, int) else f"{number!r} {unit}"


def humane(value: int | float, unit: str) -> str:
    """A measured value in four digits: 9.111 ms; nanoseconds in the unit that fits, others as they are."""
    if unit == "ns":
        unit, scale = next(((name, size) for name, size in _UNITS if abs(value) >= size), ("ns", 1))
        value = value / scale
    digits = f"{value:#,.4g}".removesuffix(".") if abs(value) < 9_999.5 else f"{value:,.0f}"
    return f"{digits} {unit}"


class _ImportBars:
    """The progress of an import: one bar per file, by compressed bytes."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def start(self, path: Path, size: int) -> None:
        """A file begins."""
        self._finish()
        self._task = self._progress.add_task(one_line(path.name), total=max(size, 1), note="")

    def advance(self, read: int) -> None:
        """More of it was read."""
        if self._task is not None:
            self._progress.advance(self._task, read)

    def batch(self, counts: FileCounts) -> None:
        """More of it is in the graph."""
        if self._task is not None:
            self._progress.update(self._task, note=f"{counts.rows:,} rows")

    def _finish(self) -> None:
        if self._task is not None:  # keep the display short: finished files go
            self._progress.remove_task(self._task)


@contextmanager
def import_progress(*, wanted: bool = True) -> Iterator[ImportProgress | None]:
    """Progress bars of an import while the context lasts, on a terminal; else None."""
    with _bars(wanted) as progress:
        yield None if progress is None else _ImportBars(progress)


@contextmanager
def page_progress(*, wanted: bool = True) -> Iterator[Callable[[str, int, int], None] | None]:
    """A progress bar over the nodes of one label after another, on a terminal; else None."""
    with _bars(wanted) as progress:
        if progress is None:
            yield None
            return
        task = progress.add_task("", total=None, note="")

        def advance(label: str, done: int, total: int) -> None:
            progress.update(
                task, description=label, completed=done, total=total, note=f"{done:,} of {total:,}"
            )

        yield advance


@contextmanager
def _bars(wanted: bool) -> Iterator[Progress | None]:
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        yield progress
