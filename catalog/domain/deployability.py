"""Whether an implementation can be put to use: policy deployability-v1 (docs/domain.md §5).

A filter with reasons; it never weighs on a rank.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from catalog.domain.licences import effective_licence

POLICY: Final = "deployability-v1"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Deployable exactly when nothing speaks against it; the reasons stand in the policy's order."""

    eligible: bool
    reasons: tuple[str, ...]


def verdict(impl_spec: Mapping[str, Any], public_source: bool) -> Verdict:
    """The verdict on an ImplementationRevision's spec.

    ``public_source``: as for evidence, the implementation's own
    (:func:`catalog.domain.evidence.own_public_source`) or a repository of its project.
    """
    known = effective_licence(impl_spec) is not None
    reasons = reasons_of(public_source, bool(impl_spec.get("buildVariants")), known)
    return Verdict(not reasons, reasons)


def reasons_of(public_source: bool, installable: bool, license_known: bool) -> tuple[str, ...]:
    """What speaks against putting an implementation to use, in the policy's order."""
    applying = (
        ("NO_PUBLIC_SOURCE", not public_source),
        ("NO_INSTALL_RECIPE", not installable),
        ("LICENSE_UNKNOWN", not license_known),
    )
    return tuple(reason for reason, applies in applying if applies)
