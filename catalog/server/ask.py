"""Asking a store as a client would ask the server: for the command line and for tests."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.schema import schema
from catalog.read import Snapshots
from catalog.server.consistency import Revisions
from catalog.server.execution import Executor, GraphQLRequest
from graph.store import Store

REVISIONS: Final = Revisions(Context.version, Context.holds, Context.without_writes, Context.leave)
"""What the catalog's contexts know of their revisions."""


@cache
def _executor() -> Executor:
    return Executor(schema, map_error, revisions=REVISIONS)


async def run_query(
    store: Store,
    text: str,
    variables: Mapping[str, Any] | None = None,
    *,
    operation_name: str | None = None,
    context: Context | None = None,
) -> dict[str, Any]:
    """The answer to a query, as the server gives it, limits and masking included: {data, errors?}."""

    async def make_context() -> Context:
        return context or Context(Snapshots(store))

    reply = await _executor().run(GraphQLRequest(text, operation_name, variables), make_context)
    return reply.body
