"""Strict JSON: RFC 8259, and nothing that would be lost or changed on the way to canonical JSON
(docs/domain.md §1).

:func:`parse_json` is for bulk, :func:`read_json` for documents: it says where things are.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from functools import cache
from json.decoder import scanstring  # type: ignore[attr-defined]  # public in use, not in the stubs
from typing import Any, NoReturn

import msgspec

from catalog.domain.errors import Fault, ManifestError, quote
from catalog.domain.identity import load_canonical
from catalog.domain.places import MAX_DEPTH, Places, Position, RawDocument, step

_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_MAX_DIGITS = 4000  # Python converts no more than 4300 digits

_LONE_SURROGATE = "a text must be Unicode; this one has a lone surrogate"


class _Found(Exception):  # noqa: N818 - never leaves this module
    """Something that needs the slow reader to say where it is."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Found
    return members


def _refuse(_literal: str) -> NoReturn:
    raise _Found


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse).decode
_read = msgspec.json.Decoder().decode
_print = msgspec.json.Encoder().encode


def parse_json(text: str | bytes, *, canonical: bool = False) -> Any:
    """The value of one JSON text, of any size.

    Raises ManifestError with reason, line and column for whatever is not strict JSON: broken UTF-8,
    duplicate keys, NaN, lone surrogates, nesting beyond Python's. Big integers stay integers, for the
    field they stand in to refuse; with ``canonical`` those beyond ±(2^53-1) are the doubles that canonical
    JSON prints so.
    """
    if isinstance(text, bytes) and not canonical:
        try:
            value = _read(text)
            if _print(value) == text:  # nothing was lost: neither a key that stands twice nor a digit
                return value
        except (msgspec.DecodeError, RecursionError):
            pass
    try:
        source = text if isinstance(text, str) else text.decode()
        value = _decode(source)
        if "\\u" in source or not (isinstance(text, bytes) or source.isascii()):
            json.dumps(value, ensure_ascii=False).encode()  # fails on a lone surrogate
    except UnicodeDecodeError as error:
        raise ManifestError([bad_utf8(error)]) from None
    except (_Found, ValueError, RecursionError):
        _, faults, _ = _Scanner(source).read()
        raise ManifestError(faults or [Fault("invalid_json", "", "cannot be read as JSON")]) from None
    return load_canonical(source) if canonical else value


def bad_utf8(error: UnicodeDecodeError) -> Fault:
    """The fault of bytes that are not UTF-8, at the first broken one."""
    before = error.object[: error.start]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    found = quote(error.object[error.start : error.start + 1].hex())
    return Fault("invalid_utf8", "", "must be UTF-8", found, line, column)


def read_json(text: str) -> RawDocument:
    """One JSON document. Raises ManifestError when it cannot be read to its end."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        try:
            return RawDocument(parse_json(text), (), cache(lambda: _Scanner(text).read()[2]))
        except ManifestError:
            pass
    value, faults, places = _Scanner(text).read()
    if value is _Scanner.UNREAD:
        raise ManifestError(faults)
    return RawDocument(value, tuple(faults), places.itself)


class _Stop(Exception):  # noqa: N818 - never leaves this module
    """A fault that reading cannot get over; it is the last of the scanner's list."""


class _Scanner:
    """A JSON reader that keeps places and goes on after faults where it can."""

    UNREAD = object()

    def __init__(self, text: str) -> None:
        self.text = text
        self.faults: list[Fault] = []
        self.places = Places()
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def read(self) -> tuple[object, list[Fault], Places]:
        """The value (or UNREAD), the faults, the places."""
        try:
            value, end = self.value(self.blank(0), "", 0)
            if end < len(self.text):
                self.stop(end, "", "must end here")
        except _Stop:
            return self.UNREAD, self.faults, self.places
        return value, self.faults, self.places

    def position(self, offset: int) -> Position:
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def fault(self, reason: str, offset: int, pointer: str, message: str, value: str | None = None) -> None:
        self.faults.append(Fault(reason, pointer, message, value, *self.position(offset)))

    def stop(self, offset: int, pointer: str, message: str, reason: str = "invalid_json") -> NoReturn:
        found = quote(self.text[offset : offset + 20]) if offset < len(self.text) else "the end"
        self.fault(reason, offset, pointer, message, found)
        raise _Stop

    def blank(self, offset: int) -> int:
        match = _BLANK.match(self.text, offset)
        return match.end() if match else offset

    def value(self, offset: int, pointer: str, depth: int) -> tuple[object, int]:
        """The value that starts at an offset, and the offset of what follows it."""
        self.places.values[pointer] = self.position(offset)
        first = self.text[offset : offset + 1]
        value: object
        if first == '"':
            value, end = self.string(offset, pointer)
        elif first in ("{", "["):
            if depth == MAX_DEPTH:
                self.stop(offset, pointer, f"must nest at most {MAX_DEPTH} deep", "too_deep")
            read = self.members if first == "{" else self.items
            value, end = read(offset, pointer, depth + 1)
        else:
            value, end = self.atom(offset, pointer)
        return value, self.blank(end)

    def members(self, offset: int, pointer: str, depth: int) -> tuple[object, int]:
        found: dict[str, object] = {}
        offset = self.blank(offset + 1)
        if self.text[offset : offset + 1] == "}":
            return found, offset + 1
        while True:
            if self.text[offset : offset + 1] != '"':
                self.stop(offset, pointer, "must have a key in double quotes here")
            name, end = self.string(offset, pointer)
            below = pointer + step(name)
            if name in found:
                self.fault("duplicate_key", offset, below, "must have each key once", quote(name))
            first, self.places = self.places, Places() if name in found else self.places
            self.places.keys[below] = self.position(offset)
            end = self.blank(end)
            if self.text[end : end + 1] != ":":
                self.stop(end, below, "must have ':' after the key")
            value, offset = self.value(self.blank(end + 1), below, depth)
            self.places = first
            found.setdefault(name, value)
            mark = self.text[offset : offset + 1]
            if mark == "}":
                return found, offset + 1
            if mark != ",":
                self.stop(offset, pointer, "must have ',' or '}' here")
            offset = self.blank(offset + 1)

    def items(self, offset: int, pointer: str, depth: int) -> tuple[object, int]:
        items: list[object] = []
        offset = self.blank(offset + 1)
        if self.text[offset : offset + 1] == "]":
            return items, offset + 1
        while True:
            value, offset = self.value(offset, pointer + step(len(items)), depth)
            items.append(value)
            mark = self.text[offset : offset + 1]
            if mark == "]":
                return items, offset + 1
            if mark != ",":
                self.stop(offset, pointer, "must have ',' or ']' here")
            offset = self.blank(offset + 1)

    def string(self, offset: int, pointer: str) -> tuple[str, int]:
        try:
            value, end = scanstring(self.text, offset + 1, True)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Invalid control character"):
                self.stop(error.pos, pointer, "must write control characters as escapes", "control_character")
            self.stop(error.pos, pointer, f"must be a text in double quotes ({error.msg.rstrip(' at')})")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fault("lone_surrogate", offset, pointer, _LONE_SURROGATE, quote(value))
            value = value.encode("utf-8", "replace").decode()
        return value, end

    def atom(self, offset: int, pointer: str) -> tuple[object, int]:
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, offset):
                return meaning, offset + len(word)
        for word in _NOT_FINITE:
            if self.text.startswith(word, offset):
                self.fault("not_finite", offset, pointer, "must be a finite number", word)
                return 0, offset + len(word)
        match = _NUMBER.match(self.text, offset)
        if match is None:
            self.stop(offset, pointer, "must have a value here")
        literal = match.group()
        if not match.group(2) and not match.group(3):
            if len(literal) > _MAX_DIGITS:
                message = "an integer must be within ±(2^53-1)"
                self.fault("integer_out_of_range", offset, pointer, message, literal[:80] + "…")
                return 0, match.end()
            return int(literal), match.end()
        if math.isinf(number := float(literal)):
            self.fault("not_finite", offset, pointer, "must be a finite number", literal[:80])
            number = 0.0
        return number, match.end()
