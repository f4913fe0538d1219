"""Liger-Kernel's CSV files: exact counts over the real ones, a made row for every check."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from importlib import resources
from pathlib import Path

import pytest

from catalog.domain.identity import comparison_key, correctness_key
from catalog.ingest.items import Row
from catalog.ingest.sources.liger import SPREAD_LEFT_OUT, ZONE_ASSUMED, LigerSource, nanoseconds
from catalog.ingest.sources.liger_manifests import kebab
from catalog.ingest.streams import open_stream
from tests.ingest.source_samples import (
    LIGER_ROW,
    digests,
    facts,
    liger_csv,
    only_rejected,
    only_row,
    only_skipped,
    read,
    reasons,
)

LIGER = LigerSource()
MAIN = Path(str(resources.files("catalog"))) / "data" / "liger" / "all_benchmark_data.csv"


def rows_of(path: Path) -> tuple[list[Row], Counter[str]]:
    with open_stream(path) as stream:
        outcomes = list(LIGER.read(path, stream))
    return [outcome for outcome in outcomes if isinstance(outcome, Row)], Counter(reasons(outcomes))


@pytest.fixture(scope="module")
def bundled() -> tuple[list[Row], Counter[str]]:
    return rows_of(MAIN)


def test_the_bundled_file_gives_1649_runs_and_skips_the_memory_rows(
    bundled: tuple[list[Row], Counter[str]],
) -> None:
    rows, counts = bundled
    assert counts == {"row": 1649, "metric_not_speed": 799}
    assert len({row.manifests[-1].digest for row in rows}) == 1649


@pytest.mark.parametrize(
    ("digest", "key"),
    [
        (
            "sha256:b59178a52ddaa378765ded2",
            "sha256:5b5365787b943880595db046fa21ef8e7b0f2d47382af2260e617469d9f0829c",
        ),
        ("sha256:efaaa145f23845f43342a26", "sha256:26a3d326c83203eb"),
    ],
)
def test_the_bundled_file_holds_the_reference_runs(
    bundled: tuple[list[Row], Counter[str]], digest: str, key: str
) -> None:
    (row,) = [row for row in bundled[0] if row.manifests[-1].digest.startswith(digest)]
    assert _comparison_key(row).startswith(key)


@pytest.mark.real_data
@pytest.mark.parametrize("seed", ["seed-run-jsd-b200.json", "seed-run-kto-loss-h100.json"])
def test_the_reference_runs_are_those_of_the_public_pages(
    bundled: tuple[list[Row], Counter[str]], real_data: Path, seed: str
) -> None:
    expected = json.loads((real_data / seed).read_text())
    name = expected["run"]["metadata"]["name"]
    (row,) = [row for row in bundled[0] if row.manifests[-1].metadata["name"] == name]
    found = {
        manifest.kind: {"kind": manifest.kind, "metadata": manifest.metadata, "spec": manifest.spec}
        for manifest in row.manifests
    }
    for member in expected.values():
        del member["apiVersion"]
        assert found[member["kind"]] == member


@pytest.mark.real_data
def test_the_three_files_give_what_the_facts_say(csvs: list[Path]) -> None:
    counts: Counter[str] = Counter()
    objects: dict[str, set[str]] = defaultdict(set)
    groups = set()
    for path in csvs:
        rows, counted = rows_of(path)
        counts += counted
        for row in rows:
            groups.add(_comparison_key(row))
            for kind, digest in digests(row).items():
                objects[kind].add(digest)
    assert counts == {
        "row": 1757,
        "metric_not_speed": 1228,
        "unknown_provider": 510,
        "config_not_bound": 168,
        "unknown_kernel": 168,
        "unknown_mode": 45,
        "x_not_positive_integer": 21,
    }
    assert {kind: len(digests) for kind, digests in objects.items()} == {
        "BenchmarkRun": 1757,
        "WorkloadCase": 249,
        "ImplementationRevision": 63,
        "OperationSpec": 31,
        "ExecutionEnvironment": 6,
        "BenchmarkProtocol": 3,
        "SoftwareProject": 5,
    }
    assert len(groups) == 762


@pytest.mark.real_data
def test_54_runs_are_deepspeeds_under_digests_that_they_share_with_transformers(csvs: list[Path]) -> None:
    projects = defaultdict(set)
    deepspeed = []
    for path in csvs:
        for row in rows_of(path)[0]:
            submitted = next(s.value for s in row.statements if s.field == "submittedAs")
            implementation = digests(row)["ImplementationRevision"]
            projects[implementation].add(submitted["project"])
            if submitted["project"] == "deepspeed":
                deepspeed.append(implementation)
    assert len(deepspeed) == 54
    assert all(projects[implementation] == {"deepspeed", "transformers"} for implementation in deepspeed)


def test_a_row_brings_every_part_and_what_its_source_says_of_them() -> None:
    row = only_row(read(LIGER, liger_csv({})))
    assert list(digests(row)) == [
        "SoftwareProject",
        "OperationSpec",
        "WorkloadCase",
        "ImplementationRevision",
        "BenchmarkProtocol",
        "ExecutionEnvironment",
        "BenchmarkRun",
    ]
    assert digests(row)["BenchmarkRun"].startswith("sha256:efaaa145f23845f43342a26")
    assert (row.place.file, row.place.row) == ("evidence", 1)
    assert row.notes == (ZONE_ASSUMED,)
    name = {
        "slug": "liger-bench-jsd-liger",
        "title": "Jensen-Shannon divergence loss · Liger",
        "project": "liger-kernel",
    }
    terms = "https://github.com/linkedin/Liger-Kernel/blob/main/LICENSE"
    by = "liger-kernel-bench"
    assert facts(row.statements) == [
        ("EvidenceSource", "name", "Liger-Kernel benchmarks", by),
        ("EvidenceSource", "kind", "benchmark", by),
        ("EvidenceSource", "license", "BSD-2-Clause", by),
        ("EvidenceSource", "attribution", "LinkedIn Liger-Kernel", by),
        ("EvidenceSource", "termsUrl", terms, by),
        ("EvidenceSource", "verifiedOn", "2026-08-14", by),
        ("OperationSpec", "slug", "liger-jsd", by),
        ("ImplementationRevision", "name", name, by),
        ("BenchmarkRun", "submittedAs", name, by),
    ]


def test_a_provider_with_a_role_says_so() -> None:
    row = only_row(read(LIGER, liger_csv({"kernel_provider": "torch"})))
    submitted = next(s.value for s in row.statements if s.field == "submittedAs")
    assert submitted["role"] == "baseline"
    (implementation,) = [m for m in row.manifests if m.kind == "ImplementationRevision"]
    assert implementation.metadata["labels"] == {"role": "baseline"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"metric_name": "memory"}, "metric_not_speed"),
        ({"metric_name": "memory", "kernel_name": "?"}, "metric_not_speed"),
        ({"kernel_name": "new_kernel"}, "unknown_kernel"),
        ({"kernel_name": "new_kernel", "kernel_operation_mode": "?"}, "unknown_kernel"),
        ({"kernel_operation_mode": "no-grad-forward"}, "unknown_mode"),
        ({"kernel_provider": "liger_cutile"}, "unknown_provider"),
        ({"extra_benchmark_config_str": "{'bsz': 8}"}, "config_not_json"),
        ({"extra_benchmark_config_str": '{"vocab_size": NaN}'}, "config_not_json"),
        ({"extra_benchmark_config_str": '{"vocab_size": 1, "vocab_size": 2}'}, "config_not_json"),
        ({"extra_benchmark_config_str": "[" * 100_000}, "config_not_json"),
        ({"x_value": "llama_3_8b"}, "x_not_positive_integer"),
        ({"x_value": "0"}, "x_not_positive_integer"),
        ({"x_value": "-4"}, "x_not_positive_integer"),
        ({"x_value": "2.5"}, "x_not_positive_integer"),
        ({"x_value": ""}, "x_not_positive_integer"),
        ({"x_value": "1e999"}, "x_not_positive_integer"),
        ({"x_value": "0x10"}, "x_not_positive_integer"),
        ({"x_value": "1_0"}, "x_not_positive_integer"),
        ({"extra_benchmark_config_str": "[]"}, "config_not_bound"),
        ({"extra_benchmark_config_str": '{"vocab_size": true}'}, "config_not_bound"),
        ({"extra_benchmark_config_str": '{"vocab_size": "128256"}'}, "config_not_bound"),
        ({"extra_benchmark_config_str": '{"vocab_size": 1e999}'}, "config_not_bound"),
        ({"extra_benchmark_config_str": '{"vocab_size": -1}'}, "config_not_bound"),
        ({"x_name": "T"}, "config_not_bound"),
        ({"gpu_name": "NVIDIA H200"}, "unknown_gpu"),
    ],
)
def test_a_row_outside_the_facts_is_skipped_for_the_first_check_that_fails(
    change: dict[str, str], reason: str
) -> None:
    assert only_skipped(read(LIGER, liger_csv(change))).reason == reason


@pytest.mark.parametrize(
    ("change", "reason", "pointers"),
    [
        ({"metric_unit": "s"}, "unknown_unit", ["/metric_unit"]),
        ({"metric_unit": ""}, "unknown_unit", ["/metric_unit"]),
        ({"y_value_50": "nan"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "Infinity"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "1e999"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "0"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": ""}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "-1"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "fast"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "1e300"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "1e305"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_50": "9007199254.740993"}, "run_rejected", ["/y_value_50"]),
        ({"y_value_20": "-1e300"}, "run_rejected", ["/y_value_20"]),
        ({"timestamp": "2026-05-27T17:14:29"}, "run_rejected", ["/timestamp"]),
        ({"timestamp": "2026-02-30 17:14:29"}, "run_rejected", ["/timestamp"]),
        ({"timestamp": "2026-02-28 24:14:29"}, "run_rejected", ["/timestamp"]),
        ({"timestamp": ""}, "run_rejected", ["/timestamp"]),
        ({"y_value_50": "", "timestamp": ""}, "run_rejected", ["/y_value_50", "/timestamp"]),
        ({"x_value": "1e20"}, "size_out_of_range", None),
        ({"extra_benchmark_config_str": f'{{"vocab_size": {"9" * 4000}}}'}, "size_out_of_range", None),
        ({"liger_version": "v" * 300}, "invalid_manifest", None),
    ],
)
def test_a_faulty_row_is_rejected_naming_column_value_and_line(
    change: dict[str, str], reason: str, pointers: list[str] | None
) -> None:
    good_first = read(LIGER, liger_csv({}, change, {"kernel_provider": "torch"}))
    assert reasons(good_first) == ["row", reason, "row"]
    rejected = only_rejected(good_first[1:2])
    assert rejected.place.row == 2
    assert {fault.line for fault in rejected.faults} == {3}
    if pointers is not None:
        assert [fault.pointer for fault in rejected.faults] == pointers
        assert [fault.value for fault in rejected.faults] == [
            json.dumps(change[pointer[1:]]) for pointer in pointers
        ]


def test_numbers_are_decimal_text_with_blanks_around() -> None:
    row = only_row(read(LIGER, liger_csv({"x_value": " 2048.0 ", "y_value_50": " 9.110560417175293 "})))
    assert digests(row)["BenchmarkRun"].startswith("sha256:efaaa145f23845f43342a26")


def test_a_spread_that_is_no_number_is_left_out_and_noted() -> None:
    row = only_row(read(LIGER, liger_csv({"y_value_80": "nan"})))
    run = row.manifests[-1].spec
    assert "measurements" not in run
    assert run["sourceNative"]["metrics"] == {"ms_50": 9.110560417175293}
    assert row.notes == (ZONE_ASSUMED, SPREAD_LEFT_OUT)


def test_the_raw_milliseconds_stay_beside_the_nanoseconds() -> None:
    change = {"y_value_50": "34822.486568", "y_value_20": "1", "y_value_80": "3e9"}
    run = only_row(read(LIGER, liger_csv(change))).manifests[-1].spec
    assert run["timing"]["latencyNs"] == {"median": 34_822_486_568}
    assert [m["value"] for m in run["measurements"]] == [1_000_000, 3 * 10**15]
    assert run["sourceNative"]["metrics"] == {"ms_50": 34822.486568, "ms_20": 1, "ms_80": 3e9}


@pytest.mark.parametrize(
    ("milliseconds", "expected"),
    [(0.0000005, 1), (0.0000015, 2), (0.0000025, 3), (-0.0000005, 0), (4.9999999e-07, 0), (1, 10**6)],
)
def test_nanoseconds_round_halves_up(milliseconds: float, expected: int) -> None:
    assert nanoseconds(milliseconds) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("NVIDIA B200", "nvidia-b200"), ("--A__b--", "a-b"), ("x" * 99 + " y", "x" * 99 + "-"), ("é1", "1")],
)
def test_kebab(text: str, expected: str) -> None:
    assert kebab(text) == expected


class TestCsv:
    """Damaged records never take their neighbours along."""

    good = liger_csv({}).split(b"\r\n")[1]
    header = liger_csv().rstrip()

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            (good + b",more", "ragged_row"),
            (good.rsplit(b",", 1)[0], "ragged_row"),
            (b"x", "ragged_row"),
            (good.replace(b"forward", b'"forward'), "ragged_row"),
            (good.replace(b"forward", b'"for"ward'), "invalid_csv"),
            (good.replace(b"forward", b"\xff"), "invalid_encoding"),
            (good + b"0" * 300_000, "line_too_long"),
        ],
    )
    def test_one_bad_record(self, line: bytes, reason: str) -> None:
        data = b"\r\n".join([self.header, self.good, line, self.good, self.good, b""])
        outcomes = read(LIGER, data)
        assert reasons(outcomes) == ["row", reason, "row", "row"]
        rejected = only_rejected(outcomes[1:2])
        assert (rejected.place.row, rejected.faults[0].line) == (2, 3)

    def test_a_quotation_mark_left_open_in_the_last_record(self) -> None:
        data = b"\r\n".join([self.header, self.good, self.good[:-1] + b'"'])
        assert reasons(read(LIGER, data)) == ["row", "ragged_row"]

    def test_a_record_over_several_lines(self) -> None:
        config = '{"vocab_size":\n 128256,\n\n "note": "a, ""b"""}'.replace('""b""', "b")
        data = liger_csv({"extra_benchmark_config_str": config}, {})
        assert reasons(read(LIGER, data)) == ["row", "row"]

    def test_line_ends_blank_lines_and_a_byte_order_mark(self) -> None:
        data = b"\xef\xbb\xbf" + liger_csv({}, {}, end="\n").replace(b"\n", b"\n\n")
        assert reasons(read(LIGER, data)) == ["row", "row"]

    def test_columns_in_another_order(self) -> None:
        names = sorted(LIGER_ROW)
        line = ",".join('"' + LIGER_ROW[name].replace('"', '""') + '"' for name in names)
        row = only_row(read(LIGER, f"{','.join(names)}\n{line}\n".encode()))
        assert digests(row)["BenchmarkRun"].startswith("sha256:efaaa145f23845f43342a26")

    @pytest.mark.parametrize(
        ("header", "message"),
        [
            (header.replace(b"gpu_name", b"gpu"), 'missing: gpu_name, unknown: "gpu"'),
            (header.replace(b"gpu_name,", b""), "missing: gpu_name"),
            (header + b",extra", 'unknown: "extra"'),
            (header + b",gpu_name", "twice: gpu_name"),
            (b"", "missing: kernel_name"),
            (b"\xff", "not CSV"),
        ],
    )
    def test_an_unknown_header_rejects_the_file(self, header: bytes, message: str) -> None:
        rejected = only_rejected(read(LIGER, b"\r\n".join([header, self.good])))
        assert (rejected.reason, rejected.place.row) == ("unknown_header", None)
        assert message in rejected.faults[0].message

    def test_a_file_of_no_rows(self) -> None:
        assert read(LIGER, liger_csv()) == []


def _comparison_key(row: Row) -> str:
    of = digests(row)
    (workload,) = [m for m in row.manifests if m.kind == "WorkloadCase"]
    return comparison_key(
        operation=of["OperationSpec"],
        workload=of["WorkloadCase"],
        protocol=of["BenchmarkProtocol"],
        environment=of["ExecutionEnvironment"],
        correctness=correctness_key(workload.spec),
        metric="latency:median:ns",
    )
