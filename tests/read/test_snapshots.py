"""Asking for the snapshot of the revision that holds now."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path

import pytest

from catalog.api.context import Context
from catalog.read import Snapshots, totals
from catalog.read.search_index import search_index
from catalog.server.ask import run_query
from graph.store import Store, WriteTx
from tests.read.samples import CATALOG, fill


async def nothing(_: WriteTx) -> None:
    """Raises the revision, and no more."""


async def test_those_who_ask_together_share_one_statement(store: Store) -> None:
    snapshots, before = Snapshots(store), store.statements
    found = await asyncio.gather(*(snapshots.current() for _ in range(8)))
    assert store.statements - before == 1
    assert set(found) == {found[0]}
    assert await snapshots.current() is found[0]
    assert store.statements - before == 2


async def test_nobody_gets_a_revision_from_before_the_question(store: Store) -> None:
    snapshots = Snapshots(store)

    async def asking() -> None:
        while True:
            await snapshots.current()

    others = [asyncio.create_task(asking()) for _ in range(4)]
    for _ in range(5):
        await store.write(nothing)
        revision = await store.revision()
        assert (await snapshots.current()).revision == revision
    for other in others:
        other.cancel()
    assert {type(error) for error in await asyncio.gather(*others, return_exceptions=True)} == {
        asyncio.CancelledError
    }


async def test_a_question_that_was_given_up_is_put_again(store: Store) -> None:
    snapshots = Snapshots(store)
    given_up = asyncio.create_task(snapshots.current())
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    assert (await snapshots.current()).revision == await store.revision()


EVERYTHING = """{
  search(query: "sum") { totalCount facets { field } }
  suggest(prefix: "s") { text }
  records { totalCount edges { node { group { key } } } }
  runs { totalCount edges { node { standing { rank } } } }
  comparisonGroups { totalCount }
  implementations { edges { node { beat { at } portability { architecture } } } }
  coverage { totalCount }
  influence { rank }
  servingCohorts { totalCount }
  resolve(request: { operation: "sum-rows" }) { unresolved }
  catalog { counts { count } sources { runCount } }
}"""


@pytest.mark.parametrize("size", [totals.IN_MEMORY, -1], ids=["in memory", "in parts"])
async def test_what_is_kept_of_a_revision_goes_with_it(
    store: Store, tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "IN_MEMORY", size)
    await fill(store, tmp_path, CATALOG)
    snapshots, kept = Snapshots(store), []
    for _ in range(3):
        answer = await run_query(store, EVERYTHING, context=Context(snapshots))
        assert "errors" not in answer
        kept.append(weakref.ref(await snapshots.current()))
        await store.write(nothing)
    await snapshots.current()
    del answer
    gc.collect()
    assert [snapshot() for snapshot in kept] == [None] * 3


async def test_the_index_of_a_revision_does_not_wait_for_a_collection(store: Store, tmp_path: Path) -> None:
    await fill(store, tmp_path, CATALOG)
    snapshots = Snapshots(store)
    gc.disable()
    try:
        index = weakref.ref(await search_index(await snapshots.current()))
        assert index() is not None
        await store.write(nothing)
        await snapshots.current()
        assert index() is None
    finally:
        gc.enable()
