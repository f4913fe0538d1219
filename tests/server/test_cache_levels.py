"""Whatever a server keeps, it answers with the bytes of no cache at all, while others import and retract.

A writer changes the catalog step by step. After each step it asks a server that keeps nothing, with nobody
writing: those are the right bytes of that revision. Meanwhile others ask servers of all levels, by GET and
by POST. Every answer says its revision, so each is held against the right bytes; a mixture would differ.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.schema import schema
from catalog.domain.manifests import Manifest
from catalog.read import Snapshots
from catalog.server.app import create_app
from catalog.server.ask import REVISIONS
from catalog.server.settings import Cache, Settings
from graph.store import Store
from tests.read.samples import B200, CATALOG, FAST, MEDIAN, ON, SMALL, Item, fill, run, says
from tests.server.sample import Watch, find_manifests

STEPS: Final = 12
ASKERS: Final = 2

RUN: Final = (
    "{ digest title retraction { at } standing { rank eligible reasons } group { size eligibleCount } }"
)
QUESTIONS: Final = {
    "ranked": """query ($key: Digest!, $run: Digest!) {
      catalog { revision counts { kind count } }
      comparisonGroup(key: $key) { size eligibleCount
        operation { slug } workload { title } leader { digest }
        runs(first: 50) { totalCount edges { rank ratioToBest node { digest title status
          implementation { slug project { slug } } environment { product } source { slug } } } }
        recordHistory { at cause run { title } previous { title } } }
      run(digest: $run) { recordEvents { cause } warnings { code } } }""",
    "dossier": f"query ($run: Digest!) {{ run(digest: $run) {RUN} catalog {{ revision }} }}",
    "browse": """{ runs(first: 20) { totalCount edges { cursor node { title standing { rank } } } }
      records(first: 20) { edges { node { takeOver event { at run { title } } } } } catalog { revision } }""",
    "entities": """query ($refs: [_Any!]!) { catalog { revision } _entities(representations: $refs) {
      ... on BenchmarkRun { title standing { rank tied } retraction { reason } } } }""",
    "search": """{ search(query: "row sum", first: 10) { totalCount facets { field values { value count } }
      edges { score node { __typename } } } catalog { revision } }""",
}


def app(store: Store, cache: Cache) -> httpx.AsyncClient:
    snapshots = Snapshots(store, keep=cache is not Cache.OFF)

    async def contexts(_request: object) -> Context:
        return Context(snapshots)

    served = create_app(
        schema=schema,
        context_factory=contexts,
        store_probe=Watch(),
        manifest_bytes=find_manifests,
        map_error=map_error,
        settings=Settings(cache=cache, compress_from=0),
        revisions=REVISIONS,
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://catalog.test")


@pytest.fixture
async def clients(store: Store) -> AsyncIterator[dict[Cache, httpx.AsyncClient]]:
    async with AsyncExitStack() as stack:
        yield {cache: await stack.enter_async_context(app(store, cache)) for cache in Cache}


def steps() -> tuple[Manifest, list[list[Item]]]:
    """A run, and what is imported one after the other: better runs, retractions, supersessions of it and of
    each other."""
    first = run("first", ON, 100, "2026-03-01T00:00:00Z")
    made: list[list[Item]] = []
    latest = first
    for number in range(STEPS):
        if number % 3 == 1:
            at = f"2026-04-{number + 1:02}T00:00:00Z"
            made.append([says(latest, "retraction", {"at": at, "reason": f"step {number}"})])
            continue
        newer = run(
            f"step-{number}", (FAST, SMALL, MEDIAN, B200), 99 - number, f"2026-03-{number + 2:02}T00:00:00Z"
        )
        made.append([newer] if number % 3 else [newer, says(newer, "supersedes", latest.digest)])
        latest = newer
    return first, made


async def ask(client: httpx.AsyncClient, name: str, variables: dict[str, Any], by: str) -> httpx.Response:
    request = {"query": QUESTIONS[name], "variables": variables}
    if by == "POST":
        return await client.post("/graphql", json=request)
    return await client.get(
        "/graphql", params=httpx.QueryParams(query=request["query"], variables=_json(variables))
    )


def _json(variables: dict[str, Any]) -> str:
    return httpx.Request("POST", "http://x", json=variables).content.decode()


async def test_every_level_gives_the_bytes_of_none_while_the_catalog_changes(
    store: Store, clients: dict[Cache, httpx.AsyncClient], tmp_path: Path
) -> None:
    first, changes = steps()
    await fill(store, tmp_path, [*CATALOG, first])
    key = (await ask_key(clients[Cache.OFF], first.digest))["key"]
    refs = [{"__typename": "BenchmarkRun", "digest": first.digest}]
    given = {
        "ranked": {"key": key, "run": first.digest},
        "dossier": {"run": first.digest},
        "entities": {"refs": refs},
    }
    right: dict[tuple[str, int], bytes] = {}
    seen: dict[tuple[Cache, str], dict[int, set[bytes]]] = defaultdict(lambda: defaultdict(set))
    done = asyncio.Event()

    async def learn() -> None:
        for name in QUESTIONS:
            answer = await ask(clients[Cache.OFF], name, given.get(name, {}), "POST")
            assert "errors" not in answer.json(), answer.text
            right[name, answer.json()["data"]["catalog"]["revision"]] = answer.content

    async def write() -> None:
        await learn()
        for number, items in enumerate(changes):
            await fill(store, tmp_path, items, f"{number}.jsonl")
            await learn()
        done.set()

    async def look(cache: Cache, by: str) -> None:
        while not done.is_set():
            for name in QUESTIONS:
                answer = await ask(clients[cache], name, given.get(name, {}), by)
                assert "errors" not in answer.json(), answer.text
                seen[cache, name][answer.json()["data"]["catalog"]["revision"]].add(answer.content)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(write())
        for cache in Cache:
            for by in ("GET", "POST")[:ASKERS]:
                tasks.create_task(look(cache, by))

    assert len({revision for _, revision in right}) == STEPS + 1
    assert len(set(right.values())) == len(right)  # each revision has answers of its own
    for (cache, name), answers in seen.items():
        assert len(answers) > 1, (cache, name)
        for revision, bodies in answers.items():
            assert bodies == {right[name, revision]}, (cache, name, revision)


async def ask_key(client: httpx.AsyncClient, digest: str) -> dict[str, Any]:
    answer = await client.post(
        "/graphql", json={"query": f'{{ run(digest: "{digest}") {{ group {{ key }} }} }}'}
    )
    found: dict[str, Any] = answer.json()["data"]["run"]["group"]
    return found
