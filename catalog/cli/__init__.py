"""The ``catalog`` command: one module per group of commands, listed in :mod:`catalog.cli.app`.

It turns arguments into calls of the layers below and their answers into tables or JSON; it decides nothing
about evidence itself. Exit codes and the sentences for errors are in :mod:`catalog.cli.exits`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Run one command line (without the program's name); returns its exit code. Raises nothing."""
    from catalog.cli import exits
    from catalog.cli.app import app

    try:
        code = app(args=list(arguments), prog_name="catalog", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        return exits.report(error)
    return code or exits.DONE


def main() -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:]))
