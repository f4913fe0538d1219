"""KernelIndex's public export: every row of the real one, and made rows for every fault."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from catalog.domain.manifests import validate
from catalog.ingest.items import Row
from catalog.ingest.sources.kernelindex import TABLES, KernelIndexSource
from catalog.ingest.streams import open_stream
from tests.data import export_raw
from tests.ingest.kernelindex_samples import (
    COHORT,
    KEY,
    MODEL,
    SERVING_RUN,
    Line,
    base,
    line,
    measurement,
    record_event,
    run_line,
    serving_run_line,
)
from tests.ingest.source_samples import (
    IMPLEMENTATION,
    OPERATION,
    facts,
    jsonl,
    only_rejected,
    only_row,
    read,
    reasons,
    run,
)

EXPORT = KernelIndexSource()
OTHER = "sha256:" + "0" * 64


def imported(*lines: Line) -> list[Any]:
    """The outcomes of these lines after those of everything they are made of."""
    first = list(base().values())
    outcomes = read(EXPORT, jsonl(*first, *lines))
    assert reasons(outcomes[: len(first)]) == ["row"] * len(first)
    return outcomes[len(first) :]


@pytest.mark.real_data
def test_every_row_of_the_public_export_is_read_and_agrees(real_data: Path) -> None:
    path = real_data / export_raw.FILE
    counts: Counter[str] = Counter()
    objects: dict[str, set[str]] = defaultdict(set)
    stated: Counter[tuple[str, str]] = Counter()
    with open_stream(path) as stream:
        for outcome in EXPORT.read(path, stream):
            counts[reasons([outcome])[0]] += 1
            assert isinstance(outcome, Row)
            if not outcome.manifests and not outcome.statements:
                counts["brings nothing"] += 1
            for manifest in outcome.manifests:
                objects[manifest.kind].add(manifest.digest)
            stated.update((s.subject_kind, s.field) for s in outcome.statements)
    assert counts == {"row": 40795, "brings nothing": 13853 + 2948 + 722}
    assert {kind: len(digests) for kind, digests in objects.items()} == {
        "SoftwareProject": 615,
        "OperationSpec": 449,
        "WorkloadCase": 5371,
        "WorkloadSuite": 256,
        "ImplementationRevision": 4250,
        "BenchmarkProtocol": 6,
        "ExecutionEnvironment": 15,
        "BenchmarkRun": 7857,
        "ModelRevision": 6,
        "ServingStackRevision": 71,
        "ServingConfiguration": 130,
        "ServingWorkload": 17,
        "ServingRun": 722,
    }
    assert stated["BenchmarkRun", "publishedAt"] == 7857
    assert stated["OperationSpec", "alias"] == 450
    assert stated["ImplementationRevision", "name"] == 4250
    assert not any(field in ("submittedAs", "replications") for _, field in stated)


def test_there_is_a_reader_for_each_of_the_16_tables() -> None:
    lines = [*base().values(), run_line("r", 1), measurement("r", "median", 1, 10), record_event("r")]
    lines.append(serving_run_line())
    serving = measurement("serving-run", "mean", 8840.42, None)["row"]
    lines.append(line("serving_measurements", **(serving | {"metric": "output_tps", "unit": "tokens_s"})))
    assert {item["table"] for item in lines} == set(TABLES)
    assert len(TABLES) == 16
    assert set(reasons(read(EXPORT, jsonl(*lines)))) == {"row"}


def test_facts_beside_the_manifests_are_stated_by_the_export() -> None:
    rows = read(EXPORT, jsonl(*base().values()))
    by = "kernelindex"
    assert [fact for row in rows if isinstance(row, Row) for fact in facts(row.statements)] == [
        ("EvidenceSource", "name", "Made source", by),
        ("EvidenceSource", "kind", "leaderboard", by),
        ("EvidenceSource", "license", "Apache-2.0", by),
        ("EvidenceSource", "attribution", "Made", by),
        ("EvidenceSource", "termsUrl", "https://example.org/terms", by),
        ("EvidenceSource", "terms", "Attribution.", by),
        ("EvidenceSource", "verifiedOn", "2026-08-15", by),
        ("OperationSpec", "slug", "copy-slug", by),
        ("OperationSpec", "tag", "memory", by),
        ("OperationSpec", "tag", "elementwise", by),
        ("OperationSpec", "alias", "Copy (v1)", by),
        (
            "ImplementationRevision",
            "name",
            {"slug": "copy-in-export", "title": "Copy · made", "project": "made-project"},
            by,
        ),
        ("EvidenceArtifact", "kind", "source", by),
        ("EvidenceArtifact", "mediaType", "text/x-python", by),
        ("EvidenceArtifact", "sizeBytes", 10, by),
        ("EvidenceArtifact", "uri", "https://example.org/file", by),
        ("EvidenceArtifact", "license", "MIT", by),
        ("ModelRevision", "slug", "made-7b", by),
        ("ServingStackRevision", "slug", "made-stack", by),
        ("ServingStackRevision", "project", "made-project", by),
        ("ServingConfiguration", "summary", "Made · 8 × B200", by),
        ("ServingWorkload", "slug", "made-load", by),
    ]


def test_a_source_without_policy_and_an_artifact_without_uri_state_less() -> None:
    source = base()["sources"]["row"] | {"id": "s2", "slug": "bare", "policy": None}
    artifact = base()["artifacts"]["row"] | {"uri": None, "license": None}
    rows = imported(line("sources", **source), line("artifacts", **artifact))
    assert [[s.field for s in row.statements] for row in rows] == [
        ["name", "kind"],
        ["kind", "mediaType", "sizeBytes"],
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, [("publishedAt", "2026-02-01T00:00:00.5Z")]),
        ({"publishedAt": None}, [("published", False)]),
        (
            {"retractedAt": "2026-03-01T00:00:00Z"},
            [("publishedAt", "2026-02-01T00:00:00.5Z"), ("retraction", {"at": "2026-03-01T00:00:00Z"})],
        ),
        (
            {"publishedAt": None, "retractedAt": "2026-03-01T00:00:00Z", "retractionReason": "wrong clock"},
            [
                ("published", False),
                ("retraction", {"at": "2026-03-01T00:00:00Z", "reason": "wrong clock"}),
            ],
        ),
        (
            {"publishedAt": None, "independentReplicationCount": 2, "reproducedByKernelindex": True},
            [("published", False), ("replications", 2), ("controlledRerun", True)],
        ),
    ],
)
def test_facts_of_a_run_are_stated_by_its_source(changes: Line, expected: list[tuple[str, Any]]) -> None:
    row = only_row(imported(run_line("r", 5, **changes)))
    digest = validate(run(5)).digest
    assert [m.kind for m in row.manifests] == ["BenchmarkProtocol", "ExecutionEnvironment", "BenchmarkRun"]
    assert {s.subject for s in row.statements} == {digest}
    assert facts(row.statements) == [("BenchmarkRun", *fact, "made-source") for fact in expected]


def test_facts_of_a_serving_run_are_stated_by_its_source() -> None:
    row = only_row(imported(serving_run_line(publishedAt=None, retractedAt="2026-03-01T00:00:00Z")))
    assert facts(row.statements) == [
        ("ServingRun", "published", False, "made-source"),
        ("ServingRun", "retraction", {"at": "2026-03-01T00:00:00Z"}, "made-source"),
    ]


class TestSupersession:
    """A run may supersede one that comes before or after it."""

    def superseded(self, rows: list[Any]) -> dict[str, list[str]]:
        return {
            row.manifests[-1].digest: [s.value for s in row.statements if s.field == "supersedes"]
            for row in rows
        }

    def test_of_an_earlier_row(self) -> None:
        rows = imported(run_line("r1", 1), run_line("r2", 2, supersedesId="r1"))
        old, new = validate(run(1)).digest, validate(run(2)).digest
        assert self.superseded(rows) == {old: [], new: [old]}

    def test_of_a_later_row(self) -> None:
        rows = imported(
            run_line("r2", 2, supersedesId="r1"), run_line("r3", 3, supersedesId="r1"), run_line("r1", 1)
        )
        old = validate(run(1)).digest
        assert self.superseded(rows) == {
            old: [],
            validate(run(2)).digest: [old],
            validate(run(3)).digest: [old],
        }
        assert [row.place.row for row in rows] == [14, 12, 13]

    def test_rows_may_refer_to_a_run_that_waits(self) -> None:
        rows = imported(
            run_line("r2", 2, supersedesId="r1"), measurement("r2", "median", 2, 10), run_line("r1", 1)
        )
        assert reasons(rows) == ["row"] * 3

    def test_of_a_row_that_never_comes(self) -> None:
        rejected = only_rejected(imported(run_line("r2", 2, supersedesId="gone")))
        assert (rejected.reason, rejected.place.row) == ("unknown_reference", 12)
        assert (rejected.faults[0].pointer, rejected.faults[0].value) == ("/row/supersedesId", '"gone"')

    @pytest.mark.parametrize("target", ["r2", "serving-run"])
    def test_of_itself_or_of_another_kind(self, target: str) -> None:
        outcomes = imported(serving_run_line(), run_line("r2", 2, supersedesId=target))
        assert reasons(outcomes) == ["row", "invalid_row"]


def test_derived_tables_bring_nothing_and_must_agree() -> None:
    outcomes = imported(
        run_line("r1", 1),
        run_line("r2", 2),
        measurement("r1", "median", 1, 10),
        measurement("r1", "median", 1.0, 10),
        record_event("r1"),
        record_event("r2", "r1"),
        measurement("r1", "median", 2, 10),
        measurement("r1", "median", 1, None),
        measurement("r1", "mean", 1, 10),
        measurement("gone", "median", 1, 10),
        record_event("gone"),
        record_event("r2", "gone"),
        record_event("r2", "r1", OTHER),
    )
    assert reasons(outcomes) == [
        *["row"] * 6,
        *["measurement_mismatch"] * 3,
        *["unknown_reference"] * 3,
        "record_mismatch",
    ]
    assert all(row.manifests == () and row.statements == () for row in outcomes[2:6])


@pytest.mark.parametrize(
    ("table", "column", "computed"),
    [
        ("operations", "semanticDigest", validate(OPERATION).digest),
        ("workloads", "workloadDigest", None),
        ("implementations", "implementationDigest", validate(IMPLEMENTATION).digest),
        ("model_revisions", "modelDigest", validate(MODEL).digest),
        ("serving_stack_revisions", "stackDigest", None),
        ("serving_configurations", "configurationDigest", None),
        ("serving_workloads", "workloadDigest", None),
        ("benchmark_runs", "runDigest", validate(run(1)).digest),
        ("benchmark_runs", "protocolKey", None),
        ("benchmark_runs", "environmentKey", None),
        ("benchmark_runs", "correctnessKey", None),
        ("benchmark_runs", "comparisonKey", KEY),
        ("serving_runs", "runDigest", validate(SERVING_RUN).digest),
        ("serving_runs", "cohortKey", COHORT),
    ],
)
def test_a_digest_or_key_that_disagrees_is_rejected_naming_both(
    table: str, column: str, computed: str | None
) -> None:
    lines = base() | {"benchmark_runs": run_line("r", 1), "serving_runs": serving_run_line()}
    changed = line(table, **(lines[table]["row"] | {"id": "again", column: OTHER}))
    rejected = only_rejected(imported(changed))
    assert rejected.reason == "digest_mismatch"
    assert rejected.faults[0].pointer == f"/row/{column}"
    assert OTHER in rejected.faults[0].message
    assert (computed or "") in rejected.faults[0].message


@pytest.mark.parametrize(
    ("table", "changes", "reason", "pointer"),
    [
        ("operations", {"slug": None}, "invalid_row", "/row/slug"),
        ("operations", {"tags": "x"}, "invalid_row", "/row/tags"),
        ("operations", {"tags": [1]}, "invalid_row", "/row/tags"),
        ("operations", {"manifest": None}, "invalid_row", "/row/manifest"),
        ("operations", {"id": 1}, "invalid_row", "/row/id"),
        ("operations", {"slug": "Not A Slug"}, "invalid_fact", "/row"),
        ("operation_aliases", {"operationId": "gone"}, "unknown_reference", "/row/operationId"),
        ("projects", {"slug": "other"}, "invalid_row", "/row/slug"),
        ("projects", {"manifest": {}}, "invalid_manifest", "/row/manifest/kind"),
        ("projects", {"manifest": OPERATION}, "invalid_manifest", "/row/manifest/kind"),
        ("workloads", {"operationId": "gone"}, "unknown_reference", "/row/operationId"),
        ("implementations", {"projectId": "gone"}, "unknown_reference", "/row/projectId"),
        ("implementations", {"operationId": "gone"}, "unknown_reference", "/row/operationId"),
        ("artifacts", {"sizeBytes": -1}, "invalid_row", "/row/sizeBytes"),
        ("artifacts", {"sizeBytes": True}, "invalid_row", "/row/sizeBytes"),
        ("artifacts", {"contentDigest": "x"}, "invalid_fact", "/row"),
        ("benchmark_runs", {"sourceId": "gone"}, "unknown_reference", "/row/sourceId"),
        ("benchmark_runs", {"workloadId": "gone"}, "unknown_reference", "/row/workloadId"),
        ("benchmark_runs", {"implementationId": "gone"}, "unknown_reference", "/row/implementationId"),
        ("benchmark_runs", {"publishedAt": "2026-02-01 00:00"}, "invalid_row", "/row/publishedAt"),
        ("benchmark_runs", {"publishedAt": "2026-02-01T00:00:00"}, "invalid_row", "/row/publishedAt"),
        ("benchmark_runs", {"reproducedByKernelindex": 1}, "invalid_row", "/row/reproducedByKernelindex"),
        ("benchmark_runs", {"manifest": {"run": {}}}, "invalid_row", "/row/manifest"),
        ("serving_runs", {"configurationId": "gone"}, "unknown_reference", "/row/configurationId"),
        ("serving_runs", {"modelRevisionId": "gone"}, "unknown_reference", "/row/modelRevisionId"),
        ("serving_stack_revisions", {"projectId": "gone"}, "unknown_reference", "/row/projectId"),
    ],
)
def test_a_faulty_row_is_rejected_naming_the_column(
    table: str, changes: Line, reason: str, pointer: str
) -> None:
    lines = base() | {"benchmark_runs": run_line("r", 1), "serving_runs": serving_run_line()}
    changed = line(table, **({**lines[table]["row"], "id": "again"} | changes))
    outcomes = imported(changed, run_line("good", 7))
    assert reasons(outcomes) == [reason, "row"]
    rejected = only_rejected(outcomes[:1])
    assert (rejected.faults[0].pointer, rejected.faults[0].line) == (pointer, 12)


def test_a_missing_column_is_named() -> None:
    incomplete = base()["projects"]
    del incomplete["row"]["slug"]
    fault = only_rejected(read(EXPORT, jsonl(incomplete))).faults[0]
    assert (fault.reason, fault.pointer) == ("missing_column", "/row/slug")


def test_all_faults_of_a_run_and_its_parts_are_told() -> None:
    bundle = {"run": {"kind": "BenchmarkRun"}, "protocol": {}, "environment": {}}
    rejected = only_rejected(imported(run_line("r", 1, manifest=bundle)))
    assert rejected.reason == "invalid_manifest"
    prefixes = {fault.pointer.split("/")[3] for fault in rejected.faults}
    assert prefixes == {"run", "protocol", "environment"}


def test_an_id_stands_for_one_row() -> None:
    again = base()["operations"]
    assert reasons(imported(again)) == ["row"]
    outcomes = imported(run_line("r", 1), run_line("r", 2))
    assert reasons(outcomes) == ["row", "invalid_row"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"table": "projects", "row": {', "invalid_json"),
        (b'{"table": "projects", "row": {"id": NaN}}', "invalid_json"),
        (b'{"table": "projects", "table": "sources", "row": {}}', "invalid_json"),
        (b'{"table": "projects", "row": {"id": "\\ud800"}}', "invalid_json"),
        (b"\xff", "invalid_json"),
        (b"[" * 100_000, "invalid_json"),
        (b"[]", "invalid_json"),
        (b'"' + b"x" * 5_000_000 + b'"', "line_too_long"),
        (b'{"table": "users", "row": {}}', "unknown_table"),
        (b'{"table": ["users"], "row": {}}', "unknown_table"),
        (b'{"table": "projects"}', "invalid_row"),
        (b'{"table": "projects", "row": {}, "more": 1}', "invalid_row"),
        (b'{"table": "projects", "row": []}', "invalid_row"),
    ],
)
def test_a_faulty_line_is_rejected_and_the_next_one_read(text: bytes, reason: str) -> None:
    good = jsonl(base()["projects"])
    outcomes = read(EXPORT, text + b"\n\n" + good)
    assert reasons(outcomes) == [reason, "row"]
    rejected = only_rejected(outcomes[:1])
    assert (rejected.place.row, rejected.faults[0].line) == (1, 1)
    assert outcomes[1].place.row == 3
