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
    tree = None if expression is None else _parsed(expression)
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


def licence_name(text: str) -> str | None:
    """One licence as SPDX spells it: an identifier, ``<licence> WITH <exception>`` or a LicenseRef.

    None for any other text, so for an expression of several, NOASSERTION and NONE.
    """
    tree = _parsed(text)
    if tree is None or isinstance(tree, _licensing().OR | _licensing().AND) or not is_known(text):
        return None
    return _names(tree)[0]


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Whether a known expression can be complied with by licences of a list (:func:`licence_name`).

    ``OR`` needs one side, ``AND`` both; ``WITH`` is allowed by itself or by its licence.
    """
    tree = _parsed(expression)
    return tree is not None and _allowed(tree, allowed)


def _parsed(expression: str) -> Any:
    if len(expression) > LONGEST:
        return None
    try:
        return _licensing().parse(expression, validate=False, strict=True)
    except Exception:  # besides its own errors the parser raises IndexError and others on odd text
        return None


def _allowed(tree: Any, allowed: frozenset[str]) -> bool:
    licensing = _licensing()
    if isinstance(tree, licensing.OR | licensing.AND):
        sides = [_allowed(side, allowed) for side in tree.args]
        return any(sides) if isinstance(tree, licensing.OR) else all(sides)
    return not allowed.isdisjoint(_names(tree))


def _names(tree: Any) -> list[str]:
    """What a single licence goes by: itself first, then what it includes."""
    if isinstance(tree, LicenseWithExceptionSymbol):
        inner = _names(tree.license_symbol)
        return [f"{inner[0]} WITH {tree.exception_symbol.key}", *inner]
    key = str(tree.key)
    if _is_license_ref(key):
        return [key]
    exact = _listed().get(key.lower())
    plain = _listed().get(key.lower().removesuffix("+"))
    return [name for name in dict.fromkeys((exact or (plain and f"{plain}+"), plain)) if name]


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


COMMON: Final = (
    *("GPL-2.0-only", "GPL-3.0-only", "LGPL-2.1-only", "LGPL-3.0-only", "AGPL-3.0-only", "MPL-2.0"),
    *("Unlicense", "CC0-1.0", "CC-BY-4.0", "EPL-2.0"),
)
"""Identifiers worth suggesting beside the permissive ones."""


def spdx_id(text: str) -> str | None:
    """A listed SPDX identifier as SPDX spells it, whatever the case of `text`; None for any other text."""
    return _listed().get(text.lower())


@lru_cache(maxsize=4096)
def named_in(expression: str | None) -> frozenset[str]:
    """The listed identifiers that occur in a licence expression; none in one that is not known."""
    if expression is None or not is_known(expression):
        return frozenset()
    tree = _licensing().parse(expression, validate=False, strict=True)
    keys = (key.split(" WITH ")[0].strip("() ") for key in _licensing().license_keys(tree))
    return frozenset(filter(None, map(spdx_id, keys)))
