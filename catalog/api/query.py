"""The query root: one line per area of root fields."""

from __future__ import annotations

import strawberry

from catalog.api.roots.changes import ChangeFields
from catalog.api.roots.compare import CompareFields
from catalog.api.roots.coverage import CoverageFields
from catalog.api.roots.evidence import EvidenceFields
from catalog.api.roots.lineage import LineageRootFields
from catalog.api.roots.nodes import NodeFields
from catalog.api.roots.parts import PartFields
from catalog.api.roots.records import RecordFields
from catalog.api.roots.resolve import ResolveFields
from catalog.api.roots.search import SearchFields
from catalog.api.roots.serving import ServingFields


@strawberry.type(description="What can be asked.")
class Query(
    NodeFields,
    EvidenceFields,
    CompareFields,
    PartFields,
    RecordFields,
    LineageRootFields,
    ServingFields,
    CoverageFields,
    ResolveFields,
    SearchFields,
    ChangeFields,
):
    """The fields of all areas."""
