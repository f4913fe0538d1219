"""Root fields for records: the ledger of all groups, who holds what, which project leads."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.costs import SEARCH, long
from catalog.api.enums import EvidenceLevel, RecordCause, RecordOrder
from catalog.api.fields import ANALYSIS, resolved, tagged
from catalog.api.node import Info, given
from catalog.api.paging import paged
from catalog.api.scalars import DateTime
from catalog.api.types.records import (
    RecordEntryConnection,
    RecordHolderConnection,
    RecordLeader,
    record_leader,
)
from catalog.domain import evidence
from catalog.domain.identity import Digest
from catalog.read import record_lists
from catalog.read.paging import Window
from catalog.read.record_lists import RecordListing, holder_listing

OperationArgument = Annotated[
    str | None, strawberry.argument(description="Slug, alias, family or digest of the operation.")
]
ArchitectureArgument = Annotated[
    str | None,
    strawberry.argument(
        description="GPU architecture, exact; `unknown` selects those without a recorded one."
    ),
]


@strawberry.input(
    description="Conditions on record events; all that are given must hold. What is said of the run is said "
    "of the one that took the record, or, where a retraction left none, of the one that was retracted."
)
class RecordFilter:
    operation: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug, alias, family or digest of the operation."
    )
    architecture: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="GPU architecture, exact; `unknown` selects those without a recorded one.",
    )
    product: str | None = strawberry.field(default=strawberry.UNSET, description="The GPU, exact.")
    comparison_key: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="Events of this comparison group."
    )
    source: str | None = strawberry.field(
        default=strawberry.UNSET, description="Slug of who reported the run."
    )
    project: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Slug of the project that the run was submitted for, else of its implementation's.",
    )
    implementation: Digest | None = strawberry.field(
        default=strawberry.UNSET, description="The run measured this implementation."
    )
    minimum_evidence: EvidenceLevel | None = strawberry.field(
        default=strawberry.UNSET, description="The run has at least this evidence level."
    )
    cause: RecordCause | None = strawberry.field(
        default=strawberry.UNSET, description="Why the record changed hands."
    )
    take_over: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True: only records that fell to another implementation. False: only the other events.",
    )
    since: DateTime | None = strawberry.field(
        default=strawberry.UNSET, description="At or after this instant."
    )
    before: DateTime | None = strawberry.field(default=strawberry.UNSET, description="Before this instant.")


@tagged(ANALYSIS)
@strawberry.type(description="Records.")
class RecordFields:
    @paged(
        description="The record ledger: every event of every comparison group. At most 6 statements: the "
        "revision twice, how large the catalog is, the operation's name, the catalog's parts, all runs. In a "
        "catalog of more than 20,000 runs those of an operation, an implementation or a group are read "
        "alone; the newest by some statements more, for as many runs as it takes; what else there is needs "
        "the whole catalog, once a revision."
    )
    async def records(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            RecordFilter | None, strawberry.argument(description="Which events.")
        ] = strawberry.UNSET,
        order_by: Annotated[
            RecordOrder | None, strawberry.argument(description="In which order.")
        ] = RecordOrder.NEWEST,
    ) -> RecordEntryConnection:
        order = (given(order_by) or RecordOrder.NEWEST).name
        chosen = record_filter(given(filter))
        snapshot = await info.context.open()
        listing = RecordListing(snapshot, chosen, order, window)
        return RecordEntryConnection.of(listing, found=listing)

    @paged(
        description="Who holds the record of each comparison group now, by architecture, then group. At "
        "most 6 statements: as for `records`; in a large catalog ask for an operation."
    )
    async def record_holders(
        self,
        info: Info,
        window: Window,
        operation: OperationArgument = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
        project: Annotated[
            str | None, strawberry.argument(description="Slug of the project that holds it.")
        ] = strawberry.UNSET,
    ) -> RecordHolderConnection:
        snapshot = await info.context.open()
        asked = (given(operation), given(architecture), given(project))
        return RecordHolderConnection.of(holder_listing(snapshot, *asked, window))

    @resolved(
        costs=[*SEARCH, *long(10)],
        description="Which project holds most records on each GPU architecture, and since when. A project "
        "leads until another holds strictly more. At most 7 statements: as for `records`, and projects; in "
        "a large catalog ask for an operation.",
    )
    async def record_leaders(
        self,
        info: Info,
        operation: OperationArgument = strawberry.UNSET,
        architecture: ArchitectureArgument = strawberry.UNSET,
    ) -> list[RecordLeader]:
        snapshot = await info.context.open()
        leads = await record_lists.leads(snapshot, given(operation), given(architecture))
        return [record_leader(lead) for lead in leads]


def record_filter(chosen: RecordFilter | None) -> record_lists.RecordFilter:
    """What the input selects."""
    if chosen is None:
        return record_lists.RecordFilter()
    values = {name: given(value) for name, value in vars(chosen).items()}
    if values["minimum_evidence"] is not None:
        values["minimum_evidence"] = evidence.EvidenceLevel(values["minimum_evidence"].value)
    if values["cause"] is not None:
        values["cause"] = values["cause"].value
    return record_lists.RecordFilter(**values)
