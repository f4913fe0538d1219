"""YAML: what the core schema means, where documents end, what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from catalog.domain import yaml_core
from catalog.domain.documents import load_manifests
from catalog.domain.errors import ManifestError
from catalog.domain.manifests import Manifest
from tests.domain.reading import GOOD, faults, values


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every case with libyaml and with the parser in Python."""
    monkeypatch.setattr(yaml_core, "_PARSER", getattr(yaml, request.param))
    return str(request.param)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("NO", "NO"),
        ("y", "y"),
        ("12:30", "12:30"),
        ("2026-05-27", "2026-05-27"),
        ("2026-05-27T17:14:29Z", "2026-05-27T17:14:29Z"),
        ("0b1", "0b1"),
        ("1_000", "1_000"),
        ("0x", "0x"),
        ("-0x10", "-0x10"),
        ("0o8", "0o8"),
        ("1e", "1e"),
        (".", "."),
        ("+", "+"),
        ("<<", "<<"),
        ("=", "="),
        ("nULL", "nULL"),
        ("tRUE", "tRUE"),
        ("inf", "inf"),
        ("nan", "nan"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("! 12", "12"),
        ("!!str 12", "12"),
        ("!!str", ""),
        ("", None),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("!!null ''", None),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("012", 12),
        ("0o14", 12),
        ("0x1F", 31),
        ('!!int "12"', 12),
        ("1e-5", 1e-5),
        ("1E+2", 100.0),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1.5", -1.5),
        ("!!float 1", 1),
        ('"a\\u00e9\\x41\\/"', "aéA/"),
        ("|\n    a\n    b\n", "a\nb\n"),
        ("[1, {b: no}]", [1, {"b": "no"}]),
        ("!!map {c: !!seq [1]}", {"c": [1]}),
    ],
)
def test_the_core_schema(text: str, value: Any) -> None:
    (document,) = values(f"a: {text}")
    assert document == {"a": value}
    assert type(document["a"]) is type(value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (".inf", "not_finite"),
        ("-.INF", "not_finite"),
        (".nan", "not_finite"),
        (".NaN", "not_finite"),
        ("1e999", "not_finite"),
        ("9" * 5000, "integer_out_of_range"),
        ("!foo 1", "unsupported_tag"),
        ("!!binary aGk=", "unsupported_tag"),
        ("!!timestamp 2026-05-27", "unsupported_tag"),
        ("!!set {a}", "unsupported_tag"),
        ("!!python/object:os.system {}", "unsupported_tag"),
        ("!!int x", "unsupported_tag"),
        ("!!bool no", "unsupported_tag"),
        ("!!map []", "unsupported_tag"),
        ("!!str [a]", "unsupported_tag"),
        ("*b", "undefined_alias"),
        ("&b [*b]", "recursive_alias"),
        ("{b: 1, b: 2}", "duplicate_key"),
        ("{b: 1, 'b': 2}", "duplicate_key"),
        ("{1: 2}", "non_string_key"),
        ("{~: 2}", "non_string_key"),
        ("{true: 2}", "non_string_key"),
        ("{[1]: 2}", "non_string_key"),
        ("[" * 101 + "]" * 101, "too_deep"),
        ('"\\ud800"', "lone_surrogate"),
        ('"\\U00110000"', "invalid_yaml"),
        ("[1", "invalid_yaml"),
        ("b: c", "invalid_yaml"),
    ],
)
def test_refused_yaml(text: str, reason: str) -> None:
    assert values(f"a: {text}") == [[reason]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: b\nc: \x00", ("control_character", "", 2, 4)),
        ("a: \x1b", ("control_character", "", 1, 4)),
        ("a: \x7f", ("control_character", "", 1, 4)),
        ("a: b\u2028c", ("line_separator", "", 1, 5)),
        ("a: b\x85c", ("line_separator", "", 1, 5)),
        ("a: \ufeffc", ("control_character", "", 1, 4)),
    ],
)
def test_characters_that_yaml_does_not_take_raw(text: str, fault: tuple[str, str, int, int]) -> None:
    assert faults(text) == [fault]


def bomb(levels: int, width: int) -> str:
    lines = [f"a0: &a0 [{', '.join(['x'] * width)}]"]
    for level in range(1, levels):
        repeated = ", ".join([f"*a{level - 1}"] * width)
        lines.append(f"a{level}: &a{level} [{repeated}]")
    return "\n".join(lines)


def test_alias_bombs_are_counted_as_they_would_expand() -> None:
    assert len(bomb(9, 9)) < 1024
    assert values(bomb(9, 9)) == [["too_many_aliases"]]
    assert values(bomb(3, 9)) == [values(bomb(3, 9))[0]]
    assert values("a: &a " + "x" * 20_000 + "\nb: [" + ", ".join(["*a"] * 60) + "]") == [
        ["document_too_large"]
    ]


@pytest.mark.parametrize(("count", "refused"), [(100, False), (101, True)])
def test_a_hundred_aliases_are_read(count: int, refused: bool) -> None:
    text = "a: &a 1\nb: [" + ", ".join(["*a"] * count) + "]"
    assert values(text) == ([["too_many_aliases"]] if refused else [{"a": 1, "b": [1] * count}])


def test_aliases_stand_for_values_and_keys() -> None:
    assert values("a: &x {k: &y v}\nb: *x\n*y : *y") == [{"a": {"k": "v"}, "b": {"k": "v"}, "v": "v"}]


def test_documents_of_a_stream_are_read_one_by_one() -> None:
    faulty = ["a: [1", "a: 'x", "a: \x00", "a: {b: 1, b: 2}", "a: !x 1", "? [", bomb(9, 9), "a: *x"]
    stream = "---\n".join(f"{GOOD}---\n{text}\n" for text in faulty) + "...\n# end\n---\n---\n" + GOOD
    read = list(load_manifests(stream.encode(), "x.yml"))
    kinds = [type(document) for document in read]
    assert kinds == [Manifest, ManifestError] * len(faulty) + [Manifest]
    lines = stream.split("\n")
    for document, text in zip((d for d in read if isinstance(d, ManifestError)), faulty, strict=True):
        line = document.faults[0].line
        assert line is not None
        assert "---" in lines[line - 1] or lines[line - 1] in text.split("\n")


@pytest.mark.parametrize(
    "stream",
    [
        "%YAML 1.2\n---\na: 1\n...\n%YAML 1.2\n# c\n---\na: 1\n",
        "a: 1\n...\na: 1",
        "--- {a: 1}\n--- {a: 1}",
        "---\r\na: 1\r\n---\r\na: 1\r\n",
        "# c\n\n---\na: 1\n---\n---\n# only a comment\n---\na: 1\n...\n...\n",
    ],
)
def test_where_documents_begin_and_end(stream: str) -> None:
    assert values(stream) == [{"a": 1}, {"a": 1}]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n", "---\n---\n...\n"])
def test_empty_documents_are_left_out(text: str) -> None:
    assert values(text) == []
