"""What others say about a run. Nobody can say anything yet: the connection is empty."""

from __future__ import annotations

import strawberry

from catalog.api.enums import AttestationType
from catalog.api.fields import resolved
from catalog.api.node import Node
from catalog.api.paging import Connection
from catalog.api.scalars import DateTime
from catalog.read.memory_lists import MemoryListing
from catalog.read.paging import Cursors, Window


@strawberry.type(description="What somebody says about a run. It never changes the evidence level.")
class RunAttestation(Node):
    type: AttestationType = strawberry.field(description="What kind of statement it is.")
    body: str = strawberry.field(description="The statement.")
    author: str = strawberry.field(description="Who makes it.")
    created_at: DateTime = strawberry.field(description="When it was made.")
    observed_value: float | None = strawberry.field(description="A value that its author observed.")


@strawberry.type(description="An attestation in a list.")
class RunAttestationEdge:
    cursor: str = strawberry.field(description="Where it stands.")
    node: RunAttestation = strawberry.field(description="The attestation.")


@strawberry.type(description="Attestations of a run.")
class RunAttestationConnection(Connection):
    @resolved(description="The attestations of this page.")
    def edges(self) -> list[RunAttestationEdge]:
        return []


def no_attestations(window: Window) -> RunAttestationConnection:
    """An empty page, for arguments that a page can have."""

    async def nothing() -> list[RunAttestation]:
        return []

    listing = MemoryListing(nothing, lambda attestation: (attestation.id,), Cursors("attestations"), window)
    return RunAttestationConnection.of(listing)
