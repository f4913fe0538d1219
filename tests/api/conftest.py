"""A filled catalog per module and engine, and a way to ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph.store import Store
from tests.api.root_samples import MORE
from tests.engines import Engine
from tests.read.samples import CATALOG, fill

Ask = Callable[..., Awaitable[dict[str, Any]]]
MADE = Path(__file__).parents[1] / "data" / "made"


@pytest.fixture(scope="module")
async def filled(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """A store with the sample catalog; tests only read it."""
    await engine.reset()
    async with engine.store() as store:
        await fill(store, tmp_path_factory.mktemp("filled"), CATALOG)
        yield store


@pytest.fixture(scope="module")
async def everything(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """A store with all the made data and more; tests only read it."""
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, sorted(MADE.glob("*.jsonl")))).rejected
        await fill(store, tmp_path_factory.mktemp("more"), MORE)
        yield store


@pytest.fixture(scope="module")
def ask(filled: Store) -> Ask:
    """Ask the sample catalog; each question is a request of its own on shared snapshots."""
    snapshots = Snapshots(filled)

    async def ask(text: str, public_url: str | None = None, **variables: Any) -> dict[str, Any]:
        context = Context(snapshots, public_url, today=lambda: date(2026, 8, 16))
        return await run_query(filled, text, variables, context=context)

    return ask
