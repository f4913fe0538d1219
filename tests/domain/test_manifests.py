"""Manifests: what is valid, every fault of what is not, and what a digest does not depend on."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.errors import ManifestError
from catalog.domain.identity import canonical_text, digest_of, load_canonical
from catalog.domain.manifests import API_VERSION, KINDS, OWN_API_VERSION, validate
from tests.domain.manifest_cases import INVALID, VALID
from tests.domain.manifest_samples import FULL, METADATA, D, manifest


def reasons(raw: object) -> set[tuple[str, str]]:
    with pytest.raises(ManifestError) as caught:
        validate(raw)
    assert all(fault.message for fault in caught.value.faults)
    return {(fault.reason, fault.pointer) for fault in caught.value.faults}


def test_the_kinds() -> None:
    assert set(KINDS) == set(FULL)
    assert len(KINDS) == 14
    assert {kind.api_version for kind in KINDS.values()} == {API_VERSION, OWN_API_VERSION}
    assert KINDS["OperationRelation"].api_version == OWN_API_VERSION


@pytest.mark.parametrize("kind", FULL)
def test_full_manifests(kind: str) -> None:
    raw = manifest(kind)
    before = copy.deepcopy(raw)
    read = validate(raw)
    assert raw == before
    assert (read.kind, read.metadata, read.spec) == (kind, METADATA, FULL[kind])
    identity = {"apiVersion": KINDS[kind].api_version, "kind": kind, "spec": FULL[kind]}
    assert read.canonical == canonical_text(identity)
    assert read.digest == digest_of(identity)
    assert load_canonical(read.canonical)["spec"] == read.spec


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, below in steps for place in places(below, (*path, step)))]


def replaced(raw: Any, path: tuple[str | int, ...], change: Any) -> Any:
    copied = copy.deepcopy(raw)
    where = copied
    for step in path[:-1]:
        where = where[step]
    where[path[-1]] = change(where[path[-1]])
    return copied


def pointer(*path: str | int) -> str:
    return "".join(f"/{step}" for step in path)


@pytest.mark.parametrize("kind", FULL)
def test_null_is_an_error_everywhere(kind: str) -> None:
    raw = manifest(kind)
    for path in places(raw)[1:]:
        found = reasons(replaced(raw, path, lambda _: None))
        assert any(where == pointer(*path) for _, where in found), (path, found)
    assert reasons(None) == {("null_value", "")}


@pytest.mark.parametrize("kind", FULL)
def test_every_object_takes_no_other_fields(kind: str) -> None:
    raw = manifest(kind)
    free = {"labels", "axes", "tensors", "scalars", "parameters", "metrics", "libraries", "options"}
    free |= {"requirements", "environmentVariables"}
    for path in places(raw):
        where: Any = raw
        for step in path:
            where = where[step]
        if isinstance(where, dict):
            broken = replaced([raw], (0, *path), lambda found: found | {"Un known": "x"})[0]
            expected = "invalid_identifier" if path and path[-1] in free else "unknown_field"
            if path and path[-1] == "environmentVariables":
                validate(broken)
            elif path[1:] == ("axes",) and kind == "OperationSpec":
                assert ("invalid_identifier", pointer(*path, "Un known")) in reasons(broken)
            else:
                assert (expected, pointer(*path, "Un known")) in reasons(broken), path


@pytest.mark.parametrize("kind", FULL)
def test_types_are_exact(kind: str) -> None:
    wrongs: tuple[Any, ...] = (True, 1, "1 x\n", [[]], {"A": {}}, b"x", (1,))
    raw = manifest(kind)
    for path in places(raw)[1:]:
        for wrong in wrongs:
            value: Any = raw
            for step in path:
                value = value[step]
            if type(wrong) is type(value) or (type(wrong) is int and type(value) is float):
                continue
            try:
                validate(replaced(raw, path, lambda _, wrong=wrong: wrong))
            except ManifestError:
                continue
            symbolic = "shape" in path or path[-2:-1] == ("metrics",)
            assert symbolic, (path, wrong)
            assert type(wrong) in (int, str), (path, wrong)


@pytest.mark.parametrize(("kind", "changes", "expected"), INVALID)
def test_invalid(kind: str, changes: dict[str, Any], expected: set[tuple[str, str]]) -> None:
    assert reasons(manifest(kind, **changes)) == expected


@pytest.mark.parametrize(("kind", "changes", "normal"), VALID)
def test_valid(kind: str, changes: dict[str, Any], normal: dict[str, Any]) -> None:
    expected = manifest(kind, **(changes | normal))["spec"]
    spec = validate(manifest(kind, **changes)).spec
    assert spec == expected
    assert json.dumps(spec, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"apiVersion": "kernelindex.dev/v1"}, {("unsupported_api_version", "/apiVersion")}),
        ({"kind": "BenchmarkRuns"}, {("unknown_kind", "/kind")}),
        ({"kind": 1}, {("wrong_type", "/kind")}),
        ({"kind": None, "x": 1}, {("null_value", "/kind"), ("unknown_field", "/x")}),
        ({"metadata": {}}, {("missing_field", "/metadata/name")}),
        ({"metadata": METADATA | {"name": "-a"}}, {("invalid_name", "/metadata/name")}),
        ({"metadata": METADATA | {"name": "a" * 201}}, {("too_long", "/metadata/name")}),
        ({"metadata": METADATA | {"title": "a" * 201}}, {("too_long", "/metadata/title")}),
        ({"metadata": METADATA | {"labels": {"A": "x"}}}, {("invalid_identifier", "/metadata/labels/A")}),
        ({"metadata": METADATA | {"labels": {"a": 1}}}, {("wrong_type", "/metadata/labels/a")}),
        ({"metadata": METADATA | {"sourceRefs": [{"url": "ftp://a"}]}},
         {("invalid_url", "/metadata/sourceRefs/0/url")}),
        ({"spec": []}, {("wrong_type", "/spec")}),
        ({"spec": {}, "metadata": 3}, {("missing_field", "/spec/name"), ("wrong_type", "/metadata")}),
    ],
)  # fmt: skip
def test_the_envelope(changes: dict[str, Any], expected: set[tuple[str, str]]) -> None:
    assert reasons(manifest("SoftwareProject") | changes) == expected


@pytest.mark.parametrize("raw", [[], "x", 1, True, ({},)])
def test_what_is_no_object(raw: object) -> None:
    assert reasons(raw) == {("wrong_type", "")}


def test_an_empty_object_lacks_everything() -> None:
    assert reasons({}) == {
        ("missing_field", f"/{name}") for name in ("apiVersion", "kind", "metadata", "spec")
    }


def test_all_faults_at_once() -> None:
    raw = manifest(
        "BenchmarkRun",
        timing__latencyNs={"p05": "1.5 ns", "confidence95": [2, 1]},
        observedAt="2026-05-27T17:14:29",
        workloadDigest=...,
        evidence__logs__uri="kernelindex:artifact/" + D[0],
    ) | {"extra": 1, "apiVersion": None}
    assert reasons(raw) == {
        ("unknown_field", "/extra"),
        ("null_value", "/apiVersion"),
        ("missing_field", "/spec/workloadDigest"),
        ("missing_zone", "/spec/observedAt"),
        ("ambiguous_duration", "/spec/timing/latencyNs/p05"),
        ("invalid_interval", "/spec/timing/latencyNs/confidence95"),
        ("missing_median_or_mean", "/spec/timing/latencyNs"),
        ("unknown_statistic", "/spec/timing/primaryStatistic"),
        ("artifact_mismatch", "/spec/evidence/logs/uri"),
    }


def test_lone_surrogates_hide_no_other_fault() -> None:
    raw = manifest("SoftwareProject", name="\ud800", host__kind="firm") | {"x\udfff": "\ud800"}
    assert reasons(raw) == {
        ("lone_surrogate", "/spec/name"),
        ("lone_surrogate", "/x?"),
        ("not_allowed", "/spec/host/kind"),
    }


def test_pointers_are_escaped_and_values_cut() -> None:
    with pytest.raises(ManifestError) as caught:
        validate(manifest("SoftwareProject") | {"a/b~c": "x" * 1000})
    (fault,) = caught.value.faults
    assert fault.pointer == "/a~1b~0c"
    assert fault.value is not None
    assert (len(fault.value), fault.value[-1]) == (80, "…")


def deep(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value", [10**5000, deep(5000), {"a": object()}, {1: 2}], ids=["big", "deep", "odd", "key"]
)
def test_what_cannot_be_printed_is_still_refused(value: Any) -> None:
    assert ("unknown_field", "/x") in reasons(manifest("SoftwareProject") | {"x": value})
    assert ("wrong_type", "/spec/name") in reasons(manifest("SoftwareProject", name=value))


def shuffled(value: Any, random: Any) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    return [shuffled(item, random) for item in value] if isinstance(value, list) else value


@given(st.sampled_from(sorted(FULL)), st.randoms(use_true_random=False), st.text("abc", min_size=1))
def test_a_digest_depends_on_neither_key_order_nor_metadata(kind: str, random: Any, name: str) -> None:
    raw = shuffled(manifest(kind), random) | {"metadata": {"name": name}}
    assert validate(raw).digest == validate(manifest(kind)).digest


durations = st.integers(0, 2**53 - 1) | st.sampled_from(["1 ns", "0.5us", "3.25 ms", "7 s", 12.0, "1.5 µs"])
finite = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53) + 1, 2**53 - 1)
texts = st.text(st.characters(codec="utf-8"), max_size=30)


@given(durations, finite, texts, st.lists(texts, max_size=5))
def test_normalisation_is_idempotent_and_canonical_text_reads_back(
    duration: Any, number: Any, text: str, products: list[str]
) -> None:
    run = manifest(
        "BenchmarkRun",
        timing__latencyNs={"median": duration},
        measurements__0__value=number,
        sourceNative__externalId=text,
    )
    implementation = manifest("ImplementationRevision", support__productsTested=products)
    for raw in (run, implementation):
        first = validate(raw)
        for spec in (first.spec, load_canonical(first.canonical)["spec"]):
            again = validate(raw | {"spec": spec})
            assert again == first
            assert json.dumps(again.spec, sort_keys=True) == json.dumps(first.spec, sort_keys=True)


@pytest.mark.parametrize("kind", FULL)
def test_each_kind_has_one_api_version(kind: str) -> None:
    other = OWN_API_VERSION if KINDS[kind].api_version == API_VERSION else API_VERSION
    found = reasons(manifest(kind) | {"apiVersion": other})
    assert found == {("unsupported_api_version", "/apiVersion")}
    unknown = manifest(kind) | {"apiVersion": OWN_API_VERSION, "kind": "Elsewhere"}
    assert reasons(unknown) == {("unknown_kind", "/kind")}
