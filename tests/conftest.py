"""Fixtures for every test: the engines and an empty store on each.

`engine` runs a test on both engines, `embedded` and `neo4j` on one; `store` is an empty catalog on `engine`.
The Neo4j leg takes NEO4J_TEST_URI, or NEO4J_URI when that database is empty, else starts a server by Maven.
"""

import contextlib
import os
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from neo4j import GraphDatabase

import graph
from catalog.read import totals
from graph.store import Store
from tests.answers.raw import Raw
from tests.data import export_raw, liger_raw
from tests.engines import EmbeddedEngine, Engine
from tests.neo4j_server import launcher


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say what `-n N --dist loadgroup` keeps together: all that shares a Neo4j server, the real data, the
    served catalog of the conformance tests, else the tests of a file, which share what they have imported."""
    for item in items:
        fixtures: Sequence[str] = getattr(item, "fixturenames", ())
        if item.get_closest_marker("neo4j") is not None or "neo4j" in fixtures:
            group = "neo4j"
        elif "real_data" in fixtures and "engine" in fixtures:
            group = "real data"
        elif item.path.parent.name == "conformance":
            group = "conformance"
        else:
            group = item.path.stem
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the large real data; without CATALOG_TEST_DATA a visible skip, in CI an error."""
    folder = os.environ.get("CATALOG_TEST_DATA")
    if folder:
        return Path(folder)
    if os.environ.get("CI") == "true":
        pytest.fail("CATALOG_TEST_DATA must name the folder of the real data in CI")
    pytest.skip("CATALOG_TEST_DATA names no folder of real data")


@pytest.fixture(scope="session")
def export(real_data: Path) -> export_raw.Tables:
    """The raw rows of the public export, by table."""
    return export_raw.tables(real_data)


@pytest.fixture(scope="session")
def raw(real_data: Path) -> Raw:
    """The same joined, with Liger's lines beside them."""
    return Raw(real_data)


@pytest.fixture(scope="session")
def csvs(real_data: Path) -> list[Path]:
    """Liger's three files."""
    return [real_data / name for name in liger_raw.FILES]


@pytest.fixture(scope="session")
def real_files(real_data: Path, csvs: list[Path]) -> list[Path]:
    """All the real data: the public export and Liger's three files."""
    return [real_data / export_raw.FILE, *csvs]


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedEngine]:
    engine = EmbeddedEngine(tmp_path_factory.mktemp("engine") / "data")
    engine.hold()
    yield engine
    engine.let_go()
    while graph.status(engine.data_dir).running:
        time.sleep(0.05)


@pytest.fixture(scope="session")
def neo4j() -> Iterator[Engine]:
    with contextlib.ExitStack() as stack:
        yield Engine("neo4j", None, _neo4j_environ(stack))


def _neo4j_environ(stack: contextlib.ExitStack) -> dict[str, str]:
    for prefix in ("NEO4J_TEST_", "NEO4J_"):
        if os.environ.get(f"{prefix}URI"):
            names = ("URI", "USERNAME", "PASSWORD", "DATABASE")
            environ = {f"NEO4J_{name}": os.environ.get(f"{prefix}{name}", "") for name in names}
            if prefix == "NEO4J_":
                _refuse_unless_empty(environ)
            return environ
    if absent := launcher.missing():
        message = f"no Neo4j: NEO4J_TEST_URI is not set and {absent}"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return {"NEO4J_URI": stack.enter_context(launcher.running())}


@pytest.fixture(scope="session", params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def engine(request: pytest.FixtureRequest) -> Engine:
    engine: Engine = request.getfixturevalue(request.param)
    return engine


@pytest.fixture(scope="module", params=[totals.IN_MEMORY, -1], ids=["in memory", "in parts"])
def size(request: pytest.FixtureRequest) -> Iterator[int]:
    """Of which size catalogs are kept in memory: with that, those of tests are small; or large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(totals, "IN_MEMORY", request.param)
        yield request.param


@pytest.fixture(scope="module")
async def full(embedded: EmbeddedEngine, real_files: list[Path]) -> AsyncIterator[Store]:
    """All the real data on one engine, to read only; the other is held against it in test_differential.py."""
    await embedded.fill(real_files)
    async with embedded.store() as store:
        yield store


@pytest.fixture
async def store(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        yield store


def _refuse_unless_empty(environ: dict[str, str]) -> None:
    """Tests wipe the database: one that holds anything is used only when it was given for testing."""
    auth = (environ["NEO4J_USERNAME"], environ["NEO4J_PASSWORD"]) if environ["NEO4J_USERNAME"] else None
    with GraphDatabase.driver(environ["NEO4J_URI"], auth=auth) as driver:
        [[nodes]] = driver.execute_query(
            "MATCH (n) RETURN count(n)", database_=environ["NEO4J_DATABASE"] or None
        ).records
    if nodes:
        pytest.fail("the database of NEO4J_URI is not empty; tests would wipe it: set NEO4J_TEST_URI instead")
