"""Helpers for the rules that span several fields of one document.

A check reads the spec as it was given, faulty or not, and yields what it finds; where a part has the
wrong type it stays silent, since the field's own fault is reported anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from catalog.domain.errors import BadValue
from catalog.domain.units import parse_duration

Path = tuple[str | int, ...]
ARTIFACT_PREFIX = "kernelindex:artifact/"

__all__ = [
    "ARTIFACT_PREFIX",
    "Check",
    "Finding",
    "Path",
    "artifact",
    "at",
    "at_most",
    "duration",
    "items",
    "members",
]


class Finding(NamedTuple):
    """A broken rule: where (below the spec), the reason, what would be right, the offending value."""

    path: Path
    reason: str
    message: str
    value: object = None


Check = Callable[[Any], Iterator[Finding]]


def at(value: Any, *path: str) -> Any:
    """The value under a path of field names, or None where there is none."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def members(value: Any) -> Iterator[tuple[str, Any]]:
    """The text-keyed members of an object; none of anything else."""
    if isinstance(value, dict):
        yield from ((key, item) for key, item in value.items() if isinstance(key, str))


def items(value: Any) -> Iterator[tuple[int, Any]]:
    """The items of a list with their indices; none of anything else."""
    if isinstance(value, list):
        yield from enumerate(value)


def duration(value: Any) -> int | None:
    """A duration in nanoseconds, or None when it is faulty."""
    try:
        return parse_duration(value)
    except BadValue:
        return None


def artifact(spec: Any, *path: str) -> Iterator[Finding]:
    """A ``kernelindex:`` address names the digest beside it (docs/domain.md §1)."""
    uri, digest = at(spec, *path, "uri"), at(spec, *path, "digest")
    if isinstance(uri, str) and isinstance(digest, str) and uri.startswith(ARTIFACT_PREFIX):
        named = uri.removeprefix(ARTIFACT_PREFIX)
        if named != digest:
            message = f"must name the digest beside it: {ARTIFACT_PREFIX}{digest[:80]}"
            yield Finding((*path, "uri"), "artifact_mismatch", message, uri)


def at_most(spec: Any, limit: int, *path: str) -> Iterator[Finding]:
    """A list has at most ``limit`` items."""
    value = at(spec, *path)
    if isinstance(value, list) and len(value) > limit:
        yield Finding(path, "too_many_items", f"must have at most {limit} items, it has {len(value)}")
