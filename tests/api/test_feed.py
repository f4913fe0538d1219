"""Subscriptions over the real schema: resumed anywhere, filtered as lists are, told once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.schema import schema
from catalog.domain.manifests import Manifest
from catalog.read import Snapshots, feed, feed_filter
from catalog.read.feed import Feed
from catalog.server.ask import run_query
from catalog.server.execution import Executor, GraphQLRequest, Reply
from graph import Store, browse
from tests.asking import ask
from tests.engines import EmbeddedEngine
from tests.read.samples import (
    B200,
    BEST,
    CATALOG,
    FAST,
    MEDIAN,
    ON,
    PLAIN,
    SMALL,
    fill,
    run,
    says,
)
from tests.waiting import until

PUBLISHED = """
subscription ($filter: RunFilter, $since: Int, $after: String) {
  runPublished(filter: $filter, sinceRevision: $since, after: $after) {
    revision cursor run { digest title standing { reasons } }
  }
}
"""
BROKEN = """
subscription ($filter: RecordFilter, $since: Int, $after: String) {
  recordBroken(filter: $filter, sinceRevision: $since, after: $after) {
    revision cursor takeOver architecture group { key }
    event { at cause run { digest } previous { digest } }
  }
}
"""
CHANGED = """
subscription ($since: Int) {
  catalogChanged(sinceRevision: $since) {
    revision previousRevision runsPublished recordsBroken objects { kind count }
  }
}
"""


@dataclass
class Follower:
    """One process's way to subscribe to a store."""

    store: Store
    feed: Feed = field(init=False)

    def __post_init__(self) -> None:
        self._snapshots = Snapshots(self.store)
        self.feed = Feed(self._snapshots, 0.02)
        self._executor = Executor(schema, map_error)

    def replies(self, query: str, **variables: Any) -> AsyncGenerator[Reply, None]:
        async def context() -> Context:
            return Context(self._snapshots, following=self.feed)

        request = GraphQLRequest(query, variables=variables)
        return self._executor.stream(self._executor.prepare(request), request, context)

    @asynccontextmanager
    async def following(self, query: str, **variables: Any) -> AsyncIterator[Callable[..., Any]]:
        """Gives a function that waits for the next so many events."""
        async with aclosing(self.replies(query, **variables)) as replies:

            async def following(count: int) -> list[dict[str, Any]]:
                async with asyncio.timeout(60):
                    return [event_of(await anext(replies)) for _ in range(count)]

            yield following

    async def take(self, count: int, query: str, **variables: Any) -> list[dict[str, Any]]:
        async with self.following(query, **variables) as following:
            return list(await following(count))


def event_of(reply: Reply) -> dict[str, Any]:
    assert "errors" not in reply.body, reply.body
    [event] = reply.body["data"].values()
    return dict(event)


@pytest.fixture
def follower(store: Store) -> Follower:
    return Follower(store)


def runs(count: int, first: int = 0) -> list[Manifest]:
    """Runs of one group, each faster and later than the one before."""
    return [run(f"run-{n}", ON, 90 - n, f"2026-05-{n + 1:02}T00:00:00Z") for n in range(first, first + count)]


async def test_what_comes_next_is_told_as_it_comes(store: Store, tmp_path: Path, follower: Follower) -> None:
    await fill(store, tmp_path, CATALOG)
    [new] = runs(1)
    async with follower.following(PUBLISHED) as published, follower.following(BROKEN) as broken:
        waiting = [asyncio.create_task(following(1)) for following in (published, broken)]
        await until(lambda: follower.feed.followers == 2)
        await fill(store, tmp_path, [new])
        [[event], [record]] = [await task for task in waiting]
        assert follower.feed.followers == 2
    assert follower.feed.followers == 0
    assert (event["revision"], event["run"]) == (
        2,
        {"digest": new.digest, "title": "Run-0", "standing": {"reasons": []}},
    )
    assert (record["revision"], record["event"]["run"]) == (2, {"digest": new.digest})


async def test_the_past_and_the_present_join_without_a_seam(
    store: Store, tmp_path: Path, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A follower from the first revision on, one from the middle, one who is cut after every event."""
    monkeypatch.setattr(feed, "STRETCH", 3)
    await fill(store, tmp_path, CATALOG)
    made = runs(12)

    async def write() -> None:
        for item in made[4:]:
            await fill(store, tmp_path, [item])

    for item in made[:4]:
        await fill(store, tmp_path, [item])
    old = await follower.take(4, PUBLISHED, since=1)
    writing = asyncio.create_task(write())
    whole = asyncio.create_task(follower.take(12, PUBLISHED, since=1))
    half = asyncio.create_task(follower.take(10, PUBLISHED, after=old[1]["cursor"]))
    cut: list[dict[str, Any]] = []
    for _ in range(12):
        last = {"after": cut[-1]["cursor"]} if cut else {"since": 1}
        cut += await follower.take(1, PUBLISHED, **last)
    await writing
    assert cut == await whole == old[:2] + await half
    assert [event["run"]["digest"] for event in cut] == [item.digest for item in made]
    assert [event["revision"] for event in cut] == list(range(2, 14))


async def test_the_pull_form_tells_the_same(store: Store, tmp_path: Path, follower: Follower) -> None:
    await fill(store, tmp_path, CATALOG)
    for item in runs(3):
        await fill(store, tmp_path, [item])
    edges = "edges { cursor node { __typename revision ... on RunPublished { run { digest } } } }"
    found = (await ask(store, f"{{ changes(sinceRevision: 0, first: 100) {{ {edges} }} }}"))["changes"][
        "edges"
    ]
    pulled = {
        kind: [edge for edge in found if edge["node"]["__typename"] == kind]
        for kind in ("RunPublished", "RecordBroken")
    }
    told = await follower.take(len(pulled["RunPublished"]), PUBLISHED, since=0)
    assert [(event["cursor"], event["run"]["digest"]) for event in told] == [
        (edge["cursor"], edge["node"]["run"]["digest"]) for edge in pulled["RunPublished"]
    ]
    broken = await follower.take(len(pulled["RecordBroken"]), BROKEN, since=0)
    assert [event["cursor"] for event in broken] == [edge["cursor"] for edge in pulled["RecordBroken"]]


async def test_retractions_and_supersessions_are_told_by_the_records_they_change(
    store: Store, tmp_path: Path, follower: Follower
) -> None:
    one, two = runs(2)
    await fill(store, tmp_path, [*CATALOG, one, two])
    retraction = {"at": "2026-06-01T00:00:00Z", "reason": "clocks"}
    await fill(store, tmp_path, [says(two, "retraction", retraction)])
    redone = run("redone", ON, 95, "2026-06-02T00:00:00Z")
    await fill(store, tmp_path, [redone, says(redone, "supersedes", one.digest)])
    retracted, *others = await follower.take(3, BROKEN, since=1)
    assert retracted["event"] == {
        "at": "2026-06-01T00:00:00Z",
        "cause": "RETRACTION",
        "run": {"digest": one.digest},
        "previous": {"digest": two.digest},
    }
    assert {event["revision"] for event in others} == {3}
    passed = [event for event in others if event["event"]["cause"] == "RETRACTION"]
    assert [event["event"]["previous"] for event in passed] == [{"digest": two.digest}]
    assert passed[0]["event"]["run"] != {"digest": one.digest}


RUN_FILTERS: list[dict[str, Any]] = [
    {"architecture": "sm_90"},
    {"architecture": "unknown"},
    {"product": "B200"},
    {"status": ["TIMEOUT", "PASSED"]},
    {"status": ["TIMEOUT"]},
    {"source": "bench"},
    {"source": "nobody"},
    {"operation": "row-sum"},
    {"operation": "scans"},
    {"operation": "nothing"},
    {"project": "library"},
    {"project": "other-library"},
    {"implementation": FAST.digest},
    {"workload": SMALL.digest},
    {"protocol": MEDIAN.digest},
    {"environment": B200.digest},
    {"minimumEvidence": "VERIFIED"},
    {"deployable": True},
    {"deployable": False},
    {"observedFrom": "2026-01-03T00:00:00Z", "observedBefore": "2026-02-02T00:00:00Z"},
    {"language": "triton"},
    {"axes": [{"name": "lanes", "operator": "EQ", "value": 8}]},
    {"axes": [{"name": "n", "operator": "LTE", "value": 1024}], "deployable": True},
]
RECORD_FILTERS: list[dict[str, Any]] = [
    {"operation": "row-sum"},
    {"operation": "nothing"},
    {"architecture": "sm_100"},
    {"product": "H100"},
    {"source": "bench"},
    {"project": "library"},
    {"implementation": PLAIN.digest},
    {"minimumEvidence": "VERIFIED"},
    {"cause": "RETRACTION"},
    {"cause": "NEW_RUN", "takeOver": True},
    {"takeOver": False},
    {"since": "2026-01-02T00:00:00Z", "before": "2026-02-01T00:00:00Z"},
]
END = run("end", ON, 1, "2027-01-01T00:00:00Z")


def test_every_filter_of_runs_has_its_test_in_memory() -> None:
    pages_only = {"since", "until"}
    assert set(feed_filter.RUN_TESTS) == set(browse.LISTINGS["Run"].filters) - pages_only


async def test_a_filter_of_runs_lets_pass_what_it_lists(
    store: Store, tmp_path: Path, follower: Follower
) -> None:
    await fill(store, tmp_path, CATALOG)
    whole = "query ($filter: RunFilter) { runs(filter: $filter, first: 100) { edges { node { digest } } } }"
    every = {event["run"]["digest"] for event in await follower.take(11, PUBLISHED, since=0)}
    for chosen in RUN_FILTERS:
        listed = (await ask(store, whole, {"filter": chosen}))["runs"]["edges"]
        expected = every & {edge["node"]["digest"] for edge in listed}
        told = await follower.take(len(expected), PUBLISHED, since=0, filter=chosen)
        assert {event["run"]["digest"] for event in told} == expected, chosen
        assert len(told) == len(expected)
        assert chosen.get("source") == "nobody" or chosen.get("operation") == "nothing" or expected, chosen


async def test_a_filter_of_records_lets_pass_what_it_lists(
    store: Store, tmp_path: Path, follower: Follower
) -> None:
    await fill(store, tmp_path, [*CATALOG, END])
    whole = """query ($filter: RecordFilter) { records(filter: $filter, first: 100) { edges { node {
      takeOver architecture group { key } event { at cause run { digest } previous { digest } } } } } }"""
    for chosen in RECORD_FILTERS:
        listed = (await ask(store, whole, {"filter": chosen}))["records"]["edges"]
        told = await follower.take(len(listed), BROKEN, since=0, filter=chosen)
        for event in told:
            del event["revision"], event["cursor"]
        assert sorted(told, key=str) == sorted((edge["node"] for edge in listed), key=str), chosen


async def test_what_does_not_pass_is_passed_over(store: Store, tmp_path: Path, follower: Follower) -> None:
    """The end of a quiet filter is known by what comes after it."""
    await fill(store, tmp_path, CATALOG)
    chosen = {"implementation": FAST.digest, "observedFrom": "2026-06-01T00:00:00Z"}
    async with follower.following(PUBLISHED, since=0, filter=chosen) as following:
        task = asyncio.create_task(following(1))
        await fill(store, tmp_path, runs(3))
        await fill(store, tmp_path, [END])
        [event] = await task
    assert event["run"]["digest"] == END.digest


async def test_changes_that_follow_quickly_are_told_as_one(
    store: Store, tmp_path: Path, follower: Follower
) -> None:
    await fill(store, tmp_path, CATALOG)
    for item in runs(5):
        await fill(store, tmp_path, [item])
    async with follower.following(CHANGED, since=1) as following:
        assert await following(1) == [
            {
                "revision": 6,
                "previousRevision": 1,
                "runsPublished": 5,
                "recordsBroken": 5,
                "objects": [{"kind": "BenchmarkRun", "count": 5}],
            }
        ]
        waiting = asyncio.create_task(following(1))
        await fill(store, tmp_path, [says(BEST, "replications", 9)])
        assert await waiting == [
            {"revision": 7, "previousRevision": 6, "runsPublished": 0, "recordsBroken": 0, "objects": []}
        ]


@pytest.mark.parametrize(
    ("query", "variables", "where"),
    [
        (PUBLISHED, {"since": -1}, "sinceRevision"),
        (PUBLISHED, {"since": 99}, "sinceRevision"),
        (PUBLISHED, {"after": "x"}, "after"),
        (PUBLISHED, {"filter": {"workload": "sha256:12"}}, "workload"),
        (PUBLISHED, {"filter": {"observedFrom": "2026-01-01"}}, "observedFrom"),
        (BROKEN, {"filter": {"implementation": "x"}}, "implementation"),
        (CHANGED, {"since": 99}, "sinceRevision"),
    ],
)
async def test_what_can_not_be_followed_is_refused_at_once(
    follower: Follower, query: str, variables: dict[str, Any], where: str
) -> None:
    replies = [reply.body async for reply in follower.replies(query, **variables)]
    [[error]] = [reply["errors"] for reply in replies]
    assert "data" not in replies[0]
    assert (error["extensions"]["code"], error["extensions"]["field"]) == ("BAD_USER_INPUT", where)
    assert follower.feed.followers == 0


async def test_one_answer_is_not_enough_for_a_subscription(store: Store) -> None:
    answer = await run_query(store, CHANGED)
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["BAD_USER_INPUT"]


async def test_many_followers_ask_no_more_than_one(store: Store, tmp_path: Path) -> None:
    """Revisions are looked at by one task, stretches, facts and names are read once."""
    await fill(store, tmp_path, CATALOG)
    asked = []
    for count, item in zip((1, 60), runs(2), strict=True):
        follower = Follower(store)
        chosen = {"language": "triton", "operation": "row-sum"}
        tasks = [asyncio.create_task(follower.take(1, PUBLISHED, filter=chosen)) for _ in range(count)]
        await until(lambda: follower.feed.followers == count)  # noqa: B023
        await fill(store, tmp_path, [item])
        before = store.statements
        told = await asyncio.gather(*tasks)
        asked.append(store.statements - before)
        assert [event["run"]["digest"] for [event] in told] == [item.digest] * count
    assert asked[1] < asked[0] + 20


@pytest.mark.parametrize("count", [3])
async def test_an_engine_that_dies_is_waited_for(
    embedded: EmbeddedEngine, tmp_path: Path, count: int
) -> None:
    await embedded.reset()
    async with embedded.store() as store:
        follower = Follower(store)
        await fill(store, tmp_path, CATALOG)
        async with follower.following(PUBLISHED) as following:
            task = asyncio.create_task(following(count))
            await until(lambda: follower.feed.followers == 1)
            made = runs(count)
            await fill(store, tmp_path, made[:1])
            os.kill(int((embedded.data_dir / "engine.pid").read_text()), signal.SIGKILL)
            for item in made[1:]:
                await fill(store, tmp_path, [item])
            events = await task
        assert [event["run"]["title"] for event in events] == ["Run-0", "Run-1", "Run-2"]
