"""Canonical JSON, digests and keys."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain import identity
from catalog.domain.errors import BadValue
from catalog.domain.identity import SAFE_INTEGER, canonical_text, load_canonical

NUMBERS = [
    # RFC 8785 appendix B: IEEE 754 bits and the text
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_of_rfc_8785(bits: str, text: str) -> None:
    number = struct.unpack(">d", bytes.fromhex(bits))[0]
    assert canonical_text({"n": number}) == f'{{"n":{text}}}'
    assert canonical_text([number]) == f"[{text}]"


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("-0", "0"),
        ("-0.0", "0"),
        ("1e21", "1e+21"),
        ("1e-7", "1e-7"),
        ("1e-5", "0.00001"),
        ("0.0001", "0.0001"),
        ("333333333.33333329", "333333333.3333333"),
        ("4.50", "4.5"),
        ("1E30", "1e+30"),
        ("2e-3", "0.002"),
        ("1e16", "10000000000000000"),
        ("1e20", "100000000000000000000"),
        ("0.000000000000000000000000001", "1e-27"),
        ("9007199254740991", "9007199254740991"),
        ("56.0", "56"),
    ],
)
def test_number_literals(literal: str, text: str) -> None:
    assert canonical_text({"n": json.loads(literal)}) == f'{{"n":{text}}}'


def test_keys_are_ordered_by_utf_16_units() -> None:
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    ordered = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical_text(dict.fromkeys(keys, 0)))) == ordered


def test_characters_are_escaped_only_where_they_must_be() -> None:
    text = "\u20ac$\u000f\nA'B\"\\/\b\t\f\r\u007f\u2028"
    assert canonical_text([text]) == '["\u20ac$\\u000f\\nA\'B\\"\\\\/\\b\\t\\f\\r\u007f\u2028"]'


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, 2**53, -(2**53), "\ud800", {"\ud800": 1}, {1, 2}, {1: object()}]
)
@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: {"a": [value]}])
def test_what_has_no_canonical_form_is_refused(value: Any, wrap: Any) -> None:
    with pytest.raises(BadValue) as caught:
        canonical_text(wrap(value))
    assert caught.value.reason == "no_canonical_form"


plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-SAFE_INTEGER, SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(plain_json)
def test_canonical_text_is_that_of_the_reference_implementation(value: Any) -> None:
    assert canonical_text(value) == rfc8785.dumps(value).decode()


@given(plain_json)
def test_canonical_text_reads_back_to_itself(value: Any) -> None:
    text = canonical_text(value)
    assert canonical_text(load_canonical(text)) == text


def test_reading_canonical_text_keeps_integers_and_takes_bigger_ones_as_doubles() -> None:
    value = load_canonical('{"a":9007199254740991,"b":100000000000000000000,"c":"1000000000000000000000"}')
    assert value == {"a": SAFE_INTEGER, "b": 1e20, "c": "1000000000000000000000"}
    assert (type(value["a"]), type(value["b"])) == (int, float)


DIGEST = "sha256:" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "text",
    [
        "",
        DIGEST[7:],
        DIGEST.upper(),
        DIGEST + "0",
        DIGEST[:-1],
        DIGEST + "\n",
        " " + DIGEST,
        "md5:" + DIGEST[7:],
    ],
)
def test_bad_digests(text: str) -> None:
    with pytest.raises(BadValue, match="64 lowercase hexadecimal"):
        identity.parse_digest(text)


def test_good_digests() -> None:
    assert identity.parse_digest(DIGEST) == DIGEST


@pytest.mark.parametrize("text", ["a", "0", "a.b_c-d", "a" * 200])
def test_good_slugs(text: str) -> None:
    assert identity.parse_slug(text) == text


@pytest.mark.parametrize("text", ["", "A", "-a", "a b", "a\n", "é", "a" * 201])
def test_bad_slugs(text: str) -> None:
    with pytest.raises(BadValue):
        identity.parse_slug(text)


def test_serving_keys_say_what_is_unstated() -> None:
    workload = {"streaming": False, "loadGeneration": "offline"}
    run = {"harness": {"name": "loadgen", "version": "v5.1"}}
    assert identity.serving_protocol_key(run, workload) == "loadgen/v5.1/unspecified/non_streaming/offline"
    topology = {"acceleratorModel": "H100", "acceleratorsPerNode": 8, "nodeCount": 2}
    assert identity.topology_key(topology) == "unknown/H100/8x2/unspecified"
    pairs = [("ttft", "p99"), ("goodput", "mean"), ("ttft", "p99")]
    measurements = [{"metric": metric, "statistic": statistic} for metric, statistic in pairs]
    assert identity.metric_set_key(measurements) == "goodput·mean,ttft·p99"
