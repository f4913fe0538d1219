"""How often the database is asked: the same for few and for many rows; and that answers are fresh."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.domain.manifests import Manifest
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph.store import Store
from tests.engines import Engine
from tests.read.samples import (
    BEST,
    H100,
    LARGE,
    MEDIAN,
    PLAIN,
    SMALL,
    SUM,
    THIRD,
    Item,
    fill,
    implementation,
    project,
    run,
    says,
)

RANKED = """
query Ranked($key: Digest!, $first: Int) {
  comparisonGroup(key: $key) {
    key profile size eligibleCount metric { metric } operation { slug } workload { digest title }
    leader { digest } recordHistory { at run { digest implementation { slug } } previous { digest } }
    runs(first: $first) { totalCount edges { rank node {
      digest status measurements { value } submittedAs { slug project { slug name } }
      implementation { digest slug project { slug name } projects { name } sourceArtifact { contentDigest } }
      environment { product } protocol { name } source { slug runCount }
      standing { rank leader { digest } } supersededBy { digest } artifacts { contentDigest }
      warnings { code }
      group { key leader { digest } runs(first: 3) { edges { node { implementation { slug } } } } }
    } } } } }
"""


def _group(size: int, workload: Manifest) -> list[Item]:
    """A group of runs, each of an implementation and a project of its own."""
    items: list[Item] = [workload]
    for n in range(size):
        name = f"{workload.metadata['name']}-{n}"
        code = implementation(name, SUM, source={"contentDigest": f"sha256:{n:064x}"})
        entry = run(name, (code, workload, MEDIAN, H100), 100 + n, f"2026-01-01T00:{n // 60:02}:{n % 60:02}Z")
        stated = {"slug": name, "project": name}
        items += [project(name), code, entry, says(entry, "submittedAs", stated), says(code, "name", stated)]
    return items


@pytest.fixture(scope="module")
async def groups(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """A group of 10 runs on SMALL, and one of 200 on LARGE."""
    await engine.reset()
    async with engine.store() as store:
        items = [SUM, MEDIAN, H100, *_group(10, SMALL), *_group(200, LARGE)]
        await fill(store, tmp_path_factory.mktemp("groups"), items)
        yield store


BY_CHANCE = 1
"""Fields that wait for different statements may or may not find themselves in one batch afterwards."""


async def _counted(store: Store, snapshots: Snapshots, text: str, **variables: Any) -> tuple[Any, int]:
    before = store.statements
    answer = await run_query(store, text, variables, context=Context(snapshots))
    assert "errors" not in answer
    return answer["data"], store.statements - before


async def _keys(store: Store) -> dict[int, str]:
    text = "{ comparisonGroups { edges { node { key size } } } }"
    data, _ = await _counted(store, Snapshots(store), text)
    return {edge["node"]["size"]: edge["node"]["key"] for edge in data["comparisonGroups"]["edges"]}


async def test_a_ranked_query_costs_the_same_for_10_and_for_200_runs(groups: Store) -> None:
    keys = await _keys(groups)
    costs = {}
    for size in (10, 200):
        snapshots = Snapshots(groups)
        data, costs[size] = await _counted(groups, snapshots, RANKED, key=keys[size], first=size)
        edges = data["comparisonGroup"]["runs"]["edges"]
        assert len(edges) == size
        assert len({edge["node"]["implementation"]["project"]["name"] for edge in edges}) == size
        _, warm = await _counted(groups, snapshots, RANKED, key=keys[size], first=size)
        assert warm == 1  # the revision
    assert abs(costs[10] - costs[200]) <= BY_CHANCE
    assert costs[200] <= 16


LISTS = [
    "{ runs(first: %d) { totalCount edges { node { digest standing { rank } group { leader { digest } }"
    " implementation { slug project { name } } workload { operation { slug } } recordEvents { at } } } } }",
    "{ implementations(first: %d) { edges { node { slug names { project { name } }"
    " sourceArtifact { kind } } } } }",
    "{ projects(first: %d) { totalCount edges { node { name } } } }",
    "{ comparisonGroups(first: %d) { edges { node { leader { digest } runs(first: 5) { edges { node {"
    " implementation { project { name } } } } } recordHistory { run { title } } } } } }",
]


@pytest.mark.parametrize("text", LISTS)
async def test_a_list_costs_the_same_for_any_page(groups: Store, text: str) -> None:
    costs = {(await _counted(groups, Snapshots(groups), text % size))[1] for size in (1, 2, 100)}
    assert max(costs) - min(costs) <= BY_CHANCE


async def test_a_count_alone_loads_no_rows(groups: Store) -> None:
    data, cost = await _counted(groups, Snapshots(groups), "{ runs { totalCount } }")
    assert data == {"runs": {"totalCount": 210}}
    assert cost == 3  # the revision twice and the count


async def test_the_catalog_is_told_in_a_fixed_number_of_statements(groups: Store) -> None:
    text = "{ catalog { counts { kind } sources { slug runCount servingRunCount lastObservedAt } } }"
    _, cost = await _counted(groups, Snapshots(groups), text)
    assert cost == 6


async def test_many_root_fields_share_their_statements(groups: Store) -> None:
    data, _ = await _counted(groups, Snapshots(groups), "{ runs(first: 20) { edges { node { digest } } } }")
    digests = [edge["node"]["digest"] for edge in data["runs"]["edges"]]
    fields = " ".join(
        f'r{n}: run(digest: "{digest}") {{ implementation {{ slug project {{ name }} }} }}'
        for n, digest in enumerate(digests)
    )
    _, cost = await _counted(groups, Snapshots(groups), f"{{ {fields} }}")
    assert cost == 5  # the revision twice, runs, their implementations, projects


async def test_entities_are_loaded_together(groups: Store) -> None:
    data, _ = await _counted(groups, Snapshots(groups), "{ runs(first: 50) { edges { node { digest } } } }")
    representations = [
        {"__typename": "BenchmarkRun", "digest": edge["node"]["digest"]} for edge in data["runs"]["edges"]
    ]
    text = "query ($r: [_Any!]!) { _entities(representations: $r) { ... on BenchmarkRun { title } } }"
    _, cost = await _counted(groups, Snapshots(groups), text, r=representations)
    assert cost == 3


async def test_a_query_of_the_schema_asks_the_database_nothing(groups: Store) -> None:
    _, cost = await _counted(groups, Snapshots(groups), "{ __schema { types { name } } _service { sdl } }")
    assert cost == 0


SHOWN = """query ($run: Digest!, $other: Digest!) {
  run(digest: $run) { retraction { reason } publishedAt standing { rank reasons } group { size }
    implementation { slug names { slug } } source { runCount } }
  other: run(digest: $other) { standing { rank } }
  runs { totalCount } catalog { revision counts { kind count } } }"""


async def test_reads_are_fresh_after_a_write(store: Store, tmp_path: Path) -> None:
    snapshots = Snapshots(store)
    started = await snapshots.current()
    await fill(store, tmp_path, [SUM, SMALL, MEDIAN, H100, PLAIN, THIRD])
    ids = {"run": THIRD.digest, "other": BEST.digest}
    first, _ = await _counted(store, snapshots, SHOWN, **ids)
    assert first["run"]["standing"] == {"rank": 1, "reasons": []}
    assert first["other"] is None
    assert first["runs"]["totalCount"] == 1

    better = run("better", (PLAIN, SMALL, MEDIAN, H100), 10)
    again: list[Item] = [
        better,
        says(THIRD, "retraction", {"at": "2026-02-01T00:00:00Z", "reason": "wrong GPU"}),
        says(PLAIN, "name", {"slug": "renamed"}),
    ]
    await fill(store, tmp_path, again, "again.jsonl")
    ids["other"] = better.digest
    second, _ = await _counted(store, snapshots, SHOWN, **ids)
    assert second["run"] == {
        "retraction": {"reason": "wrong GPU"},
        "publishedAt": None,
        "standing": {"rank": None, "reasons": ["RETRACTED"]},
        "group": {"size": 2},
        "implementation": {"slug": "renamed", "names": [{"slug": "renamed"}]},
        "source": {"runCount": 2},
    }
    assert second["other"] == {"standing": {"rank": 1}}
    assert second["runs"]["totalCount"] == 2
    assert second["catalog"]["revision"] == first["catalog"]["revision"] + 1
    assert started.revision < first["catalog"]["revision"]


async def test_pages_neither_repeat_nor_skip_when_an_import_comes_between(
    store: Store, tmp_path: Path
) -> None:
    def made(n: int) -> Manifest:
        return run(f"run-{n:02}", (PLAIN, SMALL, MEDIAN, H100), 100 + n, f"2026-01-{n:02}T00:00:00Z")

    snapshots = Snapshots(store)
    await fill(store, tmp_path, [SUM, SMALL, MEDIAN, H100, PLAIN, *(made(n) for n in range(2, 12, 2))])
    text = """query ($after: String, $group: String, $key: Digest!) {
      runs(first: 2, after: $after) { edges { cursor node { title } } }
      run(digest: $key) { group { runs(first: 2, after: $group) { edges { cursor node { title } } } } } }"""

    seen: dict[str, list[str]] = {"runs": [], "group": []}
    cursors: dict[str, str | None] = {"after": None, "group": None}
    for turn in range(4):
        data, _ = await _counted(store, snapshots, text, key=made(4).digest, **cursors)
        runs, group = data["runs"]["edges"], data["run"]["group"]["runs"]["edges"]
        seen["runs"] += [edge["node"]["title"] for edge in runs]
        seen["group"] += [edge["node"]["title"] for edge in group]
        cursors["after"] = runs[-1]["cursor"] if runs else cursors["after"]
        cursors["group"] = group[-1]["cursor"] if group else cursors["group"]
        if turn == 0:  # newer and faster than anything on the first page, and something far behind it
            late = run("newest", (PLAIN, SMALL, MEDIAN, H100), 1, "2026-02-01T00:00:00Z")
            slow = run("oldest", (PLAIN, SMALL, MEDIAN, H100), 900, "2025-01-01T00:00:00Z")
            await fill(store, tmp_path, [late, slow], "more.jsonl")
    assert seen["runs"] == ["Run-10", "Run-08", "Run-06", "Run-04", "Run-02", "Oldest"]
    assert seen["group"] == ["Run-02", "Run-04", "Run-06", "Run-08", "Run-10", "Oldest"]
