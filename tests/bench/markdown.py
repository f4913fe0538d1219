"""Writes what was measured into a page, between two markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.bench.measured import Measured
from tests.bench.measuring import HEADINGS

BEGIN: Final = "<!-- measured: begin -->"
END: Final = "<!-- measured: end -->"


def check(page: Path) -> None:
    """Raises SystemExit for a page without the markers, before anything is measured."""
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise SystemExit(f"--markdown: {page}: {error.strerror}") from error
    if not 0 <= text.find(BEGIN) < text.find(END):
        raise SystemExit(f"--markdown: {page} must have the lines {BEGIN} and {END}")


def write(
    page: Path, engines: Iterable[Measured], file: str, where: Mapping[str, Any], *, quick: bool
) -> None:
    """Put tables in place of what is between the markers."""
    text = page.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    lines = (*_setting(file, where, quick=quick), *(line for each in engines for line in _tables(each)))
    page.write_text("\n".join((before + BEGIN, "", *lines, "", after)), encoding="utf-8")


def _setting(file: str, where: Mapping[str, Any], *, quick: bool) -> Iterator[str]:
    yield f"- Data: `{file}`{', a quick run with few samples' if quick else ''}"
    yield f"- Commit: {where['commit'] or 'unknown'}"
    processors = f"{where['processors']} × {where['processor']}, {where['memoryMB'] / 1000:.0f} GB"
    yield f"- Machine: {processors}, {where['system']}; load before {where['load']:.1f}"
    yield f"- Python {where['python']}, neo4j driver {where['driver']}"


def _tables(measured: Measured) -> Iterator[str]:
    yield from ("", f"### {measured.engine}: {measured.version}")
    section = None
    for line in measured.lines:
        if line.section != section:
            section = line.section
            yield from _head(section, HEADINGS, left=("", "against"))
        yield _row(line.cells())


def _head(title: str, headings: Sequence[str], left: Sequence[str]) -> Iterator[str]:
    yield from ("", f"**{title[:1].upper()}{title[1:]}**", "", _row(headings))
    yield _row("---" if heading in left else "---:" for heading in headings)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
