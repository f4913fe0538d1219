"""CSV records by RFC 4180 from a stream, where a damaged record never takes its neighbours along.

A quotation mark that is not closed would swallow the rest of a file: here a record may go on over a few
lines only, and if it does not end well the lines after its first one are read again, each for itself.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

RECORD_BYTES = 256 * 1024
_MOST_LINES = 64


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its first physical line (1-based) and its fields."""

    line: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Damaged:
    """A record that cannot be read: its line, a reason (a counter's name), and what is wrong."""

    line: int
    reason: str
    message: str


def records(numbered: Iterator[tuple[int, bytes | None]], width: int) -> Iterator[Record | Damaged]:
    """The records of numbered physical lines (see ``streams.lines``); blank lines are none.

    A record whose number of fields is not ``width`` is damaged: ``ragged_row``. Others are
    ``invalid_encoding``, ``invalid_csv`` and ``line_too_long``.
    """
    again: deque[tuple[int, bytes | None]] = deque()

    def take() -> tuple[int, bytes | None] | None:
        return again.popleft() if again else next(numbered, None)

    while (first := take()) is not None:
        number, text = first
        if text is None:
            yield Damaged(number, "line_too_long", f"the line is longer than {RECORD_BYTES:,} bytes")
            continue
        if not text.strip():
            continue
        more: list[tuple[int, bytes | None]] = []
        while text.count(b'"') % 2 and len(more) < _MOST_LINES and len(text) < RECORD_BYTES:
            following = take()
            if following is None:
                break
            more.append(following)
            if following[1] is None:
                break
            text += b"\n" + following[1]
        outcome = _record(number, text, width)
        if more and isinstance(outcome, Damaged):
            again.extendleft(reversed(more))
        yield outcome


def _record(number: int, text: bytes, width: int) -> Record | Damaged:
    if text.count(b'"') % 2:
        return Damaged(number, "ragged_row", "a quotation mark is not closed")
    try:
        fields = parse(text)
    except UnicodeDecodeError as error:
        return Damaged(number, "invalid_encoding", f"not UTF-8: {error.reason} at byte {error.start + 1}")
    except csv.Error as error:
        return Damaged(number, "invalid_csv", str(error))
    if len(fields) != width:
        return Damaged(number, "ragged_row", f"{len(fields)} columns where the header has {width}")
    return Record(number, fields)


def parse(text: bytes) -> tuple[str, ...]:
    """The fields of one whole record.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
        csv.Error: it is not a record by RFC 4180.
    """
    return tuple(next(csv.reader([text.decode()], strict=True), ()))
