"""Small evidence files for the tests of sources, and how to read them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from catalog.domain.facts import Statement
from catalog.domain.manifests import validate
from catalog.ingest.items import Outcome, Rejected, Row, Skipped, Source

LIGER_ROW: dict[str, str] = {
    "kernel_name": "jsd",
    "kernel_provider": "liger",
    "kernel_operation_mode": "forward",
    "metric_name": "speed",
    "metric_unit": "ms",
    "x_name": "BT",
    "x_label": "B * T",
    "x_value": "2048",
    "y_value_50": "9.110560417175293",
    "y_value_20": "9.110560417175293",
    "y_value_80": "9.110560417175293",
    "extra_benchmark_config_str": '{"bsz": 8, "seq_len": 256, "vocab_size": 128256}',
    "gpu_name": "NVIDIA B200",
    "timestamp": "2026-05-27 17:14:29",
    "liger_version": "0.8.0",
}
"""The row of the B200 reference run."""


def read(source: Source, data: bytes, name: str = "evidence") -> list[Outcome]:
    """The outcomes of a file with these bytes."""
    return list(source.read(Path(name), io.BytesIO(data)))


def liger_csv(*rows: Mapping[str, str], end: str = "\r\n") -> bytes:
    """A CSV file of the reference row, changed by each of ``rows``."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(LIGER_ROW), lineterminator=end)
    writer.writeheader()
    writer.writerows({**LIGER_ROW, **row} for row in rows)
    return text.getvalue().encode()


def jsonl(*values: object) -> bytes:
    """A JSON Lines file."""
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def reasons(outcomes: Iterable[Outcome]) -> list[str]:
    """``row``, or why not, of each outcome."""
    return ["row" if isinstance(outcome, Row) else outcome.reason for outcome in outcomes]


def only_row(outcomes: list[Outcome]) -> Row:
    """The single outcome, which is a row."""
    assert len(outcomes) == 1, outcomes
    assert isinstance(outcomes[0], Row), outcomes
    return outcomes[0]


def only_rejected(outcomes: list[Outcome]) -> Rejected:
    """The single outcome, which is a rejection."""
    assert len(outcomes) == 1, outcomes
    assert isinstance(outcomes[0], Rejected), outcomes
    return outcomes[0]


def only_skipped(outcomes: list[Outcome]) -> Skipped:
    """The single outcome, which is a skip."""
    assert len(outcomes) == 1, outcomes
    assert isinstance(outcomes[0], Skipped), outcomes
    return outcomes[0]


def digests(row: Row) -> dict[str, str]:
    """Kind -> digest of a row's manifests."""
    return {manifest.kind: manifest.digest for manifest in row.manifests}


def facts(statements: Iterable[Statement]) -> list[tuple[str, str, Any, str]]:
    """(kind, field, value, source) of statements."""
    return [(s.subject_kind, s.field, s.value, s.source) for s in statements]


def manifest(kind: str, spec: Mapping[str, Any], name: str = "made") -> dict[str, Any]:
    """A plain manifest."""
    return {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": dict(spec),
    }


OPERATION = manifest(
    "OperationSpec",
    {
        "family": "copy",
        "axes": {"n": {"role": "variable", "type": "integer"}},
        "inputs": [{"name": "x", "tensor": {"shape": ["n"], "dtype": "float"}}],
        "outputs": [{"name": "y", "tensor": {"shape": ["n"], "dtype": "float"}}],
        "semantics": {"mutation": "none", "determinism": "unspecified"},
    },
    "copy",
)
WORKLOAD = manifest(
    "WorkloadCase",
    {
        "operationSpecDigest": validate(OPERATION).digest,
        "axes": {"n": 4},
        "tensors": {"x": {"shape": [4], "dtype": "fp32"}},
        "correctness": {"comparator": "not_asserted"},
    },
    "copy-4",
)
IMPLEMENTATION = manifest(
    "ImplementationRevision",
    {
        "projectRevision": {},
        "operation": {"specDigest": validate(OPERATION).digest},
        "callable": {"language": "triton"},
        "support": {"hardwareArchitectures": ["sm_100"], "dtypes": ["fp32"]},
        "licensing": {},
    },
    "copy-impl",
)
PROTOCOL = manifest(
    "BenchmarkProtocol",
    {
        "harness": {"name": "made harness"},
        "measurement": {"timer": "wall_clock", "primaryStatistic": "median"},
        "comparability": {"family": "made"},
    },
    "made-protocol",
)
ENVIRONMENT = manifest(
    "ExecutionEnvironment",
    {
        "hardware": {"vendor": "nvidia", "product": "NVIDIA B200", "architecture": "sm_100"},
        "software": {},
    },
    "made-machine",
)


def run(median: int, observed: str = "2026-01-01T00:00:00Z") -> dict[str, Any]:
    """A run of the parts above."""
    return manifest(
        "BenchmarkRun",
        {
            "implementationDigest": validate(IMPLEMENTATION).digest,
            "workloadDigest": validate(WORKLOAD).digest,
            "protocolDigest": validate(PROTOCOL).digest,
            "environmentDigest": validate(ENVIRONMENT).digest,
            "status": "passed",
            "timing": {"primaryStatistic": "median", "latencyNs": {"median": median}, "samples": 10},
            "observedAt": observed,
        },
        f"copy-run-{median}",
    )
