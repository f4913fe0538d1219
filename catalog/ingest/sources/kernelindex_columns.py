"""Rows of the public export read with care: columns by type, row ids by what they stand for.

Row ids are of the export alone. They are used to follow its references and go no further.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from catalog.domain.errors import BadValue, Fault, quote
from catalog.domain.facts import Statement
from catalog.domain.instants import parse_instant
from catalog.domain.manifests import Manifest
from catalog.domain.metrics import Measurement
from catalog.ingest.sources.memo import ManifestMemo
from catalog.ingest.sources.rejection import RejectRow

T = TypeVar("T")

STATED_BY = "kernelindex"
"""The source slug of facts that no source of a run states."""

_TYPES: Mapping[type, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    dict: "an object",
}


class Columns:
    """The columns of one row. Those that nobody asks for are not read."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row = row

    def text(self, name: str) -> str:
        """A string."""
        return self._typed(name, str)

    def optional_text(self, name: str) -> str | None:
        """A string or null."""
        return None if self._get(name) is None else self._typed(name, str)

    def optional_instant(self, name: str) -> str | None:
        """An instant in UTC, or null."""
        text = self.optional_text(name)
        if text is not None:
            try:
                parse_instant(text)
            except BadValue as error:
                raise invalid(name, error.message, text) from error
        return text

    def count(self, name: str) -> int:
        """A whole number of 0 or more."""
        value = self._typed(name, int)
        if isinstance(value, bool) or value < 0:
            raise invalid(name, "must be a whole number of 0 or more", value)
        return value

    def optional_count(self, name: str) -> int | None:
        """A whole number of 0 or more, or null."""
        return None if self._get(name) is None else self.count(name)

    def number(self, name: str) -> int | float:
        """A number."""
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise invalid(name, "must be a number", value)
        return value

    def boolean(self, name: str) -> bool:
        """True or false."""
        return self._typed(name, bool)

    def mapping(self, name: str) -> dict[str, Any]:
        """An object."""
        return self._typed(name, dict)

    def optional_mapping(self, name: str) -> dict[str, Any]:
        """An object; an empty one for null."""
        return {} if self._get(name) is None else self._typed(name, dict)

    def texts(self, name: str) -> list[str]:
        """A list of strings."""
        value = self._typed(name, list)
        if not all(isinstance(item, str) for item in value):
            raise invalid(name, "must be a list of strings", value)
        return value

    def refer(self, name: str, known: Mapping[str, T]) -> T:
        """What the row id in this column stands for."""
        key = self.text(name)
        if key not in known:
            raise unknown_reference(name, key)
        return known[key]

    def _get(self, name: str) -> Any:
        if name not in self._row:
            raise RejectRow("invalid_row", Fault("missing_column", f"/row/{name}", f"{name} is missing"))
        return self._row[name]

    def _typed(self, name: str, wanted: type[T]) -> T:
        value = self._get(name)
        if not isinstance(value, wanted):
            raise invalid(name, f"must be {_TYPES.get(wanted, 'a list')}", value)
        return value


def invalid(column: str, message: str, value: object) -> RejectRow:
    """The fault of a column that holds something else than it should."""
    fault = Fault("invalid_column", f"/row/{column}", f"{column} {message}", quote(value))
    return RejectRow("invalid_row", fault)


def unknown_reference(column: str, value: str) -> RejectRow:
    """The fault of a column that refers to a row that is not there."""
    message = f"{column} refers to a row that is not there (or was rejected)"
    return RejectRow("unknown_reference", Fault("unknown_reference", f"/row/{column}", message, quote(value)))


def mismatch(column: str, exported: object, computed: object, reason: str = "digest_mismatch") -> RejectRow:
    """The fault of a column that says something else than what the manifest gives."""
    message = f"{column} says {quote(exported)}, but the manifest gives {quote(computed)}"
    return RejectRow(reason, Fault(reason, f"/row/{column}", message, quote(exported)))


def check(column: str, exported: str, computed: str) -> None:
    """Refuses a row whose exported digest or key is not the computed one."""
    if exported != computed:
        raise mismatch(column, exported, computed)


@dataclass(frozen=True, slots=True)
class Brought:
    """What a row brings. ``waits_for`` is the id of the run it supersedes, stated once that is known."""

    manifests: tuple[Manifest, ...] = ()
    statements: tuple[Statement, ...] = ()
    run: KnownRun | None = None
    supersedes_id: str | None = None


@dataclass(frozen=True, slots=True)
class KnownRun:
    """What later rows need of a run: ``key`` is its comparison or cohort key."""

    kind: str
    digest: str
    source: str
    key: str
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True, slots=True)
class KnownWorkload:
    """What runs need of a workload for their comparison key."""

    digest: str
    operation: str
    correctness: str


@dataclass(slots=True)
class Known:
    """Row ids and what they stand for: all that is kept of a file."""

    sources: dict[str, str] = field(default_factory=dict)
    projects: dict[str, str] = field(default_factory=dict)
    operations: dict[str, str] = field(default_factory=dict)
    workloads: dict[str, KnownWorkload] = field(default_factory=dict)
    implementations: dict[str, str] = field(default_factory=dict)
    runs: dict[str, KnownRun] = field(default_factory=dict)
    models: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    stacks: dict[str, str] = field(default_factory=dict)
    configurations: dict[str, str] = field(default_factory=dict)
    serving_workloads: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    parts: ManifestMemo = field(default_factory=lambda: ManifestMemo(1024))


def remember(known: dict[str, T], columns: Columns, value: T) -> None:
    """Notes what the row's id stands for.

    Raises:
        RejectRow: it stands for something else already.
    """
    key = columns.text("id")
    if known.setdefault(key, value) != value:
        raise invalid("id", "stands for another row already", key)


Table = Callable[[Known, Columns], Brought]
"""Reads a row of one table."""
