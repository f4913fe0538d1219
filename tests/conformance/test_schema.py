"""The schema that clients see: how it is designed, and what may change in it."""

from pathlib import Path

import pytest

from catalog.api.client_schema import client_sdl
from catalog.api.schema import sdl
from tests.conformance import breaking, node

SMALL = """
type Query {
  "What the answer is."
  answer(first: Int = 3): Answer
}

type Answer {
  "Rank."
  rank: Int
  old: Int @deprecated(reason: "Take rank.")
}
"""


def test_the_linter_finds_nothing(tools: node.Package, tmp_path: Path) -> None:
    (tmp_path / "schema.graphql").write_text(client_sdl(sdl()))
    config = tools.folder / "eslint.config.mjs"
    environ = {"SCHEMA": "schema.graphql"}
    ran = tools.tool("eslint", "--config", config, "schema.graphql", environ=environ, folder=tmp_path)
    assert (ran.code, ran.out) == (0, ""), ran


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        pytest.param("rank: Int", "rank: Int\n  tied: Boolean", 0, id="a field more"),
        pytest.param(
            "(first: Int = 3)", "(first: Int = 3, after: String)", 0, id="an optional argument more"
        ),
        pytest.param('old: Int @deprecated(reason: "Take rank.")', "", 0, id="a deprecated field less"),
        pytest.param('"Rank."\n  rank: Int', "", 1, id="a field less"),
        pytest.param("rank: Int", "rank: String", 1, id="another type"),
        pytest.param("(first: Int = 3)", "(first: Int!)", 1, id="an argument that must be given"),
    ],
)
@pytest.mark.usefixtures("tools")
def test_only_what_breaks_clients_is_held_up(tmp_path: Path, was: str, now: str, code: int) -> None:
    old, new = tmp_path / "old.graphql", tmp_path / "new.graphql"
    old.write_text(SMALL)
    assert SMALL.count(was) == 1
    new.write_text(SMALL.replace(was, now))
    ran = breaking.compare(old, new)
    assert ran.code == code, ran


def test_the_highest_version_is_the_last_release(tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.0", "0.2.11"):
        (tmp_path / f"{version}.graphql").touch()
    assert breaking.last_release(tmp_path).stem == "0.10.0"
