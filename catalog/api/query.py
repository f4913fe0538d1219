"""The query root: one line per area of root fields."""

from __future__ import annotations

import strawberry

from catalog.api.roots.evidence import EvidenceFields
from catalog.api.roots.nodes import NodeFields
from catalog.api.roots.parts import PartFields


@strawberry.type(description="What can be asked.")
class Query(
    NodeFields,
    EvidenceFields,
    PartFields,
):
    """The fields of all areas."""
