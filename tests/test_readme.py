"""Every GraphQL example of the pages below has the answer that stands below it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.ingest.pipeline import import_paths
from catalog.server.questions import Example, load_questions
from graph import Store
from tests.asking import ask
from tests.engines import Engine

ROOT = Path(__file__).parent.parent
EXAMPLE = re.compile(r"```graphql\n(?P<query>.*?)```\s+```json\n(?P<answer>.*?)```", re.DOTALL)
PAGES = (
    "README.md",
    "docs/graphql.md",
    "docs/compare.md",
    "docs/resolve.md",
    "docs/records.md",
    "docs/lineage.md",
    "docs/coverage.md",
    "docs/search.md",
)
"""Pages whose examples are on the bundled data."""


def examples() -> list[Any]:
    found = []
    for page in PAGES:
        for number, match in enumerate(EXAMPLE.finditer((ROOT / page).read_text()), start=1):
            found.append(pytest.param(match["query"], json.loads(match["answer"]), id=f"{page}-{number}"))
    return found


@pytest.fixture(scope="module")
async def bundled(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        await import_paths(store, [ROOT / "catalog/data/liger/all_benchmark_data.csv"])
        yield store


@pytest.mark.parametrize(("query", "answer"), examples())
async def test_the_answer_below_a_query_is_the_answer(
    bundled: Store, query: str, answer: dict[str, Any]
) -> None:
    assert await ask(bundled, query) == answer.get("data", answer)


EXAMPLES = [example for question in load_questions() for example in question.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
async def test_every_example_of_the_explorer_finds_something(bundled: Store, example: Example) -> None:
    found = await ask(bundled, example.query, json.loads(example.variables or "{}"))
    assert all(found.values()), found
    if example.name != "serving":  # there are no serving results in the bundled data
        assert found != {name: {"totalCount": 0, "edges": []} for name in found}
