"""`catalog verify`, `export`, `status` and `stop`."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graph.engines import open_store
from tests.cli.conftest import Run
from tests.engines import raw_write

RUN = "sha256:efaaa145f23845f43342a26"


def test_a_sound_catalog_verifies(catalog: Run, data_dir: Path) -> None:
    ran = catalog("verify", "--strict", "--json", "--data-dir", data_dir)
    found = json.loads(ran.out)
    assert (ran.code, ran.err, found["ok"], found["problems"]) == (0, "", True, [])
    assert found["checked"]["Run"] == 48


def test_an_altered_property_fails_the_verification_by_node_and_field(
    catalog: Run, fresh_dir: Path, jsd_csv: Path
) -> None:
    assert catalog("import", "--data-dir", fresh_dir, jsd_csv).code == 0

    async def alter() -> None:
        async with open_store(fresh_dir, {}) as store:
            await raw_write(store, "MATCH (r:Run) WHERE r.digest STARTS WITH $run SET r.value = 1", run=RUN)

    asyncio.run(alter())
    ran = catalog("verify", "--data-dir", fresh_dir)
    assert ran.code == 1
    node, field, _ = ran.err.splitlines()[0].split(": ", 2)
    assert (node[: len(RUN) + 4], field) == (f"Run {RUN}", "value")


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.zst", "all.jsonl.gz"])
def test_an_export_imports_to_the_same_catalog(
    catalog: Run, data_dir: Path, fresh_dir: Path, tmp_path: Path, name: str
) -> None:
    written = catalog("export", "-o", tmp_path / name, "--json", "--data-dir", data_dir)
    assert written.code == 0
    assert json.loads(written.out)["written"]["BenchmarkRun"] == 48
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({name, "data"})

    assert catalog("import", "--data-dir", fresh_dir, tmp_path / name).code == 0
    assert catalog("export", "--data-dir", fresh_dir).out == catalog("export", "--data-dir", data_dir).out


def test_an_export_to_stdout_is_utf_8_whatever_the_locale(data_dir: Path) -> None:
    command = [sys.executable, "-m", "catalog.cli", "export", "--data-dir", str(data_dir)]
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, env=environ, capture_output=True, check=True)
    assert "Jensen-Shannon divergence loss · PyTorch" in ran.stdout.decode("utf-8")


@pytest.mark.parametrize("command", ["export", "graph"])
def test_a_file_that_cannot_be_written_is_named_as_it_was_given(
    catalog: Run, data_dir: Path, tmp_path: Path, command: str
) -> None:
    ran = catalog(command, "-o", tmp_path / "none" / "all", "--data-dir", data_dir)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"catalog: {tmp_path / 'none' / 'all'}: No such file or directory\n"


def test_an_export_into_a_device_leaves_it_one(catalog: Run, data_dir: Path) -> None:
    assert catalog("export", "-o", os.devnull, "--data-dir", data_dir).code == 0
    assert Path(os.devnull).is_char_device()


def test_json_of_an_export_needs_a_file(catalog: Run, data_dir: Path) -> None:
    ran = catalog("export", "--json", "--data-dir", data_dir)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("catalog: --json: ")


def test_status_tells_place_engine_and_contents(catalog: Run, data_dir: Path) -> None:
    ran = catalog("status", "--json", "--data-dir", data_dir)
    status = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert (status["dataDir"], status["engine"]["name"], status["revision"]) == (str(data_dir), "arcadedb", 1)
    assert (status["counts"]["BenchmarkRun"], status["sources"]) == (48, ["liger-kernel-bench"])


def test_status_of_nothing_makes_nothing(catalog: Run, tmp_path: Path) -> None:
    ran = catalog("status", "--data-dir", tmp_path / "none")
    assert ran.code == 0
    assert "none yet" in ran.out
    assert not (tmp_path / "none").exists()


def test_stop_ends_the_engine_once(catalog: Run, fresh_dir: Path, jsd_csv: Path) -> None:
    assert catalog("import", "--data-dir", fresh_dir, jsd_csv).code == 0
    first = catalog("stop", "--json", "--data-dir", fresh_dir)
    assert (first.code, json.loads(first.out)["stopped"]) == (0, True)
    assert json.loads(catalog("stop", "--json", "--data-dir", fresh_dir).out)["stopped"] is False


def test_a_database_that_does_not_answer_is_named(
    catalog: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://someone:secret@127.0.0.1:1")
    ran = catalog("status", "--data-dir", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("catalog: NEO4J_URI=bolt://127.0.0.1:1: ")
