"""``catalog rank``, ``query`` and ``schema``: questions, answered without a server."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from catalog.cli import exits, output, places
from catalog.domain.errors import InputError

SHORT_DIGEST: Final = 12
"""Hexadecimal digits of a digest that are shown where it is only a handle; queries take such a beginning."""

if TYPE_CHECKING:
    from catalog.cli.boards import Board, Wanted
    from catalog.read import Entity


def _text_option(name: str, what: str, metavar: str = "TEXT") -> Any:
    return typer.Option(name, parser=output.whole_text, metavar=metavar, help=what)


def rank(
    operation: Annotated[
        str,
        typer.Argument(
            parser=output.whole_text,
            metavar="OPERATION",
            help="Its slug, alias, family or digest.",
            show_default=False,
        ),
    ],
    axes: Annotated[
        list[str] | None,
        typer.Argument(
            parser=output.whole_text,
            metavar="[AXIS=VALUE]...",
            help="Only workloads with these axis values; also < <= > >=.",
            show_default=False,
        ),
    ] = None,
    gpu: Annotated[str | None, _text_option("--gpu", "Words of the product's name, as in B200.")] = None,
    arch: Annotated[str | None, _text_option("--arch", "Architecture, as in sm_100; or unknown.")] = None,
    protocol: Annotated[
        str | None, _text_option("--protocol", "Digest, or words of the name, as in forward.")
    ] = None,
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Rank the runs of an operation: one table per comparison group that matches."""
    from catalog.cli.boards import Wanted, axis_condition

    wanted = Wanted(operation, tuple(map(axis_condition, axes or ())), gpu, arch, protocol)
    found = asyncio.run(_boards(wanted, data_dir))
    if as_json:
        output.print_json([board.to_json() for board in found])
        return exits.DONE
    console = output.console()
    for board in found:
        print_board(console, board)
    if not found:
        output.say("no comparison group matches: nothing was measured so")
    return exits.DONE


async def _boards(wanted: Wanted, data_dir: Path | None) -> list[Board]:
    from catalog.cli.boards import boards
    from catalog.read import Snapshots

    async with places.opened_for_reading(data_dir) as store:
        return await boards(await Snapshots(store).current(), wanted)


def print_board(console: Console, board: Board) -> None:
    """One comparison group: what is compared, the ranked runs, then the others with their reasons."""
    props = board.group.entity.props
    unit = str(props.get("unit") or "")
    environment = board.environment
    gpu = [environment.get(name) for name in ("product", "formFactor", "architecture")] if environment else []
    console.print(exits.one_line(f"{_title(board.operation)} · {_slug(board.operation)}"), style="bold")
    for heading, text in (
        ("workload", _title(board.workload)),
        ("environment", " · ".join(filter(None, gpu)) or _title(environment)),
        ("protocol", _title(board.protocol)),
        ("metric", " ".join(str(props[name]) for name in ("metric", "statistic") if props.get(name))),
        ("key", board.group.key),
    ):
        console.print(exits.one_line(f"  {heading:<12}{text}"))
    ranked = [row for row in board.rows if row.standing.rank is not None]
    if ranked:
        columns = (
            ("rank", "right"),
            ("value", "right"),
            ("exact", "right"),
            ("ratio", "right"),
            *((name, "left") for name in ("name", "project", "evidence", "observed", "run")),
        )
        rows = [
            (
                f"{'=' if row.standing.tied else ''}{row.standing.rank}",
                output.humane(row.standing.run.value or 0, unit),
                output.exact(row.standing.run.value or 0, unit),
                "" if row.standing.ratio_to_best is None else f"{row.standing.ratio_to_best:.3f}",
                row.name or row.standing.run.digest,
                row.project or "",
                row.standing.run.evidence.value.lower(),
                row.observed,
                row.standing.run.digest.removeprefix("sha256:")[:SHORT_DIGEST],
            )
            for row in ranked
        ]
        console.print(output.table(columns, rows))
    else:
        console.print("  no run of this group is ranked")
    for row in board.rows[len(ranked) :]:
        reasons = ", ".join(row.standing.reasons)
        console.print(exits.one_line(f"  not ranked: {row.name or row.standing.run.digest} ({reasons})"))
    console.print()


def _title(entity: Entity | None) -> str:
    if entity is None:
        return "unknown"
    return str(entity.metadata.get("title") or entity.metadata.get("name") or entity.key)


def _slug(entity: Entity | None) -> str:
    return "unknown" if entity is None else str(entity.get("slug") or entity.key)


def query(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]", help="A file with a GraphQL document; - for stdin.", show_default=False
        ),
    ] = "-",
    variables: Annotated[
        str | None, _text_option("--variables", "The variables, as a JSON object.", "JSON")
    ] = None,
    operation: Annotated[
        str | None,
        _text_option("--operation", "Which operation of the document to run.", "NAME"),
    ] = None,
    data_dir: places.DataDir = None,
    as_json: output.Json = True,
) -> int:
    """Answer a GraphQL query as the server would: the response as JSON on stdout."""
    del as_json  # the answer is JSON anyway
    text = sys.stdin.buffer.read().decode() if file == "-" else Path(file).read_text(encoding="utf-8")
    answer = asyncio.run(_answered(text, _variables(variables), operation, data_dir))
    output.print_json(answer)
    if answer.get("data") is None:  # refused, or nothing could be read
        return exits.UNUSABLE
    return exits.REJECTED if "errors" in answer else exits.DONE


def _variables(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    from catalog.server.wire import BadJson, load_json

    try:
        found = load_json(text)
    except BadJson as error:
        message = f"must be a JSON object ({str(error).removesuffix('.')})"
        raise InputError("--variables", text, message) from error
    if not isinstance(found, dict):
        raise InputError("--variables", text, "must be a JSON object")
    return found


async def _answered(
    text: str, variables: dict[str, Any], operation: str | None, data_dir: Path | None
) -> dict[str, Any]:
    from catalog.server.ask import run_query

    async with places.opened_for_reading(data_dir) as store:
        return await run_query(store, text, variables, operation_name=operation)


def schema(
    api: Annotated[
        bool,
        typer.Option("--api", help="As clients see it, without federation: for code generators and linters."),
    ] = False,
    prefix: Annotated[
        str | None,
        typer.Option(
            "--prefix", help="Put this before root fields and types, to compose beside their owners."
        ),
    ] = None,
    prefix_entities: Annotated[
        bool, typer.Option("--prefix-entities", help="Put it before entities too.")
    ] = False,
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Print the GraphQL schema (SDL, with the federation directives)."""
    del data_dir  # the schema is the same whatever the data; the option is there as everywhere
    from catalog.api.client_schema import client_sdl
    from catalog.api.prefix import Prefix
    from catalog.api.schema import sdl

    if prefix_entities and prefix is None:
        raise InputError("--prefix-entities", True, "needs --prefix")
    try:
        text = sdl(None if prefix is None else Prefix(prefix, prefix_entities))
    except ValueError as error:
        raise InputError("--prefix", prefix, str(error)) from None
    text = client_sdl(text) if api else text
    if as_json:
        output.print_json({"sdl": text})
    else:
        print(text)
    return exits.DONE
