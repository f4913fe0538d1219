"""What a request's policy has against a run (docs/domain.md §9)."""

from __future__ import annotations

from typing import Final

from catalog.domain.licences import is_allowed
from catalog.domain.ranking import RunFacts
from catalog.domain.resolve_types import Code, Policy

REASONS: Final = (
    "BELOW_MINIMUM_EVIDENCE",
    "NO_PUBLIC_SOURCE",
    "NO_INSTALL_RECIPE",
    "LICENSE_NOT_ALLOWED",
    "LICENSE_UNKNOWN",
)
"""In the order in which they are given, behind those of ranking."""


def policy_reasons(policy: Policy, run: RunFacts, code: Code | None) -> tuple[str, ...]:
    """Every reason of the policy that applies. Nothing is known of code that has not arrived."""
    licence = code.licence if code is not None else None
    allowed = policy.allowed
    applying = (
        policy.minimum_evidence is not None and run.evidence.order < policy.minimum_evidence.order,
        policy.require_source and not (code is not None and code.public_source),
        policy.require_installable and not (code is not None and code.installable),
        allowed is not None and licence is not None and not is_allowed(licence, allowed),
        allowed is not None and licence is None,
    )
    return tuple(reason for reason, applies in zip(REASONS, applying, strict=True) if applies)
