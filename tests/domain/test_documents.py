"""From bytes to manifests: what JSON and YAML mean, and what is refused where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.documents import RawDocument, load_manifests, parse_json, read_documents
from catalog.domain.errors import Fault, ManifestError
from catalog.domain.manifests import Manifest
from tests.domain.reading import GOOD, faults, values


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a":1,"a":2}', "duplicate_key"),
        ('{"a":1,"\\u0061":2}', "duplicate_key"),
        ('{"a":NaN}', "not_finite"),
        ('{"a":-Infinity}', "not_finite"),
        ('{"a":"\\ud800"}', "lone_surrogate"),
        ('{"a":"\\ude00\\ud83d"}', "lone_surrogate"),
        ('{"\\udfff":1}', "lone_surrogate"),
        ('{"a":' + "9" * 5000 + "}", "integer_out_of_range"),
        ('{"a":"\u0001"}', "control_character"),
        ('{"a":"\n"}', "control_character"),
        ('{"a":' * 300 + "1" + "}" * 300, "too_deep"),
        ("[" * 100_000, "too_deep"),
        ("", "invalid_json"),
        ("{", "invalid_json"),
        ('{"a":1,}', "invalid_json"),
        ("[1,]", "invalid_json"),
        ("{a:1}", "invalid_json"),
        ("{'a':1}", "invalid_json"),
        ('{"a":01}', "invalid_json"),
        ('{"a":.5}', "invalid_json"),
        ('{"a":+1}', "invalid_json"),
        ('{"a":1.}', "invalid_json"),
        ('{"a":0x10}', "invalid_json"),
        ('{"a":tru}', "invalid_json"),
        ('{"a":"\\x"}', "invalid_json"),
        ('{"a":1} 2', "invalid_json"),
        ('{"a" 1}', "invalid_json"),
        ("// c\n{}", "invalid_json"),
        ("\u00a0{}", "invalid_json"),
    ],
)
def test_refused_json(text: str, reason: str) -> None:
    assert values(text, "json") == [[reason]]
    if len(text) < 10_000 and reason != "too_deep":
        with pytest.raises(ManifestError) as caught:
            parse_json(text)
        assert [fault.reason for fault in caught.value.faults] == [reason]
        assert caught.value.faults[0].line is not None


def test_surrogate_pairs_are_one_character() -> None:
    assert values('{"a":"\\ud83d\\ude00"}', "json") == [{"a": "\U0001f600"}]
    assert parse_json('{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize("media", ["json", "yaml", None])
@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\xef\xbb\xbf{}", ("byte_order_mark", 1, 1)),
        (b'{\n"\xc3\xa9\xff"}', ("invalid_utf8", 2, 3)),
        (b'{"a":"\xed\xa0\x80"}', ("invalid_utf8", 1, 7)),
        (b"\xff\xfe{\x00}\x00", ("invalid_utf8", 1, 1)),
        (b'{"a":"' + b"x" * (1 << 20) + b'"}', ("document_too_large", None, None)),
    ],
)
def test_bytes_are_checked_first(media: Any, data: bytes, fault: tuple[str, int | None, int | None]) -> None:
    (document,) = read_documents(data, media=media)
    assert isinstance(document, ManifestError)
    assert [(f.reason, f.line, f.column) for f in document.faults] == [fault]


def test_a_document_of_one_mebibyte_is_read() -> None:
    data = b'{"a":"' + b"x" * ((1 << 20) - 8) + b'"}'
    assert len(data) == 1 << 20
    assert len(values(data, "json")[0]["a"]) == (1 << 20) - 8


def test_every_fault_of_a_yaml_document_with_its_place() -> None:
    text = """\
apiVersion: kernelindex.dev/v1alpha1
kind: BenchmarkRun
metadata:
  name: Bad
spec:
  timing:
    latencyNs:
      p95: 219.81
    primaryStatistic: median
  observedAt: 2026-05-27T17:14:29
  status: passed
  extra:
    deep: 1
  evidence: ~
  measurements:
    - {metric: m, unit: u, statistic: s, value: .nan}
    - {metric: m, unit: u, statistic: s, value: 9007199254740993}
"""
    digests = ("implementation", "workload", "protocol", "environment")
    assert faults(text) == [
        ("invalid_name", "/metadata/name", 4, 9),
        *(("missing_field", f"/spec/{name}Digest", 6, 3) for name in digests),
        ("missing_median_or_mean", "/spec/timing/latencyNs", 8, 7),
        ("ambiguous_duration", "/spec/timing/latencyNs/p95", 8, 12),
        ("unknown_statistic", "/spec/timing/primaryStatistic", 9, 23),
        ("missing_zone", "/spec/observedAt", 10, 15),
        ("unknown_field", "/spec/extra", 12, 3),
        ("null_value", "/spec/evidence", 14, 13),
        ("not_finite", "/spec/measurements/0/value", 16, 49),
        ("integer_out_of_range", "/spec/measurements/1/value", 17, 49),
    ]


def test_a_duplicate_key_beside_other_faults() -> None:
    text = GOOD + "  name: Again\n  kind: firm\n"
    assert faults(text) == [("duplicate_key", "/spec/name", 6, 3), ("not_allowed", "/spec/kind", 7, 9)]
    assert faults('{"kind":"SoftwareProject",\n "kind":"SoftwareProject"}', "x.json") == [
        *((("missing_field", f"/{name}", 1, 1)) for name in ("apiVersion", "metadata", "spec")),
        ("duplicate_key", "/kind", 2, 2),
    ]


@pytest.mark.parametrize("media", ["json", "yaml"])
def test_places_are_the_same_in_json_and_yaml(media: Any) -> None:
    (document,) = read_documents(b'{"a": [1,\n  {"b/c~": "x"}],\n"d": {}}', media=media)
    assert isinstance(document, RawDocument)
    places = ["", "/a", "/a/0", "/a/1", "/a/1/b~1c~0", "/d", "/nothing", "/a/7/x"]
    assert [document.locate(pointer) for pointer in places] == [
        (1, 1), (1, 7), (1, 8), (2, 3), (2, 12), (3, 6), (1, 1), (1, 7),
    ]  # fmt: skip
    assert document.locate("/a/1/b~1c~0", key=True) == (2, 4)
    assert document.locate("/d", key=True) == (3, 1)


def project(name: str) -> dict[str, Any]:
    return {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "SoftwareProject",
        "metadata": {"name": "x"},
        "spec": {"name": name},
    }


@pytest.mark.parametrize("name", ["x.json", "x.yaml", "x"])
def test_a_bundle_is_read_as_several_documents(name: str) -> None:
    bundle = {"run": project("a"), "b/c": project("b") | {"extra": 1}, "protocol": project("c")}
    read = list(load_manifests(json.dumps(bundle, indent=1).encode(), name))
    assert [d.spec["name"] if isinstance(d, Manifest) else d.faults[0].pointer for d in read] == [
        "a",
        "/b~1c/extra",
        "c",
    ]
    error = read[1]
    assert isinstance(error, ManifestError)
    assert (error.faults[0].reason, error.faults[0].line) == ("unknown_field", 21)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": 1},
        {"a": {"kind": "X"}, "b": {}},
        {"kind": {"kind": "X"}},
        {"spec": {"kind": "X"}},
        [project("a")],
    ],
)
def test_what_is_no_bundle_is_one_document(value: Any) -> None:
    (document,) = read_documents(json.dumps(value).encode(), media="json")
    assert isinstance(document, RawDocument)
    assert (document.value, document.base) == (value, "")


def test_without_a_suffix_the_content_tells() -> None:
    assert values('{"a": 1e-5}', None) == [{"a": 1e-5}]
    assert values("{a: no}", None) == [{"a": "no"}]
    assert values("a: no", None) == [{"a": "no"}]
    assert values('{"a": 1, "a": 2}', None) == [["duplicate_key"]]


text_without_trouble = st.text(st.characters(codec="utf-8"))
plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text_without_trouble,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text_without_trouble, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(plain_json, st.booleans(), st.sampled_from([None, 2]))
def test_json_reads_back(value: Any, ascii_only: bool, indent: int | None) -> None:
    value = {"a": value, "b": []}
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert values(text, "json") == [value]
    assert parse_json(text) == value
    (document,) = read_documents(text.encode(), media="json")
    assert isinstance(document, RawDocument)
    assert document.locate("/b") == document.locate("/b/0") is not None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.text('ud8e0Z\\"'),
        lambda inner: (
            st.lists(inner, max_size=3) | st.lists(st.tuples(st.text("ab", max_size=1), inner), max_size=3)
        ),
        max_leaves=8,
    ),
    st.sampled_from([(",", ":"), (", ", ": ")]),
    st.booleans(),
)
def test_bulk_json_is_read_alike_from_bytes_and_from_text(
    value: Any, separators: tuple[str, str], ascii_only: bool
) -> None:
    def printed(part: Any) -> str:
        comma, colon = separators
        if isinstance(part, list) and part and all(isinstance(item, tuple) for item in part):
            return "{" + comma.join(json.dumps(key) + colon + printed(item) for key, item in part) + "}"
        if isinstance(part, list):
            return "[" + comma.join(map(printed, part)) + "]"
        return json.dumps(part, ensure_ascii=ascii_only)

    def read(text: str | bytes) -> object:
        try:
            return parse_json(text)
        except ManifestError as error:
            return error.faults

    text = printed(value)
    assert repr(read(text.encode())) == repr(read(text))


@given(plain_json)
def test_json_without_surrogate_escapes_is_yaml(value: Any) -> None:
    text = json.dumps({"a": value}, ensure_ascii=True)
    if "\\ud" not in text:
        assert values(text) == [{"a": value}]


def test_bulk_json_keeps_big_integers_unless_canonical() -> None:
    assert parse_json(b'{"a":100000000000000000000}') == {"a": 10**20}
    assert type(parse_json('{"a":100000000000000000000}', canonical=True)["a"]) is float


def test_a_fault_prints_where_what_and_how() -> None:
    (document,) = load_manifests((GOOD + "  nam: x\n").encode(), "x.yaml")
    assert isinstance(document, ManifestError)
    expected = Fault("unknown_field", "/spec/nam", "there is no field 'nam' here", '"x"', 6, 3)
    assert document.faults == (expected,)
    assert (
        str(document)
        == "/spec/nam (line 6, column 3): unknown_field: there is no field 'nam' here, not \"x\""
    )
