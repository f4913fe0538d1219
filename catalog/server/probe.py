"""What the pages ask of the store, and how long they wait for it."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from catalog.server.errors import Code, RequestFault

T = TypeVar("T")

READY_TIMEOUT = 5.0
"""Seconds after which a store that has not answered counts as down."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The catalog in a few words: engine, revision, and how much there is of each kind, as it is shown."""

    engine: str
    engine_version: str
    revision: int
    counts: Sequence[tuple[str, int]]


class StoreProbe(Protocol):
    """Asks whether the store can serve, and what it holds."""

    async def ready(self) -> Mapping[str, Any]:
        """Details that may be shown: ``engine`` and ``revision``.

        Raises:
            Exception: the store can't be reached, or its schema version does not fit.
        """

    async def overview(self) -> Overview:
        """The catalog in a few words.

        Raises:
            Exception: the store can't be reached.
        """


async def in_time(answer: Awaitable[T]) -> T:
    """The store's answer.

    Raises:
        RequestFault: it did not come within READY_TIMEOUT.
        Exception: what the probe raised.
    """
    try:
        async with asyncio.timeout(READY_TIMEOUT):
            return await answer
    except TimeoutError:
        message = f"The store did not answer within {READY_TIMEOUT:g} s."
        raise RequestFault(Code.SERVICE_UNAVAILABLE, message) from None
