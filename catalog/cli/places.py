"""Where the catalog lives: the data directory a command uses, and the store opened on it."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import platformdirs
import typer

if TYPE_CHECKING:
    from graph import Store

VARIABLE: Final = "CATALOG_DATA_DIR"
DEMO: Final = "demo"

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar=VARIABLE,
        file_okay=False,
        metavar="DIR",
        help="Where the embedded engine keeps the catalog [default: the user's data folder]. "
        "Not used when NEO4J_URI names a server.",
    ),
]


class PlaceUnusable(Exception):  # noqa: N818 - reads as what it says
    """The embedded engine cannot be used in this data directory, which the message names."""


def default_data_dir() -> Path:
    """The catalog's folder among the user's data, as the platform has it."""
    return platformdirs.user_data_path("kernel-catalog", appauthor=False)


def for_writing(given: Path | None) -> Path:
    """The data directory that an import goes into."""
    return given or default_data_dir()


def for_demo(given: Path | None) -> Path:
    """The data directory of the demo: its own, unless one is given."""
    return given or default_data_dir() / DEMO


def for_reading(given: Path | None) -> Path:
    """The data directory that questions are asked of.

    Without one given it is the default one; while that holds no catalog yet, the demo's, if there is one.
    """
    if given is not None:
        return given
    default = default_data_dir()
    demo = default / DEMO
    return demo if not holds_catalog(default) and holds_catalog(demo) else default


def holds_catalog(data_dir: Path) -> bool:
    """Whether an engine ever kept a catalog in this directory."""
    return (data_dir / "engine").is_dir()


def uses_server(environ: Mapping[str, str]) -> bool:
    """Whether a Neo4j server is named, so that no data directory is used."""
    return bool(environ.get("NEO4J_URI"))


def database_named(environ: Mapping[str, str]) -> str:
    """The database in use as the user named it: for messages on the user's own terminal."""
    if not uses_server(environ):
        return "embedded engine"
    return "NEO4J_URI=" + re.sub("//.*@", "//", environ["NEO4J_URI"])


@asynccontextmanager
async def opened(data_dir: Path) -> AsyncIterator[Store]:
    """The store of this process's environment: NEO4J_URI's server, else the engine in ``data_dir``."""
    from graph import open_store
    from graph.errors import EngineUnavailable

    try:
        async with open_store(data_dir, os.environ) as store:
            yield store
    except EngineUnavailable as error:
        raise PlaceUnusable(f"embedded engine in {data_dir}: {error}") from error


@asynccontextmanager
async def opened_for_reading(given: Path | None) -> AsyncIterator[Store]:
    """The store that questions are asked of; see :func:`for_reading`."""
    async with opened(for_reading(given)) as store:
        yield store
