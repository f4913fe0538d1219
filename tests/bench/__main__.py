"""`python -m tests.bench`: see --help."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from rich.console import Console

from tests.bench import imports, markdown, queries, refusals
from tests.bench.machine import machine
from tests.bench.measured import Measured
from tests.bench.measuring import Line, table
from tests.bench.places import ENGINES, restart_seconds

EXPORT: Final = "kernelindex-catalog-*.jsonl*"
BUNDLED: Final = "data/liger/all_benchmark_data.csv"
WIDTH: Final = 150
"""Columns of the table where the output is no terminal."""

SECTIONS: Final = ("ranked query", imports.IMPORT, imports.MEMORY, imports.KEEPING, refusals.REFUSALS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, then print."""
    options = _options().parse_args(arguments)
    if options.markdown:
        markdown.check(options.markdown)
    engines = list(ENGINES) if options.engine == "both" else [options.engine]
    where = machine()
    with as_file(files("catalog") / BUNDLED) as bundled:
        file = _export(options.data) if options.data else bundled
        measured = [asyncio.run(_measured(engine, file, quick=options.quick)) for engine in engines]
    if options.markdown:
        markdown.write(options.markdown, measured, file.name, where, quick=options.quick)
    if options.json:
        shown = {each.engine: each.to_json() for each in measured}
        whole = {"file": file.name, "quick": options.quick, "machine": where, "engines": shown}
        json.dump(whole, sys.stdout)
        print()
        return
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, markup=False)
    for each in measured:
        console.print(table(f"{each.engine}, {file.name}", each.lines))
        console.print()
    console.print(
        f"Medians of n. {where['processors']} processors, load before {where['load']:.1f}: "
        "look at the ratios, whose two sides were measured in turn."
    )


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Ratios against the bare driver, measured side by side."
    )
    parser.add_argument("--engine", choices=(*ENGINES, "both"), default="embedded")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        default=os.environ.get("CATALOG_TEST_DATA") or None,
        help=f"where {EXPORT} lies [default: CATALOG_TEST_DATA, else Liger-Kernel's bundled file is used]",
    )
    parser.add_argument("--quick", action="store_true", help="one round of the long parts, few of the short")
    parser.add_argument("--json", action="store_true", help="every sample, as JSON on stdout")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help=f"also write the tables into this page, between {markdown.BEGIN} and {markdown.END}",
    )
    return parser


def _export(folder: Path) -> Path:
    found = sorted(folder.glob(EXPORT))
    if not found:
        raise SystemExit(f"--data: there is no {EXPORT} in {folder}")
    return found[-1]


async def _measured(engine: str, file: Path, *, quick: bool) -> Measured:
    rounds, repeats = (1, 7) if quick else (3, 40)
    measured = Measured(engine)
    with tempfile.TemporaryDirectory(prefix="catalog-bench-") as folder:
        _say(f"{engine}: imports into empty catalogs")
        async with imports.imported(engine, file, Path(folder), rounds, measured.lines) as place:
            info = place.store.engine
            measured.version = f"{info.name} {info.version}"
            _say(f"{engine}: second imports")
            await imports.again(place, file, rounds, measured.lines)
            _say(f"{engine}: queries")
            await queries.measure(place, repeats, measured.lines)
            _say(f"{engine}: {refusals.REFUSALS}")
            await refusals.measure(place, repeats, measured.lines)
            _say(f"{engine}: verify and export")
            await imports.kept(place, Path(folder), rounds, measured.lines)
            if place.data_dir is not None:
                seconds = [await restart_seconds(place.data_dir) for _ in range(rounds)]
                measured.lines.append(Line(imports.KEEPING, "engine start, with the data", "s", seconds))
    measured.lines.sort(key=_section)
    return measured


def _section(line: Line) -> int:
    return next(place for place, name in enumerate(SECTIONS) if line.section.startswith(name))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
