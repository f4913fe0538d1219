"""Federation: `_entities` answers each representation for itself.

The object, null for one that does not exist, an error at its index for a malformed one; in the order asked.
The representations are left as the client sent them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, cast

import strawberry
from graphql import GraphQLInterfaceType, resolve_schema_coordinate
from strawberry.federation.schema import FederationAny

from catalog.api.errors import coded
from catalog.api.node import Info
from catalog.api.registry import ENTITIES, Reachable
from catalog.domain.errors import CatalogError, quote

MAXIMUM_REPRESENTATIONS = 1_000


DESCRIPTIONS: Final = {
    "_Any": "A reference to an entity: `__typename` and the fields of its key.",
    "_Entity": "What other subgraphs can refer to.",
    "_Service": "This subgraph.",
    "_Service.sdl": "The schema with federation's directives, for composition.",
    "_FieldSet": "Fields as in a selection set, such as `digest`.",
    "link__Import": "A name of a linked specification, or how it is called here.",
    "link__Purpose": "What a linked specification is for.",
    "link__Purpose.SECURITY": "It secures data.",
    "link__Purpose.EXECUTION": "Execution depends on it.",
    "Query._entities": "The entities that are referred to, in their order; null for one that does not exist.",
    "Query._entities(representations:)": f"References to entities; at most {MAXIMUM_REPRESENTATIONS}.",
    "Query._service": "This subgraph, for composition.",
}
"""Schema coordinate of what federation adds -> what it is."""


class FederatedSchema(strawberry.federation.Schema):
    """Strawberry's federation schema with `_entities` of our own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for coordinate, text in DESCRIPTIONS.items():
            *_, element, _kind = cast(Any, resolve_schema_coordinate(self._schema, coordinate))
            element.description = text
        for type_ in self._schema.type_map.values():
            if isinstance(type_, GraphQLInterfaceType):
                type_.resolve_type = self._type_name

    def _type_name(self, value: Any, *_: Any) -> str:
        """The name of an object's type in this schema; Strawberry takes the one without a prefix."""
        return self.config.name_converter.from_type(value.__strawberry_definition__)

    async def entities_resolver(  # type: ignore[override] # theirs is synchronous; the executor takes either
        self, info: Info, representations: list[FederationAny]
    ) -> list[FederationAny]:
        """The entities that the representations stand for."""
        if len(representations) > MAXIMUM_REPRESENTATIONS:
            message = f"representations: at most {MAXIMUM_REPRESENTATIONS}, not {len(representations)}"
            raise coded("LIMIT_EXCEEDED", message, field="representations")
        await info.context.open()
        return [self._entity(info, representation) for representation in representations]

    @cached_property
    def _reachable(self) -> dict[str, Reachable]:
        """The entities by their names in this schema."""
        name = self.config.name_converter.from_type
        return {name(entity.type.__strawberry_definition__): entity for entity in ENTITIES.values()}

    def _entity(self, info: Info, representation: Any) -> Any:
        if not isinstance(representation, dict):
            message = "representations: each must be an object with __typename and a key"
            return coded("BAD_USER_INPUT", message)
        type_name = representation.get("__typename")
        reachable = self._reachable.get(type_name) if isinstance(type_name, str) else None
        if reachable is None:
            known = ", ".join(self._reachable)
            message = f"representations: {quote(type_name)} is no entity; they are {known}"
            return coded("BAD_USER_INPUT", message, field="__typename")
        try:
            return reachable.load(info, representation.get(reachable.key), reachable.key)
        except CatalogError as fault:
            return fault
