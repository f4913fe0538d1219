"""Which rows meet a search's conditions. Every condition is told on the parts of one row; a row that lacks
the part does not meet it. Source: docs/domain.md §8, docs/search.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from catalog.domain.search_intent import Intent
from catalog.domain.search_tables import dtypes_meant, framework_of
from catalog.domain.search_values import same_product
from catalog.domain.search_words import joined, words
from catalog.read.axes import AxisCondition
from catalog.read.search_index import SearchIndex
from catalog.read.search_rows import Code, Mask, Place


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: the field of the intent it comes from, how clients are told of it, who meets it."""

    field: str
    told: str
    rows: Mask


class Conditions:
    """The conditions of an intent on one index. `operations` are the digests that `op:` means, if set."""

    def __init__(self, index: SearchIndex, intent: Intent, operations: frozenset[str] | None) -> None:
        self._index = index
        self.intent = intent
        self.operations = operations
        self.all = tuple(self._build())

    def rows(self, *, without: str | None = None) -> Mask:
        """The rows that meet every condition, those on the field `without` left aside."""
        met = self._index.rows.all()
        for condition in self.all:
            if condition.field != without:
                met &= condition.rows
        return met

    def _build(self) -> Iterator[Condition]:
        intent, rows = self.intent, self._index.rows
        for name in ("operation", "family", "model", "layout"):
            if (value := getattr(intent, name)) is not None:
                yield Condition(name, f"{name}:{value}", getattr(self, f"_{name}")(value))
        yield from self._on_workloads()
        yield from self._on_environments()
        yield from self._on_codes()
        if intent.minimum_evidence is not None:
            order = intent.minimum_evidence.order
            yield Condition(
                "minimum_evidence",
                f"evidence:{intent.minimum_evidence.value.lower()}",
                rows.evidence.where(lambda level: level is not None and level.order >= order),
            )
        if (source := intent.source) is not None:
            yield Condition("source", f"source:{source}", rows.source.among({source}))
        for dtype in intent.dtypes:
            meant = dtypes_meant(dtype)
            yield Condition("dtypes", f"dtype:{dtype}", ~rows.dtypes.where(meant.isdisjoint))

    def _operation(self, _: str) -> Mask:
        return self._of_operations(self.operations or ())

    def _family(self, value: str) -> Mask:
        return self._of_operations(family_members(self._index, value))

    def _model(self, value: str) -> Mask:
        """The model of this name, else those whose names begin so."""
        wanted = joined(value)
        having: dict[str, set[str]] = {}
        for digest, facts in self._index.operations.items():
            for tag in facts.tags:
                if tag.startswith("model:"):
                    having.setdefault(joined(tag[6:]), set()).add(digest)
        begun = (digests for model, digests in having.items() if f"{model} ".startswith(f"{wanted} "))
        return self._of_operations(having.get(wanted) or set().union(*begun))

    def _layout(self, value: str) -> Mask:
        wanted = joined(value)
        tagged = (
            digest
            for digest, facts in self._index.operations.items()
            if any(tag.startswith("layout-") and joined(tag[7:]) == wanted for tag in facts.tags)
        )
        return self._of_operations(tagged) | self._of_codes(lambda code: wanted in code.layouts)

    def _of_operations(self, digests: Iterable[str]) -> Mask:
        return self._index.rows.operation.among(frozenset(digests))

    def _of_codes(self, test: Callable[[Code], bool]) -> Mask:
        return self._index.rows.code.where(lambda code: code is not None and test(code))

    def _of_places(self, test: Callable[[Place], bool]) -> Mask:
        return self._index.rows.place.where(lambda place: place is not None and test(place))

    def _on_workloads(self) -> Iterator[Condition]:
        intent, axes, rows = self.intent, self._index.axes, self._index.rows
        if intent.axes:
            asked = [AxisCondition(b.name, b.operator, b.value) for b in intent.axes]
            cases = frozenset(axes.matching(asked, self.operations))
            fixed = (
                digest
                for digest in self._index.operations
                if all(condition.holds({}, axes.constants(digest)) for condition in asked)
            )
            told = " ".join(binding.token for binding in intent.axes)
            none = rows.workload.among({None})
            met = rows.workload.among(cases) | none & self._of_operations(fixed)
            yield Condition("axes", told, met)
        if (shape := intent.shape) is not None:
            having = frozenset(digest for digest in axes.operations if shape in axes.tensors(digest).shapes)
            told = "x".join(map(str, shape))
            yield Condition("shape", f"shape:{told}", rows.workload.among(having))

    def _on_environments(self) -> Iterator[Condition]:
        for name, make in PLACE_TESTS.items():
            if (value := getattr(self.intent, name)) is not None:
                yield Condition(name, f"{name}:{value}", self._of_places(make(value)))

    def _on_codes(self) -> Iterator[Condition]:
        intent = self.intent
        if intent.language is not None:
            met = self._of_codes(lambda code: code.language == intent.language)
            yield Condition("language", f"language:{intent.language}", met)
        if intent.license == "permissive":
            yield Condition("license", "license:permissive", self._of_codes(lambda code: code.permissive))
        elif intent.license is not None:
            met = self._of_codes(lambda code: intent.license in code.licences)
            yield Condition("license", f"license:{intent.license}", met)
        if intent.require_source:
            yield Condition("require_source", "source:true", self._of_codes(lambda code: code.public_source))
        if intent.require_installable:
            met = self._of_codes(lambda code: code.installable)
            yield Condition("require_installable", "installable:true", met)


def _product(value: str) -> Callable[[Place], bool]:
    asked = words(value)
    return lambda place: place.product is not None and same_product(asked, place.product, place.form_factor)


def _framework(value: str) -> Callable[[Place], bool]:
    wanted = framework_of(value)
    return lambda place: f"{place.framework} ".startswith(f"{wanted} ")


def _cuda(value: str) -> Callable[[Place], bool]:
    return lambda place: f"{place.cuda}.".startswith(f"{value}.")


PLACE_TESTS: Final[dict[str, Callable[[str], Callable[[Place], bool]]]] = {
    "product": _product,
    "architecture": lambda value: lambda place: place.architecture == value,
    "framework": _framework,
    "cuda": _cuda,
}
"""Field of the intent -> the test of an environment; versions match as far as they are given."""


def family_members(index: SearchIndex, family: str, *, beginning: bool = False) -> list[str]:
    """The operations of a family, or of the families that begin so; whatever case and separators."""
    wanted = joined(family)
    if not beginning:
        return index.by_family.get(wanted, [])
    begun = (members for name, members in index.by_family.items() if name.startswith(wanted))
    return [digest for members in begun for digest in members]
