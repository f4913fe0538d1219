"""`catalog import` and `catalog check`: counts, faults and exit codes."""

import gzip
import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Run


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
