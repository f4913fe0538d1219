"""How an implementation fares on each architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import strawberry

from catalog.api.enums import PortabilityState
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch
from catalog.domain.coverage import Port
from catalog.domain.evidence_rows import UNKNOWN_ARCHITECTURE

if TYPE_CHECKING:
    from catalog.api.types.run import BenchmarkRun

Run = Annotated["BenchmarkRun", strawberry.lazy("catalog.api.types.run")]


@strawberry.type(description="An implementation on one architecture.")
class ImplementationPortability:
    architecture: str = strawberry.field(
        description="The architecture; `unknown` holds the runs without a recorded one."
    )
    architecture_known: bool = strawberry.field(description="False only for `unknown`.")
    declared: bool = strawberry.field(description="Whether the implementation says it supports it.")
    state: PortabilityState = strawberry.field(description="How far it is known to run there.")
    run_count: int = strawberry.field(description="How many runs it has there.")
    eligible_count: int = strawberry.field(description="How many of them are ranked.")
    failed_count: int = strawberry.field(description="How many of them are not.")
    lead_count: int = strawberry.field(description="In how many comparison groups it has rank 1 there.")
    best_digest: strawberry.Private[str | None]

    @resolved(
        description="The run that stands best in its own group: lowest rank, then ratio to the best. Values "
        "of different groups are never held against each other."
    )
    def best(self, info: Info) -> Run | None:
        from catalog.api.types.run import BenchmarkRun  # the two modules need each other

        return fetch(info, BenchmarkRun, self.best_digest)


def implementation_portability(port: Port) -> ImplementationPortability:
    """A port as the schema shows it."""
    if port.leads:
        state = PortabilityState.LEADS
    elif port.eligible:
        state = PortabilityState.RANKED
    else:
        state = PortabilityState.NOT_RANKED if port.runs else PortabilityState.NEVER_TRIED
    return ImplementationPortability(
        architecture=port.architecture,
        architecture_known=port.architecture != UNKNOWN_ARCHITECTURE,
        declared=port.declared,
        state=state,
        run_count=port.runs,
        eligible_count=port.eligible,
        failed_count=port.runs - port.eligible,
        lead_count=port.leads,
        best_digest=port.best,
    )
