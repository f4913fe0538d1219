"""Entity tags over a real catalog: what a 304 costs, and when it ends."""

import httpx

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.schema import schema
from catalog.read import Snapshots
from catalog.server.app import create_app
from catalog.server.ask import REVISIONS
from catalog.server.settings import Settings
from graph.store import Store, WriteTx
from tests.server.sample import Watch, find_manifests

QUERY = {"query": "{catalog {revision counts {kind count}}}"}


async def _nothing(_: WriteTx) -> None:
    """A write of nothing but the next revision."""


async def test_a_304_costs_one_statement_and_ends_with_the_revision(store: Store) -> None:
    await store.write(_nothing)
    snapshots = Snapshots(store)

    async def contexts(_request: object) -> Context:
        return Context(snapshots)

    app = create_app(
        schema=schema,
        context_factory=contexts,
        store_probe=Watch(),
        manifest_bytes=find_manifests,
        map_error=map_error,
        settings=Settings(),
        revisions=REVISIONS,
    )
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://catalog.test"
    ) as client:
        first = await client.get("/graphql", params=QUERY)
        assert first.json()["data"]["catalog"]["revision"] == await store.revision()
        has_it = {"if-none-match": first.headers["etag"]}
        before = store.statements
        assert (await client.get("/graphql", params=QUERY, headers=has_it)).status_code == 304
        assert store.statements - before == 1
        await store.write(_nothing)
        later = await client.get("/graphql", params=QUERY, headers=has_it)
        assert later.json()["data"]["catalog"]["revision"] == await store.revision()
        assert later.headers["etag"] != first.headers["etag"]
