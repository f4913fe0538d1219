"""`catalog generate`: catalogs of any size that are like the public one."""

import json
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path

import pytest

from catalog.ingest.generate import HARDWARE, Generator, shapes
from scripts import operation_shapes
from tests.cli.conftest import Run

SHAPES = files("catalog") / "data" / "generate" / "shapes.json"


@pytest.mark.parametrize("name", ["made.jsonl", "made.jsonl.zst"])
def test_what_is_generated_imports_without_a_fault_and_verifies(
    catalog: Run, fresh_dir: Path, tmp_path: Path, name: str
) -> None:
    ran = catalog("generate", "--runs", 500, "--seed", 7, "-o", tmp_path / name)
    assert (ran.code, ran.out) == (0, "")
    imported = catalog("import", "--json", "--data-dir", fresh_dir, tmp_path / name)
    report = json.loads(imported.out)
    assert (imported.code, report["problems"]) == (0, [])
    assert report["objects"]["BenchmarkRun"] == {"new": 500, "unchanged": 0}
    assert report["source"] == "catalog"
    ran = catalog("verify", "--strict", "--json", "--data-dir", fresh_dir)
    assert (ran.code, json.loads(ran.out)["problems"]) == (0, [])


def test_a_seed_gives_the_same_bytes_and_another_one_others(catalog: Run) -> None:
    first, again, other = (catalog("generate", "--runs", 40, "--seed", seed).out for seed in (1, 1, 2))
    assert first == again != other
    assert [text.count('"kind":"BenchmarkRun"') for text in (first, other)] == [40, 40]


def test_no_runs_are_a_catalog_too(catalog: Run) -> None:
    assert '"BenchmarkRun"' not in catalog("generate", "--runs", 0).out


@pytest.mark.parametrize("runs", [-1, 10_000_001])
def test_a_number_out_of_range_is_refused_by_name(catalog: Run, runs: int) -> None:
    ran = catalog("generate", "--runs", runs)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"catalog: --runs: must be from 0 to 10,000,000, not {runs}\n"


def test_every_operation_has_the_shape_of_a_real_one() -> None:
    """All but the last, which ends when there are enough runs."""
    parts: Counter[tuple[str, str]] = Counter()
    runs: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    operation = ""
    for line in Generator(3_000, 3).lines():
        manifest = json.loads(line).get("manifest", {})
        spec = manifest.get("spec")
        match manifest.get("kind"):
            case "ImplementationRevision":
                operation = spec["operation"]["specDigest"]
                parts[operation, "implementations"] += 1
            case "WorkloadCase":
                parts[spec["operationSpecDigest"], "workloads"] += 1
            case "BenchmarkRun":
                group = (spec["workloadDigest"], spec["environmentDigest"], spec["protocolDigest"])
                runs[operation][group] += 1
    real = {
        (shape.implementations, shape.workloads, *sorted(len(group[3]) for group in shape.groups))
        for shape in shapes()[0]
    }
    made = [
        (parts[operation, "implementations"], parts[operation, "workloads"], *sorted(groups.values()))
        for operation, groups in runs.items()
    ]
    assert len(made) > 50
    assert set(made[:-1]) <= real


@pytest.mark.real_data
def test_the_shapes_are_those_of_the_public_export(real_data: Path) -> None:
    kept = json.loads(SHAPES.read_text(encoding="utf-8"))
    tables = operation_shapes.read_tables(real_data / kept["export"])
    assert kept["shapes"] == operation_shapes.shapes_of(tables)
    assert sum(shape["operations"] for shape in kept["shapes"]) == len(tables["operations"])
    runs = sum(s["operations"] * sum(len(g[3]) for g in s["groups"]) for s in kept["shapes"])
    assert runs == len(tables["benchmark_runs"])
    machines = Counter(
        (row["hardwareVendor"], row["hardwareModel"], row["hardwareArchitecture"])
        for row in tables["benchmark_runs"]
    )
    assert set(HARDWARE) <= set(machines)
