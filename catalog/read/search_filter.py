"""Which rows meet a search's conditions. Every condition is told on the parts of one row; a row that lacks
the part does not meet it. Source: docs/domain.md §8, docs/search.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from catalog.domain.search_intent import Intent
from catalog.domain.search_tables import dtypes_meant, framework_of
from catalog.domain.search_values import same_product
from catalog.domain.search_words import joined, words
from catalog.read.axes import AxisCondition
from catalog.read.search_index import Node, Place, Row, SearchIndex

Test = Callable[[Row], bool]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: the field of the intent it comes from, how clients are told of it, the test of a row."""

    field: str
    told: str
    holds: Test


class Conditions:
    """The conditions of an intent on one index. `operations` are the digests that `op:` means, if set."""

    def __init__(self, index: SearchIndex, intent: Intent, operations: frozenset[str] | None) -> None:
        self._index = index
        self.intent = intent
        self.operations = operations
        self.all = tuple(self._build())

    def rows(self, among: Iterable[Node] | None = None, *, without: str | None = None) -> Iterator[Row]:
        """The rows that meet every condition, those on the field `without` left aside; at least all of those
        that speak for the objects `among`, if they are given."""
        tests = [condition.holds for condition in self.all if condition.field != without]
        candidates: Iterable[Row] = self._index.rows
        if among is not None:
            candidates = self._index.rows_of(among)
        elif self.operations is not None and without != "operation":
            candidates = self._index.rows_of(("Operation", digest) for digest in sorted(self.operations))
        for row in candidates:
            if all(test(row) for test in tests):
                yield row

    def _build(self) -> Iterator[Condition]:
        intent = self.intent
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
                lambda row: row.evidence is not None and row.evidence.order >= order,
            )
        if (source := intent.source) is not None:
            yield Condition("source", f"source:{source}", lambda row: row.source == source)
        for dtype in intent.dtypes:
            meant = dtypes_meant(dtype)
            yield Condition("dtypes", f"dtype:{dtype}", _has_dtype(meant))

    def _operation(self, _: str) -> Test:
        return _part("operation", self.operations or frozenset())

    def _family(self, value: str) -> Test:
        return self._of_operations(family_members(self._index, value))

    def _model(self, value: str) -> Test:
        """The model of this name, else those whose names begin so."""
        wanted = joined(value)
        having: dict[str, set[str]] = {}
        for digest, facts in self._index.operations.items():
            for tag in facts.tags:
                if tag.startswith("model:"):
                    having.setdefault(joined(tag[6:]), set()).add(digest)
        begun = (digests for model, digests in having.items() if f"{model} ".startswith(f"{wanted} "))
        return self._of_operations(having.get(wanted) or set().union(*begun))

    def _layout(self, value: str) -> Test:
        wanted = joined(value)
        tagged = frozenset(
            digest
            for digest, facts in self._index.operations.items()
            if any(tag.startswith("layout-") and joined(tag[7:]) == wanted for tag in facts.tags)
        )
        codes = frozenset(d for d, code in self._index.codes.items() if wanted in code.layouts)
        return lambda row: row.operation in tagged or row.implementation in codes

    def _of_operations(self, digests: Iterable[str]) -> Test:
        return _part("operation", frozenset(digests))

    def _on_workloads(self) -> Iterator[Condition]:
        intent, axes = self.intent, self._index.axes
        if intent.axes:
            asked = [AxisCondition(b.name, b.operator, b.value) for b in intent.axes]
            cases = frozenset(axes.matching(asked, self.operations))
            fixed = frozenset(
                digest
                for digest in self._index.operations
                if all(condition.holds({}, axes.constants(digest)) for condition in asked)
            )
            told = " ".join(binding.token for binding in intent.axes)
            yield Condition(
                "axes",
                told,
                lambda row: row.workload in cases if row.workload is not None else row.operation in fixed,
            )
        if (shape := intent.shape) is not None:
            having = frozenset(digest for digest in axes.operations if shape in axes.tensors(digest).shapes)
            told = "x".join(map(str, shape))
            yield Condition("shape", f"shape:{told}", _part("workload", having))

    def _on_environments(self) -> Iterator[Condition]:
        for name, make in PLACE_TESTS.items():
            if (value := getattr(self.intent, name)) is not None:
                test = make(value)
                places = frozenset(key for key, place in self._index.places.items() if test(place))
                yield Condition(name, f"{name}:{value}", _part("environment", places))

    def _on_codes(self) -> Iterator[Condition]:
        intent = self.intent
        tests: list[tuple[str, str, Callable[..., bool]]] = []
        if intent.language is not None:
            tests.append(
                ("language", f"language:{intent.language}", lambda code: code.language == intent.language)
            )
        if intent.license == "permissive":
            tests.append(("license", "license:permissive", lambda code: code.permissive))
        elif intent.license is not None:
            tests.append(
                ("license", f"license:{intent.license}", lambda code: intent.license in code.licences)
            )
        if intent.require_source:
            tests.append(("require_source", "source:true", lambda code: code.public_source))
        if intent.require_installable:
            tests.append(("require_installable", "installable:true", lambda code: code.installable))
        for name, told, test in tests:
            codes = frozenset(digest for digest, code in self._index.codes.items() if test(code))
            yield Condition(name, told, _part("implementation", codes))


def _part(name: str, keys: frozenset[str]) -> Test:
    """A row's part is one of these."""
    part = attrgetter(name)
    return lambda row: part(row) in keys


def _has_dtype(meant: frozenset[str]) -> Test:
    return lambda row: not meant.isdisjoint(row.dtypes)


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
    return [
        digest
        for digest, facts in index.operations.items()
        if (joined(facts.family).startswith(wanted) if beginning else joined(facts.family) == wanted)
    ]
