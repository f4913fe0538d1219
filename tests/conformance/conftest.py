"""Fixtures of the conformance tests: the npm tools, and one server with the bundled data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance import node
from tests.serving import ROOT, announced, end, start


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("conformance")


@pytest.fixture(scope="session")
def npm() -> None:
    """Node and npm are here; else a visible skip, in CI an error."""
    if absent := node.missing():
        if os.environ.get("CI") == "true":
            pytest.fail(absent)
        pytest.skip(absent)


@pytest.fixture(scope="session")
def tools(npm: None) -> node.Package:  # noqa: ARG001 - asked for first
    """The tools of tests/conformance/package.json, installed."""
    return node.installed(node.TOOLS)


@pytest.fixture(scope="session")
def example(npm: None) -> node.Package:  # noqa: ARG001 - asked for first
    """The composers and gateways of examples/federation, installed."""
    return node.installed(ROOT / "examples" / "federation")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The GraphQL address of `catalog demo`: the bundled data on the embedded engine. Tests only read it."""
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "CATALOG_"))
    }
    data_dir = tmp_path_factory.mktemp("served") / "data"
    with start("demo", "--port", 0, "--data-dir", data_dir, environ=environ) as server:
        try:
            url: str = announced(server)["url"]
            yield url
        finally:
            code, errors = end(server)
    # Schemathesis tries a header with a null byte; that is told, and nothing else may be.
    said = [line for line in errors.splitlines() if not line.endswith(" Invalid HTTP request received.")]
    assert (code, said) == (0, [])
