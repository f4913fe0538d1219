"""One row per run of the catalog, with its standing: what coverage and honesty are counted from.

Source: docs/domain.md §4, §5, §8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from catalog.domain.evidence import EvidenceLevel

UNKNOWN_ARCHITECTURE: Final = "unknown"
"""Stands for an architecture that was not recorded; it never counts as one of the others."""


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A run: where it belongs and how it stands. ``reasons`` is empty exactly when it has a rank.

    ``operation`` is the workload's, None while that has not arrived; ``group`` its comparison key, if any;
    ``name`` what it was submitted as, if its source says so.
    """

    digest: str
    operation: str | None
    architecture: str
    implementation: str
    source: str | None
    name: str | None
    group: str | None
    reasons: tuple[str, ...]
    rank: int | None
    ratio_to_best: float | None
    value: int | float | None
    evidence: EvidenceLevel
    deployable: bool
