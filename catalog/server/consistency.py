"""Answers of one revision only.

What an answer is made of is read as it is needed, maybe in several statements; a write that falls between
two of them could mix two revisions. So an answer is looked at once it is made: where something of it was
read, the revision must still be the one that it began with, else it is made again. Whoever is overtaken each
time makes it at last while nobody may write.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

T = TypeVar("T")

MakeContext = Callable[[], Awaitable[Any]]

ATTEMPTS: Final = 3
"""How often an answer is made before writers have to wait for it."""


@dataclass(frozen=True, slots=True)
class Revisions:
    """What the application knows of the contexts that it makes. All may raise what its store raises."""

    version: Callable[[Any], Awaitable[str]]
    """What an answer in this context hangs on besides the request: the revision, and all else that is not in
    the request. Once there are viewers with rights of their own, who asks belongs into it as well."""
    holds: Callable[[Any], Awaitable[bool]]
    """Whether all that was read in this context is of its version."""
    without_writes: Callable[[Any, Callable[[], Awaitable[Any]]], Awaitable[Any]]
    """Runs work, and gives its outcome, while nobody can write what this context reads from."""
    leave: Callable[[Any], None] = lambda _: None
    """Told of a context in which nothing will be read any more but its version."""


async def of_one_revision(
    revisions: Revisions | None,
    make_context: MakeContext,
    work: Callable[[Any], Awaitable[T]],
    mixes: Callable[[T], bool],
) -> tuple[T, Any]:
    """What some work in a context gives, and that context; of one version of what it reads.

    ``mixes``: whether what it gives shows anything of that at all.
    """

    async def once() -> tuple[T, Any]:
        context = await make_context()
        try:
            return await work(context), context
        finally:
            if revisions is not None:
                revisions.leave(context)

    if revisions is None:
        return await once()
    for _ in range(ATTEMPTS):
        done, context = await once()
        if not mixes(done) or await revisions.holds(context):
            return done, context
    found: tuple[T, Any] = await revisions.without_writes(context, once)
    return found
