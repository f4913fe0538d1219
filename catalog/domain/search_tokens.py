"""Cuts a search string into tokens: quoted strings, bracket groups, `key:value`, words; in linear time.

Every character that is not white space belongs to exactly one token. Source: docs/domain.md §8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SPACE: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r'[^\s"\[]+')
_REST: Final = re.compile(r"\S+")
_PAIR: Final = re.compile(r"([^:=<>]+)(:|<=|>=|=|<|>)(.*)", re.DOTALL)
_CLOSING: Final = {'"': '"', "[": "]"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token as written (`raw`), and what it is made of.

    `key` and `sign` (`:` `=` `<` `<=` `>` `>=`) are None for a bare token. `value` has no quotes or brackets;
    `group` says which it had: `"`, `[` or none. `start` is where it begins.
    """

    raw: str
    start: int
    key: str | None
    sign: str | None
    value: str
    group: str = ""


def tokens(text: str) -> Iterator[Token]:
    """The tokens in their order."""
    last = {opening: text.rfind(closing) for opening, closing in _CLOSING.items()}
    place = _skip(text, 0)
    while place < len(text):
        token = _token(text, place, last)
        yield token
        place = _skip(text, place + len(token.raw))


def _token(text: str, start: int, last: dict[str, int]) -> Token:
    if (end := _group(text, start, last)) is not None:
        return Token(text[start:end], start, None, None, text[start + 1 : end - 1], text[start])
    match = _WORD.match(text, start)
    end = match.end() if match else start
    if match and text[end - 1] in ":=<>" and (closed := _group(text, end, last)) is not None:
        pair = _PAIR.fullmatch(match[0])
        if pair is not None and not pair[3]:
            return Token(text[start:closed], start, pair[1], pair[2], text[end + 1 : closed - 1], text[end])
    rest = _REST.match(text, start)
    raw = rest[0] if rest else text[start:]
    pair = _PAIR.fullmatch(raw)
    return Token(raw, start, pair[1], pair[2], pair[3]) if pair else Token(raw, start, None, None, raw)


def _group(text: str, start: int, last: dict[str, int]) -> int | None:
    """Where the group ends that begins at `start`; None when none begins, or it is not closed."""
    if start >= len(text) or text[start] not in _CLOSING or start >= last[text[start]]:
        return None
    return text.index(_CLOSING[text[start]], start + 1) + 1


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place
