"""A mapping that forgets what came first once it is full."""

from __future__ import annotations

from itertools import islice
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Recent(dict[K, T]):
    """At most ``size`` members. Reading one costs what it costs in any mapping: there is no order of use."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def __setitem__(self, key: K, value: T) -> None:
        """Keep a value; when all places are taken, the oldest eighth goes."""
        if len(self) >= self._size and key not in self:
            for old in list(islice(self, max(1, self._size // 8))):
                del self[old]
        super().__setitem__(key, value)
