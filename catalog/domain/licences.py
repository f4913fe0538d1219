"""Licence expressions: which are known, and which are permissive (docs/domain.md §5).

Only SPDX counts: identifiers of its list (in any case, as SPDX says), ``LicenseRef-…`` and expressions of
them. The name of a licence, NOASSERTION and NONE say nothing that could be relied on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from license_expression import (
    LicenseSymbol,
    LicenseWithExceptionSymbol,
    Licensing,
    get_spdx_licensing,
)

from catalog.domain.metrics import as_mapping

PERMISSIVE: Final = frozenset({"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "BSL-1.0"})
"""SPDX identifiers of the licences that count as permissive."""

LONGEST: Final = 1000
"""Longer texts, in characters, are not taken for licence expressions."""

_LICENSE_REF: Final = re.compile(r"(DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+")


@lru_cache(maxsize=4096)
def permissive(expression: str | None) -> bool | None:
    """Whether a licence expression lets one use the code under a permissive licence; None: not known.

    ``OR`` needs one permissive side, ``AND`` both; ``WITH`` goes by the licence before it, so does a
    trailing ``+``; a LicenseRef is not permissive. One unknown identifier makes the whole unknown.
    """
    if expression is None or len(expression) > LONGEST:
        return None
    try:
        tree = _licensing().parse(expression, validate=False, strict=True)
    except Exception:  # besides its own errors the parser raises IndexError and others on odd text
        return None
    return None if tree is None else _permissive(tree)


def is_known(expression: str | None) -> bool:
    """Whether the expression parses as SPDX and asserts something (neither NOASSERTION nor NONE)."""
    return permissive(expression) is not None


def effective_licence(impl_spec: Mapping[str, Any]) -> str | None:
    """The licence that counts of an ImplementationRevision's spec: the concluded one, else the declared.

    One that is not known counts as not given; None when neither is known.
    """
    licensing = as_mapping(impl_spec.get("licensing"))
    stated = (licensing.get("concluded"), licensing.get("declared"))
    return next((expression for expression in stated if is_known(expression)), None)


@lru_cache(maxsize=1)
def _licensing() -> Licensing:
    """The SPDX table without the aliases by which LicenseRefs would pass for listed licences."""
    listed = [
        LicenseSymbol(
            symbol.key,
            aliases=tuple(alias for alias in symbol.aliases if not _is_license_ref(alias)),
            is_exception=symbol.is_exception,
        )
        for symbol in get_spdx_licensing().known_symbols.values()
        if not _is_license_ref(symbol.key)
    ]
    return Licensing(listed)


@lru_cache(maxsize=1)
def _listed() -> dict[str, str]:
    """Listed licences, no exceptions: identifier in lower case -> as SPDX spells it."""
    symbols = _licensing().known_symbols.values()
    return {symbol.key.lower(): symbol.key for symbol in symbols if not symbol.is_exception}


def _is_license_ref(key: str) -> bool:
    return _LICENSE_REF.fullmatch(key) is not None


def _permissive(tree: Any) -> bool | None:
    licensing = _licensing()
    if isinstance(tree, licensing.OR | licensing.AND):
        sides = [_permissive(side) for side in tree.args]
        if None in sides:
            return None
        return any(sides) if isinstance(tree, licensing.OR) else all(sides)
    if isinstance(tree, LicenseWithExceptionSymbol):  # parsing has seen to it that the exception is listed
        return _permissive(tree.license_symbol)
    return _permissive_licence(tree.key)


def _permissive_licence(key: str) -> bool | None:
    if _is_license_ref(key):
        return False
    listed = _listed().get(key.lower()) or _listed().get(key.lower().removesuffix("+"))
    return listed in PERMISSIVE if listed is not None else None
