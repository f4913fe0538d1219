"""Root fields that answer what to run."""

from __future__ import annotations

from typing import Annotated

import strawberry

from catalog.api.costs import sized
from catalog.api.fields import resolved
from catalog.api.node import Info
from catalog.api.resolve_inputs import ResolveRequest, resolve_request
from catalog.api.types.resolution import Resolution, resolution
from catalog.domain.errors import InputError
from catalog.read.resolve import MOST_REQUESTS


@strawberry.type(description="What to run.")
class ResolveFields:
    @resolved(
        description="What is known for one operation at one size on one GPU: groups that meet it, the best "
        "verified and the best deployable run, all alternatives with what speaks against them, near "
        "matches. At most 19 statements: the revision twice, five for size, names, relations and "
        "environments, five for the operation, five for those that relations join to it; two for all "
        "that is shown."
    )
    async def resolve(
        self,
        info: Info,
        request: Annotated[ResolveRequest, strawberry.argument(description="What is wanted.")],
    ) -> Resolution:
        asked = resolve_request(request)
        await info.context.open()
        return resolution(await info.context.loaders.resolutions.load(asked))

    @resolved(
        costs=sized(MOST_REQUESTS, "requests"),
        description=f"The answers to several requests, in their order; at most {MOST_REQUESTS}. At most 19 "
        "statements: as for `resolve`.",
    )
    async def resolve_many(
        self,
        info: Info,
        requests: Annotated[list[ResolveRequest], strawberry.argument(description="What is wanted.")],
    ) -> list[Resolution]:
        if len(requests) > MOST_REQUESTS:
            raise InputError("requests", len(requests), f"must be at most {MOST_REQUESTS} requests")
        asked = [resolve_request(request) for request in requests]
        await info.context.open()
        return [resolution(found) for found in await info.context.loaders.resolutions.load_many(asked)]
