"""Full-text indexes: what is committed is found, on both engines, and nothing else."""

from __future__ import annotations

import pytest

from graph import ddl, fulltext, textindex
from graph.plan import WritePlan, apply
from graph.store import Store, WriteTx


async def _put(store: Store, label: str, **texts: str) -> None:
    async def work(tx: WriteTx) -> None:
        plan = WritePlan()
        for key, text in texts.items():
            plan.node(label, key, complete=True, searchText=text)
        await apply(tx, plan)

    await store.write(work)


async def _found(store: Store, *words: str) -> set[tuple[str, str, str]]:
    rows = await fulltext.beginning(store, words)
    found = {(row["word"], row["label"], row["key"]) for row in rows}
    assert len(rows) == len(found)
    return found


async def test_what_is_committed_is_found_at_once(store: Store) -> None:
    await _put(store, "Operation", a="fused h32 rmsnorm", b="rms 4096")
    await _put(store, "Implementation", c="rmsnorm krupiński 日本語")
    await _put(store, "Project", d="ünïcode")
    assert await _found(store, "rms", "h32", "409", "fuse", "krupiń", "日本", "ünï", "norm") == {
        ("rms", "Operation", "a"),
        ("rms", "Operation", "b"),
        ("rms", "Implementation", "c"),
        ("h32", "Operation", "a"),
        ("409", "Operation", "b"),
        ("fuse", "Operation", "a"),
        ("krupiń", "Implementation", "c"),
        ("日本", "Implementation", "c"),
        ("ünï", "Project", "d"),
    }


async def test_a_changed_text_is_found_by_its_new_words_only(store: Store) -> None:
    await _put(store, "Operation", a="first word")
    await _put(store, "Operation", a="second word")
    assert await _found(store, "first", "second", "word") == {
        ("second", "Operation", "a"),
        ("word", "Operation", "a"),
    }


async def test_what_is_rolled_back_is_not_found(store: Store) -> None:
    async def work(tx: WriteTx) -> None:
        plan = WritePlan()
        plan.node("Operation", "a", complete=True, searchText="phantom")
        await apply(tx, plan)
        tx.abandon()

    await store.write(work)
    assert await _found(store, "phantom") == set()


async def test_more_words_and_objects_than_any_page(store: Store) -> None:
    await _put(store, "Implementation", **{f"k{n}": f"common own{n}" for n in range(300)})
    found = await _found(store, "common", *(f"own{n}" for n in range(0, 300, 10)))
    assert len([word for word, _, _ in found if word == "common"]) == 300
    assert ("own290", "Implementation", "k290") in found


async def test_all_words_are_asked_for_in_one_statement(store: Store) -> None:
    before = store.statements
    await fulltext.beginning(store, ["a", "b", "c"])
    assert store.statements == before + 1


async def test_the_indexes_are_made_again_without_harm(store: Store) -> None:
    await _put(store, "Operation", a="kept")
    await store._define_indexes()
    assert await _found(store, "kept") == {("kept", "Operation", "a")}


@pytest.mark.parametrize("statements", [textindex.CYPHER, textindex.SQL])
def test_another_definition_gives_another_mark(statements: tuple[str, ...]) -> None:
    assert all(statement in ddl._ALL for statement in statements)
