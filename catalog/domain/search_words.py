"""Words of names and of questions: how text is cut for search, and which words are near each other.

Separators count as spaces and letters as lower case, on both sides: what is stored and what is asked.
Source: docs/domain.md §8.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

LONGEST_WORD: Final = 100
"""Characters; a longer word is no word of any name."""

SHORTEST_TYPO: Final = 4
"""Shorter words have too many neighbours for a typo to be told."""

_SEPARATORS: Final = re.compile(r"[\W_]+")
_DIGITS: Final = re.compile(r"\d+")


def words(text: str) -> list[str]:
    """The words of a text in their order: `GQA_paged-decode` has the words gqa, paged, decode."""
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text).lower()).split()


def joined(text: str) -> str:
    """The words of a text with one space between them: how names are compared."""
    return " ".join(words(text))


def search_text(texts: Iterable[str | None]) -> str:
    """All words of some texts, each once, in order: what a full-text index is over."""
    return " ".join(sorted({word for text in texts if text for word in words(text)}))


class Vocabulary:
    """The words that there are, to be asked for beginnings and for near words."""

    def __init__(self, known: Iterable[str]) -> None:
        self._words = sorted(set(known))
        self._lengths: dict[int, list[tuple[str, int]]] = {}
        for word in self._words:
            if not word.isdigit() and len(word) >= SHORTEST_TYPO - 1:
                self._lengths.setdefault(len(word), []).append((word, _letters(word)))

    def __len__(self) -> int:
        return len(self._words)

    def begins(self, beginning: str) -> bool:
        """Whether there is a word that begins so."""
        return bool(self.beginning(beginning, 1))

    def beginning(self, beginning: str, limit: int) -> list[str]:
        """The first words, by code point, that begin so."""
        place = bisect_left(self._words, beginning)
        found = self._words[place : place + limit]
        return [word for word in found if word.startswith(beginning)]

    def near(self, word: str, limit: int = 3) -> list[str]:
        """The words a typo away, nearest first: one edit, two from 8 letters on; never in digits."""
        if not SHORTEST_TYPO <= len(word) <= LONGEST_WORD or word.isdigit():
            return []
        allowed = 1 if len(word) < 8 else 2
        letters, digits = _letters(word), _DIGITS.findall(word)
        found = []
        for length in range(len(word) - allowed, len(word) + allowed + 1):
            for candidate, theirs in self._lengths.get(length, ()):
                if (letters ^ theirs).bit_count() > 2 * allowed or _DIGITS.findall(candidate) != digits:
                    continue
                distance = edits(word, candidate, allowed)
                if distance <= allowed:
                    found.append((distance, candidate))
        return [candidate for _, candidate in sorted(found)[:limit]]


def edits(one: str, other: str, limit: int) -> int:
    """How many letters to insert, drop, change or swap with the next; limit + 1 for more than `limit`."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, above, row = row, before, [i]
        for j, theirs in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != theirs))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == theirs:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def _letters(word: str) -> int:
    """A bit for each letter that occurs, so that most pairs of words need not be compared."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) % 64)
    return bits
