"""What a comparison key is made of, part by part, with the documents behind each part.

A :class:`Side` is one run as its key sees it. The fields of a part are the leaves of its document, by
path: ``environment.hardware.formFactor``. Lists are leaves. Source: docs/domain.md §2, §9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from catalog.domain.identity import NO_METRIC, ComparisonKey, canonical_text, comparison_key

Spec = Mapping[str, Any]


class KeyPart(StrEnum):
    """The parts of a comparison key, in the order in which they are shown."""

    OPERATION = "operation"
    WORKLOAD = "workload"
    PROTOCOL = "protocol"
    ENVIRONMENT = "environment"
    CORRECTNESS = "correctness"
    METRIC = "metric"


SHOWN_ELSEWHERE: Final[Mapping[KeyPart, frozenset[str]]] = {
    KeyPart.WORKLOAD: frozenset({"operationSpecDigest", "correctness"}),
}
"""Members of a part's document that are parts of their own."""

READING_ORDER: Final = (
    *("family", "axes", "tensors", "scalars", "cases", "aggregation", "inputs", "outputs", "semantics"),
    *("harness", "measurement", "timer", "primaryStatistic"),
    *("hardware", "vendor", "product", "architecture", "formFactor", "memoryBytes", "software"),
    *("comparator", "name", "version"),
)
"""Members that go before the others, which follow by name: what tells most is read first."""

_PLACES: Final = {name: place for place, name in enumerate(READING_ORDER)}


@dataclass(frozen=True, slots=True)
class Side:
    """One run as its comparison key sees it.

    ``digests``: those of operation, workload, protocol and environment, and the correctness key; None where
    a part has not arrived. ``metric``: its metric key, None while that is unknown. ``specs``: the documents
    behind the digests; one that has not arrived is left out. ``workload_kind``: the manifest kind.
    ``complete``: all parts of the run have arrived, its implementation too.
    """

    digests: Mapping[KeyPart, str | None]
    metric: str | None
    specs: Mapping[KeyPart, Spec]
    run_spec: Spec
    workload_kind: str | None = None
    complete: bool = True

    def value(self, part: KeyPart) -> str | None:
        """What of this part goes into the key: a digest or the metric key; None while it is unknown."""
        return self.metric if part is KeyPart.METRIC else self.digests.get(part)

    @property
    def key(self) -> ComparisonKey | None:
        """The comparison key; None while a part has not arrived."""
        values = {part: self.value(part) for part in KeyPart}
        if not self.complete or None in values.values():
            return None
        return comparison_key(**{part.value: str(value) for part, value in values.items()})

    def fields(self, part: KeyPart) -> dict[tuple[str, ...], Any] | None:
        """Path below the part -> value of every leaf; None while the document is not known."""
        if part is KeyPart.METRIC:
            return None if self.metric is None else {(n,): v for n, v in metric_members(self.metric).items()}
        if part is KeyPart.CORRECTNESS:
            workload = self.specs.get(KeyPart.WORKLOAD)
            return None if workload is None else leaves(workload["correctness"])
        spec = self.specs.get(part)
        if spec is None:
            return None
        hidden = SHOWN_ELSEWHERE.get(part, frozenset())
        return leaves({name: value for name, value in spec.items() if name not in hidden})


def metric_members(key: str) -> dict[str, str]:
    """metric, statistic and unit of a metric key; of the key of runs without one only ``metric``."""
    if key == NO_METRIC:
        return {"metric": key}
    metric, statistic, unit = key.split(":", 2)
    return {"metric": metric, "statistic": statistic, "unit": unit}


def leaves(document: Spec) -> dict[tuple[str, ...], Any]:
    """Path -> value of everything in a document that is no mapping, and of its empty mappings."""
    return dict(_leaves(document, ()))


def _leaves(document: Spec, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in document.items():
        below = (*path, name)
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, below)
        else:
            yield below, value


@dataclass(frozen=True, slots=True)
class Aligned:
    """One field of several documents: its path, whether all agree, and each one's value as text."""

    path: tuple[str, ...]
    agree: bool
    values: tuple[str | None, ...]


def aligned(documents: Sequence[Mapping[tuple[str, ...], Any]]) -> list[Aligned]:
    """The fields of several documents side by side, in reading order.

    A field that one document lacks is None there. An empty mapping is no field where another document
    has something in it.
    """
    paths = {path for document in documents for path in document}
    inner = {path[:length] for path in paths for length in range(1, len(path))}
    return [_aligned(path, documents) for path in sorted(paths - inner, key=_place)]


def _aligned(path: tuple[str, ...], documents: Sequence[Mapping[tuple[str, ...], Any]]) -> Aligned:
    found = [document.get(path) for document in documents]
    canonical = {None if value is None else canonical_text([value]) for value in found}
    return Aligned(path, len(canonical) == 1, tuple(map(text_of, found)))


def text_of(value: Any) -> str | None:
    """A value as rows show it: a text as it is, all else as canonical JSON, what is missing as None."""
    if value is None or isinstance(value, str):
        return value
    return canonical_text([value])[1:-1]


def dotted(*path: str) -> str:
    """A path as it is shown."""
    return ".".join(path)


def _place(path: Iterable[str]) -> list[tuple[int, str]]:
    return [(_PLACES.get(name, len(_PLACES)), name) for name in path]
