"""`python -m tests.bench`: see --help."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from tests.bench import figures, report, run
from tests.bench.machine import machine
from tests.bench.places import ENGINES
from tests.bench.run import SECTIONS, Measured

EXPORT: Final = "kernelindex-catalog-*.jsonl*"
BUNDLED: Final = "data/liger/all_benchmark_data.csv"
WIDTH: Final = 170
"""Columns of the tables where the output is no terminal."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, then print."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.markdown:
        if options.only:
            parser.error("--markdown wants all sections")
        report.check(options.markdown)
    engines = list(ENGINES) if options.engine == "both" else [options.engine]
    where = machine()
    with as_file(files("catalog") / BUNDLED) as bundled, tempfile.TemporaryDirectory() as folder:
        file = _export(options.data) if options.data else bundled
        setup = run.Setup(file, Path(folder), options.only or tuple(SECTIONS), quick=options.quick)
        measured = [asyncio.run(run.measured(engine, setup)) for engine in engines]
    if options.markdown:
        report.write(
            options.markdown, _page(options.markdown, measured, file.name, where, quick=options.quick)
        )
    if options.json:
        shown = {each.engine: each.to_json() for each in measured}
        whole = {"file": file.name, "quick": options.quick, "machine": where, "engines": shown}
        json.dump(whole, sys.stdout)
        print()
        return
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, markup=False)
    for each in measured:
        console.rule(f"{each.engine}: {each.version}, {file.name}")
        for table in each.tables():
            console.print(table.printed())
            console.print()
    console.print(
        f"{where['processors']} processors, load before {where['load']:.1f}: look at the ratios, "
        "whose two sides were measured in turn."
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Ratios against others on the same engine, measured in turn.",
    )
    parser.add_argument("--engine", choices=(*ENGINES, "both"), default="neo4j")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        default=os.environ.get("CATALOG_TEST_DATA") or None,
        help=f"where {EXPORT} lies [default: CATALOG_TEST_DATA, else Liger-Kernel's bundled file is used]",
    )
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument(
        "--only", choices=SECTIONS, action="append", metavar="SECTION", help=f"one of {', '.join(SECTIONS)}"
    )
    parser.add_argument("--json", action="store_true", help="every sample, as JSON on stdout")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help=f"also write a page, between {report.BEGIN} and {report.END}, and plots beside it",
    )
    return parser


def _export(folder: Path) -> Path:
    found = sorted(folder.glob(EXPORT))
    if not found:
        raise SystemExit(f"--data: there is no {EXPORT} in {folder}")
    return found[-1]


def _page(
    page: Path, measured: Sequence[Measured], file: str, where: Mapping[str, Any], *, quick: bool
) -> Iterator[str]:
    yield f"- Data: `{file}`{', a quick run with few samples' if quick else ''}"
    yield f"- Commit: {where['commit'] or 'unknown'}"
    processors = f"{where['processors']} × {where['processor']}, {where['memoryMB'] / 1000:.0f} GB"
    yield f"- Machine: {processors}, {where['system']}; load before {where['load']:.1f}"
    yield f"- {', '.join(f'{name} {version}' for name, version in where['versions'].items())}"
    for each in measured:
        yield from ("", f"### {each.engine}: {each.version}")
        for title, plot in figures.draw(each, page.parent / "plots"):
            yield from ("", f"![{title}](plots/{plot.name})")
        for table in each.tables():
            yield from table.markdown()


if __name__ == "__main__":
    main()
