"""Federation: `_entities` answers each representation for itself.

The object, null for one that does not exist, an error at its index for a malformed one; in the order asked.
The representations are left as the client sent them.
"""

from __future__ import annotations

from typing import Any

import strawberry
from strawberry.federation.schema import FederationAny

from catalog.api.errors import coded
from catalog.api.node import Info
from catalog.api.registry import REACHABLE
from catalog.domain.errors import CatalogError, quote

MAXIMUM_REPRESENTATIONS = 1_000


class FederatedSchema(strawberry.federation.Schema):
    """Strawberry's federation schema with `_entities` of our own."""

    async def entities_resolver(  # type: ignore[override] # theirs is synchronous; the executor takes either
        self, info: Info, representations: list[FederationAny]
    ) -> list[FederationAny]:
        """The entities that the representations stand for."""
        if len(representations) > MAXIMUM_REPRESENTATIONS:
            message = f"representations: at most {MAXIMUM_REPRESENTATIONS}, not {len(representations)}"
            raise coded("LIMIT_EXCEEDED", message, field="representations")
        await info.context.open()
        return [_entity(info, representation) for representation in representations]


def _entity(info: Info, representation: Any) -> Any:
    if not isinstance(representation, dict):
        return coded("BAD_USER_INPUT", "representations: each must be an object with __typename and a key")
    type_name = representation.get("__typename")
    reachable = REACHABLE.get(type_name) if isinstance(type_name, str) else None
    if reachable is None:
        message = f"representations: {quote(type_name)} is no entity; they are {', '.join(REACHABLE)}"
        return coded("BAD_USER_INPUT", message, field="__typename")
    try:
        return reachable.load(info, representation.get(reachable.key), reachable.key)
    except CatalogError as fault:
        return fault
