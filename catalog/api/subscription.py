"""The subscription root: the feed of changes, from a revision or a cursor on, then as it comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Annotated, Any, TypeVar

import strawberry

from catalog.api.fields import followed
from catalog.api.inputs import RunFilter, run_filter
from catalog.api.node import Info, given
from catalog.api.roots.records import RecordFilter, record_filter
from catalog.api.types.feed import (
    CatalogChanged,
    RecordBroken,
    RunPublished,
    catalog_changed,
    record_broken,
    run_published,
)
from catalog.read.changes import start_after
from catalog.read.feed_filter import RecordSieve, RunSieve, Sieve

T = TypeVar("T")
V = TypeVar("V")

SinceRevision = Annotated[
    int | None,
    strawberry.argument(
        description="Begin with what came after this revision; without it, and without a cursor, with what "
        "comes next."
    ),
]
AfterEvent = Annotated[
    str | None,
    strawberry.argument(description="Begin behind the event with this cursor: the last one that was seen."),
]


@strawberry.type(description="What can be followed. An event comes once, in the order of revisions.")
class Subscription:
    @followed(description="Runs as they are published.")
    async def run_published(
        self,
        info: Info,
        filter: Annotated[  # noqa: A002 - the argument's public name
            RunFilter | None, strawberry.argument(description="Which runs.")
        ] = strawberry.UNSET,
        since_revision: SinceRevision = strawberry.UNSET,
        after: AfterEvent = strawberry.UNSET,
    ) -> AsyncGenerator[RunPublished, None]:
        sieve = RunSieve(run_filter(given(filter)))
        return await _followed(info, sieve, since_revision, after, run_published)

    @followed(description="Record events as they enter the history of their group.")
    async def record_broken(
        self,
        info: Info,
        filter: Annotated[  # noqa: A002 - the argument's public name
            RecordFilter | None, strawberry.argument(description="Which events.")
        ] = strawberry.UNSET,
        since_revision: SinceRevision = strawberry.UNSET,
        after: AfterEvent = strawberry.UNSET,
    ) -> AsyncGenerator[RecordBroken, None]:
        sieve = RecordSieve(record_filter(given(filter)))
        return await _followed(info, sieve, since_revision, after, lambda found: record_broken(*found))

    @followed(
        description="Whenever the catalog changed: its revision, and what came since the one told before, in "
        "sum. Revisions that follow each other quickly are told as one."
    )
    async def catalog_changed(
        self, info: Info, since_revision: SinceRevision = strawberry.UNSET
    ) -> AsyncGenerator[CatalogChanged, None]:
        place = start_after((await info.context.open()).revision, given(since_revision), None)
        summaries = info.context.feed.summaries(place.revision - 1)
        return _shown(summaries, catalog_changed)


async def _followed(
    info: Info, sieve: Sieve[T], since: Any, after: Any, show: Callable[[T], V]
) -> AsyncGenerator[V, None]:
    """The events from where the client wants them; faults of its arguments are raised before the first."""
    snapshot = await info.context.open()
    place = start_after(snapshot.revision, given(since), given(after))
    await sieve.check(snapshot)
    return _shown(info.context.feed.events(place, sieve), show)


async def _shown(events: AsyncGenerator[T, None], show: Callable[[T], V]) -> AsyncGenerator[V, None]:
    async with aclosing(events):
        async for event in events:
            yield show(event)
