"""Manifests against the reference schemas and the whole public export."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.domain.documents import parse_json
from catalog.domain.errors import ManifestError
from catalog.domain.identity import cohort_key, comparison_key, correctness_key, metric_key
from catalog.domain.manifests import Manifest, validate
from tests.data import export_raw
from tests.domain.manifest_samples import FULL, manifest

pytestmark = pytest.mark.real_data

DIGEST_COLUMNS = {
    "operations": "semanticDigest",
    "workloads": "workloadDigest",
    "implementations": "implementationDigest",
    "projects": None,
    "model_revisions": "modelDigest",
    "serving_stack_revisions": "stackDigest",
    "serving_configurations": "configurationDigest",
    "serving_workloads": "workloadDigest",
    "serving_runs": "runDigest",
}
RUN_COLUMNS = {"run": "runDigest", "protocol": "protocolKey", "environment": "environmentKey"}


@pytest.fixture(scope="module")
def rows(real_data: Path) -> list[tuple[str, dict[str, Any], list[Manifest]]]:
    """The rows that carry manifests, with those manifests validated; their digests checked."""
    read = []
    for line in export_raw.lines(real_data):
        entry = parse_json(line)
        table, row = entry["table"], entry["row"]
        if table == "benchmark_runs":
            manifests = [validate(row["manifest"][name]) for name in RUN_COLUMNS]
            assert [m.digest for m in manifests] == [row[column] for column in RUN_COLUMNS.values()]
        elif table in DIGEST_COLUMNS:
            manifests = [validate(row["manifest"])]
            column = DIGEST_COLUMNS[table]
            assert column is None or manifests[0].digest == row[column]
        else:
            continue
        read.append((table, row, manifests))
    return read


def test_every_object_of_the_export(rows: list[tuple[str, dict[str, Any], list[Manifest]]]) -> None:
    kinds = {m.digest: m.kind for _, _, manifests in rows for m in manifests}
    counted = Counter(kinds.values())
    carried = Counter(table for table, _, _ in rows)
    assert carried["projects"] == 615
    assert (counted["BenchmarkRun"], counted["WorkloadCase"], counted["WorkloadSuite"]) == (7857, 5371, 256)
    assert (counted["ImplementationRevision"], counted["OperationSpec"]) == (4250, 449)
    assert (counted["ServingRun"], counted["ServingConfiguration"], counted["ServingWorkload"]) == (
        722,
        130,
        17,
    )
    assert sum(carried.values()) + counted["BenchmarkProtocol"] + counted["ExecutionEnvironment"] == 19_765


def test_comparison_and_cohort_keys(rows: list[tuple[str, dict[str, Any], list[Manifest]]]) -> None:
    specs = {m.digest: m.spec for _, _, manifests in rows for m in manifests}
    counted: Counter[str] = Counter()
    for table, row, (main, *_) in rows:
        counted[table] += 1
        if table == "benchmark_runs":
            workload = specs[main.spec["workloadDigest"]]
            assert correctness_key(workload) == row["correctnessKey"]
            named = row["primaryMetric"], row["primaryStatistic"], row["primaryUnit"]
            key = comparison_key(
                operation=workload["operationSpecDigest"],
                workload=main.spec["workloadDigest"],
                protocol=main.spec["protocolDigest"],
                environment=main.spec["environmentDigest"],
                correctness=row["correctnessKey"],
                metric="none" if named[0] == "none" else metric_key(*named),
            )
            assert key == row["comparisonKey"]
        elif table == "serving_runs":
            spec = main.spec
            key = cohort_key(
                run=spec, model=specs[spec["modelDigest"]], workload=specs[spec["workloadDigest"]]
            )
            assert key == row["cohortKey"]
    assert (counted["benchmark_runs"], counted["serving_runs"]) == (7857, 722)


def test_the_reference_runs(real_data: Path) -> None:
    starts = {
        "seed-run-jsd-b200.json": "efaaa145f23845f43342a26",
        "seed-run-kto-loss-h100.json": "b59178a52ddaa378765ded2",
    }
    for name, start in starts.items():
        bundle = json.loads((real_data / name).read_text())
        assert validate(bundle["run"]).digest.startswith("sha256:" + start)
        for part in ("protocol", "environment"):
            assert validate(bundle[part]).digest == bundle["run"]["spec"][f"{part}Digest"]


def breaking(schema: dict[str, Any], value: Any) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """For a schema and a full value of it: ways to break a constraint of the schema, with their place."""
    for name, broken in (
        ("maxLength", "a" * (schema.get("maxLength", 0) + 1)),
        ("pattern", "~ ~"),
        ("enum", "no such thing"),
        ("const", "no such thing"),
        ("minItems", []),
        ("minimum", schema.get("minimum", 0) - 1),
        ("maximum", schema.get("maximum", 0) + 1),
        ("exclusiveMinimum", schema.get("exclusiveMinimum")),
    ):
        if name in schema and not (name == "maxLength" and "enum" in schema):
            yield name, (), broken
    if "maxLength" in schema and "pattern" not in schema:
        yield "fits", (), "a" * schema["maxLength"]
    if "maxItems" in schema:
        yield "maxItems", (), value * (schema["maxItems"] + 1)
    if schema.get("type") in ("integer", "number"):
        yield "type", (), "1"
        yield "type", (), True
        yield "finite", (), float("inf")
    for name in schema.get("required", ()):
        yield "required", (), {key: below for key, below in value.items() if key != name}
    below = schema.get("properties", {})
    for name, part in below.items():
        assert name in value, name  # the sample has every field
        for rule, path, broken in breaking(part, value[name]):
            yield rule, (name, *path), broken
    if isinstance(other := schema.get("additionalProperties"), dict):
        if "pattern" in schema.get("propertyNames", {}):
            yield "propertyNames", (), value | {"~ ~": next(iter(value.values()))}
        for name in value:
            for rule, path, broken in breaking(other, value[name]):
                yield rule, (name, *path), broken
    if isinstance(value, list) and "items" in schema:
        for rule, path, broken in breaking(schema["items"], value[0]):
            yield rule, (0, *path), broken


def fields(schema: dict[str, Any], value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all optional fields."""
    for name, part in schema.get("properties", {}).items():
        if name not in schema.get("required", ()):
            yield (*path, name)
        yield from fields(part, value[name], (*path, name))


def too_long(raw: Any, where: Any, name: Any) -> bool:
    """Whether the text under a name is refused for its length, as an address where it must be one."""
    if name in ("url", "uri", "repository", "homepage"):
        where[name] = ("https://" + where[name])[: len(where[name])]
    try:
        validate(raw)
    except ManifestError as error:
        return any(fault.reason == "too_long" for fault in error.faults)
    return False


CROSS_FIELD = {"median", "value", "expression", "tensor", "scalar"}  # other rules may need these


@pytest.mark.parametrize("kind", sorted(FULL.keys() - {"OperationRelation"}))
def test_the_reference_schemas_agree(real_data: Path, kind: str) -> None:
    name = "".join("-" + c.lower() if c.isupper() else c for c in kind)[1:]
    schema = json.loads((real_data / "manifest-schemas" / f"{name}.v1alpha1.schema.json").read_text())
    spec = copy.deepcopy(FULL[kind])
    if kind == "OperationSpec":  # one axis and one argument with every field, to walk beside the schema
        spec["axes"] = {"total": {"value": 1, "minimum": 1, "maximum": 1, **spec["axes"]["total"]}}
        for side in ("inputs", "outputs"):
            spec[side] = [
                {**spec[side][0], "scalar": {"dtype": "a"}, "tensor": FULL[kind]["inputs"][0]["tensor"]}
            ]
    if kind == "ServingWorkload":
        spec["tokens"]["output"] = spec["tokens"]["prompt"]
    raw = manifest(kind) | {"spec": spec}
    tried = 0
    for rule, path, broken in breaking(schema, raw):
        changed: Any = [copy.deepcopy(raw)]
        where: Any = changed
        for step in (0, *path)[:-1]:
            where = where[step]
        where[(0, *path)[-1]] = broken
        if rule == "fits":
            assert not too_long(changed[0], where, path[-1])
            continue
        with pytest.raises(ManifestError) as caught:
            validate(changed[0])
        place = "".join(f"/{step}" for step in path)
        assert any(fault.pointer.startswith(place) for fault in caught.value.faults), (rule, path, broken)
        tried += 1
    assert tried >= 29
    raw = manifest(kind)
    if kind == "OperationSpec":
        return
    for path in fields(schema, raw | {"spec": spec}):
        if path[-1] in CROSS_FIELD:
            continue
        changed = copy.deepcopy(raw)
        where = changed
        for step in path[:-1]:
            where = where[step]
        where.pop(path[-1], None)
        assert validate(changed).spec == changed["spec"] | validate(changed).spec
