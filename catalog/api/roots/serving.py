"""Root fields for serving results. They share no list and no key with kernel results."""

from __future__ import annotations

from typing import Annotated, cast

import strawberry

from catalog.api.costs import sized
from catalog.api.fields import SERVING, resolved, tagged
from catalog.api.node import Info, V, fetch, given, settled
from catalog.api.paging import paged
from catalog.api.roots.common import DigestArgument, by_digest, listed, named_used
from catalog.api.serving_inputs import (
    ResolveServingRequest,
    ServingCohortFilter,
    ServingRunFilter,
    cohort_filter,
    question,
    run_selection,
)
from catalog.api.types.serving_cohort import ServingCohort, ServingResolution, fetch_cohort, fetch_cohorts
from catalog.api.types.serving_connections import (
    ModelRevisionConnection,
    ServingCohortConnection,
    ServingConfigurationConnection,
    ServingRunConnection,
    ServingStackRevisionConnection,
    ServingWorkloadConnection,
)
from catalog.api.types.serving_parts import (
    ModelRevision,
    ServingConfiguration,
    ServingStackRevision,
    ServingWorkload,
)
from catalog.api.types.serving_run import ServingRun
from catalog.domain.errors import InputError
from catalog.domain.identity import Digest
from catalog.read.filters import full_digest
from catalog.read.lookup import by_name, key_of
from catalog.read.memory_lists import MemoryListing
from catalog.read.paging import Cursors, Window, page_size
from catalog.read.serving import serving_reads
from catalog.read.serving_lists import order_cohorts, run_conditions, select_cohorts

OneDigest = Annotated[
    Digest | None, strawberry.argument(description="Its digest, or the first 8 or more digits of it.")
]
OneSlug = Annotated[str | None, strawberry.argument(description="Its slug or name.")]


@tagged(SERVING)
@strawberry.type(description="Serving results.")
class ServingFields:
    @resolved(
        costs=sized(20, "request.first", "cohorts"),
        description="Serving results that answer a request: in each cohort what meets the constraints, "
        "ranked by the objective, what is left out and why, and the Pareto frontier. At most 6 statements: "
        "the revision twice, names, the index of cohorts, the metrics of declared bounds, cohorts.",
    )
    async def resolve_serving(
        self,
        info: Info,
        request: Annotated[
            ResolveServingRequest, strawberry.argument(description="Which cohorts, and what to ask of them.")
        ],
    ) -> ServingResolution:
        size, asked, chosen = page_size(given(request.first)), question(request), cohort_filter(request)
        snapshot = await info.context.open()
        if asked.objective is not None:
            await serving_reads(snapshot).check_metric("objective", asked.objective.metric)
        keys = await order_cohorts(snapshot, await select_cohorts(snapshot, chosen), asked)
        cohorts = await fetch_cohorts(info, keys[:size], asked)
        return ServingResolution(cohorts=cohorts, truncated=len(keys) > size)

    @resolved(
        description="One serving cohort. At most 4 statements: the revision twice, a shortened key, the "
        "cohort."
    )
    async def serving_cohort(
        self,
        info: Info,
        key: Annotated[
            Digest, strawberry.argument(description="Its key, or the first 8 or more digits of it.")
        ],
    ) -> ServingCohort | None:
        snapshot = await info.context.open()
        full = await key_of(snapshot, "ServingCohort", key, field="key")
        return cast("ServingCohort | None", await settled(fetch_cohort(info, full)))

    @paged(
        description="Serving cohorts, largest first, then by key. At most 5 statements: the revision twice, "
        "names, the index of cohorts, cohorts."
    )
    async def serving_cohorts(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            ServingCohortFilter | None, strawberry.argument(description="Which cohorts.")
        ] = strawberry.UNSET,
    ) -> ServingCohortConnection:
        chosen, snapshot = cohort_filter(given(filter)), await info.context.open()
        listing = MemoryListing(
            lambda: select_cohorts(snapshot, chosen),
            lambda cohort: (cohort.key,),
            Cursors("serving cohorts", filters=chosen.used()),
            window,
        )
        return ServingCohortConnection.of(listing)

    @resolved(
        description="One serving run. At most 4 statements: the revision twice, a shortened digest, the run."
    )
    async def serving_run(self, info: Info, digest: DigestArgument) -> ServingRun | None:
        return await by_digest(info, ServingRun, digest)

    @paged(
        description="Serving runs, by digest. At most 6 statements: the revision twice, names, keys, count, "
        "runs."
    )
    async def serving_runs(
        self,
        info: Info,
        window: Window,
        filter: Annotated[  # noqa: A002 - the argument's public name
            ServingRunFilter | None, strawberry.argument(description="Which runs.")
        ] = strawberry.UNSET,
    ) -> ServingRunConnection:
        chosen = run_selection(given(filter))
        conditions = await run_conditions(await info.context.open(), chosen)
        return ServingRunConnection.of(listed(info, ServingRun, conditions, chosen.used(), window))

    @resolved(
        description="One model, by digest or by slug: give exactly one. At most 4 statements: the "
        "revision twice, the slug or shortened digest, the model."
    )
    async def model(
        self, info: Info, digest: OneDigest = strawberry.UNSET, slug: OneSlug = strawberry.UNSET
    ) -> ModelRevision | None:
        return await _one(info, ModelRevision, digest, slug)

    @paged(description="Models, by digest. At most 5 statements: the revision twice, keys, count, models.")
    async def models(self, info: Info, window: Window) -> ModelRevisionConnection:
        await info.context.open()
        return ModelRevisionConnection.of(listed(info, ModelRevision, {}, {}, window))

    @resolved(
        description="One serving stack, by digest or by slug: give exactly one. At most 4 statements: the "
        "revision twice, the slug or shortened digest, the stack."
    )
    async def serving_stack(
        self, info: Info, digest: OneDigest = strawberry.UNSET, slug: OneSlug = strawberry.UNSET
    ) -> ServingStackRevision | None:
        return await _one(info, ServingStackRevision, digest, slug)

    @paged(
        description="Serving stacks, by digest. At most 5 statements: the revision twice, keys, count, "
        "stacks."
    )
    async def serving_stacks(
        self,
        info: Info,
        window: Window,
        project: Annotated[
            str | None, strawberry.argument(description="Slug of one of their projects.")
        ] = strawberry.UNSET,
    ) -> ServingStackRevisionConnection:
        used = named_used(project=project)
        await info.context.open()
        return ServingStackRevisionConnection.of(listed(info, ServingStackRevision, used, used, window))

    @resolved(
        description="One serving configuration. At most 4 statements: the revision twice, a shortened "
        "digest, "
        "the configuration."
    )
    async def serving_configuration(self, info: Info, digest: DigestArgument) -> ServingConfiguration | None:
        return await by_digest(info, ServingConfiguration, digest)

    @paged(
        description="Serving configurations, by digest. At most 5 statements: the revision twice, keys, "
        "count, "
        "configurations."
    )
    async def serving_configurations(
        self,
        info: Info,
        window: Window,
        stack: Annotated[
            Digest | None, strawberry.argument(description="Of this serving stack.")
        ] = strawberry.UNSET,
    ) -> ServingConfigurationConnection:
        used = named_used(stack=full_digest("stack", given(stack)))
        await info.context.open()
        return ServingConfigurationConnection.of(listed(info, ServingConfiguration, used, used, window))

    @resolved(
        description="One serving workload, by digest or by slug: give exactly one. At most 4 statements: "
        "the revision twice, the slug or shortened digest, the workload."
    )
    async def serving_workload(
        self, info: Info, digest: OneDigest = strawberry.UNSET, slug: OneSlug = strawberry.UNSET
    ) -> ServingWorkload | None:
        return await _one(info, ServingWorkload, digest, slug)

    @paged(
        description="Serving workloads, by digest. At most 5 statements: the revision twice, keys, count, "
        "workloads."
    )
    async def serving_workloads(self, info: Info, window: Window) -> ServingWorkloadConnection:
        await info.context.open()
        return ServingWorkloadConnection.of(listed(info, ServingWorkload, {}, {}, window))


async def _one(info: Info, type_: type[V], digest: Digest | None, slug: str | None) -> V | None:
    by, name = given(digest), given(slug)
    if (by is None) == (name is None):
        raise InputError("digest", by, "give exactly one of digest and slug")
    if by is not None:
        return await by_digest(info, type_, by)
    entity = await by_name(await info.context.open(), type_.__name__, type_.label, name)
    return cast("V | None", await settled(fetch(info, type_, entity.key if entity else None)))
