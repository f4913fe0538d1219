"""The clients in examples/clients: generated anew they are as they stand there, and they answer."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance import node, venv
from tests.serving import ROOT, ask

CLIENTS = ROOT / "examples" / "clients"
GENERATED = {"python": "catalog_client", "typescript": "src/gql", "relay": "src/__generated__"}
NOT_COPIED = shutil.ignore_patterns("node_modules", ".venv", "build", "schema.graphql", "__pycache__")
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ |```).*\n)*)", re.MULTILINE)
RANKED = "sha256:26a3d326c83203eb3e8ee8d02e3367acf4c2a0e4efafca478b81074ca5fe20a4"


@pytest.fixture(params=list(GENERATED))
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a client's folder, without what was generated in it, with its packages."""
    name: str = request.param
    folder = tmp_path / name
    shutil.copytree(CLIENTS / name, folder, ignore=NOT_COPIED)
    for generated in files(folder / GENERATED[name]):
        (folder / GENERATED[name] / generated).unlink()
    if name == "python":
        (folder / ".venv").symlink_to(venv.environment(folder / "requirements.txt"))
    else:
        request.getfixturevalue("npm")
        (folder / "node_modules").symlink_to(node.installed(CLIENTS / name).folder / "node_modules")
    return folder


def files(folder: Path) -> dict[str, str]:
    """Path -> text."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_the_commands_of_its_readme_give_what_stands_there(client: Path, served: str) -> None:
    environ = {"CATALOG_URL": served, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    commands = list(COMMAND.finditer((client / "README.md").read_text()))
    assert len(commands) >= 3
    for match in commands:
        ran = node.run("sh", "-c", match["command"], environ=environ, folder=client)
        assert ran.code == 0, ran
        if match["output"]:
            assert ran.out.rstrip() == match["output"].rstrip()
    generated = GENERATED[client.name]
    assert files(client / generated) == files(CLIENTS / client.name / generated)


def test_the_python_client_is_typed() -> None:
    folder = CLIENTS / "python"
    python = venv.environment(folder / "requirements.txt") / "bin" / "python"
    options = (
        "--strict",
        "--config-file",
        os.devnull,
        "--cache-dir",
        os.devnull,
        "--python-executable",
        python,
    )
    ran = node.run(sys.executable, "-m", "mypy", *options, "main.py", folder=folder)
    assert ran.code == 0, ran


def compiled(name: str) -> str:
    """The text of a query that relay-compiler wrote."""
    artifact = (CLIENTS / "relay/src/__generated__" / f"{name}.graphql.ts").read_text()
    [text] = re.findall(r'"text": ("(?:[^"\\]|\\.)*")', artifact)
    return str(json.loads(text))


def pages(url: str, group: str) -> Iterator[list[str]]:
    """The ids of a group's runs, one a page, by the query that Relay generated."""
    cursor = None
    while True:
        query = compiled("RankingPaginationQuery")
        runs = ask(url, query, id=group, count=1, cursor=cursor)["node"]["runs"]
        yield [edge["node"]["id"] for edge in runs["edges"]]
        if not runs["pageInfo"]["hasNextPage"]:
            return
        cursor = runs["pageInfo"]["endCursor"]


def test_relay_pages_through_a_group_and_asks_for_a_run_again(served: str) -> None:
    runs = "runs { edges { node { id digest } } }"
    query = f"query ($key: Digest!) {{ comparisonGroup(key: $key) {{ id {runs} }} }}"
    group = ask(served, query, key=RANKED)["comparisonGroup"]
    ids = {edge["node"]["id"]: edge["node"]["digest"] for edge in group["runs"]["edges"]}
    assert list(pages(served, group["id"])) == [[run] for run in ids]
    for run, digest in ids.items():
        assert ask(served, compiled("RunRefetchQuery"), id=run)["node"]["digest"] == digest
