"""The root field for the log of changes: the pull form of the subscriptions."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.fields import resolved
from catalog.api.node import Info, given
from catalog.api.paging import After, Deferred, First
from catalog.api.types.feed import CatalogEventConnection
from catalog.read.changes import ChangeListing, start_after
from catalog.read.paging import page_size


@strawberry.type(description="What changed.")
class ChangeFields:
    @resolved(
        description="What happened after a revision, in the order of revisions: published runs and record "
        "events. The log only grows and nothing in it moves, so its pages repeat and leave out nothing, and "
        "a cursor is good for ever. At most 5 statements: the revision, how many events its successors have, "
        "the events, what is known of records' runs, the count; one more for every thousand revisions that "
        "have none. What is selected of a run or a group is loaded beside that."
    )
    async def changes(
        self,
        info: Info,
        since_revision: Annotated[
            int, strawberry.argument(description="What came after this revision; 0 for everything.")
        ],
        first: First = strawberry.UNSET,
        after: After = strawberry.UNSET,
    ) -> CatalogEventConnection:
        size, position = page_size(given(first)), given(after)
        snapshot = await info.context.open()
        start_after(snapshot.revision, since_revision, None)
        listing = ChangeListing(snapshot, since_revision)
        listing.position(position)
        return CatalogEventConnection(deferred=Deferred(lambda: listing.page(size, position), listing.count))
