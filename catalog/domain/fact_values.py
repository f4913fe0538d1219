"""The values that catalog facts take: one checker each, giving what is wrong with a value or None."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from catalog.domain.errors import BadValue, quote
from catalog.domain.identity import SAFE_INTEGER, parse_digest, parse_slug
from catalog.domain.instants import parse_instant

Checks = Mapping[str, Callable[[object], str | None]]

NAME_LENGTH: Final = 500
TEXT_LENGTH: Final = 4000

_HTTPS = re.compile(r"https://[^\s/]+\S*")
_ARTIFACT = re.compile(r"kernelindex:artifact/sha256:[0-9a-f]{64}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _string(value: object, longest: int) -> str | None:
    if not isinstance(value, str):
        return "must be a string"
    if not value.strip():
        return "must not be empty"
    if len(value) > longest:
        return f"must be at most {longest} characters long"
    if any("\ud800" <= character <= "\udfff" for character in value):
        return "must not hold a lone surrogate"
    return None


def _refusal(parser: Callable[[str], str], value: object) -> str | None:
    try:
        parser(value)  # type: ignore[arg-type] # the parsers refuse what is no string themselves
    except BadValue as error:
        return error.message
    return None


def name(value: object) -> str | None:
    """A short text on one line: a name, tag, licence expression, media type."""
    fault = _string(value, NAME_LENGTH)
    if fault is None and not str(value).isprintable():
        return "must be on one line, without control characters"
    return fault


def text(value: object) -> str | None:
    """A text of some sentences."""
    return _string(value, TEXT_LENGTH)


def slug(value: object) -> str | None:
    """A slug, see :func:`catalog.domain.identity.parse_slug`."""
    return _refusal(parse_slug, value)


def digest(value: object) -> str | None:
    """``sha256:`` and 64 lower-case hex digits."""
    return _refusal(parse_digest, value)


def https_url(value: object) -> str | None:
    """An https address."""
    fault = _string(value, TEXT_LENGTH)
    if fault is None and not _HTTPS.fullmatch(str(value)):
        return "must be an https address"
    return fault


def artifact_uri(value: object) -> str | None:
    """Where an artifact can be had: https, or ``kernelindex:artifact/<digest>``."""
    if isinstance(value, str) and _ARTIFACT.fullmatch(value):
        return None
    fault = https_url(value)
    return fault and f"{fault} or 'kernelindex:artifact/' and a digest"


def instant(value: object) -> str | None:
    """An instant in UTC with ``Z``."""
    return _refusal(parse_instant, value)


def calendar_date(value: object) -> str | None:
    """A day, ``YYYY-MM-DD``."""
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            date.fromisoformat(value)
        except ValueError:
            return "must be a day of the calendar, as in 2026-08-16"
        return None
    return "must be a day, as in 2026-08-16"


def count(value: object) -> str | None:
    """A whole number from 0 to 2^53 - 1."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= SAFE_INTEGER:
        return None
    return "must be a whole number from 0 to 2^53 - 1"


def boolean(value: object) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "must be true or false"


def event(value: object) -> str | None:
    """``{at, reason?}``: an instant, and why."""
    return _object(value, required={"at": instant}, optional={"reason": text})


def submitted_name(value: object) -> str | None:
    """``{slug, title?, role?, project?}``: under what name something was submitted; project is a slug."""
    return _object(value, required={"slug": slug}, optional={"title": name, "role": name, "project": slug})


def _object(value: object, *, required: Checks, optional: Checks) -> str | None:
    if not isinstance(value, dict):
        return f"must be an object of {', '.join([*required, *optional])}"
    for member in required:
        if member not in value:
            return f"{member} is missing"
    for member, content in value.items():
        checker = required.get(member) or optional.get(member)
        if checker is None:
            return f"{quote(member)} is no part of it: it takes {', '.join([*required, *optional])}"
        fault = checker(content)
        if fault is not None:
            return f"{member} {fault}"
    return None
