"""The command line run in this process, on a small real catalog: Liger's JSD rows on the embedded engine."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import graph
from catalog.cli import run
from tests.engines import EmbeddedEngine


@dataclass(frozen=True)
class Ran:
    """What a command line gave."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _clean_environ(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_URI", "CATALOG_DATA_DIR", "CATALOG_DEBUG", "HOST", "PORT", "PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def catalog(capfd: pytest.CaptureFixture[str]) -> Run:
    def ran(*arguments: object) -> Ran:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        return Ran(code, *capfd.readouterr())

    return ran


@pytest.fixture(scope="session")
def jsd_csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of one kernel from the bundled benchmark."""
    lines = (files("catalog") / "data/liger/all_benchmark_data.csv").read_bytes().splitlines(keepends=True)
    path = tmp_path_factory.mktemp("liger") / "jsd.csv"
    path.write_bytes(lines[0] + b"".join(line for line in lines if line.startswith(b"jsd,")))
    return path


def _held(data_dir: Path) -> Iterator[Path]:
    engine = EmbeddedEngine(data_dir=data_dir)
    engine.hold()
    yield data_dir
    engine.let_go()
    while graph.status(data_dir).running:
        time.sleep(0.05)


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory, jsd_csv: Path) -> Iterator[Path]:
    """A catalog that holds `jsd_csv`; tests only read it."""
    holding = _held(tmp_path_factory.mktemp("cli") / "data")
    directory = next(holding)
    assert run(["import", "--data-dir", str(directory), str(jsd_csv)]) == 0
    yield directory
    next(holding, None)


@pytest.fixture
def fresh_dir(tmp_path: Path) -> Iterator[Path]:
    """A data directory of the test's own."""
    yield from _held(tmp_path / "data")


@pytest.fixture
def manifest() -> dict[str, Any]:
    """A valid manifest that needs no others."""
    return {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "SoftwareProject",
        "metadata": {"name": "sample"},
        "spec": {"name": "Sample", "repository": "https://example.org/sample"},
    }
