"""The root field for the log of changes: the pull form of the subscriptions."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.node import Info
from catalog.api.paging import paged
from catalog.api.types.feed import CatalogEventConnection
from catalog.read.changes import ChangeListing
from catalog.read.paging import Window


@strawberry.type(description="What changed.")
class ChangeFields:
    @paged(
        description="What happened after a revision, in the order of revisions: published runs and record "
        "events. The log only grows and nothing in it moves, so its pages repeat and leave out nothing, and "
        "a cursor is good for ever. At most 6 statements: the revision twice, how many events its "
        "successors have, "
        "the events, what is known of records' runs, the count; one more for every thousand revisions that "
        "have none. What is selected of a run or a group is loaded beside that."
    )
    async def changes(
        self,
        info: Info,
        window: Window,
        since_revision: Annotated[
            int, strawberry.argument(description="What came after this revision; 0 for everything.")
        ],
    ) -> CatalogEventConnection:
        listing = ChangeListing(await info.context.open(), since_revision, window)
        return CatalogEventConnection.of(listing)
