"""Which data directory a command uses."""

from pathlib import Path

import pytest

from catalog.cli import places


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name, **_: tmp_path / name)
    return tmp_path / "kernel-catalog"


def test_a_directory_that_is_given_is_used_by_all(home: Path, tmp_path: Path) -> None:
    (home / "demo" / "engine").mkdir(parents=True)
    for choose in (places.for_writing, places.for_reading, places.for_demo):
        assert choose(tmp_path / "mine") == tmp_path / "mine"


def test_the_demo_has_a_directory_of_its_own(home: Path) -> None:
    assert (places.for_writing(None), places.for_demo(None)) == (home, home / "demo")


def test_questions_go_to_the_demo_until_there_is_a_catalog(home: Path) -> None:
    assert places.for_reading(None) == home
    (home / "demo" / "engine").mkdir(parents=True)
    assert places.for_reading(None) == home / "demo"
    (home / "engine").mkdir()
    assert places.for_reading(None) == home


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({}, "embedded engine"),
        ({"NEO4J_URI": ""}, "embedded engine"),
        ({"NEO4J_URI": "neo4j+s://u:p@db.example:7687"}, "NEO4J_URI=neo4j+s://db.example:7687"),
        ({"NEO4J_URI": "nonsense"}, "NEO4J_URI=nonsense"),
    ],
)
def test_the_database_is_named_as_the_user_did_but_for_secrets(environ: dict[str, str], name: str) -> None:
    assert places.database_named(environ) == name
