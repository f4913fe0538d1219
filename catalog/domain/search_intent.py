"""What a search string asks for, as data, and how it is put together. Source: docs/domain.md §8."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.search_tokens import Token
from catalog.domain.search_words import words

MAXIMUM_TOKENS: Final = 64
"""What follows the 64th token is left out, with an issue."""

LONGEST_VALUE: Final = 100
"""Characters; no name, word or value is longer."""


@dataclass(frozen=True, slots=True)
class AxisBinding:
    """`name` `operator` (EQ LT LTE GT GTE) `value`, as it was asked; `token` is how it was written."""

    name: str
    operator: str
    value: int
    token: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """Something that was not, or not only, taken as it was written. `suggestion` can replace the token."""

    token: str
    message: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """Text to look for: its words, and whether they must stand side by side (a quoted string)."""

    raw: str
    words: tuple[str, ...]
    phrase: bool = False


@dataclass(frozen=True, slots=True)
class Intent:
    """What a search string asks for; every condition that is set must hold. Values are in stored spelling,
    names as they were written."""

    terms: tuple[Term, ...] = ()
    digest: str | None = None
    operation: str | None = None
    family: str | None = None
    model: str | None = None
    product: str | None = None
    architecture: str | None = None
    dtypes: tuple[str, ...] = ()
    shape: tuple[int, ...] | None = None
    layout: str | None = None
    framework: str | None = None
    language: str | None = None
    cuda: str | None = None
    axes: tuple[AxisBinding, ...] = ()
    minimum_evidence: EvidenceLevel | None = None
    license: str | None = None
    source: str | None = None
    require_source: bool = False
    require_installable: bool = False

    @property
    def asks(self) -> bool:
        """Whether anything is asked for at all."""
        return self != Intent()


@dataclass(frozen=True, slots=True)
class Known:
    """Values that the catalog has, to be understood beside those of the tables, and suggested."""

    dtypes: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()
    architectures: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The outcome: `accounts` says of each token which field of the intent it is in, or `issue`."""

    intent: Intent
    issues: tuple[Issue, ...]
    accounts: tuple[tuple[str, str], ...]

    def token(self, name: str) -> str:
        """The first token that is in this field of the intent."""
        return next(raw for raw, account in self.accounts if account == name)


@dataclass(slots=True)
class Building:
    """An intent in the making: what the readers of values (search_values.py) write to."""

    known: Known
    intent: Intent = field(default_factory=Intent)
    issues: list[Issue] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    """Field -> the token that set it."""

    def set(self, name: str, value: Any, token: str) -> str:
        """Set a field that takes one value; another value for it is an issue."""
        before = getattr(self.intent, name)
        if before not in (None, False) and before != value:
            message = f"`{self.tokens[name]}` is asked for already; this second value is left out"
            return self.issue(token, message)
        self.tokens.setdefault(name, token)
        self.intent = replace(self.intent, **{name: value})
        return name

    def add(self, name: str, values: Iterable[Any]) -> str:
        """Add to a field that takes several values; each is kept once."""
        merged: Any = tuple(dict.fromkeys((*getattr(self.intent, name), *values)))
        self.intent = replace(self.intent, **{name: merged})
        return name

    def issue(self, token: str, message: str, suggestion: str | None = None) -> str:
        """Say why a token is not in the intent."""
        self.issues.append(Issue(token, message, suggestion))
        return "issue"


def near(value: str, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that a value was most likely meant to be, None when there is none like it."""
    found = get_close_matches(value[:LONGEST_VALUE].lower(), sorted(names), 1, cutoff)
    return found[0] if found else None


def term(token: Token) -> Term | None:
    """The text to look for that a token is; None when it has no letter and no digit, or a word too long."""
    found = tuple(words(token.value)) if len(token.value) <= 20 * LONGEST_VALUE else ()
    if not found or max(map(len, found)) > LONGEST_VALUE:
        return None
    return Term(token.value, found, token.group == '"' and len(found) > 1)


INTEGER: Final = re.compile(r"-?[0-9]{1,16}")
LARGEST: Final = 2**53 - 1
