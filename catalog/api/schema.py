"""The schema that is served."""

from __future__ import annotations

from functools import cache
from typing import Final

from strawberry.schema.config import StrawberryConfig
from strawberry.schema.name_converter import NameConverter

from catalog.api.executor import PlainExecutor
from catalog.api.federation import FederatedSchema
from catalog.api.prefix import Prefix, PrefixedNames, put_over
from catalog.api.query import Query
from catalog.api.scalars import SCALARS
from catalog.api.subscription import Subscription
from catalog.api.types.feed import RecordBroken, RunPublished

FEDERATION_VERSION: Final = "2.7"
"""The newest version that every composition tool we check with takes."""

ROOTS: Final = (Query, Subscription)


@cache
def build(prefix: Prefix | None = None) -> FederatedSchema:
    """The schema, with a prefix where one is given; made once for each."""
    return FederatedSchema(
        query=Query,
        subscription=Subscription,
        types=(RunPublished, RecordBroken),  # reached through their interface alone
        execution_context_class=PlainExecutor,
        config=StrawberryConfig(name_converter=_names(prefix), scalar_map=SCALARS),
        federation_version=FEDERATION_VERSION,
    )


def _names(prefix: Prefix | None) -> NameConverter:
    return PrefixedNames(prefix, ROOTS) if prefix else NameConverter()


schema = build(None)


def sdl(prefix: Prefix | None = None) -> str:
    """The schema as SDL, federation directives included."""
    return build(prefix).as_str()


def moved(text: str, prefix: Prefix | None) -> str:
    """A query for the plain schema as one for the schema with this prefix (see `put_over`)."""
    return put_over(text, schema._schema, PrefixedNames(prefix, ROOTS)) if prefix else text
