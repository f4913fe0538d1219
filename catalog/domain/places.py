"""What a reader hands over: a plain value, the faults found while reading it, and where things stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from catalog.domain.errors import Fault

Position = tuple[int, int]
"""Line and column, both from 1."""

MAX_BYTES = 1 << 20
"""The largest file that is read, and the largest document that aliases may expand to."""

MAX_DEPTH = 100
"""The deepest nesting of a document."""


def step(name: str | int) -> str:
    """One step of a JSON Pointer, with its slash."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


@dataclass(slots=True)
class Places:
    """Where the values of a document start, and the keys that hold them, by JSON Pointer."""

    values: dict[str, Position] = field(default_factory=dict)
    keys: dict[str, Position] = field(default_factory=dict)

    def itself(self) -> Places:
        """For a reader that knows the places already."""
        return self

    def find(self, pointer: str, *, key: bool = False) -> Position | None:
        """The place of a value (or of its key); of what does not exist, that of the nearest thing around."""
        if key and pointer in self.keys:
            return self.keys[pointer]
        while pointer not in self.values:
            if not pointer:
                return None
            pointer = pointer.rpartition("/")[0]
        return self.values[pointer]


@dataclass(frozen=True, slots=True)
class RawDocument:
    """One document of a file, read but not validated.

    ``base`` is its JSON Pointer in the file: empty, except for the members of a bundle. ``faults`` are
    those that reading could get over (a duplicate key, say); a document with any is still refused, but
    what else is wrong with it can be told too.
    """

    value: object
    faults: tuple[Fault, ...]
    find_places: Callable[[], Places]
    base: str = ""

    def locate(self, pointer: str, *, key: bool = False) -> Position | None:
        """Line and column of the value under a JSON Pointer into this document, or with ``key`` those of
        the key that holds it; for a missing thing, of the nearest one around."""
        return self.find_places().find(self.base + pointer, key=key)
