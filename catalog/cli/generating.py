"""``catalog generate``: a made catalog of any size, to try how the catalog grows."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from catalog.cli import exits, files, output
from catalog.domain.errors import InputError

MOST_RUNS: Final = 10_000_000
STEP: Final = 1_000
"""Lines between two looks at the progress bar."""


def generate(
    runs: Annotated[int, typer.Option("--runs", metavar="N", help="How many runs.")],
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed gives the same bytes.")] = 1,
    out: files.Out = None,
) -> int:
    """Write a made catalog with the degrees of the public one, which ``catalog import`` reads."""
    from catalog.ingest.generate import Generator

    if not 0 <= runs <= MOST_RUNS:
        raise InputError("--runs", runs, f"must be from 0 to {MOST_RUNS:,}")
    made = Generator(runs, seed)
    lines = 0
    with files.text_sink(out) as sink, output.page_progress(wanted=out is not None) as advance:
        for lines, line in enumerate(made.lines(), 1):
            sink.write(line)
            if advance is not None and lines % STEP == 0:
                advance("runs", made.runs, runs)
    output.say(f"generated {made.runs:,} runs in {lines:,} lines")
    return exits.DONE
