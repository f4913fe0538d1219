"""The results of a search in their order: numbers of objects and scores, of which hits are made page by page.

Order, and `score` with it: how well the words are met, then kind, then evidence; equals by slug and key.
Objects that a digest names stand in front of all others. Source: docs/domain.md §8.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, overload

import numpy as np

from catalog.domain.search_words import joined
from catalog.read.memory_lists import Span
from catalog.read.paging import Position
from catalog.read.search_filter import Conditions
from catalog.read.search_index import KINDS, SearchIndex
from catalog.read.search_rows import NOT_MET, Mask, Node, Numbers
from catalog.read.search_text import EXACT, FACET, HOW, TextMatch

Order = tuple[int, int, str, str]
"""Score in millionths, negated; kind; slug; key."""

ONE: Final = 1_000_000
"""Scores are counted in millionths."""

_KIND: Final = 10_000
_EVIDENCE: Final = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A result: what it is, how well it is meant, and what of the search it meets."""

    node: Node
    score: float
    matched: tuple[str, ...]
    order: Order


class Results(Sequence[Hit]):
    """What a search found. `named` is what its digests name, `rows` are those that meet its conditions."""

    def __init__(
        self, index: SearchIndex, conditions: Conditions, text: TextMatch, named: list[Node], rows: Mask
    ) -> None:
        self._index = index
        self._conditions = conditions
        self._text = text
        self.named = list(dict.fromkeys(named))
        """What digests name, in front of all others."""
        self.named_objects = [index.found[node].number for node in self.named if node in index.found]
        """Numbers of those of them that are found by other means too."""
        self.objects, self._scores = self._ranked(rows)

    def __len__(self) -> int:
        return len(self.named) + len(self.objects)

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> list[Hit]: ...

    def __getitem__(self, place: int | slice) -> Hit | list[Hit]:
        chosen = range(len(self))[place]
        return self._hit(chosen) if isinstance(chosen, int) else [self._hit(each) for each in chosen]

    def span(self, position: Position) -> Span:
        """Where the result stands that a position names; with another score than then, it is elsewhere."""
        _, kind, slug, key = position
        for place, node in enumerate(self.named):
            if (kind, slug, key) == (len(KINDS), *node):
                return place, place + 1
        found = self._index.found.get((KINDS[kind], key)) if 0 <= kind < len(KINDS) else None
        if found is not None and found.slug == slug:
            for place in np.flatnonzero(self.objects == found.number).tolist():
                return len(self.named) + place, len(self.named) + place + 1
        would_be = bisect_right(range(len(self)), tuple(position), key=self._order)
        return would_be, would_be

    def _ranked(self, rows: Mask) -> tuple[Numbers, Numbers]:
        """The objects that the words mean and of which a row meets the conditions, and their scores."""
        evidence = self._index.rows.evidence_of_objects(rows)
        evidence[self.named_objects] = NOT_MET
        if self._text.understood:
            meant = [(found.number, _worth(levels)) for found, levels in self._text.levels.items()]
            objects, worth = np.array(meant, np.int64).reshape(-1, 2).T
            there = evidence[objects] != NOT_MET
            objects, worth = objects[there], worth[there]
        else:
            objects = np.flatnonzero(evidence != NOT_MET)
            worth = self._worth_of_conditions()[objects]
        scores = worth + _KIND * (len(KINDS) - 1 - self._index.kinds[objects]) + _EVIDENCE * evidence[objects]
        order = np.lexsort((objects, -scores))
        return objects[order], scores[order]

    def _worth_of_conditions(self) -> Numbers:
        """How well each object is meant by conditions alone: an operation by its exact name better."""
        base = FACET if self._conditions.all else 0.0
        worth = np.full(len(self._index.objects), base * ONE, np.int64)
        asked = self._conditions.intent.operation
        if asked is not None:
            name = joined(asked)
            begun = self._index.named(name)
            exact = [found.number for found in begun if found.label == "Operation" and name in found.names]
            worth[exact] = EXACT * ONE
        return worth

    def _order(self, place: int) -> Order:
        if place < len(self.named):
            return (-round((EXACT + 1) * ONE), len(KINDS), *self.named[place])
        place -= len(self.named)
        found = self._index.objects[self.objects[place]]
        return (-int(self._scores[place]), *found.order)

    def _hit(self, place: int) -> Hit:
        order = self._order(place)
        if place < len(self.named):
            return Hit(self.named[place], EXACT + 1, ("digest",), order)
        found = self._index.objects[self.objects[place - len(self.named)]]
        words = (f"{HOW[level]}:{raw}" for raw, level in self._text.levels.get(found, {}).items())
        told = (condition.told for condition in self._conditions.all)
        return Hit(found.node, -order[0] / ONE, (*words, *told), order)


def _worth(levels: dict[str, float]) -> int:
    """The worst met word decides, then all of them."""
    worst = min(levels.values())
    mean = sum(levels.values()) / len(levels)
    return round((worst + (mean - worst) / 10) * ONE)
