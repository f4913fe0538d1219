"""Which engine: a Neo4j server where the environment names one, else the embedded engine."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from graph.embedded import embedded_store
from graph.errors import EngineUnavailable, Unavailable
from graph.store import ConnectionSettings, Store

STATEMENT_TIMEOUT: Final = "STATEMENT_TIMEOUT"
SCHEMES: Final = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def server_settings(environ: Mapping[str, str]) -> ConnectionSettings | None:
    """The server named by NEO4J_URI (+ NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE); None without it.

    Raises Unavailable for an address that is none.
    """
    uri = environ.get("NEO4J_URI")
    if not uri:
        return None
    if uri.partition("://")[0] not in SCHEMES:
        raise Unavailable(f"NEO4J_URI must start with one of {', '.join(f'{s}://' for s in SCHEMES)}.")
    return ConnectionSettings(
        uri=uri,
        username=environ.get("NEO4J_USERNAME") or None,
        password=environ.get("NEO4J_PASSWORD") or None,
        database=environ.get("NEO4J_DATABASE") or None,
    )


def statement_timeout(environ: Mapping[str, str]) -> float:
    """Seconds that one read may take, by STATEMENT_TIMEOUT. Raises Unavailable for what is none."""
    text = environ.get(STATEMENT_TIMEOUT, "").strip()
    try:
        seconds = float(text or ConnectionSettings("").read_timeout)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        wanted = "a number of seconds above 0, at most 3600, is wanted"
        raise Unavailable(f"{STATEMENT_TIMEOUT}={text!r}: {wanted}.")
    return seconds


@asynccontextmanager
async def open_store(
    data_dir: Path | None, environ: Mapping[str, str], *, prepare: bool = True
) -> AsyncIterator[Store]:
    """The catalog's store: on the server of NEO4J_URI, else on the embedded engine in `data_dir`.

    With `prepare` the schema is made where it is missing. Raises Unavailable, AuthFailed, SchemaTooNew.
    """
    seconds = statement_timeout(environ)
    settings = server_settings(environ)
    if settings is not None:
        opened = Store.connect(replace(settings, read_timeout=seconds))
    elif data_dir is not None:
        opened = embedded_store(data_dir, ConnectionSettings("", read_timeout=seconds))
    else:
        raise EngineUnavailable("Neither a data directory nor NEO4J_URI is given.")
    async with opened as store:
        if prepare:
            await store.ensure_schema()
        yield store
