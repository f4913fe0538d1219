"""Tables as they are printed and as they stand in a page, between two markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table as Printed

BEGIN: Final = "<!-- measured: begin -->"
END: Final = "<!-- measured: end -->"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts; the columns in ``left`` are names, all others figures."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[str] = ("",)

    def printed(self) -> Printed:
        """For a terminal."""
        made = Printed(
            title=self.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, show_edge=False
        )
        for heading in self.headings:
            made.add_column(heading, justify="left" if heading in self.left else "right", no_wrap=True)
        for row in self.rows:
            made.add_row(*row)
        return made

    def markdown(self) -> Iterator[str]:
        """For a page."""
        yield from ("", f"**{self.title[:1].upper()}{self.title[1:]}**", "", _line(self.headings))
        yield _line("---" if heading in self.left else "---:" for heading in self.headings)
        yield from map(_line, self.rows)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def check(page: Path) -> None:
    """Raises SystemExit for a page without the markers, before anything is measured."""
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise SystemExit(f"--markdown: {page}: {error.strerror}") from error
    if not 0 <= text.find(BEGIN) < text.find(END):
        raise SystemExit(f"--markdown: {page} must have the lines {BEGIN} and {END}")


def write(page: Path, lines: Iterable[str]) -> None:
    """Put these lines in place of what is between the markers."""
    text = page.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    page.write_text("\n".join((before + BEGIN, "", *lines, "", after)), encoding="utf-8")
