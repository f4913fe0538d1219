"""The book of questions: which function works out which answer, and the table of docs/answers.md."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from graphql import OperationDefinitionNode, parse
from graphql.utilities import value_from_ast_untyped

from tests.answers.raw import Raw

ROOT = Path(__file__).parent.parent.parent
QUERIES = ROOT / "examples" / "queries"
PAGE = ROOT / "docs" / "answers.md"
HEAD = "| question | query | answer | checked by |\n|---|---|---|---|"


class Answer(NamedTuple):
    """What the query must give, whole, and the same in a few words for the table."""

    data: dict[str, Any]
    short: str


Given = dict[str, Any]
"""What a query asks with: its variables' defaults."""

Check = Callable[[Raw, Given], Answer]
CHECKS: dict[str, Check] = {}
"""Name of the query file -> what works out its answer; its docstring says how."""


def answers(name: str) -> Callable[[Check], Check]:
    """Enter a function as the answer to `name`."""

    def enter(check: Check) -> Check:
        assert name not in CHECKS
        CHECKS[name] = check
        return check

    return enter


def query(name: str) -> str:
    """The text of a query file."""
    return (QUERIES / f"{name}.graphql").read_text()


def given(name: str) -> Given:
    """The defaults of a query's variables."""
    [operation] = parse(query(name)).definitions
    assert isinstance(operation, OperationDefinitionNode)
    return {
        each.variable.name.value: value_from_ast_untyped(each.default_value)
        for each in operation.variable_definitions or ()
        if each.default_value is not None
    }


@cache
def expected(name: str, raw: Raw) -> Answer:
    """The answer of the raw files to a question."""
    return CHECKS[name](raw, given(name))


def comment(name: str) -> tuple[str, str]:
    """The question that a query file asks, and the data that it is asked of."""
    question, data = query(name).splitlines()[:2]
    assert question.startswith("# ")
    assert data.startswith("# Data: ")
    return question.removeprefix("# "), data.removeprefix("# Data: ")


def is_made(name: str) -> bool:
    """Whether a question needs the made data beside the real."""
    return comment(name)[1].startswith("made data")


def row(name: str, raw: Raw) -> str:
    """The line of a question in the table of docs/answers.md."""
    how = inspect.cleandoc(CHECKS[name].__doc__ or "").replace("\n", " ").removesuffix(".")
    if is_made(name):
        how = f"Made data: {how[0].lower()}{how[1:]}"
    link = f"[{name}](../examples/queries/{name}.graphql)"
    return f"| {comment(name)[0]} | {link} | {expected(name, raw).short} | {how} |"


def table(raw: Raw) -> str:
    """The whole table."""
    return "\n".join([HEAD, *(row(name, raw) for name in sorted(CHECKS))])
