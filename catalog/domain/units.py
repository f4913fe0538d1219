"""Durations in nanoseconds, by decimal arithmetic (docs/domain.md §1).

For manifests only: an evidence source states its own conversion and rounding.
"""

from __future__ import annotations

import re

from catalog.domain.errors import BadValue
from catalog.domain.identity import SAFE_INTEGER

_POWER = {"ns": 0, "us": 3, "\u00b5s": 3, "\u03bcs": 3, "ms": 6, "s": 9}
_DURATION = re.compile(r"([0-9]+)(?:\.([0-9]+))?[ ]?(ns|us|\u00b5s|\u03bcs|ms|s)")
_EXPECTED = "a duration is a whole number of nanoseconds, or a text like '9.110560 ms' (ns, us, µs, ms, s)"


def parse_duration(value: object) -> int:
    """A duration of a manifest in whole nanoseconds, from 0 to 2^53-1.

    Raises BadValue: ``ambiguous_duration`` when it is not a whole number of nanoseconds,
    ``duration_out_of_range``, else ``invalid_duration``.
    """
    if isinstance(value, str):
        return _checked(_from_text(value), value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue("invalid_duration", _EXPECTED, value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise BadValue("not_finite", f"{_EXPECTED}: a finite number", value)
        if not value.is_integer():
            raise BadValue("ambiguous_duration", f"{_EXPECTED}: a fraction of a nanosecond is none", value)
    return _checked(int(value), value)


def _from_text(text: str) -> int:
    match = _DURATION.fullmatch(text)
    if match is None:
        raise BadValue("invalid_duration", _EXPECTED, text)
    whole, fraction, unit = match.group(1).lstrip("0"), (match.group(2) or "").rstrip("0"), match.group(3)
    if len(whole) > 16:
        raise BadValue("duration_out_of_range", "a duration is at most 2^53-1 nanoseconds", text)
    if len(fraction) > _POWER[unit]:
        raise BadValue("ambiguous_duration", f"{_EXPECTED}: this is not a whole number of nanoseconds", text)
    return int((whole + fraction.ljust(_POWER[unit], "0")) or "0")


def _checked(nanoseconds: int, value: object) -> int:
    if not 0 <= nanoseconds <= SAFE_INTEGER:
        raise BadValue("duration_out_of_range", "a duration is from 0 to 2^53-1 nanoseconds", value)
    return nanoseconds
