"""Finding one object: by digest or a shortened one, by slug or alias.

A shortened digest or a name that means several objects is an error that lists them; one that means nothing
is no error. Source: docs/domain.md §2.
"""

from __future__ import annotations

import re
from typing import Any, Final

from catalog.domain.errors import AmbiguousName, Candidate, InputError
from catalog.read.entities import Entity
from catalog.read.snapshot import Snapshot
from graph import reads

SHORTEST_PREFIX: Final = 8

SHARED_SLUGS: Final = frozenset({"ImplementationRevision"})
"""Kinds of which several objects may have one slug."""

_PREFIX: Final = re.compile(r"(?:sha256:)?([0-9a-f]{8,64})")
_FULL: Final = 64


async def key_of(snapshot: Snapshot, label: str, text: str, *, field: str = "digest") -> str | None:
    """The full digest (or comparison key) that `text` stands for; None when nothing begins with it.

    `text` is a full digest or its first 8 or more hexadecimal digits, `sha256:` or not.
    Raises InputError for any other text, AmbiguousName for one that begins several digests.
    """
    match = _PREFIX.fullmatch(text)
    if match is None:
        message = (
            f"must be 'sha256:' and 64 lower-case hexadecimal digits, or the first {SHORTEST_PREFIX} or more "
            "of them"
        )
        raise InputError(field, text, message)
    low = f"sha256:{match[1]}"
    if len(match[1]) == _FULL:
        return low
    rows = await snapshot.store.read(reads.PREFIX[label], low=low, high=f"{low}g")
    if len(rows) > 1:
        raise AmbiguousName(text, [_candidate(row["key"], row) for row in rows])
    return str(rows[0]["key"]) if rows else None


async def by_digest(snapshot: Snapshot, label: str, text: str, *, field: str = "digest") -> Entity | None:
    """The object with this digest or shortened digest; see `key_of`."""
    key = await key_of(snapshot, label, text, field=field)
    return None if key is None else await snapshot.entity(label, key)


async def by_name(snapshot: Snapshot, kind: str, label: str, name: str) -> Entity | None:
    """The object of this manifest kind that answers to a slug, alias or metadata name.

    Where slugs are unique, the object whose own slug it is goes before those that merely answer to it.
    Raises AmbiguousName when several do.
    """
    rows = await snapshot.store.read(reads.NAMED, keys=[f"{kind}:{name}"])
    own = [row for row in rows if row["slug"] == name and kind not in SHARED_SLUGS]
    meant = own or rows
    if len(meant) > 1:
        ordered = sorted(meant, key=lambda row: str(row["digest"]))
        raise AmbiguousName(name, [_candidate(row["digest"], row) for row in ordered])
    return await snapshot.entity(label, meant[0]["digest"]) if meant else None


def _candidate(digest: str, row: dict[str, Any]) -> Candidate:
    return Candidate(digest, tuple(row.get("architectures") or ()))
