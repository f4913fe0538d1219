"""Federated representations, and scalars that are no strings: faults are told in the client's own words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Ask
from tests.read.samples import BEST, FAST, HUGE, SMALL

UNKNOWN_DIGEST = "sha256:" + "0" * 64
ENTITIES = (
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
    answer = await ask(ENTITIES, r=representations)
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
    answer = await ask(ENTITIES, r=[project] * 1_000)
    assert answer == {"data": {"_entities": [{"__typename": "SoftwareProject"}] * 1_000}}
    [error] = (await ask(ENTITIES, r=[project] * 1_001))["errors"]
    assert error["extensions"]["code"] == "LIMIT_EXCEEDED"
    assert error["message"] == "variables: 'r' has 1001 items; at most 1000 are allowed."


@pytest.mark.parametrize(
    ("type_name", "shown"), [(None, "null"), (["a"], '["a"]'), (True, "true"), ("Query", '"Query"')]
)
async def test_an_entity_of_no_type_is_quoted_as_the_client_sent_it(
    ask: Ask, type_name: object, shown: str
) -> None:
    [error] = (await ask(ENTITIES, r=[{"__typename": type_name}]))["errors"]
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
