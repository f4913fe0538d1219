"""Manifest files, the catalog's own export, recognising files, and files that break off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from catalog.domain.errors import InputError
from catalog.domain.facts import Statement
from catalog.domain.identity import load_canonical
from catalog.domain.manifests import validate
from catalog.ingest.items import Row
from catalog.ingest.sources.catalog_export import (
    CatalogExportSource,
    fact_line,
    header_line,
    manifest_line,
)
from catalog.ingest.sources.manifests import ManifestsSource
from catalog.ingest.sources.table import SOURCES, detect, source_named
from catalog.ingest.streams import head, open_stream
from tests.ingest.kernelindex_samples import base
from tests.ingest.source_samples import (
    ENVIRONMENT,
    IMPLEMENTATION,
    OPERATION,
    PROTOCOL,
    WORKLOAD,
    facts,
    jsonl,
    liger_csv,
    only_rejected,
    only_row,
    read,
    reasons,
    run,
)

MANIFESTS = ManifestsSource()
EXPORT = CatalogExportSource()


class TestManifests:
    def test_json_and_yaml_of_several_documents(self) -> None:
        yaml = "\n---\n".join(json.dumps(document) for document in (OPERATION, WORKLOAD))
        rows = read(MANIFESTS, yaml.encode(), "two.yaml")
        assert [row.manifests[0].kind for row in rows if isinstance(row, Row)] == [
            "OperationSpec",
            "WorkloadCase",
        ]
        assert [row.place.row for row in rows] == [1, 2]
        row = only_row(read(MANIFESTS, json.dumps(OPERATION).encode(), "one.json"))
        assert (row.manifests[0].digest, row.statements) == (validate(OPERATION).digest, ())

    def test_a_bundle_is_read_as_several_documents(self) -> None:
        bundle = {"run": run(1), "protocol": PROTOCOL, "environment": ENVIRONMENT}
        rows = read(MANIFESTS, json.dumps(bundle).encode(), "bundle.json")
        kinds = [row.manifests[0].kind for row in rows if isinstance(row, Row)]
        assert kinds == ["BenchmarkRun", "BenchmarkProtocol", "ExecutionEnvironment"]

    @pytest.mark.parametrize(
        ("metadata", "expected"),
        [
            ({"name": "a"}, None),
            ({"name": "a", "labels": {"role": "baseline"}}, None),
            ({"name": "a", "labels": {"project": "p"}}, {"slug": "a", "project": "p"}),
            (
                {"name": "a", "title": "A", "labels": {"project": "p"}},
                {"slug": "a", "title": "A", "project": "p"},
            ),
        ],
    )
    def test_the_project_label_of_an_implementation(self, metadata: Any, expected: Any) -> None:
        data = json.dumps(IMPLEMENTATION | {"metadata": metadata}).encode()
        row = only_row(read(MANIFESTS, data, "i.json"))
        by_manifests = [("ImplementationRevision", "name", expected, "manifests")]
        assert facts(row.statements) == (by_manifests if expected else [])

    def test_the_project_label_of_another_kind_is_none_of_our_business(self) -> None:
        document = OPERATION | {"metadata": {"name": "a", "labels": {"project": "p"}}}
        assert only_row(read(MANIFESTS, json.dumps(document).encode(), "o.json")).statements == ()

    def test_a_project_label_must_be_a_slug(self) -> None:
        document = IMPLEMENTATION | {"metadata": {"name": "a", "labels": {"project": "No Slug"}}}
        rejected = only_rejected(read(MANIFESTS, json.dumps(document).encode(), "i.json"))
        assert (rejected.reason, rejected.faults[0].pointer) == ("invalid_fact", "/metadata/labels/project")

    def test_a_faulty_document_leaves_the_others(self) -> None:
        faulty = json.dumps(OPERATION | {"more": 1})
        yaml = "\n---\n".join([json.dumps(OPERATION), faulty, json.dumps(WORKLOAD)])
        outcomes = read(MANIFESTS, yaml.encode(), "three.yaml")
        assert reasons(outcomes) == ["row", "invalid_manifest", "row"]
        fault = only_rejected(outcomes[1:2]).faults[0]
        assert (fault.pointer, fault.line) == ("/more", 3)

    def test_a_document_beyond_the_limit_is_refused_without_reading_it_all(self, tmp_path: Path) -> None:
        path = tmp_path / "large.yaml.zst"
        path.write_bytes(zstandard.ZstdCompressor().compress(b"x" * 2**28))
        with open_stream(path) as stream:
            rejected = only_rejected(list(MANIFESTS.read(path, stream)))
        assert [fault.reason for fault in rejected.faults] == ["document_too_large"]


LARGE = OPERATION | {"metadata": {"name": "copy", "title": "Copy · ü"}}
STATEMENTS = [
    Statement("OperationSpec", validate(OPERATION).digest, "slug", "copy", "a-source"),
    Statement("BenchmarkRun", validate(run(1)).digest, "retraction", {"at": "2026-01-02T00:00:00Z"}, "b"),
    Statement("BenchmarkRun", validate(run(1)).digest, "published", False, "b"),
    Statement("EvidenceSource", "made", "name", "Made ü", "made"),
]


class TestCatalogExport:
    def test_what_is_written_is_read_back(self) -> None:
        body = run(1)
        body["spec"]["measurements"] = [
            {"metric": "flops", "statistic": "mean", "unit": "flop", "value": value}
            for value in (1e20, 1.5, 2**53 - 1, 1e-7, 123456789012345680000.0)
        ]
        manifests = [validate(raw) for raw in (LARGE, body)]
        text = header_line()
        for manifest in manifests:
            text += manifest_line(load_canonical(manifest.canonical), manifest.metadata)
        text += "".join(fact_line(statement) for statement in STATEMENTS)
        assert "1e+20" in text
        assert "00000000000000000000" not in text
        rows = [row for row in read(EXPORT, text.encode()) if isinstance(row, Row)]
        assert len(rows) == len(manifests) + len(STATEMENTS)
        found = [m for row in rows for m in row.manifests]
        assert [(m.canonical, m.digest, m.metadata) for m in found] == [
            (m.canonical, m.digest, m.metadata) for m in manifests
        ]
        assert [s for row in rows for s in row.statements] == STATEMENTS

    def test_an_export_of_nothing(self) -> None:
        assert read(EXPORT, header_line().encode()) == []

    @pytest.mark.parametrize(
        "data",
        [b"", b"x", jsonl({}), jsonl({"catalog": "kernel-catalog-export/2"}), jsonl({"manifest": OPERATION})],
    )
    def test_an_unknown_header_rejects_the_file(self, data: bytes) -> None:
        rejected = only_rejected(read(EXPORT, data + jsonl({"manifest": OPERATION})))
        assert (rejected.reason, rejected.place.row) == ("unknown_header", None)

    @pytest.mark.parametrize(
        ("value", "reason", "pointer"),
        [
            ({}, "invalid_row", ""),
            ({"manifest": OPERATION, "fact": {}}, "invalid_row", ""),
            ({"manifest": OPERATION, "more": 1}, "invalid_row", ""),
            ({"more": 1}, "invalid_row", ""),
            ({"manifest": OPERATION | {"more": 1}}, "invalid_manifest", "/manifest/more"),
            ({"fact": []}, "invalid_row", "/fact"),
            ({"fact": {"kind": "OperationSpec"}}, "invalid_row", "/fact"),
            ({"fact": json.loads(fact_line(STATEMENTS[0]))["fact"] | {"more": 1}}, "invalid_row", "/fact"),
            (
                {"fact": json.loads(fact_line(STATEMENTS[0]))["fact"] | {"kind": 1}},
                "invalid_row",
                "/fact/kind",
            ),
            (
                {"fact": json.loads(fact_line(STATEMENTS[0]))["fact"] | {"field": "x"}},
                "invalid_fact",
                "/fact",
            ),
            ({"fact": json.loads(fact_line(STATEMENTS[0]))["fact"] | {"value": 7}}, "invalid_fact", "/fact"),
            (
                {"fact": json.loads(fact_line(STATEMENTS[0]))["fact"] | {"subject": "x"}},
                "invalid_fact",
                "/fact",
            ),
        ],
    )
    def test_a_faulty_line_leaves_the_others(self, value: Any, reason: str, pointer: str) -> None:
        data = header_line().encode() + jsonl(value, {"manifest": OPERATION})
        outcomes = read(EXPORT, data)
        assert reasons(outcomes) == [reason, "row"]
        fault = only_rejected(outcomes[:1]).faults[0]
        assert (fault.pointer, fault.line) == (pointer, 2)

    def test_an_integer_beyond_2_53_is_refused(self) -> None:
        text = json.dumps({"manifest": run(1)}).replace('"samples": 10', '"samples": 9007199254740993')
        outcomes = read(EXPORT, header_line().encode() + text.encode())
        assert reasons(outcomes) == ["invalid_manifest"]


FILES = {
    "liger": liger_csv({}),
    "kernelindex": jsonl(base()["projects"]),
    "catalog": header_line().encode() + fact_line(STATEMENTS[0]).encode(),
    "manifests": json.dumps(OPERATION).encode(),
}


class TestTable:
    @pytest.mark.parametrize("compressed", [False, True])
    @pytest.mark.parametrize("source", list(FILES))
    def test_files_are_told_by_content(self, tmp_path: Path, source: str, compressed: bool) -> None:
        path = tmp_path / "evidence.dat"
        path.write_bytes(zstandard.ZstdCompressor().compress(FILES[source]) if compressed else FILES[source])
        found = detect(path, head(path))
        assert found is SOURCES[source]
        with open_stream(path) as stream:
            assert reasons(found.read(path, stream)) == ["row"]

    @pytest.mark.parametrize(
        ("name", "content", "expected"),
        [
            ("a.csv", b"a,b\n1,2\n", None),
            ("a", b"", None),
            ("broken.yaml", b"{", "manifests"),
            ("broken.json.gz", b"\xff", "manifests"),
            ("a.csv", b"\xef\xbb\xbf" + FILES["liger"], "liger"),
            ("a.csv", FILES["liger"].replace(b"gpu_name", b"gpu"), "liger"),
            ("a.json", b'{"row": {"id": 1}, "table": "sources"}', "kernelindex"),
            ("a.json", b'{"catalog": "kernel-catalog-export/9"}', "catalog"),
        ],
    )
    def test_what_is_told(self, name: str, content: bytes, expected: str | None) -> None:
        found = detect(Path(name), content)
        assert (found.name if found else None) == expected

    def test_sources_by_name(self) -> None:
        assert [source_named(name).name for name in FILES] == list(FILES)
        with pytest.raises(InputError, match="liger, kernelindex, catalog, manifests"):
            source_named("csv")

    @pytest.mark.parametrize(
        ("source", "data"),
        [
            ("liger", liger_csv(*[{"y_value_50": f"{n}.5"} for n in range(1, 2000)])),
            ("kernelindex", jsonl(*[base()["artifacts"]] * 2000)),
            ("catalog", header_line().encode() + jsonl(*[{"manifest": OPERATION}] * 2000)),
            ("manifests", json.dumps(OPERATION).encode()),
        ],
    )
    def test_a_file_that_breaks_off_gives_what_stands_before(
        self, tmp_path: Path, source: str, data: bytes
    ) -> None:
        path = tmp_path / "evidence.zst"
        path.write_bytes(zstandard.ZstdCompressor(level=1).compress(data)[:-20])
        with open_stream(path) as stream:
            outcomes = list(SOURCES[source].read(path, stream))
        *before, last = outcomes
        assert set(reasons(before)) <= {"row"}
        rejected = only_rejected([last])
        assert rejected.reason == "unreadable_file"
        assert rejected.place.row is not None
        assert rejected.place.row > len(before)
