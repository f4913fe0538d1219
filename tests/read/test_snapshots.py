"""Asking for the snapshot of the revision that holds now."""

from __future__ import annotations

import asyncio

from catalog.read import Snapshots
from graph.store import Store, WriteTx


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
