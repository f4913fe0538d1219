"""From the parts of a request as a client states them to a checked one (docs/domain.md §9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from catalog.domain.errors import CatalogError, InputError
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.identity import parse_digest
from catalog.domain.licences import licence_name
from catalog.domain.resolve_types import Number, Policy, Request
from catalog.domain.search_tables import architecture_of

LONGEST_NAME = 200
MOST_PARTS = 100
"""So many axes, extents, data types or licences a request may state."""


def request_of(
    operation: str,
    *,
    axes: Sequence[tuple[str, Number]] = (),
    shape: Sequence[Number] | None = None,
    dtypes: Sequence[str] = (),
    product: str | None = None,
    architecture: str | None = None,
    protocol: str | None = None,
    policy: Policy = Policy(),  # noqa: B008 - it is frozen
) -> Request:
    """The request; raises InputError, naming the field, for a value that can't be meant.

    A name that means nothing is no fault here: the answer says so.
    """
    for field, text in (("operation", operation), ("product", product), ("architecture", architecture)):
        if text is not None and not 0 < len(text) <= LONGEST_NAME:
            raise InputError(field, text, f"must have 1 to {LONGEST_NAME} characters")
    for field, parts in (("axes", axes), ("shape", shape or ()), ("dtypes", dtypes)):
        if len(parts) > MOST_PARTS:
            raise InputError(field, len(parts), f"must have at most {MOST_PARTS} items")
    if any(not dtype for dtype in dtypes):
        raise InputError("dtypes", "", "a data type must not be empty")
    return Request(
        operation,
        _axes(axes),
        None if shape is None else _shape(shape),
        tuple(dict.fromkeys(dtypes)),
        product,
        architecture and (architecture_of(architecture) or architecture),
        None if protocol is None else _digest(protocol),
        policy,
    )


def policy_of(
    minimum_evidence: EvidenceLevel | None,
    require_source: bool | None,
    require_installable: bool | None,
    allowed: Iterable[str] | None,
) -> Policy:
    """The policy; raises InputError for a licence that is no single SPDX one. An empty list allows none."""
    names = None
    if allowed is not None:
        stated = list(allowed)
        if len(stated) > MOST_PARTS:
            raise InputError("allowedLicenses", len(stated), f"must have at most {MOST_PARTS} items")
        names = frozenset(map(_licence, stated))
    return Policy(minimum_evidence, bool(require_source), bool(require_installable), names)


def _axes(axes: Sequence[tuple[str, Number]]) -> dict[str, Number]:
    found: dict[str, Number] = {}
    for name, value in axes:
        if not 0 < len(name) <= LONGEST_NAME:
            raise InputError("axes", name, f"the name of an axis must have 1 to {LONGEST_NAME} characters")
        if not math.isfinite(value):
            raise InputError("axes", value, f"the value of {name} must be a finite number")
        if found.get(name, value) != value:
            raise InputError("axes", name, "an axis must have one value; this one is stated with two")
        found[name] = _whole(value)
    return found


def _shape(shape: Sequence[Number]) -> tuple[Number, ...]:
    if not shape:
        raise InputError("shape", [], "must have at least one extent")
    for extent in shape:
        if not math.isfinite(extent) or extent < 0 or extent != int(extent):
            raise InputError("shape", extent, "an extent must be a whole number, 0 or more")
    return tuple(map(_whole, shape))


def _whole(value: Number) -> Number:
    return int(value) if value == int(value) else value


def _digest(text: str) -> str:
    try:
        return parse_digest(text)
    except (CatalogError, ValueError) as error:
        message = "must be a full digest: 'sha256:' and 64 lower-case hexadecimal digits"
        raise InputError("protocol", text, message) from error


def _licence(text: str) -> str:
    name = licence_name(text)
    if name is None:
        message = "must be an SPDX licence identifier, one with an exception, or a LicenseRef"
        raise InputError("allowedLicenses", text, message)
    return name
