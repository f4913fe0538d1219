"""Waiting for what is only counted, and announced to nobody."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Return once the condition holds; fails after so many seconds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
