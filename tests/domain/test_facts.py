"""Catalog facts (docs/domain.md §2): what may be stated, how statements add up, and in no order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.errors import InputError
from catalog.domain.facts import (
    FIELDS,
    SLUG_KEYED,
    Merge,
    Statement,
    earliest_name,
    parse,
    published,
    shown,
    shown_variant,
    text,
)
from catalog.domain.identity import canonical_text

SHA = "sha256:" + "a" * 64
SHB = "sha256:" + "b" * 64


def states(kind: str, field: str, value: object, source: str = "src") -> Statement:
    return Statement(kind, "src" if kind in SLUG_KEYED else SHA, field, value, source)


def run_states(field: str, *values: object) -> list[Statement]:
    """Statements about one run, from the sources s0, s1 …"""
    return [states("BenchmarkRun", field, value, f"s{i}") for i, value in enumerate(values)]


def test_text_is_canonical_and_reads_back() -> None:
    statement = states(
        "BenchmarkRun", "submittedAs", {"title": "Liger µ", "slug": "liger"}, "liger-kernel-bench"
    )
    stored = text(statement)
    assert stored == (
        '{"field":"submittedAs","source":"liger-kernel-bench","value":{"slug":"liger","title":"Liger µ"}}'
    )
    assert parse(stored, "BenchmarkRun", SHA) == statement
    assert hash(parse(stored, "BenchmarkRun", SHA)) == hash(statement)


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{",
        "null",
        '{"field":"replications","source":"s"}',
        '{"field":"replications","source":"s","value":1,"extra":1}',
        '{"field":"replications","source":"s","value":-1}',
        '{"field":"nonesuch","source":"s","value":1}',
        '{"field":1,"source":"s","value":1}',
        '{"field":["replications"],"source":"s","value":1}',
        '{"field":"replications","source":"Not A Slug","value":1}',
    ],
)
def test_a_damaged_text_is_refused(stored: str) -> None:
    with pytest.raises(InputError):
        parse(stored, "BenchmarkRun", SHA)


VALID: list[tuple[str, str, list[object]]] = [
    ("OperationSpec", "slug", ["013-gqa-paged-decode-h32-kv8-d128-ps1", "a", "9.b_c"]),
    ("OperationSpec", "alias", ["RMSNorm forward", "fused_linear"]),
    ("OperationSpec", "tag", ["stage-prefill"]),
    (
        "ImplementationRevision",
        "name",
        [{"slug": "a"}, {"slug": "a", "title": "T", "role": "r", "project": "p"}],
    ),
    ("EvidenceArtifact", "kind", ["source", "log"]),
    ("EvidenceArtifact", "mediaType", ["text/x-python"]),
    ("EvidenceArtifact", "sizeBytes", [0, 4575, 2**53 - 1]),
    ("EvidenceArtifact", "uri", ["https://example.org/a", f"kernelindex:artifact/{SHA}"]),
    ("EvidenceArtifact", "license", ["LicenseRef-GPUMode-Reciprocity-1.0"]),
    ("EvidenceSource", "name", ["NVIDIA SOL-ExecBench"]),
    ("EvidenceSource", "kind", ["leaderboard"]),
    ("EvidenceSource", "license", ["June 9 Researcher Reciprocity License v1.0"]),
    ("EvidenceSource", "attribution", ["MLPerf™ Inference results by MLCommons"]),
    ("EvidenceSource", "termsUrl", ["https://example.org/terms"]),
    ("EvidenceSource", "terms", ["One sentence.\nAnother."]),
    ("EvidenceSource", "verifiedOn", ["2026-08-15", "2024-02-29"]),
    ("BenchmarkRun", "publishedAt", ["2026-08-15T18:49:22.604Z", "2026-08-15T18:49:22.123456789Z"]),
    ("BenchmarkRun", "published", [True, False]),
    (
        "BenchmarkRun",
        "retraction",
        [{"at": "2026-08-15T18:49:22Z"}, {"at": "2026-08-15T18:49:22Z", "reason": "r"}],
    ),
    ("BenchmarkRun", "supersedes", [SHB]),
    ("BenchmarkRun", "replications", [0, 3]),
    ("BenchmarkRun", "controlledRerun", [True, False]),
    (
        "BenchmarkRun",
        "submittedAs",
        [{"slug": "liger", "title": "Liger", "role": "candidate", "project": "liger-kernel"}],
    ),
    ("ServingRun", "publishedAt", ["2026-08-16T15:55:31.551Z"]),
    ("ServingRun", "published", [False, True]),
    ("ServingRun", "retraction", [{"at": "2026-08-16T15:55:31Z"}]),
    ("ServingRun", "supersedes", [SHB]),
    ("ModelRevision", "slug", ["mlperf-llama2-70b"]),
    ("ServingStackRevision", "slug", ["mlperf-stack-amd-vllm-0-9-0-2-gitf717b2a-rocm-6-4-"]),
    ("ServingStackRevision", "project", ["vllm"]),
    ("ServingWorkload", "slug", ["mlperf-llama2-70b-99-interactive"]),
    ("ServingConfiguration", "summary", ["AMD · Supermicro AS-8125GS-TNMR2"]),
]

INVALID: list[tuple[str, str, list[object]]] = [
    ("OperationSpec", "slug", ["", "A", "-a", "a b", "a" * 201, None, 1, ["a"], "a\n"]),
    ("OperationSpec", "alias", ["", "  ", "a\nb", "a" * 501, "\ud800", 1, None]),
    ("ImplementationRevision", "name", ["a", {}, {"title": "T"}, {"slug": "A"}, {"slug": "a", "x": 1}]),
    (
        "ImplementationRevision",
        "name",
        [{"slug": "a", "project": "Not A Slug"}, {"slug": "a", "title": None}],
    ),
    ("EvidenceArtifact", "sizeBytes", [-1, 1.5, True, "1", 2**53, None]),
    ("EvidenceArtifact", "uri", ["http://example.org/a", "kernelindex:artifact/x", "https://", "ftp://a", 1]),
    ("EvidenceSource", "termsUrl", ["http://example.org", "https:// a", ""]),
    ("EvidenceSource", "verifiedOn", ["2026-02-30", "15.08.2026", "2026-08-15T00:00:00Z", 20260815]),
    ("EvidenceSource", "terms", ["x" * 4001]),
    ("BenchmarkRun", "publishedAt", ["2026-08-15T18:49:22", "2026-08-15", "2026-02-30T00:00:00Z", 1, None]),
    ("BenchmarkRun", "published", [0, 1, "true", None]),
    (
        "BenchmarkRun",
        "retraction",
        ["2026-08-15T18:49:22Z", {}, {"at": "yesterday"}, {"at": "2026-08-15T00:00:00Z", "by": "x"}],
    ),
    ("BenchmarkRun", "supersedes", ["sha256:abc", SHA.upper(), "b" * 64]),
    ("BenchmarkRun", "replications", [-1, True, 2.0, "2"]),
]


@pytest.mark.parametrize(("kind", "field", "value"), [(k, f, v) for k, f, values in VALID for v in values])
def test_valid_statements(kind: str, field: str, value: object) -> None:
    statement = states(kind, field, value)
    assert parse(text(statement), kind, statement.subject) == statement


def test_every_field_has_a_valid_example() -> None:
    assert {(kind, field) for kind, field, _ in VALID} == set(FIELDS)


@pytest.mark.parametrize(("kind", "field", "value"), [(k, f, v) for k, f, values in INVALID for v in values])
def test_invalid_values_are_refused_by_name(kind: str, field: str, value: object) -> None:
    with pytest.raises(InputError) as refused:
        states(kind, field, value)
    assert (refused.value.field, refused.value.value) == (field, value)


@pytest.mark.parametrize(
    ("kind", "subject", "field", "value", "source", "named"),
    [
        ("BenchmarkRun", SHA, "slug", "a", "src", "slug"),
        ("WorkloadCase", SHA, "slug", "a", "src", "slug"),
        ("Nonesuch", SHA, "slug", "a", "src", "slug"),
        ("BenchmarkRun", "run", "replications", 1, "src", "subject"),
        ("EvidenceSource", SHA, "name", "n", "src", "subject"),
        ("BenchmarkRun", SHA, "replications", 1, "Not A Slug", "source"),
    ],
)
def test_unknown_fields_and_bad_subjects_are_refused(
    kind: str, subject: str, field: str, value: object, source: str, named: str
) -> None:
    with pytest.raises(InputError) as refused:
        Statement(kind, subject, field, value, source)
    assert refused.value.field == named


def test_an_unknown_field_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="its fields are controlledRerun, published"):
        states("BenchmarkRun", "slug", "a")


@pytest.mark.parametrize(
    ("field", "values", "expected"),
    [
        ("publishedAt", [], None),
        ("publishedAt", ["2026-08-15T00:00:01Z", "2026-08-15T00:00:00.9Z"], "2026-08-15T00:00:00.9Z"),
        ("publishedAt", ["2026-08-15T00:00:00Z", "2026-08-15T00:00:00.0Z"], "2026-08-15T00:00:00.0Z"),
        ("replications", [], None),
        ("replications", [1, 3, 2], 3),
        ("controlledRerun", [], None),
        ("controlledRerun", [False, True], True),
        ("controlledRerun", [False], False),
        ("supersedes", [], []),
        ("supersedes", [SHB, SHA, SHB], [SHA, SHB]),
        (
            "retraction",
            [{"at": "2026-08-16T00:00:00Z"}, {"at": "2026-08-15T00:00:00Z", "reason": "b"}],
            {"at": "2026-08-15T00:00:00Z", "reason": "b"},
        ),
        (
            "retraction",
            [{"at": "2026-08-15T00:00:00Z"}, {"at": "2026-08-15T00:00:00Z", "reason": "a"}],
            {"at": "2026-08-15T00:00:00Z", "reason": "a"},
        ),
        ("submittedAs", [{"slug": "z"}, {"slug": "a"}], {"slug": "z"}),
    ],
)
def test_shown(field: str, values: list[object], expected: object) -> None:
    statements = run_states(field, *values)
    assert shown("BenchmarkRun", field, statements) == expected
    assert shown("BenchmarkRun", field, reversed(statements)) == expected


def test_of_single_values_the_source_decides_and_then_the_canonical_bytes() -> None:
    stated = [
        states("OperationSpec", "slug", "b", "alpha"),
        states("OperationSpec", "slug", "c", "alpha"),
        states("OperationSpec", "slug", "a", "beta"),
    ]
    assert shown("OperationSpec", "slug", stated) == "b"


def test_names_are_united_and_sorted_by_slug() -> None:
    stated = [
        states("ImplementationRevision", "name", {"slug": "torch", "project": "pytorch"}),
        states("ImplementationRevision", "name", {"slug": "liger", "title": "Liger", "project": "liger"}),
        states(
            "ImplementationRevision", "name", {"slug": "liger", "title": "Liger", "project": "liger"}, "other"
        ),
    ]
    assert shown("ImplementationRevision", "name", stated) == [
        {"slug": "liger", "title": "Liger", "project": "liger"},
        {"slug": "torch", "project": "pytorch"},
    ]


def test_other_fields_are_passed_over() -> None:
    stated = [states("BenchmarkRun", "replications", 2), states("BenchmarkRun", "published", True)]
    assert shown("BenchmarkRun", "replications", stated) == 2


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([], True),
        (run_states("replications", 2), True),
        (run_states("published", False), False),
        (run_states("published", True), True),
        (run_states("published", False, True), True),
        (run_states("published", False) + run_states("publishedAt", "2026-08-15T00:00:00Z"), True),
        (run_states("publishedAt", "2026-08-15T00:00:00Z"), True),
    ],
)
def test_a_run_is_published_unless_that_is_denied(statements: list[Statement], expected: bool) -> None:
    assert published(statements) is expected
    assert published(reversed(statements)) is expected


def variant(**members: str) -> str:
    return canonical_text(members)


@pytest.mark.parametrize(
    ("metadata", "preferred", "index"),
    [
        ([variant(name="a")], None, 0),
        ([variant(name="b"), variant(name="a")], None, 1),
        ([variant(name="b"), variant(name="a")], "b", 0),
        ([variant(name="b"), variant(name="a")], "nonesuch", 1),
        ([variant(name="b", title="x"), variant(name="b", title="a"), variant(name="a")], "b", 1),
        # UTF-8 bytes decide, as UTF-16 units would not
        ([variant(name="a", title="\U0001f680"), variant(name="a", title="\uffee")], None, 1),
    ],
)
def test_the_shown_variant(metadata: list[str], preferred: str | None, index: int) -> None:
    assert shown_variant(metadata, preferred) == index


def test_without_metadata_there_is_no_variant() -> None:
    with pytest.raises(ValueError, match="without metadata"):
        shown_variant([])


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([], None),
        ([("other", "2026-08-01T00:00:00.000000000Z", SHA)], None),
        ([("b", "2026-08-02T00:00:00.000000000Z", SHA), ("a", "2026-08-03T00:00:00.000000000Z", SHB)], "b"),
        ([("b", "2026-08-02T00:00:00.000000000Z", SHB), ("a", "2026-08-02T00:00:00.000000000Z", SHA)], "a"),
        (
            [("other", "2026-08-01T00:00:00.000000000Z", SHA), ("a", "2026-08-03T00:00:00.000000000Z", SHB)],
            "a",
        ),
    ],
)
def test_the_earliest_run_decides_the_name(runs: list[tuple[str, str, str]], expected: str | None) -> None:
    metadata = [variant(name="a"), variant(name="b")]
    assert earliest_name(metadata, runs) == expected
    assert earliest_name(metadata, reversed(runs)) == expected


# Laws: what is shown is a function of the set of statements.

sources = st.sampled_from(["alpha", "beta", "gamma"])
any_statement = st.sampled_from(VALID).flatmap(
    lambda row: st.builds(states, st.just(row[0]), st.just(row[1]), st.sampled_from(row[2]), sources)
)


def all_shown(statements: list[Statement]) -> dict[str, Any]:
    return {f"{kind}.{field}": shown(kind, field, statements) for kind, field in FIELDS}


@given(st.lists(any_statement, max_size=8).flatmap(lambda s: st.tuples(st.just(s), st.permutations(s))))
def test_order_never_shows(case: tuple[list[Statement], list[Statement]]) -> None:
    statements, shuffled = case
    assert all_shown(shuffled) == all_shown(statements)
    assert published(shuffled) == published(statements)


@given(st.lists(any_statement, max_size=6))
def test_saying_it_twice_changes_nothing(statements: list[Statement]) -> None:
    assert all_shown(statements + statements) == all_shown(statements)


@given(st.lists(any_statement, max_size=6), st.lists(any_statement, max_size=6))
def test_two_catalogs_merge_either_way(left: list[Statement], right: list[Statement]) -> None:
    assert all_shown(left + right) == all_shown(right + left)
    assert all_shown(list({*left, *right})) == all_shown(left + right)


@given(st.lists(any_statement, max_size=6))
def test_what_is_shown_survives_storage(statements: list[Statement]) -> None:
    stored = sorted({(s.subject_kind, s.subject, text(s)) for s in statements})
    assert all_shown([parse(body, kind, subject) for kind, subject, body in stored]) == all_shown(statements)


@given(any_statement)
def test_what_is_shown_was_stated(statement: Statement) -> None:
    value = shown(statement.subject_kind, statement.field, [statement])
    merge = FIELDS[statement.subject_kind, statement.field].merge
    assert value == ([statement.value] if merge is Merge.SET else statement.value)
    assert json.loads(text(statement))["value"] == statement.value
