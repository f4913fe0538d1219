"""`catalog import` and `catalog check`: counts, faults and exit codes."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.ingest.test_streams import refusing


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_an_import_reports_what_it_brought_and_the_second_one_changes_nothing(
    catalog: Run, fresh_dir: Path, jsd_csv: Path, tmp_path: Path
) -> None:
    compressed = tmp_path / "jsd.csv.gz"
    compressed.write_bytes(gzip.compress(jsd_csv.read_bytes()))
    kept = tmp_path / "report.json"

    first = catalog("import", "--data-dir", fresh_dir, "--json", "--report", kept, compressed)
    again = catalog("import", "--data-dir", fresh_dir, "--json", jsd_csv)

    report = json.loads(first.out)
    assert (first.code, first.err, json.loads(kept.read_text())) == (0, "", report)
    counts = {"rows": 68, "accepted": 48, "unchanged": 0, "skipped": 20, "rejected": 0}
    assert report["files"] == [{"path": str(compressed)} | counts]
    assert report["skipped"] == {"metric_not_speed": 20}
    assert report["objects"]["BenchmarkRun"] == {"new": 48, "unchanged": 0}
    second = json.loads(again.out)
    assert second["files"] == [{"path": str(jsd_csv)} | counts | {"accepted": 0, "unchanged": 48}]
    assert second["revision"] == {"before": 1, "after": 1}


def test_a_dry_run_says_what_would_change_and_changes_nothing(
    catalog: Run, fresh_dir: Path, jsd_csv: Path
) -> None:
    dry = catalog("import", "--dry-run", "--data-dir", fresh_dir, jsd_csv)
    assert dry.code == 0
    assert "Dry run: nothing was written; the revision is 0." in dry.out
    status = json.loads(catalog("status", "--data-dir", fresh_dir, "--json").out)
    assert (status["revision"], set(status["counts"].values())) == (0, {0})


def test_faulty_documents_are_named_with_their_place_and_the_good_ones_go_in(
    catalog: Run, fresh_dir: Path, tmp_path: Path, manifest: dict[str, Any]
) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    write(folder / "good.json", manifest)
    (folder / "bad.yaml").write_text(
        "apiVersion: kernelindex.dev/v1alpha1\nkind: SoftwareProject\nmetadata:\n  name: bad\n"
        "spec:\n  name: Bad\n  colour: red\n"
    )
    ran = catalog("import", "--data-dir", fresh_dir, folder)
    assert ran.code == 1
    assert ran.err.startswith(f"{folder / 'bad.yaml'}:7: /spec/colour: ")
    assert "Revision 0 -> 1." in ran.out
    status = json.loads(catalog("status", "--data-dir", fresh_dir, "--json").out)
    assert status["counts"]["SoftwareProject"] == 1


def test_a_check_needs_no_database_and_leaves_none(
    catalog: Run, tmp_path: Path, manifest: dict[str, Any]
) -> None:
    good = write(tmp_path / "good.json", manifest)
    assert catalog("check", good).code == 0
    bad = write(tmp_path / "bad.json", manifest | {"spec": {}})
    ran = catalog("check", "--json", good, bad)
    report = json.loads(ran.out)
    assert ran.code == 1
    assert [(problem["file"], problem["pointer"]) for problem in report["problems"]] == [
        (str(bad), "/spec/name")
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "good.json"]


def test_a_path_that_does_not_exist_is_refused_before_anything_is_done(catalog: Run, tmp_path: Path) -> None:
    ran = catalog("import", "--data-dir", tmp_path / "data", tmp_path / "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert str(tmp_path / "nowhere") in ran.err
    assert not (tmp_path / "data").exists()


def test_an_unknown_source_is_refused_with_the_known_ones(catalog: Run, jsd_csv: Path) -> None:
    ran = catalog("check", "--source", "elsewhere", jsd_csv)
    assert ran.code == 2
    assert ran.err.startswith("catalog: source: ")
    assert ran.err.endswith(' liger, kernelindex, catalog, manifests, not "elsewhere"\n')


def test_of_several_paths_those_that_are_not_there_are_rejected(
    catalog: Run, fresh_dir: Path, tmp_path: Path, manifest: dict[str, Any]
) -> None:
    good, absent = write(tmp_path / "good.json", manifest), tmp_path / "absent.json"
    ran = catalog("import", "--data-dir", fresh_dir, "--json", absent, good)
    report = json.loads(ran.out)
    assert ran.code == 1
    assert [(file["path"], file["accepted"], file["rejected"]) for file in report["files"]] == [
        (str(absent), 0, 1),
        (str(good), 1, 0),
    ]
    [problem] = report["problems"]
    assert (problem["reason"], problem["value"]) == ("unreadable_file", None)
    assert problem["message"] == "No such file or directory"


@pytest.mark.parametrize("command", ["import", "check"])
def test_a_folder_that_cannot_be_read_is_rejected_and_the_rest_goes_in(
    catalog: Run,
    fresh_dir: Path,
    tmp_path: Path,
    manifest: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    closed = tmp_path / "evidence" / "closed"
    closed.mkdir(parents=True)
    good = write(tmp_path / "evidence" / "good.json", manifest)
    error = PermissionError(13, "Permission denied", str(closed))
    monkeypatch.setattr(Path, "iterdir", refusing(Path.iterdir, closed, error))
    place = ["--data-dir", fresh_dir] if command == "import" else []
    ran = catalog(command, *place, "--json", tmp_path / "evidence")
    report = json.loads(ran.out)
    assert (ran.code, report["rejected"]) == (1, {"unreadable_file": 1})
    assert [(file["path"], file["accepted"]) for file in report["files"]] == [
        (str(closed), 0),
        (str(good), 1),
    ]


@pytest.mark.parametrize("command", ["import", "check"])
def test_a_report_that_cannot_be_written_is_refused_before_anything_is_done(
    catalog: Run, tmp_path: Path, manifest: dict[str, Any], command: str
) -> None:
    good = write(tmp_path / "good.json", manifest)
    place = ["--data-dir", tmp_path / "data"] if command == "import" else []
    ran = catalog(command, *place, "--report", tmp_path / "none" / "r.json", good)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"catalog: {tmp_path / 'none' / 'r.json'}: No such file or directory\n"
    assert [path.name for path in tmp_path.iterdir()] == ["good.json"]


def test_a_report_takes_the_place_of_the_last_one_only_when_there_is_one(
    catalog: Run, tmp_path: Path, manifest: dict[str, Any]
) -> None:
    good, kept = write(tmp_path / "good.json", manifest), tmp_path / "r.json"
    kept.write_text("the last one")
    assert catalog("check", "--source", "elsewhere", "--report", kept, good).code == 2
    assert kept.read_text() == "the last one"
    assert catalog("check", "--report", kept, good).code == 0
    assert json.loads(kept.read_text())["objects"] == {"SoftwareProject": {"new": 1, "unchanged": 0}}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.json", "r.json"]


def test_file_names_that_are_no_utf8_are_reported_as_utf8(
    catalog: Run, tmp_path: Path, manifest: dict[str, Any]
) -> None:
    strange, kept = tmp_path / os.fsdecode(b"caf\xe9.json"), tmp_path / "r.json"
    write(strange, manifest | {"spec": {}})
    ran = catalog("check", "--json", "--report", kept, strange)
    assert ran.code == 1
    shown = str(tmp_path / "caf\ufffd.json")
    for text in (ran.out, kept.read_text(encoding="utf-8")):
        report = json.loads(text)
        assert (report["files"][0]["path"], report["problems"][0]["file"]) == (shown, shown)
    plain = catalog("check", strange)
    assert (plain.code, plain.err.split(":")[0]) == (1, str(tmp_path / "caf\\udce9.json"))
