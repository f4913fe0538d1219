"""``catalog graph``: the lineage graph as a file, for those who analyse it with other tools."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.cli import exits, files, output, places

if TYPE_CHECKING:
    from catalog.read.projection import Projection


def graph(
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--output", dir_okay=False, metavar="FILE", help="Where to, such as FILE.graphml."
        ),
    ],
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Write the lineage graph as GraphML: what descends from what, what shares source, who beat whom."""
    projection = asyncio.run(_projection(data_dir))
    _write(projection, out)
    written = {"nodes": len(projection.nodes), "edges": len(projection.edges)}
    if as_json:
        output.print_json({"file": str(out)} | written)
    else:
        output.say(f"wrote {written['nodes']:,} nodes and {written['edges']:,} edges")
    return exits.DONE


async def _projection(data_dir: Path | None) -> Projection:
    from catalog.read import Snapshots
    from catalog.read.overview import overview

    async with places.opened_for_reading(data_dir) as store:
        return await overview(await Snapshots(store).current()).projection()


def _write(projection: Projection, out: Path) -> None:
    from catalog.read.graphml import write_graphml

    with files.replaced(out) as path:
        write_graphml(projection, path)
