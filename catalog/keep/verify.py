"""``catalog verify``: recompute everything that was derived, and compare it with what is stored."""

from __future__ import annotations

from typing import Final

from catalog.keep.findings import Problem, Verification
from catalog.keep.pages import Advance, pages
from catalog.keep.verifier import Verifier
from graph import Store

__all__ = ["Problem", "Verification", "verify"]

_LABELS: Final = (
    "Source",
    "Artifact",
    "ProjectRevision",
    "Project",
    "Operation",
    "Workload",
    "Implementation",
    "Protocol",
    "Environment",
    "Run",
    "ComparisonGroup",
    "Model",
    "ServingStack",
    "ServingConfiguration",
    "ServingWorkload",
    "ServingRun",
    "ServingCohort",
    "OperationRelation",
)


async def verify(store: Store, *, strict: bool = False, advance: Advance | None = None) -> Verification:
    """Verify the whole graph. ``strict`` also counts where documents disagree with each other."""
    verifier = Verifier(store, strict=strict)
    for label in _LABELS:
        async for page in pages(store, label, advance):
            verifier.result.checked[label] += len(page)
            await verifier.page(label, page)
    return verifier.result
