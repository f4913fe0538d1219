"""The domain's error tree. It knows no GraphQL and no exit codes: each class carries a neutral
``code`` that the layers above map.

::

    CatalogError
    ├── BadValue        one text or number that breaks a rule; also a ValueError
    ├── ManifestError   a document with all its faults
    ├── InputError      what a user asked for, faulty in a named field
    └── AmbiguousName   a name that several objects answer to
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

QUOTE_LENGTH = 80
"""The longest quotation of an offending value, in characters."""


def quote(value: object) -> str:
    """An offending value as JSON text, cut after :data:`QUOTE_LENGTH` characters. Never raises."""
    parts: list[str] = []
    length = 0
    source = value[: QUOTE_LENGTH + 1] if isinstance(value, str) else value
    try:
        for part in json.JSONEncoder(ensure_ascii=False, default=repr).iterencode(source):
            parts.append(part)
            length += len(part)
            if length > QUOTE_LENGTH:
                break
    except (TypeError, ValueError, RecursionError):  # not JSON, or an integer too long to print
        parts = [f"<{type(value).__name__}>"]
    text = "".join(parts).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= QUOTE_LENGTH else text[: QUOTE_LENGTH - 1] + "…"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a document: a stable snake_case ``reason``, where it is (JSON Pointer; 1-based line
    and column when the text is known), what was found there and what would be right."""

    reason: str
    pointer: str
    message: str
    value: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = self.pointer or "(document)"
        if self.line is not None:
            where += f" (line {self.line}, column {self.column})"
        found = "" if self.value is None else f", not {self.value}"
        return f"{where}: {self.reason}: {self.message}{found}"


class CatalogError(Exception):
    """Base of everything the domain refuses."""

    code: ClassVar[str] = "CATALOG"


class BadValue(CatalogError, ValueError):  # noqa: N818 - names what was given
    """A single value that breaks a rule: ``reason`` is stable snake_case, ``message`` says what would
    be right, ``value`` is what was given."""

    code = "BAD_VALUE"

    def __init__(self, reason: str, message: str, value: object = None) -> None:
        super().__init__(f"{message}, not {quote(value)}")
        self.reason = reason
        self.message = message
        self.value = value


class ManifestError(CatalogError):
    """A document that is no valid manifest, with every fault found in it (at least one)."""

    code = "INVALID_MANIFEST"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("; ".join(map(str, self.faults[:5])))


class InputError(CatalogError):
    """A faulty request: ``field`` names the argument, ``value`` is what was given, the message says
    what would be right."""

    code = "BAD_INPUT"

    def __init__(self, field: str, value: object, message: str) -> None:
        super().__init__(f"{field}: {message}, not {quote(value)}")
        self.field = field
        self.value = value
        self.message = message


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the objects that share a name: its digest and target architectures."""

    digest: str
    architectures: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.digest} ({', '.join(self.architectures) or 'no architecture stated'})"


class AmbiguousName(CatalogError):  # noqa: N818 - names what was given
    """A name that several objects answer to (docs/domain.md §2: implementation slugs are not unique)."""

    code = "AMBIGUOUS"

    def __init__(self, name: str, candidates: Iterable[Candidate]) -> None:
        self.name = name
        self.candidates: tuple[Candidate, ...] = tuple(candidates)
        listed = "; ".join(map(str, self.candidates))
        super().__init__(f"{quote(name)} names {len(self.candidates)} objects, ask by digest: {listed}")
