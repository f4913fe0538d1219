"""Federated representations, and scalars that are no strings: faults are told in the client's own words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLObjectType

from catalog.api.context import Context
from catalog.api.prefix import is_entity
from catalog.api.registry import ENTITIES, Reachable
from catalog.api.schema import schema
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from graph.schema import NODES
from tests.api.conftest import Ask
from tests.engines import Engine
from tests.read.samples import BEST, CATALOG, FAST, HUGE, SMALL, fill

MADE = Path(__file__).parent.parent / "data" / "made"
UNKNOWN_DIGEST = "sha256:" + "0" * 64
REFERRED = (
    "query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on BenchmarkRun { title } } }"
)


async def test_entities_answer_in_order_each_for_itself(ask: Ask) -> None:
    run = {"__typename": "BenchmarkRun", "digest": BEST.digest, "surplus": {"a": 1}}
    representations: list[Any] = [
        run,
        {"__typename": "BenchmarkRun", "digest": UNKNOWN_DIGEST},
        {"__typename": "BenchmarkRun", "digest": HUGE.digest},
        {"__typename": "BenchmarkRun", "digest": "efaaa145"},
        {"__typename": "Unknown", "digest": BEST.digest},
        {"__typename": "SoftwareProject", "slug": "library"},
        {"__typename": "EvidenceSource", "slug": "bench"},
        {"__typename": "ImplementationRevision", "digest": FAST.digest},
        {"__typename": "BenchmarkWorkload"},
        {"digest": BEST.digest},
        {"__typename": "BenchmarkWorkload", "digest": SMALL.digest},
    ]
    answer = await ask(REFERRED, r=representations)
    shown = [entity and entity["__typename"] for entity in answer["data"]["_entities"]]
    assert shown == [
        *("BenchmarkRun", None, "BenchmarkRun", None, None, "SoftwareProject", "EvidenceSource"),
        *("ImplementationRevision", None, None, "BenchmarkWorkload"),
    ]
    assert answer["data"]["_entities"][0]["title"] == "Best"
    faults = sorted((error["path"][1], error["extensions"]["code"]) for error in answer["errors"])
    assert faults == [(index, "BAD_USER_INPUT") for index in (3, 4, 8, 9)]
    assert run == {"__typename": "BenchmarkRun", "digest": BEST.digest, "surplus": {"a": 1}}


async def test_more_representations_than_the_maximum_are_refused(ask: Ask) -> None:
    project = {"__typename": "SoftwareProject", "slug": "library"}
    answer = await ask(REFERRED, r=[project] * 1_000)
    assert answer == {"data": {"_entities": [{"__typename": "SoftwareProject"}] * 1_000}}
    [error] = (await ask(REFERRED, r=[project] * 1_001))["errors"]
    assert error["extensions"]["code"] == "LIMIT_EXCEEDED"
    assert error["message"] == "variables: 'r' has 1001 items; at most 1000 are allowed."


@pytest.mark.parametrize(
    ("type_name", "shown"), [(None, "null"), (["a"], '["a"]'), (True, "true"), ("Query", '"Query"')]
)
async def test_an_entity_of_no_type_is_quoted_as_the_client_sent_it(
    ask: Ask, type_name: object, shown: str
) -> None:
    [error] = (await ask(REFERRED, r=[{"__typename": type_name}]))["errors"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert error["message"].startswith(f"representations: {shown} is no entity; they are ")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (
            "{ run(digest: 12345678) { title } }",
            "must be a string: 'sha256:' and 64 lower-case hexadecimal digits, or the first 8 or more of "
            "them",
        ),
        (
            "{ runs(filter: {observedFrom: 2026}) { totalCount } }",
            "must be a string: an instant by RFC 3339, such as '2026-01-31T12:00:00Z'",
        ),
    ],
)
async def test_what_is_no_string_is_told_the_form(ask: Ask, text: str, form: str) -> None:
    [error] = (await ask(text))["errors"]
    assert error["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    assert error["message"].endswith(form)


NAMED_BY_NO_KEY = {
    "SubmittedName.slug": "two submissions may have one slug and different titles",
    "RunCitation.digest": "that of the run",
}
"""Fields that look like a key and are none -> why."""


def test_every_type_with_a_digest_a_key_or_a_slug_is_an_entity_keyed_by_content() -> None:
    keys: dict[str, str] = {}
    for name, type_ in schema._schema.type_map.items():
        if isinstance(type_, GraphQLObjectType):
            keyed = [f for f in ("digest", "key", "contentDigest", "slug") if f in type_.fields]
            keyed = [f for f in keyed if str(type_.fields[f].type).endswith("!")]
            if keyed and f"{name}.{keyed[0]}" not in NAMED_BY_NO_KEY:
                keys[name] = keyed[0]
    assert keys == {name: entity.key for name, entity in ENTITIES.items()}
    assert all(is_entity(entity.type.__strawberry_definition__) for entity in ENTITIES.values())
    for name, key in keys.items():
        assert f'@key(fields: "{key}")' in schema.as_str().split(f"type {name} ")[1].split("{")[0]


@pytest.fixture(scope="module")
async def everything(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """A catalog with every kind of entity in it, and many runs."""
    await engine.reset()
    async with engine.store() as store:
        await fill(store, tmp_path_factory.mktemp("everything"), CATALOG)
        assert not (await import_paths(store, [MADE / "serving.jsonl", MADE / "resolve.jsonl"])).rejected
        yield store


async def _keys(store: Store, entity: Reachable) -> list[str]:
    if entity.type.__name__ == "WorkloadCorrectness":
        label, key = "Workload", "correctnessKey"
    else:
        label, key = entity.type.label, NODES[entity.type.label].key
    rows = await store.read(f"MATCH (n:{label}) WHERE n.{key} IS NOT NULL RETURN DISTINCT n.{key} AS key")
    return sorted(row["key"] for row in rows)


@pytest.mark.parametrize("each", [1, 20])
async def test_all_references_to_nodes_are_one_statement(everything: Store, each: int) -> None:
    references = [
        {"__typename": name, entity.key: key}
        for name, entity in ENTITIES.items()
        for key in (await _keys(everything, entity))[:each]
    ]
    kinds = {reference["__typename"] for reference in references}
    assert kinds == ENTITIES.keys()
    unknown = [{"__typename": name, entity.key: UNKNOWN_DIGEST} for name, entity in ENTITIES.items()]
    before = everything.statements
    answer = await run_query(
        everything,
        """query ($r: [_Any!]!) { _entities(representations: $r) { __typename
          ... on Node { id } ... on ComparisonGroup { size } ... on ServingCohort { size }
          ... on WorkloadCorrectness { comparator } } }""",
        {"r": [*reversed(references), *unknown, *references]},
        context=Context(Snapshots(everything)),
    )
    assert everything.statements - before == 6  # the revision twice, nodes, groups, cohorts, rules
    shown = [entity and entity["__typename"] for entity in answer["data"]["_entities"]]
    names = [reference["__typename"] for reference in references]
    assert shown == [*reversed(names), *[None] * len(unknown), *names]
    assert "errors" not in answer
