"""The commands by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Final

import typer

from catalog.cli import asking, demo_serve, exits, generating, graphing, importing, keeping

app = typer.Typer(
    name="catalog",
    help="GPU-kernel benchmark evidence in a property graph: imported, checked, ranked, served over GraphQL.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_COMMANDS: Final[dict[str, Callable[..., int]]] = {
    "demo": demo_serve.demo,
    "serve": demo_serve.serve,
    "import": importing.import_,
    "check": importing.check,
    "rank": asking.rank,
    "query": asking.query,
    "schema": asking.schema,
    "verify": keeping.verify,
    "export": keeping.export,
    "graph": graphing.graph,
    "generate": generating.generate,
    "status": keeping.status,
    "stop": keeping.stop,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"catalog {version('kernel-catalog')}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and end.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(exits.UNUSABLE)
