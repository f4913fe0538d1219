"""What was measured where: operations by architecture, gaps, winners that can be put to use, portability.

A winner is a run of rank 1 of its comparison group; a tie has several. An architecture that was not recorded
is kept apart under ``unknown`` and fills no gap. Source: docs/domain.md §4, §5, §7, §8.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.evidence_rows import UNKNOWN_ARCHITECTURE, EvidenceRow


@dataclass(frozen=True, slots=True)
class Cell:
    """The runs of one operation on one architecture. ``best_evidence`` is that of the ranked runs.

    ``deployable``: how many ranked runs are of implementations that can be put to use;
    ``deployable_winner``: whether one of those leads a group.
    """

    operation: str | None
    architecture: str
    groups: int
    runs: int
    eligible: int
    best_evidence: EvidenceLevel | None
    deployable: int
    deployable_winner: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """An architecture on which an operation was not measured, though it was elsewhere.

    ``declared_by``: how many implementations of the operation say that they support the architecture;
    ``unknown_runs``: runs of the operation without a recorded architecture, which may be of this one.
    """

    operation: str
    architecture: str
    measured_on: tuple[str, ...]
    runs: int
    unknown_runs: int
    declared_by: int


@dataclass(frozen=True, slots=True)
class Undeployable:
    """An operation none of whose groups is led by an implementation that can be put to use.

    ``reasons``: (code, how many of the leading implementations it speaks against), commonest first.
    """

    operation: str
    groups: int
    ranked_groups: int
    deployable: int
    winners: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Port:
    """How an implementation fares on one architecture. ``best``: the run that stands best in its own group.

    That is the lowest rank, then the ratio to the group's best, then evidence: values of different groups
    are never held against each other. ``leads``: in how many groups it has rank 1.
    """

    architecture: str
    declared: bool
    runs: int
    eligible: int
    leads: int
    best: str | None


def cells(rows: Iterable[EvidenceRow]) -> list[Cell]:
    """One cell for each operation and architecture that has a run."""
    parted: dict[tuple[str | None, str], list[EvidenceRow]] = defaultdict(list)
    for row in rows:
        parted[row.operation, row.architecture].append(row)
    return [_cell(operation, architecture, own) for (operation, architecture), own in parted.items()]


def _cell(operation: str | None, architecture: str, rows: Sequence[EvidenceRow]) -> Cell:
    ranked = [row for row in rows if row.rank is not None]
    return Cell(
        operation=operation,
        architecture=architecture,
        groups=len({row.group for row in rows if row.group is not None}),
        runs=len(rows),
        eligible=len(ranked),
        best_evidence=max((row.evidence for row in ranked), key=lambda level: level.order, default=None),
        deployable=sum(row.deployable for row in ranked),
        deployable_winner=any(row.deployable and row.rank == 1 for row in ranked),
    )


def gaps(found: Iterable[Cell], declared: Mapping[str, Mapping[str, int]]) -> list[Gap]:
    """What is left to measure: declared support first, then operations with most runs elsewhere.

    The architectures are those that anything was measured on; an operation all of whose runs lack one has no
    gap, as nobody knows where it was measured. ``declared``: operation -> architecture ->
    how many implementations say that they support it.
    """
    runs: dict[str, dict[str, int]] = defaultdict(dict)
    for cell in found:
        if cell.operation is not None:
            runs[cell.operation][cell.architecture] = cell.runs
    architectures = {each for own in runs.values() for each in own} - {UNKNOWN_ARCHITECTURE}
    missing = [
        Gap(
            operation=operation,
            architecture=architecture,
            measured_on=tuple(sorted(own.keys() - {UNKNOWN_ARCHITECTURE})),
            runs=sum(own.values()),
            unknown_runs=own.get(UNKNOWN_ARCHITECTURE, 0),
            declared_by=declared.get(operation, {}).get(architecture, 0),
        )
        for operation, own in runs.items()
        if own.keys() - {UNKNOWN_ARCHITECTURE}
        for architecture in architectures - own.keys()
    ]
    return sorted(missing, key=lambda gap: (-gap.declared_by, -gap.runs, gap.operation, gap.architecture))


def undeployable(
    operations: Iterable[str], rows: Iterable[EvidenceRow], verdicts: Mapping[str, Sequence[str]]
) -> list[Undeployable]:
    """The operations without a deployable winner, those with most ranked groups first.

    ``verdicts``: implementation -> what speaks against putting it to use.
    """
    parted: dict[str, list[EvidenceRow]] = {operation: [] for operation in operations}
    for row in rows:
        if row.operation in parted:
            parted[row.operation].append(row)
    found = []
    for operation, own in parted.items():
        winners = {row.implementation for row in own if row.rank == 1}
        if any(row.deployable for row in own if row.rank == 1):
            continue
        against = Counter(reason for winner in winners for reason in verdicts.get(winner, ()))
        found.append(
            Undeployable(
                operation=operation,
                groups=len({row.group for row in own if row.group is not None}),
                ranked_groups=len({row.group for row in own if row.rank is not None}),
                deployable=sum(row.deployable for row in own if row.rank is not None),
                winners=len(winners),
                reasons=tuple(sorted(against.items(), key=lambda item: (-item[1], item[0]))),
            )
        )
    return sorted(found, key=lambda each: (-each.ranked_groups, -each.groups, each.operation))


def portability(declared: Iterable[str], rows: Iterable[EvidenceRow]) -> list[Port]:
    """How one implementation fares on each architecture that it was run on or says it supports, by name.

    ``rows`` are its runs; what has no recorded architecture comes last.
    """
    parted: dict[str, list[EvidenceRow]] = {architecture: [] for architecture in declared}
    supported = frozenset(parted)
    for row in rows:
        parted.setdefault(row.architecture, []).append(row)
    return [
        _port(architecture, architecture in supported, parted[architecture])
        for architecture in sorted(parted, key=lambda each: (each == UNKNOWN_ARCHITECTURE, each))
    ]


def _port(architecture: str, declared: bool, rows: Sequence[EvidenceRow]) -> Port:
    ranked = [row for row in rows if row.rank is not None]
    best = min(ranked, key=_standing, default=None)
    return Port(
        architecture=architecture,
        declared=declared,
        runs=len(rows),
        eligible=len(ranked),
        leads=len({row.group for row in ranked if row.rank == 1}),
        best=None if best is None else best.digest,
    )


def _standing(row: EvidenceRow) -> tuple[int, float, int, str]:
    ratio = float("inf") if row.ratio_to_best is None else row.ratio_to_best
    return row.rank or 0, ratio, -row.evidence.order, row.digest
