"""What the bench asks has the same answer over GraphQL and by its Cypher; a run compares all sides."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graph import Store
from tests.asking import ask
from tests.bench.questions import QUESTIONS
from tests.data import liger_raw
from tests.engines import Engine


@pytest.fixture(scope="module")
async def liger(engine: Engine) -> AsyncIterator[Store]:
    """Liger's bundled data."""
    await engine.fill([liger_raw.BUNDLED])
    async with engine.store() as store:
        yield store


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name != "serving"])
async def test_graphql_and_cypher_say_the_same(liger: Store, name: str) -> None:
    question = await QUESTIONS[name](liger)
    assert question.variants
    for variant in question.variants[:20]:
        told = question.told(await ask(liger, question.text, variant.variables))
        assert told == question.found(await liger.read(question.cypher, **variant.params)), variant
