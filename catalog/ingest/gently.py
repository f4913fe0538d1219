"""Long work in an event loop, in small steps: between them a batch that is on its way to the graph goes on.

A thread would do worse: for each message from the database the event loop would wait until the thread gives
up the interpreter.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from time import perf_counter
from typing import Final, TypeVar

STEP: Final = 0.004
"""Seconds of work between two turns of the event loop."""

T = TypeVar("T")


async def gently(items: Iterable[T]) -> AsyncIterator[T]:
    """The items, with a turn for others now and then."""
    since = perf_counter()
    for number, item in enumerate(items):
        if number % 16 == 0 and perf_counter() - since > STEP:
            await asyncio.sleep(0)
            since = perf_counter()
        yield item
