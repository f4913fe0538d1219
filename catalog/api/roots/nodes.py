"""Root fields that find anything by its global id, and the catalog as a whole."""

from __future__ import annotations

from typing import Annotated, Any, cast

import strawberry

from catalog.api.costs import sized
from catalog.api.derived import DERIVED
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, parse_global_id, settled
from catalog.api.registry import REACHABLE
from catalog.api.types.catalog_info import KernelCatalog, kernel_catalog
from catalog.api.types.feed import EVENTS, find_event
from catalog.domain.errors import CatalogError, InputError

MAXIMUM_NODES = 100


@strawberry.type(description="Any object, and the catalog.")
class NodeFields:
    @resolved(
        description="The object with this id; null when there is none. At most 8 statements: the revision "
        "twice, and the object: one for most, six for rows that are derived."
    )
    async def node(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The id of a Node.")],  # noqa: A002
    ) -> Node | None:
        await info.context.open()
        return cast("Node | None", await settled(_node(info, id)))

    @resolved(
        costs=sized(MAXIMUM_NODES, "ids"),
        description="The objects with these ids, in their order; at most 100. At most 13 statements: the "
        "revision twice, nodes, groups, cohorts, eight for all rows that are derived.",
    )
    async def nodes(
        self,
        info: Info,
        ids: Annotated[list[strawberry.ID], strawberry.argument(description="Ids of Nodes.")],
    ) -> list[Node | None]:
        if len(ids) > MAXIMUM_NODES:
            raise InputError("ids", len(ids), f"must be at most {MAXIMUM_NODES} ids")
        await info.context.open()
        return [_node_or_fault(info, each) for each in ids]

    @resolved(
        description="The catalog as a whole. At most 5 statements: the revision twice, counts, the sources' "
        "names, sources."
    )
    async def catalog(self, info: Info) -> KernelCatalog:
        return kernel_catalog(await info.context.open())


def _node(info: Info, text: str) -> Any:
    type_name, key = parse_global_id(text)
    if (reachable := REACHABLE.get(type_name)) is not None:
        return reachable.load(info, key, "id")
    if (derived := DERIVED.get(type_name)) is not None:
        return derived.find(info.context.snapshot, key)
    if type_name in EVENTS:
        return find_event(info.context.snapshot, key)
    raise InputError("id", text, "must be an id that this server gave out")


def _node_or_fault(info: Info, text: str) -> Any:
    try:
        return _node(info, text)
    except CatalogError as fault:
        return fault  # the executor reports it at the item's place
