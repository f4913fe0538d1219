"""The HTTP application over a catalog: the schema, a store that lives as long as the server, the settings.

``create`` is what uvicorn calls, once in each worker process; it learns the data directory from
CATALOG_DATA_DIR, as the workers share nothing but the environment.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.schema import build, moved
from catalog.cli import places
from catalog.read import Snapshots
from catalog.read.feed import Feed
from catalog.read.manifests import find_manifests
from catalog.server.app import create_app
from catalog.server.ask import REVISIONS
from catalog.server.metrics import Metrics
from catalog.server.observing import watch_statements
from catalog.server.probe import Overview
from catalog.server.settings import Cache, Settings
from catalog.server.tracing import wanted_tracing
from graph import Store
from graph.errors import Unavailable

if TYPE_CHECKING:
    from catalog.server.run import Application

    # optional: see tracing.py
    from catalog.server.spans import Tracing

FACTORY: Final = f"{__name__}:create"

COLLECTED_AT: Final = (10_000, 10, 30)
"""Thresholds of the garbage collector. What requests make is mostly gone by the time it looks, so the whole
heap, with all that is kept of a revision, is walked seldom; but for what is there before the first request,
which is never walked again."""


class _Catalog:
    """The open store, and what of it the endpoints ask."""

    def __init__(self, settings: Settings, metrics: Metrics | None, tracing: Tracing | None) -> None:
        self._public_url = settings.public_url
        self._poll_seconds = settings.feed_poll_seconds
        self._keep = settings.cache is not Cache.OFF
        self._metrics = metrics
        self._tracing = tracing
        self._snapshots: Snapshots | None = None
        self._feed: Feed | None = None

    @property
    def _open(self) -> Snapshots:
        if self._snapshots is None:
            raise Unavailable
        return self._snapshots

    @property
    def _store(self) -> Store:
        return self._open.store

    @asynccontextmanager
    async def lifespan(self, _application: object) -> AsyncIterator[None]:
        """Hold the store while the server runs."""
        data_dir = os.environ.get(places.VARIABLE)
        async with places.opened_for_reading(Path(data_dir) if data_dir else None) as store:
            store.observe = watch_statements(store.engine.name, self._metrics, self._tracing)
            self._snapshots = Snapshots(
                store, self._metrics.snapshot if self._metrics else None, keep=self._keep
            )
            self._feed = Feed(self._snapshots, self._poll_seconds)
            yield
            self._snapshots = self._feed = None
        if self._tracing:
            await asyncio.to_thread(self._tracing.close)

    async def context(self, _request: object) -> Context:
        """The context of one GraphQL request."""
        return Context(self._open, self._public_url, following=self._feed)

    def followers(self) -> int:
        """How many subscriptions follow the feed of changes."""
        return self._feed.followers if self._feed is not None else 0

    async def ready(self) -> Mapping[str, Any]:
        """Engine and revision. Raises Unavailable."""
        health = await self._store.health()
        if not health.ok:
            raise Unavailable
        return {"engine": self._store.engine.name, "revision": health.revision}

    async def overview(self) -> Overview:
        """Engine, revision and counts. Raises StoreError."""
        snapshot = await self._open.current()
        engine = snapshot.engine
        return Overview(engine.name, engine.version, snapshot.revision, await snapshot.counts())

    async def manifests(self, beginning: str) -> Mapping[str, bytes]:
        """The manifests whose digest begins so."""
        return await find_manifests(self._store, beginning)


def application(
    settings: Settings, metrics: Metrics | None = None, tracing: Tracing | None = None
) -> Application:
    """The ASGI application. Raises SettingsError."""
    catalog = _Catalog(settings, metrics, tracing)
    app = create_app(
        schema=build(settings.prefix),
        context_factory=catalog.context,
        store_probe=catalog,
        manifest_bytes=catalog.manifests,
        map_error=map_error,
        settings=settings,
        revisions=REVISIONS,
        lifespan=catalog.lifespan,
        metrics=metrics,
        tracing=tracing,
        reword=partial(moved, prefix=settings.prefix),
    )
    app.state.followers = catalog.followers
    return app


def create() -> Application:
    """The application of a server process, by the environment. Raises SettingsError."""
    gc.set_threshold(*COLLECTED_AT)
    settings = Settings.from_environ(os.environ)
    metrics = Metrics() if settings.metrics else None
    app = application(settings, metrics, wanted_tracing(os.environ))
    gc.collect()
    gc.freeze()
    return app
