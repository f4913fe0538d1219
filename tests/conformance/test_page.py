"""docs/conformance.md: every test that it names is there, and every row names one."""

import ast
import re
from functools import cache

import pytest

from tests.serving import ROOT

TEXT = (ROOT / "docs" / "conformance.md").read_text()
ROWS = [
    line
    for line in TEXT.splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| fault |", "| suite |"))
]
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)))


@cache
def functions(path: str) -> frozenset[str]:
    """The functions of a module."""
    module = ast.parse((ROOT / path).read_text())
    return frozenset(
        node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_every_test_that_is_named_is_there(path: str, name: str) -> None:
    assert name.startswith("test_")
    assert name in functions(path)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_names_a_test(row: str) -> None:
    assert re.search(r"`tests/[\w/]+\.py::\w+`", row)
