"""Instants of time: UTC, to the nanosecond (docs/domain.md §1).

A manifest's spelling counts for its digest and is never changed; what is stored beside it to compare
by is the sort key made here, a text of fixed width whose order is the order in time.
"""

from __future__ import annotations

import re
from calendar import monthrange

from catalog.domain.errors import BadValue

_INSTANT = re.compile(
    r"(?P<date>(?P<year>[0-9]{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-9]{2}))"
    r"T(?P<minute>(?:[01][0-9]|2[0-3]):[0-5][0-9])(?::(?P<second>[0-5][0-9])(?:\.(?P<fraction>[0-9]+))?)?"
    r"(?P<zone>Z?)"
)
_EXPECTED = "an instant is UTC like 2026-05-27T17:14:29.000Z, with at most 9 digits of fraction"


def parse_instant(text: str) -> str:
    """The sort key ``YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`` of an instant as manifests spell it.

    Seconds may be left out, as the interchange format allows. Raises BadValue: ``missing_zone`` for an
    instant without zone, else ``invalid_instant``.
    """
    match = _INSTANT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BadValue("invalid_instant", _EXPECTED, text)
    if not match["zone"]:
        raise BadValue("missing_zone", f"{_EXPECTED}; this one has no zone", text)
    fraction = match["fraction"] or ""
    # The Gregorian calendar repeats every 400 years; the year 0000 is none that monthrange knows.
    if len(fraction) > 9 or not 1 <= int(match["day"]) <= _days(int(match["year"]), int(match["month"])):
        raise BadValue("invalid_instant", _EXPECTED, text)
    return f"{match['date']}T{match['minute']}:{match['second'] or '00'}.{fraction:0<9}Z"


def _days(year: int, month: int) -> int:
    return monthrange(year % 400 + 2000, month)[1]


def print_instant(canonical: str) -> str:
    """A sort key as GraphQL prints it: ``YYYY-MM-DDTHH:MM:SS[.fff[fff[fff]]]Z``, without the groups of
    three digits that say nothing."""
    seconds, fraction = canonical[:-1].split(".")
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    return f"{seconds}.{fraction}Z" if fraction else f"{seconds}Z"
