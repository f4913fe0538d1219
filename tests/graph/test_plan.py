"""Write plans land as told, on both engines."""

from typing import Any

import pytest

from graph import plan as plans
from graph.errors import Conflict
from graph.plan import WritePlan, apply
from graph.store import Store, WriteTx


async def applied(store: Store, plan: WritePlan) -> None:
    async def work(tx: WriteTx) -> None:
        await apply(tx, plan)

    await store.write(work)


async def contents(store: Store) -> tuple[list[dict[str, Any]], list[tuple[str, str, str]]]:
    nodes = await store.read(
        "MATCH (n) WHERE NOT n:Catalog RETURN labels(n) AS labels, properties(n) AS properties "
        "ORDER BY n.digest, n.slug"
    )
    edges = await store.read(
        "MATCH (a)-[r]->(b) RETURN coalesce(a.digest, a.slug, a.key) AS start, type(r) AS type, "
        "coalesce(b.digest, b.slug, b.key) AS end ORDER BY start, type, end"
    )
    return nodes, [(row["start"], row["type"], row["end"]) for row in edges]


async def test_nodes_and_relationships(store: Store) -> None:
    plan = WritePlan()
    plan.node("Run", "r1", value=1, status="passed")
    plan.node("Run", "r1", status="timeout")
    plan.node("Source", "liger")
    plan.edge("Run-REPORTED_BY->Source", "r1", "liger")
    await applied(store, plan)
    assert await contents(store) == (
        [
            {"labels": ["Run"], "properties": {"digest": "r1", "value": 1, "status": "timeout"}},
            {"labels": ["Source"], "properties": {"slug": "liger"}},
        ],
        [("r1", "REPORTED_BY", "liger")],
    )


async def test_new_nodes_are_created_with_what_they_have(store: Store) -> None:
    plan = WritePlan()
    plan.create("Run", "r1", value=1, title=None, facts=["a", "b"])
    plan.node("Run", "r2", value=2)
    plan.edge("Run-SUPERSEDES->Run", "r1", "r2")
    await applied(store, plan)
    assert await contents(store) == (
        [
            {"labels": ["Run"], "properties": {"digest": "r1", "value": 1, "facts": ["a", "b"]}},
            {"labels": ["Run"], "properties": {"digest": "r2", "value": 2}},
        ],
        [("r1", "SUPERSEDES", "r2")],
    )


async def test_a_node_that_is_there_is_not_created_again(store: Store) -> None:
    plan = WritePlan()
    plan.create("Run", "r1", value=1)
    await applied(store, plan)
    with pytest.raises(Conflict):
        await applied(store, plan)
    assert await contents(store) == ([{"labels": ["Run"], "properties": {"digest": "r1", "value": 1}}], [])
    assert await store.revision() == 1


async def test_a_second_plan_changes_adds_and_removes_properties(store: Store) -> None:
    first, second = WritePlan(), WritePlan()
    first.node("Run", "r1", value=1, status="passed", kept="yes")
    second.node("Run", "r1", value=None, status="timeout", added=["a"])
    await applied(store, first)
    await applied(store, second)
    nodes, _ = await contents(store)
    assert nodes == [
        {
            "labels": ["Run"],
            "properties": {"digest": "r1", "status": "timeout", "kept": "yes", "added": ["a"]},
        }
    ]


async def test_more_rows_than_one_statement_takes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "CHUNK_ROWS", 3)
    plan = WritePlan()
    for n in range(10):
        plan.node("Run", f"r{n}", value=n)
        plan.edge("Run-IN_ENVIRONMENT->Environment", f"r{n}", "hub")
    plan.node("Environment", "hub")
    before = store.statements
    await applied(store, plan)
    assert store.statements - before == 1 + 4 + 1 + 4
    assert await store.read("MATCH (r:Run)-->(e) RETURN count(*) AS runs, sum(r.value) AS total") == [
        {"runs": 10, "total": 45}
    ]


async def test_rows_heavier_than_a_message(store: Store) -> None:
    """40 manifests of the largest size there is: more than any engine takes in one message."""
    plan = WritePlan()
    for n in range(40):
        plan.node("Run", f"r{n}", manifest=f"{n}" + "x" * 2**20)
    await applied(store, plan)
    [row] = await store.read("MATCH (n:Run) RETURN count(n) AS runs, sum(size(n.manifest)) AS size")
    assert row == {"runs": 40, "size": 40 * 2**20 + 10 + 60}


async def test_a_relationship_without_its_end_keeps_nothing(store: Store) -> None:
    plan = WritePlan()
    plan.node("Run", "r1")
    plan.edge("Run-REPORTED_BY->Source", "r1", "nobody")
    with pytest.raises(LookupError, match="Run-REPORTED_BY->Source"):
        await applied(store, plan)
    assert await contents(store) == ([], [])
    assert await store.revision() == 0


async def test_only_names_of_the_schema(store: Store) -> None:
    for plan in (WritePlan(nodes={"Secret": {"a": {}}}), WritePlan(edges={"Run-OWNS->Run": [("a", "b")]})):
        with pytest.raises(KeyError):
            await applied(store, plan)
    assert await store.revision() == 0


def test_an_empty_plan_is_false() -> None:
    plan = WritePlan()
    assert not plan
    plan.node("Run", "r1")
    assert plan
