"""The schema that is served."""

from __future__ import annotations

from typing import Final

from strawberry.schema.config import StrawberryConfig

from catalog.api.executor import PlainExecutor
from catalog.api.federation import FederatedSchema
from catalog.api.query import Query
from catalog.api.scalars import SCALARS
from catalog.api.subscription import Subscription
from catalog.api.types.feed import RecordBroken, RunPublished

FEDERATION_VERSION: Final = "2.7"
"""The newest version that every composition tool we check with takes."""

schema = FederatedSchema(
    query=Query,
    subscription=Subscription,
    types=(RunPublished, RecordBroken),  # reached through their interface alone
    execution_context_class=PlainExecutor,
    config=StrawberryConfig(scalar_map=SCALARS),
    federation_version=FEDERATION_VERSION,
)


def sdl() -> str:
    """The schema as SDL, federation directives included."""
    return schema.as_str()
