"""Tables: a kind, changes to its sample, and the faults or the normalised values that follow."""

from __future__ import annotations

import math
from typing import Any

from tests.domain.manifest_samples import COMMIT, FULL, MEASUREMENT, D

INVALID: list[tuple[str, dict[str, Any], set[tuple[str, str]]]] = [
    ("OperationSpec", {"family": "Loss"}, {("invalid_name", "/spec/family")}),
    ("OperationSpec", {"family": "l" * 101}, {("too_long", "/spec/family")}),
    ("OperationSpec", {"inputs": []}, {("too_few_items", "/spec/inputs")}),
    ("OperationSpec", {"axes__vocab__value": ...}, {("missing_value", "/spec/axes/vocab/value")}),
    (
        "OperationSpec",
        {"axes__total__expression": ...},
        {("missing_expression", "/spec/axes/total/expression")},
    ),
    (
        "OperationSpec",
        {"axes__total__expression": "2 +"},
        {("invalid_expression", "/spec/axes/total/expression")},
    ),
    (
        "OperationSpec",
        {"axes__total__expression": "a^2"},
        {("invalid_expression", "/spec/axes/total/expression")},
    ),
    ("OperationSpec", {"axes__total__role": "free"}, {("not_allowed", "/spec/axes/total/role")}),
    ("OperationSpec", {"axes__tokens__minimum": 1.5}, {("not_an_integer", "/spec/axes/tokens/minimum")}),
    ("OperationSpec", {"inputs__0__scalar": {"dtype": "a"}}, {("tensor_or_scalar", "/spec/inputs/0")}),
    ("OperationSpec", {"outputs__0__tensor": ...}, {("tensor_or_scalar", "/spec/outputs/0")}),
    ("OperationSpec", {"inputs__0__tensor__shape": []}, {("too_few_items", "/spec/inputs/0/tensor/shape")}),
    (
        "OperationSpec",
        {"inputs__0__tensor__shape__0": -1},
        {("out_of_range", "/spec/inputs/0/tensor/shape/0")},
    ),
    (
        "OperationSpec",
        {"inputs__0__tensor__shape__0": "2n"},
        {("invalid_identifier", "/spec/inputs/0/tensor/shape/0")},
    ),
    (
        "OperationSpec",
        {"reference__artifact__digest": D[0]},
        {("artifact_mismatch", "/spec/reference/artifact/uri")},
    ),
    ("WorkloadCase", {"axes__tokens": 2**53}, {("integer_out_of_range", "/spec/axes/tokens")}),
    ("WorkloadCase", {"axes__tokens": float(2**53)}, {("integer_out_of_range", "/spec/axes/tokens")}),
    ("WorkloadCase", {"tensors__x__alignmentBytes": 0}, {("out_of_range", "/spec/tensors/x/alignmentBytes")}),
    ("WorkloadCase", {"tensors__x__data__seed": -1}, {("out_of_range", "/spec/tensors/x/data/seed")}),
    (
        "WorkloadCase",
        {"tensors__x__data__artifact__digest": D[0]},
        {("artifact_mismatch", "/spec/tensors/x/data/artifact/uri")},
    ),
    ("WorkloadCase", {"scalars__beta__value": math.nan}, {("not_finite", "/spec/scalars/beta/value")}),
    ("WorkloadCase", {"scalars__beta__value": -math.inf}, {("not_finite", "/spec/scalars/beta/value")}),
    (
        "WorkloadCase",
        {"scalars__beta__value": -(2**53)},
        {("integer_out_of_range", "/spec/scalars/beta/value")},
    ),
    (
        "WorkloadCase",
        {"correctness__requiredMatchedRatio": 1.01},
        {("out_of_range", "/spec/correctness/requiredMatchedRatio")},
    ),
    (
        "WorkloadCase",
        {"correctness__maxAbsoluteError": -1e-9},
        {("out_of_range", "/spec/correctness/maxAbsoluteError")},
    ),
    ("WorkloadSuite", {"cases": []}, {("too_few_items", "/spec/cases")}),
    ("SoftwareProject", {"repository": "http://example.org"}, {("invalid_url", "/spec/repository")}),
    ("SoftwareProject", {"homepage": "https://"}, {("invalid_url", "/spec/homepage")}),
    ("SoftwareProject", {"homepage": "https://a b"}, {("invalid_url", "/spec/homepage")}),
    ("SoftwareProject", {"homepage": "javascript:alert(1)//https://x"}, {("invalid_url", "/spec/homepage")}),
    ("SoftwareProject", {"homepage": "https://" + "a" * 2000}, {("too_long", "/spec/homepage")}),
    ("SoftwareProject", {"homepage": "kernelindex:artifact/" + D[0]}, {("invalid_url", "/spec/homepage")}),
    (
        "ImplementationRevision",
        {"projectRevision__commit": COMMIT.upper()},
        {("invalid_commit", "/spec/projectRevision/commit")},
    ),
    (
        "ImplementationRevision",
        {"operation__specDigest": D[0][:-1]},
        {("invalid_digest", "/spec/operation/specDigest")},
    ),
    (
        "ImplementationRevision",
        {"operation__specDigest": D[0] + "\n"},
        {("invalid_digest", "/spec/operation/specDigest")},
    ),
    (
        "BenchmarkProtocol",
        {"measurement__warmupDuration": "25.0000001 ms"},
        {("ambiguous_duration", "/spec/measurement/warmupDuration")},
    ),
    (
        "BenchmarkProtocol",
        {"devicePolicy__powerLimitWatts": 0},
        {("out_of_range", "/spec/devicePolicy/powerLimitWatts")},
    ),
    (
        "BenchmarkProtocol",
        {"measurement__compileIncluded": 0},
        {("wrong_type", "/spec/measurement/compileIncluded")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs__median": 219.81},
        {("ambiguous_duration", "/spec/timing/latencyNs/median")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs__median": ...},
        {("unknown_statistic", "/spec/timing/primaryStatistic")},
    ),
    (
        "BenchmarkRun",
        {"timing__primaryStatistic": "confidence95"},
        {("unknown_statistic", "/spec/timing/primaryStatistic")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs": {}},
        {
            ("unknown_statistic", "/spec/timing/primaryStatistic"),
            ("missing_median_or_mean", "/spec/timing/latencyNs"),
        },
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs": {"p05": 1}, "timing__primaryStatistic": "p05"},
        {("missing_median_or_mean", "/spec/timing/latencyNs")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs__confidence95": [1]},
        {("invalid_interval", "/spec/timing/latencyNs/confidence95")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs__confidence95": [1, 2, 3]},
        {("invalid_interval", "/spec/timing/latencyNs/confidence95")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs__confidence95": ["2 us", 1999]},
        {("invalid_interval", "/spec/timing/latencyNs/confidence95")},
    ),
    (
        "BenchmarkRun",
        {"timing__latencyNs__confidence95": ["x", 2, 1]},
        {
            ("invalid_interval", "/spec/timing/latencyNs/confidence95"),
            ("invalid_duration", "/spec/timing/latencyNs/confidence95/0"),
        },
    ),
    (
        "BenchmarkRun",
        {"timing__rawSamples__uri": "kernelindex:artifact/" + D[0]},
        {("artifact_mismatch", "/spec/timing/rawSamples/uri")},
    ),
    (
        "BenchmarkRun",
        {"evidence__rawSamples__uri": "kernelindex:artifact/" + D[0]},
        {("artifact_mismatch", "/spec/evidence/rawSamples/uri")},
    ),
    ("BenchmarkRun", {"evidence__logs__uri": "http://a"}, {("invalid_uri", "/spec/evidence/logs/uri")}),
    (
        "BenchmarkRun",
        {"evidence__logs__uri": "kernelindex:artifact/x"},
        {("invalid_uri", "/spec/evidence/logs/uri"), ("artifact_mismatch", "/spec/evidence/logs/uri")},
    ),
    ("BenchmarkRun", {"status": "PASSED"}, {("not_allowed", "/spec/status")}),
    ("BenchmarkRun", {"observedAt": "2026-02-30T00:00:00Z"}, {("invalid_instant", "/spec/observedAt")}),
    (
        "BenchmarkRun",
        {"sourceNative__metrics__Big": 1},
        {("invalid_identifier", "/spec/sourceNative/metrics/Big")},
    ),
    (
        "BenchmarkRun",
        {"sourceNative__metrics__big": 10**20},
        {("integer_out_of_range", "/spec/sourceNative/metrics/big")},
    ),
    ("ServingStackRevision", {"backends": ["a"] * 9}, {("too_many_items", "/spec/backends")}),
    ("ServingWorkload", {"slo": FULL["ServingWorkload"]["slo"] * 9}, {("too_many_items", "/spec/slo")}),
    ("ServingWorkload", {"slo__0__operator": ">"}, {("not_allowed", "/spec/slo/0/operator")}),
    ("ServingRun", {"measurements": []}, {("too_few_items", "/spec/measurements")}),
    ("ServingRun", {"measurements": [MEASUREMENT] * 65}, {("too_many_items", "/spec/measurements")}),
    ("ServingRun", {"caveats": ["x"] * 17}, {("too_many_items", "/spec/caveats")}),
    (
        "ServingRun",
        {"sourceNative__metrics__units": "x" * 501},
        {("too_long", "/spec/sourceNative/metrics/units")},
    ),
    ("ServingRun", {"status": "passed"}, {("not_allowed", "/spec/status")}),
    ("OperationRelation", {"to": D[0]}, {("same_operation", "/spec/to")}),
    ("OperationRelation", {"constraints": ...}, {("missing_constraints", "/spec/constraints")}),
    ("OperationRelation", {"constraints": []}, {("too_few_items", "/spec/constraints")}),
    (
        "OperationRelation",
        {"constraints": [{"axis": "n", "operator": "eq", "value": n} for n in range(21)]},
        {("too_many_items", "/spec/constraints")},
    ),
    (
        "OperationRelation",
        {"constraints": [{"axis": "n", "operator": "eq", "value": 1}] * 2},
        {("duplicate_item", "/spec/constraints/1")},
    ),
    ("OperationRelation", {"relation": "supersedes"}, {("unexpected_constraints", "/spec/constraints")}),
    (
        "OperationRelation",
        {"relation": "same"},
        {("not_allowed", "/spec/relation"), ("unexpected_constraints", "/spec/constraints")},
    ),
    ("OperationRelation", {"rationale": " "}, {("empty_text", "/spec/rationale")}),
    (
        "OperationRelation",
        {"constraints__0__operator": "<="},
        {("not_allowed", "/spec/constraints/0/operator")},
    ),
    ("OperationRelation", {"reviewedAt": "2025-09-04T19:30"}, {("missing_zone", "/spec/reviewedAt")}),
]

VALID: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("OperationSpec", {"axes": {}}, {"axes": {}}),
    ("OperationSpec", {"axes__total__expression": "missing / 2"}, {}),
    ("OperationSpec", {"axes__tokens__value": 3, "axes__tokens__expression": "1"}, {}),
    ("OperationSpec", {"inputs__0__tensor__shape__1": 4.0}, {"inputs__0__tensor__shape__1": 4}),
    ("WorkloadCase", {"axes__tokens": 2048.0}, {"axes__tokens": 2048}),
    ("WorkloadCase", {"axes__tokens": -(2**53) + 1}, {}),
    ("WorkloadCase", {"tensors": {}}, {}),
    ("WorkloadCase", {"scalars__beta__value": -0.0}, {"scalars__beta__value": 0}),
    ("WorkloadCase", {"scalars__beta__value": 1e20}, {}),
    ("WorkloadCase", {"scalars__beta__value": 9007199254740992.0}, {}),
    ("BenchmarkRun", {"timing__latencyNs__median": 9110560.0}, {"timing__latencyNs__median": 9110560}),
    ("BenchmarkRun", {"timing__latencyNs__median": "0.008 ms"}, {"timing__latencyNs__median": 8000}),
    (
        "BenchmarkRun",
        {"timing__latencyNs__confidence95": ["1 us", "1\u03bcs"]},
        {"timing__latencyNs__confidence95": [1000, 1000]},
    ),
    ("BenchmarkRun", {"observedAt": "2026-05-27T17:14:29.100Z"}, {}),
    (
        "BenchmarkProtocol",
        {"measurement__warmupDuration": "25 ms"},
        {"measurement__warmupDuration": 25_000_000},
    ),
    (
        "ImplementationRevision",
        {"support__dtypes": ["fp32", "bf16", "fp32"]},
        {"support__dtypes": ["bf16", "fp32"]},
    ),
    (
        "ImplementationRevision",
        {"support__productsTested": ["\U0001f600", "b", "\ufb33", "B", "b"]},
        {"support__productsTested": ["B", "b", "\ufb33", "\U0001f600"]},
    ),
    ("ImplementationRevision", {"buildVariants": []}, {}),
    ("ServingRun", {"caveats": ["x"] * 16, "measurements": [MEASUREMENT] * 64}, {}),
]
