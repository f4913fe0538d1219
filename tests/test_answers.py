"""Every question of examples/queries, on both engines, with the answer that the raw files give.

The answers are worked out in tests/answers, without the catalog; docs/answers.md tells them in a few words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from graphql import OperationDefinitionNode, parse, print_ast

from catalog.api.context import Context
from catalog.read import Snapshots
from catalog.server.ask import run_query
from catalog.server.questions import load_questions
from tests.answers import finding, honesty, lineage, made, ranked, records, serving
from tests.answers.book import CHECKS, PAGE, QUERIES, ROOT, comment, expected, is_made, query, table
from tests.answers.raw import Raw
from tests.data.made import TOGETHER
from tests.engines import Engine

AREAS = (ranked, finding, records, lineage, serving, honesty, made)
NAMES = sorted(CHECKS)
REAL = [name for name in NAMES if not is_made(name)]
MADE = [name for name in NAMES if is_made(name)]


@pytest.fixture(scope="module")
async def real(engine: Engine, real_files: list[Path]) -> AsyncIterator[Snapshots]:
    """All the real data."""
    await engine.fill(real_files)
    async with engine.store() as store:
        yield Snapshots(store)


@pytest.fixture(scope="module")
async def with_made(engine: Engine, real_files: list[Path]) -> AsyncIterator[Snapshots]:
    """The made data beside it."""
    await engine.fill([*real_files, *TOGETHER])
    async with engine.store() as store:
        yield Snapshots(store)


@pytest.mark.real_data
@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
async def test_the_answer_is_that_of_the_raw_files(real: Snapshots, raw: Raw, name: str) -> None:
    answer = await run_query(real.store, query(name), context=Context(real))
    assert answer == {"data": expected(name, raw).data}


@pytest.mark.real_data
@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
async def test_the_answer_is_that_of_the_made_files(with_made: Snapshots, raw: Raw, name: str) -> None:
    answer = await run_query(with_made.store, query(name), context=Context(with_made))
    assert answer == {"data": expected(name, raw).data}


@pytest.mark.real_data
def test_the_table_tells_the_answers_of_the_raw_files(raw: Raw) -> None:
    """`python -m tests.answers` writes it."""
    assert table(raw) in PAGE.read_text()


def test_every_query_has_an_answer_and_every_answer_a_query() -> None:
    assert sorted(path.stem for path in QUERIES.iterdir()) == NAMES
    assert {check.__module__ for check in CHECKS.values()} == {area.__name__ for area in AREAS}
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_a_query_is_one_named_operation_that_says_what_it_asks(name: str) -> None:
    [operation] = parse(query(name)).definitions
    assert isinstance(operation, OperationDefinitionNode)
    assert operation.name is not None
    kebab = re.sub(r"(?<!^)(?=[A-Z])", "-", operation.name.value).lower()
    assert name.partition("-")[2] == kebab
    assert all(variable.default_value for variable in operation.variable_definitions or ())
    question, data = comment(name)
    assert question.endswith("?")
    assert data


def test_the_answers_are_worked_out_without_the_catalog() -> None:
    own = [*(ROOT / "tests/answers").glob("*.py"), *(ROOT / "tests/data").glob("*_raw.py")]
    assert len(own) > len(AREAS)
    for path in own:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [getattr(node, "module", None), *(alias.name for alias in node.names)]
                assert not any(re.match(r"(catalog|graph)\b", name or "") for name in names), path


def test_no_query_is_an_example_of_the_package_again() -> None:
    packaged = {selected(example.query) for question in load_questions() for example in question.examples}
    assert packaged.isdisjoint(map(selected, map(query, NAMES)))


def selected(text: str) -> str:
    """What a query asks for, without its name, comments and variables."""
    [operation] = parse(text).definitions
    assert isinstance(operation, OperationDefinitionNode)
    return print_ast(operation.selection_set)
