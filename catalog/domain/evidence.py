"""Evidence levels: how far a run's number can be trusted, derived and never typed (docs/domain.md §5)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from catalog.domain.metrics import as_mapping


class EvidenceLevel(StrEnum):
    """The four levels, weakest first; ``order`` compares them."""

    REPORTED = "REPORTED"
    REPRODUCIBLE = "REPRODUCIBLE"
    VERIFIED = "VERIFIED"
    REPLICATED = "REPLICATED"

    @property
    def order(self) -> int:
        """0 for reported to 3 for replicated."""
        return _ORDER[self]


_ORDER = {level: order for order, level in enumerate(EvidenceLevel)}

REPLICATIONS_NEEDED = 2
"""Independent replications that make a run replicated."""


def evidence_level(
    *,
    replications: int,
    rerun_passed: bool,
    public_source: bool,
    exact_revision: bool,
    parts_complete: bool,
    raw_evidence: bool,
) -> EvidenceLevel:
    """The level of one run (docs/domain.md §5). The run's status plays no part in it.

    ``public_source``: the implementation's own (:func:`own_public_source`) or its project has a
    repository. ``parts_complete``: implementation, workload, protocol and environment are all known by
    more than their digests. ``rerun_passed``: a controlled rerun was made and passed.
    """
    if replications >= REPLICATIONS_NEEDED:
        return EvidenceLevel.REPLICATED
    if rerun_passed:
        return EvidenceLevel.VERIFIED
    if public_source and exact_revision and parts_complete and raw_evidence:
        return EvidenceLevel.REPRODUCIBLE
    return EvidenceLevel.REPORTED


def exact_revision(impl_spec: Mapping[str, Any]) -> bool:
    """Whether the spec of an ImplementationRevision pins its code: commit, treeDigest or contentDigest.

    A version alone does not (docs/domain.md §5).
    """
    revision = as_mapping(impl_spec.get("projectRevision"))
    source = as_mapping(impl_spec.get("source"))
    return bool(revision.get("commit") or revision.get("treeDigest") or source.get("contentDigest"))


def own_public_source(impl_spec: Mapping[str, Any]) -> bool:
    """Whether the spec itself names public source: a content digest, or a repository with a commit.

    The third way, a repository of the implementation's project, is no part of the spec: whoever knows
    the project adds it with ``or`` (docs/domain.md §5).
    """
    revision = as_mapping(impl_spec.get("projectRevision"))
    source = as_mapping(impl_spec.get("source"))
    return bool(source.get("contentDigest") or (revision.get("repository") and revision.get("commit")))


def raw_evidence(run_spec: Mapping[str, Any]) -> bool:
    """Whether a BenchmarkRun's spec refers to logs or raw samples (docs/domain.md §5)."""
    evidence = as_mapping(run_spec.get("evidence"))
    timing = as_mapping(run_spec.get("timing"))
    return bool(evidence.get("logs") or evidence.get("rawSamples") or timing.get("rawSamples"))
