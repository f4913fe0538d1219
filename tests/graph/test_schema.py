"""The schema tables agree with each other, and with what both engines make of them."""

import pytest

import graph
from graph import ddl
from graph.errors import SchemaTooNew
from graph.schema import LABEL_OF_KIND, LOCAL, NODES, RELATIONSHIPS, SCHEMA_VERSION
from graph.store import Store, WriteTx
from tests.engines import Engine, raw_write


def test_relationships_join_labels_of_the_schema() -> None:
    ends = {end for r in RELATIONSHIPS.values() for end in (r.start, r.end)}
    assert ends | LOCAL == set(NODES)


def test_every_manifest_kind_has_a_label() -> None:
    assert len(LABEL_OF_KIND) == 14
    assert set(LABEL_OF_KIND.values()) <= set(NODES)


def test_names_are_the_keys_of_the_tables() -> None:
    assert [label for label, node in NODES.items() if node.label != label] == []
    assert RELATIONSHIPS["Run-REPORTED_BY->Source"].type == "REPORTED_BY"


def test_exported_names_exist() -> None:
    assert [name for name in graph.__all__ if not hasattr(graph, name)] == []
    with pytest.raises(AttributeError):
        _ = graph.nothing


async def test_each_key_is_unique_in_the_database(store: Store) -> None:
    async def twice(tx: WriteTx) -> None:
        await tx.run("CREATE (:Run {digest: 'a'}) CREATE (:Run {digest: 'a'})")

    with pytest.raises(graph.StoreError) as raised:
        await store.write(twice)
    assert raised.value.code == "CONFLICT"
    assert await store.revision() == 0


async def test_the_schema_is_made_once(engine: Engine, store: Store) -> None:
    async with engine.store() as second:
        assert second.statements == 1
    await raw_write(store, "MATCH (c:Catalog) SET c.schemaMark = 'older'")
    async with engine.store() as third:
        over_bolt = len(ddl.SERVER_STATEMENTS) if engine.name == "neo4j" else 0
        assert third.statements == len(ddl.STATEMENTS) + over_bolt + 2


async def test_a_newer_schema_is_refused(engine: Engine, store: Store) -> None:
    await raw_write(store, "MATCH (c:Catalog) SET c.schemaVersion = $version", version=SCHEMA_VERSION + 1)

    async def nothing(tx: WriteTx) -> None:
        pytest.fail(f"a graph of a later release must not be written to ({tx.revision})")

    with pytest.raises(SchemaTooNew, match=r"version 2.*up to 1"):
        await store.write(nothing)
    with pytest.raises(SchemaTooNew):
        async with engine.store():
            pass
