"""Files that commands write: there whole or, when something fails, as they were before."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Annotated, cast

import typer

Out = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        dir_okay=False,
        metavar="FILE",
        help="Where to [default: stdout]; .zst and .gz compress.",
    ),
]
"""Where a command writes its text: see text_sink."""


@contextmanager
def replaced(out: Path) -> Iterator[Path]:
    """A path to write to that takes the place of ``out`` at the end; a device or pipe is written to itself.

    Whether ``out`` can be written is told at once. An OSError about it names ``out``, as the user gave it.
    """
    if out.exists() and not out.is_file():
        yield out
        return
    partial = out.with_name(f".catalog-{os.getpid()}.part")
    try:
        partial.touch()
        yield partial
        partial.replace(out)
    except OSError as error:
        if error.filename != str(partial):
            raise
        raise OSError(error.errno, error.strerror, str(out)) from error
    finally:
        with suppress(OSError):
            partial.unlink()


@contextmanager
def text_sink(out: Path | None) -> Iterator[IO[str]]:
    """A stream of UTF-8 text that takes the place of ``out``, compressed by its suffix; None is stdout."""
    if out is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr] # a text file
        yield sys.stdout
        return
    with replaced(out) as path, _compressor(path, out.suffix) as sink:
        yield sink


def _compressor(path: Path, suffix: str) -> IO[str]:
    if suffix == ".gz":
        return cast(IO[str], gzip.open(path, "wt", encoding="utf-8", newline="\n"))
    if suffix == ".zst":
        import zstandard

        return cast(IO[str], zstandard.open(path, "wt", encoding="utf-8", newline="\n"))
    return path.open("w", encoding="utf-8", newline="\n")
