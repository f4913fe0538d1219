"""Which objects the words of a search mean, and how well. Source: docs/domain.md §8.

An exact name goes before an exact facet, that before the beginning of a name, that before a word of the text,
that before a typo. A search with several words means the objects that have all of them; if there are none,
those that have most, and an issue says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from catalog.domain.search_intent import Issue, Term
from catalog.read.search_index import Found, SearchIndex
from graph import fulltext
from graph.store import Reader

EXACT: Final = 5.0
FACET: Final = 4.0
PREFIX: Final = 3.0
TEXT: Final = 2.0
BEGINNING: Final = 1.5
TYPO: Final = 1.0

HOW: Final[Mapping[float, str]] = {
    EXACT: "name",
    FACET: "facet",
    PREFIX: "prefix",
    TEXT: "text",
    BEGINNING: "text",
    TYPO: "typo",
}
"""How well an object is meant -> what clients are told."""


@dataclass(slots=True)
class TextMatch:
    """What the words mean: per object how well each term is met, `term -> level`; and issues."""

    levels: dict[Found, dict[str, float]] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    understood: bool = False
    """Whether any term means anything."""


async def match_text(
    store: Reader, index: SearchIndex, terms: Iterable[Term], excused: Iterable[str] = ()
) -> TextMatch:
    """What the terms mean; at most one statement. Terms in `excused` may mean nothing without an issue."""
    terms, excused = tuple(terms), set(excused)
    match = TextMatch()
    near = {
        word: index.vocabulary.near(word)
        for term in terms
        for word in term.words
        if not index.vocabulary.begins(word)
    }
    asked = {word for term in terms for word in term.words if word not in near}
    await _ask(store, index, asked | {word for words in near.values() for word in words})
    met: list[dict[Found, float]] = []
    used: list[Term] = []
    for term in terms:
        levels = _term(index, term, near)
        _say(term, near, levels, match, term.raw in excused)
        if levels:
            met.append(levels)
            used.append(term)
    if not used:
        return match
    match.understood = True
    whole = " ".join(word for term in used for word in term.words)
    _combine(match, used, met)
    for found in index.named(whole) & match.levels.keys():
        by_term = match.levels[found]
        if len(by_term) == len(used):
            level = EXACT if whole in found.names else PREFIX
            match.levels[found] = {raw: max(level, each) for raw, each in by_term.items()}
    return match


async def _ask(store: Reader, index: SearchIndex, words: Iterable[str]) -> None:
    """Make sure that the engine's answers for these words are in memory."""
    missing = [word for word in words if word not in index.beginning]
    if not missing:
        return
    answers: dict[str, list[Found]] = {word: [] for word in missing}
    for row in await fulltext.beginning(store, missing):
        found = index.found.get((row["label"], row["key"]))
        if found is not None:
            answers[row["word"]].append(found)
    index.beginning.update(answers)


def _term(index: SearchIndex, term: Term, near: Mapping[str, list[str]]) -> dict[Found, float]:
    """The objects that a term means, each with how well."""
    whole = " ".join(term.words)
    levels = dict.fromkeys(index.by_facet.get(whole, ()), FACET)
    per_word = [_word(index, word, near) for word in term.words]
    for found in min(per_word, key=len):
        if all(found in each for each in per_word):
            if term.phrase and not _side_by_side(found, whole):
                continue
            level = min(each[found] for each in per_word)
            levels[found] = max(level, levels.get(found, 0.0))
    for found in index.named(whole) & levels.keys():
        if whole in found.names:
            levels[found] = EXACT
        elif levels[found] < PREFIX and levels[found] != TYPO:
            levels[found] = PREFIX
    return levels


def _word(index: SearchIndex, word: str, near: Mapping[str, list[str]]) -> dict[Found, float]:
    if word not in near:
        hits = index.beginning.get(word, [])
        return {found: TEXT if word in found.words else BEGINNING for found in hits}
    levels: dict[Found, float] = {}
    for other in near[word]:
        levels |= {found: TYPO for found in index.beginning.get(other, []) if other in found.words}
        levels |= dict.fromkeys(index.by_facet.get(other, ()), TYPO)
    return levels


def _side_by_side(found: Found, phrase: str) -> bool:
    return any(f" {phrase} " in f" {name} " for name in found.names)


def _say(
    term: Term, near: Mapping[str, list[str]], levels: Mapping[Found, float], match: TextMatch, excused: bool
) -> None:
    """Issues of one term: taken for another word, or without any meaning here."""
    unknown = [word for word in term.words if word in near]
    if not levels and not excused:
        lacking = next((word for word in unknown if not near[word]), None)
        what = f"nothing here has a word that begins with `{lacking}`" if lacking else "nothing here has this"
        match.issues.append(Issue(term.raw, f"{what}; it is left out"))
    elif unknown and levels and max(levels.values()) == TYPO:
        corrected = " ".join(near[word][0] if word in near else word for word in term.words)
        others = sorted({other for word in unknown for other in near[word]})
        listed = ", ".join(f"`{other}`" for other in others)
        match.issues.append(Issue(term.raw, f"no such word here; taken for {listed}", corrected))


def _combine(match: TextMatch, used: list[Term], met: list[dict[Found, float]]) -> None:
    """Keep the objects that all terms mean; if there are none, those that most do."""
    counts: dict[Found, int] = {}
    for levels in met:
        for found in levels:
            counts[found] = counts.get(found, 0) + 1
    most = max(counts.values(), default=0)
    for found, count in counts.items():
        if count == most:
            by_term = zip(used, met, strict=True)
            match.levels[found] = {term.raw: each[found] for term, each in by_term if found in each}
    if most < len(used):
        text = " ".join(term.raw for term in used)
        message = f"nothing has all of these {len(used)} words; what has {most} of them is shown"
        match.issues.append(Issue(text, message))
