"""Instants: what is one, how they compare, how they print."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.errors import BadValue
from catalog.domain.instants import parse_instant, print_instant


@pytest.mark.parametrize(
    ("text", "key", "printed"),
    [
        ("2026-05-27T17:14:29.000Z", "2026-05-27T17:14:29.000000000Z", "2026-05-27T17:14:29Z"),
        ("2026-05-27T17:14:29Z", "2026-05-27T17:14:29.000000000Z", "2026-05-27T17:14:29Z"),
        ("2026-05-27T17:14Z", "2026-05-27T17:14:00.000000000Z", "2026-05-27T17:14:00Z"),
        ("2026-05-27T17:14:29.1Z", "2026-05-27T17:14:29.100000000Z", "2026-05-27T17:14:29.100Z"),
        ("2026-05-27T17:14:29.1234Z", "2026-05-27T17:14:29.123400000Z", "2026-05-27T17:14:29.123400Z"),
        (
            "2026-05-27T17:14:29.000000001Z",
            "2026-05-27T17:14:29.000000001Z",
            "2026-05-27T17:14:29.000000001Z",
        ),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000000Z", "2024-02-29T00:00:00Z"),
        ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000000Z", "2000-02-29T00:00:00Z"),
        ("0000-02-29T23:59:59Z", "0000-02-29T23:59:59.000000000Z", "0000-02-29T23:59:59Z"),
    ],
)
def test_instants(text: str, key: str, printed: str) -> None:
    assert parse_instant(text) == key
    assert print_instant(key) == printed
    assert parse_instant(key) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-05-27",
        "2026-05-27 17:14:29Z",
        "2026-05-27t17:14:29Z",
        "2026-05-27T17:14:29z",
        "2026-05-27T17:14:29+00:00",
        "2026-05-27T17:14:29.Z",
        "2026-05-27T17:14:29.0000000001Z",
        "2026-05-27T24:00:00Z",
        "2026-05-27T23:60:00Z",
        "2026-05-27T23:59:60Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "12026-01-01T00:00:00Z",
        "２026-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z\n",
    ],
)
def test_what_is_no_instant(text: str) -> None:
    with pytest.raises(BadValue) as caught:
        parse_instant(text)
    assert caught.value.reason == "invalid_instant"


@pytest.mark.parametrize("text", ["2026-05-27T17:14:29", "2026-05-27T17:14", "2026-05-27T17:14:29.5"])
def test_an_instant_without_zone_is_refused_as_such(text: str) -> None:
    with pytest.raises(BadValue) as caught:
        parse_instant(text)
    assert caught.value.reason == "missing_zone"


@given(st.datetimes(), st.datetimes())
def test_keys_are_ordered_as_time_is(one: datetime.datetime, other: datetime.datetime) -> None:
    a, b = (parse_instant(moment.isoformat() + "Z") for moment in (one, other))
    assert (a < b) == (one < other)


@given(st.datetimes())
def test_what_is_printed_is_the_same_instant(moment: datetime.datetime) -> None:
    key = parse_instant(moment.isoformat() + "Z")
    assert parse_instant(print_instant(key)) == key
