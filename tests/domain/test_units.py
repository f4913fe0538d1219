"""Durations and axis expressions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.axes import axis_names, check_expression, evaluate
from catalog.domain.errors import BadValue
from catalog.domain.units import parse_duration

LARGEST = 2**53 - 1


@pytest.mark.parametrize(
    ("value", "nanoseconds"),
    [
        (0, 0),
        (34_822_486_568, 34_822_486_568),
        (9110560.0, 9_110_560),
        (LARGEST, LARGEST),
        ("0.008 ms", 8_000),
        ("0.008ms", 8_000),
        ("9.110560 ms", 9_110_560),
        ("1.000000000 s", 1_000_000_000),
        ("1.5us", 1_500),
        ("1.5 \u00b5s", 1_500),
        ("1.5\u03bcs", 1_500),
        ("007 ns", 7),
        ("1.000 ns", 1),
        ("0.1 s", 100_000_000),
        ("9007199254740991 ns", LARGEST),
        ("0" * 5000 + "1 ns", 1),
        ("1." + "0" * 5000 + " s", 1_000_000_000),
    ],
)
def test_durations(value: Any, nanoseconds: int) -> None:
    assert parse_duration(value) == nanoseconds
    assert type(parse_duration(value)) is int


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (219.81, "ambiguous_duration"),
        ("219.81 ns", "ambiguous_duration"),
        ("0.0001 us", "ambiguous_duration"),
        ("1.0000000001 s", "ambiguous_duration"),
        (-1, "duration_out_of_range"),
        (LARGEST + 1, "duration_out_of_range"),
        (1e300, "duration_out_of_range"),
        ("9007199254740992 ns", "duration_out_of_range"),
        ("9007200 s", "duration_out_of_range"),
        ("9" * 5000 + " s", "duration_out_of_range"),
        (math.nan, "not_finite"),
        (math.inf, "not_finite"),
        (True, "invalid_duration"),
        (None, "invalid_duration"),
        ([1], "invalid_duration"),
        ("", "invalid_duration"),
        ("12", "invalid_duration"),
        ("12  ms", "invalid_duration"),
        ("12\tms", "invalid_duration"),
        ("12\u00a0ms", "invalid_duration"),
        (" 12 ms", "invalid_duration"),
        ("12 ms\n", "invalid_duration"),
        ("-1 ms", "invalid_duration"),
        ("+1 ms", "invalid_duration"),
        ("1e3 ms", "invalid_duration"),
        (".5 ms", "invalid_duration"),
        ("5. ms", "invalid_duration"),
        ("1 m", "invalid_duration"),
        ("1 MS", "invalid_duration"),
        ("１ ms", "invalid_duration"),
    ],
)
def test_what_is_no_duration(value: Any, reason: str) -> None:
    with pytest.raises(BadValue) as caught:
        parse_duration(value)
    assert caught.value.reason == reason


@given(
    st.integers(0, 9_000_000),
    st.text("0123456789", max_size=12),
    st.sampled_from([("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]),
)
def test_durations_are_exact(whole: int, fraction: str, unit: tuple[str, int]) -> None:
    number = f"{whole}.{fraction}" if fraction else str(whole)
    exact = Fraction(number) * 10 ** unit[1]
    if exact.denominator == 1:
        assert parse_duration(number + unit[0]) == exact
    else:
        with pytest.raises(BadValue, match="whole number of nanoseconds"):
            parse_duration(number + unit[0])


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("42", 42),
        ("tokens", 6),
        ("tokens * hidden_size + 1", 25),
        ("1+tokens*2", 13),
        ("(1 + tokens) * 2", 14),
        ("10 - 3 - 2", 5),
        ("tokens / 3", 2),
        ("100 / 5 / 2", 10),
        ("tokens // 4", 1),
        ("-7 // 2", -4),
        ("-7 % 4", 1),
        ("tokens % 4", 2),
        ("2 - -3", 5),
        ("-tokens * 2", -12),
        ("-(tokens - 1)", -5),
        ("(" * 60 + "1" + ")" * 60, 1),
        (" 007 ", 7),
    ],
)
def test_axis_expressions(expression: str, result: int) -> None:
    assert evaluate(expression, {"tokens": 6, "hidden_size": 4}) == result
    assert check_expression(expression) == expression


@pytest.mark.parametrize(
    "expression",
    [
        "",
        " ",
        "1 +",
        "* 2",
        "(1",
        "1)",
        "()",
        "a b",
        "2 a",
        "2a",
        "a ** 2",
        "a.b",
        "A",
        "1.5",
        "a /// b",
        "(" * 200,
        "-",
        "1+" * 150 + "1",
        "f(x)",
        "a,b",
        "a < b",
        "__import__",
    ],
)
def test_what_is_no_axis_expression(expression: str) -> None:
    with pytest.raises(BadValue) as caught:
        check_expression(expression)
    assert caught.value.reason == "invalid_expression"


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("vocab + 1", "unknown_axis"),
        ("tokens / 4", "inexact_division"),
        ("tokens / (tokens - 6)", "division_by_zero"),
        ("tokens // 0", "division_by_zero"),
        ("tokens % 0", "division_by_zero"),
    ],
)
def test_what_an_expression_cannot_give(expression: str, reason: str) -> None:
    with pytest.raises(BadValue) as caught:
        evaluate(expression, {"tokens": 6})
    assert caught.value.reason == reason


def test_names_of_an_expression() -> None:
    assert axis_names("a * (b_1 + 2) - a") == {"a", "b_1"}


sums = st.recursive(
    st.integers(0, 99).map(str),
    lambda part: st.tuples(part, st.sampled_from("+-*"), part).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=8,
)


@given(sums)
def test_arithmetic_is_pythons(expression: str) -> None:
    assert evaluate(expression, {}) == eval(expression)
