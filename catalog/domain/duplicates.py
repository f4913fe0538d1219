"""Evidence that is there twice: the same source under several implementations, the same numbers twice.

Nothing is left out because of it: it is shown. Source: docs/domain.md §7, §11.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from catalog.domain.evidence_rows import EvidenceRow
from catalog.domain.metrics import Measurement


@dataclass(frozen=True, slots=True)
class SameSource:
    """Implementations whose source has one content digest, by digest."""

    artifact: str
    implementations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SameNumbers:
    """Runs of one group with the same numbers, of several implementations or names, by digest."""

    group: str
    value: int | float
    runs: tuple[str, ...]
    implementations: tuple[str, ...]
    names: tuple[str, ...]


def same_source(sources: Mapping[str, str | None]) -> list[SameSource]:
    """Shared sources, most shared first; ``sources``: implementation -> content digest of its source."""
    parted: dict[str, list[str]] = defaultdict(list)
    for implementation, artifact in sources.items():
        if artifact is not None:
            parted[artifact].append(implementation)
    found = [SameSource(artifact, tuple(sorted(own))) for artifact, own in parted.items() if len(own) > 1]
    return sorted(found, key=lambda each: (-len(each.implementations), each.artifact))


def suspects(rows: Iterable[EvidenceRow]) -> list[list[EvidenceRow]]:
    """Runs of one group and one value that are not all of one implementation and name."""
    parted: dict[tuple[str, int | float], list[EvidenceRow]] = defaultdict(list)
    for row in rows:
        if row.group is not None and row.value is not None:
            parted[row.group, row.value].append(row)
    return [own for own in parted.values() if _several(own)]


def same_numbers(
    suspected: Iterable[Iterable[EvidenceRow]], numbers: Mapping[str, tuple[Measurement, ...]]
) -> list[SameNumbers]:
    """Of the suspects those with equal measurements, most runs first; ``numbers``: run -> all it states."""
    found = []
    for rows in suspected:
        parted: dict[tuple[Measurement, ...], list[EvidenceRow]] = defaultdict(list)
        for row in rows:
            parted[tuple(sorted(numbers.get(row.digest, ()), key=repr))].append(row)
        found += [_same(own) for stated, own in parted.items() if stated and _several(own)]
    return sorted(found, key=lambda each: (-len(each.runs), each.group, each.runs))


def _several(rows: list[EvidenceRow]) -> bool:
    return len({(row.implementation, row.name) for row in rows}) > 1


def _same(rows: list[EvidenceRow]) -> SameNumbers:
    group, value = rows[0].group, rows[0].value
    assert group is not None, "suspects have one"
    assert value is not None, "suspects have one"
    return SameNumbers(
        group=group,
        value=value,
        runs=tuple(sorted(row.digest for row in rows)),
        implementations=tuple(sorted({row.implementation for row in rows})),
        names=tuple(sorted({row.name for row in rows if row.name is not None})),
    )
