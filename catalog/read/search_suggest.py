"""What a search string that is being typed may become: for its last token, the tokens that begin so.

Behind a key its values are suggested, else keys, families, operations and projects. Each comes with how many
objects it would be about, most first, then by text. Source: docs/domain.md §8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from catalog.domain.search_tables import KEYS
from catalog.domain.search_values import short_product
from catalog.domain.search_words import joined
from catalog.read.search_index import SearchIndex
from catalog.read.search_rows import Rows

KEY_OF_FIELD: Final = {
    "family": "family",
    "model": "model",
    "product": "gpu",
    "architecture": "arch",
    "dtypes": "dtype",
    "language": "language",
    "license": "license",
    "source": "source",
    "minimum_evidence": "evidence",
}
"""Field of the intent -> the key that its suggestions are written with."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A token that can stand in place of the last one; `field` says what it is, `count` how many it means."""

    text: str
    field: str
    count: int


_KEPT: Final[WeakKeyDictionary[SearchIndex, list[Suggestion]]] = WeakKeyDictionary()


def suggest(index: SearchIndex, typed: str, first: int) -> list[Suggestion]:
    """At most `first` tokens that the last word of `typed` may become."""
    everything = _KEPT.get(index)
    if everything is None:
        everything = _KEPT[index] = sorted(_all(index), key=order)
    return fitting(everything, typed, first)


def last_word(typed: str) -> str:
    """The word that is being typed; empty when there is none, or it is too long for any token."""
    last = typed.rsplit(None, 1)[-1] if typed.strip() and not typed[-1:].isspace() else ""
    return last if len(last) <= 100 else ""


def order(suggestion: Suggestion) -> tuple[int, str]:
    """Most first, then by text."""
    return -suggestion.count, suggestion.text


def suggestion(field: str, value: str, count: int) -> Suggestion:
    """The token that asks for a value of a field of the intent."""
    quoted = f'"{value}"' if " " in value else value
    return Suggestion(f"{KEY_OF_FIELD[field]}:{quoted}", field, count)


def fitting(everything: Iterable[Suggestion], typed: str, first: int) -> list[Suggestion]:
    """The first of these that the last word of `typed` may become."""
    last = last_word(typed)
    key, colon, value = last.partition(":")
    field = KEYS.get(key.lower()) if colon else None
    if not last or (colon and field is None):
        return []
    found = []
    for each in everything:
        if field is not None:
            own = each.text.partition(":")[2].strip('"')
            fits = each.field == field and _begins(own, value.strip('"'))
        else:
            fits = _begins(each.text.partition(":")[2] or each.text, last)
        if fits:
            found.append(each)
            if len(found) == first:
                break
    return found


def _begins(text: str, beginning: str) -> bool:
    wanted = joined(beginning)
    return not wanted or joined(text).startswith(wanted)


def _all(index: SearchIndex) -> Iterator[Suggestion]:
    counts: Counter[tuple[str, str]] = Counter()
    for facts in index.operations.values():
        counts["family", facts.family] += 1
        counts.update(("model", tag[6:]) for tag in facts.tags if tag.startswith("model:"))
    for code in index.codes.values():
        counts.update(("license", licence) for licence in code.licences)
        if code.language is not None:
            counts["language", code.language] += 1
    for pair, runs in _of_runs(index.rows):
        if runs:
            counts[pair] += runs
    for (field, value), count in counts.items():
        yield suggestion(field, value, count)
    for found in index.found.values():
        if found.label != "Implementation":
            yield Suggestion(found.slug, "operation" if found.label == "Operation" else "project", 1)


def _of_runs(rows: Rows) -> Iterator[tuple[tuple[str, str], int]]:
    """What runs are counted by, with how many there are of each."""
    for place, runs in rows.place.totals(rows.runs):
        if place is not None and place.product is not None:
            yield ("product", short_product(place.product)), runs
        if place is not None and place.architecture is not None:
            yield ("architecture", place.architecture), runs
    for dtypes, runs in rows.dtypes.totals(rows.runs):
        yield from ((("dtypes", dtype), runs) for dtype in dtypes)
    for source, runs in rows.source.totals(rows.runs):
        if source is not None:
            yield ("source", source), runs
    for level, runs in rows.evidence.totals(rows.runs):
        if level is not None:
            yield ("minimum_evidence", level.value.lower()), runs
