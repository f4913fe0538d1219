"""JSON Lines: one JSON value a line, each read by the rules for manifests (docs/domain.md §1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Any

from catalog.domain.documents import parse_json
from catalog.domain.errors import Fault, ManifestError
from catalog.ingest.sources.rejection import RejectRow
from catalog.ingest.streams import LINE_BYTES, lines


@dataclass(frozen=True, slots=True)
class Line:
    """A line's number, counted from 1, and its JSON object, or why it has none."""

    number: int
    value: dict[str, Any] | RejectRow


def objects(stream: IO[bytes]) -> Iterator[Line]:
    """The lines of a stream that are not blank.

    Raises:
        OSError: the stream cannot be read on.
    """
    for number, text in lines(stream):
        if text is None:
            fault = Fault("line_too_long", "", f"the line is longer than {LINE_BYTES:,} bytes", line=number)
            yield Line(number, RejectRow("line_too_long", fault))
        elif text.strip():
            yield Line(number, _object(text, number))


def _object(text: bytes, number: int) -> dict[str, Any] | RejectRow:
    try:
        value = parse_json(text)
    except ManifestError as error:
        return RejectRow("invalid_json", *(replace(fault, line=number) for fault in error.faults))
    if not isinstance(value, dict):
        return RejectRow("invalid_json", Fault("not_an_object", "", "a line must be a JSON object"))
    return value
