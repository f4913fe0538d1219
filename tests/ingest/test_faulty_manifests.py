"""Faulty manifests: each is rejected with reason, pointer and line; the good documents beside it go in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from catalog.ingest.pipeline import import_paths
from catalog.keep.verify import verify
from graph import Store
from tests.content import content

DIGEST = "sha256:" + "a" * 64
GOOD = """\
apiVersion: kernelindex.dev/v1alpha1
kind: ExecutionEnvironment
metadata: {name: good-host}
spec:
  hardware: {vendor: nvidia, product: NVIDIA H100, architecture: sm_90}
  software: {}
"""


def run(timing: str = "{primaryStatistic: median, latencyNs: {median: 8000}}", extra: str = "") -> str:
    return f"""\
apiVersion: kernelindex.dev/v1alpha1
kind: BenchmarkRun
metadata: {{name: some-run}}
spec:
  implementationDigest: {DIGEST}
  workloadDigest: {DIGEST}
  protocolDigest: {DIGEST}
  environmentDigest: {DIGEST}
  status: passed
  observedAt: "2026-01-01T00:00:00Z"
  timing: {timing}
{extra}"""


def measured(value: str) -> str:
    return run(extra=f"  measurements:\n  - {{metric: score, unit: s, statistic: mean, value: {value}}}\n")


BOMB = "\n".join(
    [
        "apiVersion: kernelindex.dev/v1alpha1",
        "a: &a [x, x, x, x, x, x, x, x, x]",
        *(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
    ]
)

FAULTY: dict[str, tuple[str, str, str, int | None]] = {
    "ambiguous duration": (
        run("{primaryStatistic: median, latencyNs: {median: 0.0000001 ms}}"),
        "ambiguous_duration",
        "/spec/timing/latencyNs/median",
        11,
    ),
    "bad digest": (run().replace(DIGEST, "sha256:xyz", 1), "invalid_digest", "/spec/implementationDigest", 5),
    "duplicate key": (run(extra="  status: passed\n"), "duplicate_key", "/spec/status", 12),
    "unknown field": (run(extra="  surprise: 1\n"), "unknown_field", "/spec/surprise", 12),
    "NaN": (measured(".nan"), "not_finite", "/spec/measurements/0/value", 13),
    "1e999": (measured("1e999"), "not_finite", "/spec/measurements/0/value", 13),
    "integer beyond 2^53": (
        measured("9007199254740993"),
        "integer_out_of_range",
        "/spec/measurements/0/value",
        13,
    ),
    "lone surrogate": (run(extra='  sourceNative: {source: "x\\ud800"}\n'), "lone_surrogate", "", 12),
    "alias bomb": (BOMB, "too_many_aliases", "/d/0", 5),
    "2 MiB": (GOOD + "# " + "x" * 2 * 1024 * 1024, "document_too_large", "", None),
}


@pytest.mark.parametrize("what", FAULTY)
async def test_a_faulty_document_is_refused_and_its_good_neighbour_goes_in(
    store: Store, tmp_path: Path, what: str
) -> None:
    text, reason, pointer, line = FAULTY[what]
    (tmp_path / "bad.yaml").write_text(text)
    (tmp_path / "good.yaml").write_text(GOOD)
    report = (await import_paths(store, [tmp_path])).to_json()
    assert [(Path(f["path"]).name, f["accepted"], f["rejected"]) for f in report["files"]] == [
        ("bad.yaml", 0, 1),
        ("good.yaml", 1, 0),
    ]
    [problem] = report["problems"]
    assert Path(problem["file"]).name == "bad.yaml"
    assert (problem["reason"], problem["pointer"], problem.get("line")) == (reason, pointer, line)
    assert [node for node in (await content(store))["nodes"] if node.startswith("Run")] == []
    assert (await verify(store)).ok


async def test_good_documents_of_one_stream_survive_a_faulty_one(store: Store, tmp_path: Path) -> None:
    other = GOOD.replace("good-host", "other-host").replace("H100", "L4")
    (tmp_path / "all.yaml").write_text("---\n".join([GOOD, FAULTY["unknown field"][0], other]))
    report = (await import_paths(store, [tmp_path])).to_json()
    [file] = report["files"]
    assert (file["rows"], file["accepted"], file["rejected"]) == (3, 2, 1)
    assert report["problems"][0]["line"] == len(GOOD.splitlines()) + 1 + 12


async def test_yaml_and_json_of_one_meaning_are_one_object(store: Store, tmp_path: Path) -> None:
    """The traps of YAML 1.1: here `no`, `12:30` and a date are texts, `1e-5` and `0x10` numbers."""
    (tmp_path / "a.yaml").write_text(
        """\
apiVersion: kernelindex.dev/v1alpha1
kind: WorkloadCase
metadata: {name: traps}
spec:
  operationSpecDigest: DIGEST
  axes: {n: 0x10}
  tensors: {x: {shape: [16], dtype: no, data: {generator: on, parameters: {scale: 1e-5}}}}
  correctness: {comparator: yes, maxAbsoluteError: 1e-05}
""".replace("DIGEST", DIGEST)
    )
    spec = {
        "operationSpecDigest": DIGEST,
        "axes": {"n": 16.0},
        "tensors": {
            "x": {"dtype": "no", "shape": [16], "data": {"generator": "on", "parameters": {"scale": 0.00001}}}
        },
        "correctness": {"comparator": "yes", "maxAbsoluteError": 1e-5},
    }
    document = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "WorkloadCase",
        "metadata": {"name": "traps"},
    }
    (tmp_path / "b.json").write_text(json.dumps(document | {"spec": spec}))
    report = (await import_paths(store, [tmp_path])).to_json()
    assert [(f["accepted"], f["unchanged"]) for f in report["files"]] == [(1, 0), (0, 1)]
    assert report["objects"] == {"WorkloadCase": {"new": 1, "unchanged": 0}}


@pytest.mark.real_data
async def test_the_reference_runs_are_read_as_three_documents_each(store: Store, real_data: Path) -> None:
    report = await import_paths(
        store, [real_data / f"seed-run-{n}.json" for n in ("jsd-b200", "kto-loss-h100")]
    )
    assert [(f.rows, f.accepted, f.unchanged) for f in report.files] == [(3, 3, 0), (3, 2, 1)]
    verified = await verify(store)
    assert verified.ok
    assert {label: len(keys) for label, keys in verified.missing.items()} == {
        "Implementation": 2,
        "Workload": 2,
    }
