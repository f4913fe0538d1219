"""The whole catalog as one row per run with its standing, read once a revision.

Four statements, whatever the number of rows: runs, implementations, operations, environments. Everything
that is counted over the catalog (coverage, exclusions, duplicates, portability) is worked out from it.
Source: docs/domain.md §4, §5, §8.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from catalog.domain import coverage, deployability, duplicates, ranking
from catalog.domain.evidence_rows import UNKNOWN_ARCHITECTURE, EvidenceRow
from catalog.domain.metrics import measurements
from catalog.domain.ranking import RunFacts, Standing
from catalog.read.groups import run_facts
from catalog.read.once import Once
from catalog.read.snapshot import Snapshot
from catalog.read.totals import check_analysed
from graph import reads, reads_coverage


@dataclass(frozen=True, slots=True)
class ListedOperation:
    """An operation as lists are ordered and filtered by it."""

    digest: str
    slug: str
    family: str


@dataclass(frozen=True, slots=True)
class ListedImplementation:
    """What is counted of an implementation; ``verdict``: what speaks against putting it to use."""

    digest: str
    operation: str
    architectures: tuple[str, ...]
    source: str | None
    verdict: tuple[str, ...]


class Ledger:
    """Every run with its standing, and what follows from them."""

    def __init__(
        self,
        rows: list[EvidenceRow],
        implementations: dict[str, ListedImplementation],
        operations: dict[str, ListedOperation],
    ) -> None:
        self.rows = rows
        """Every run that has arrived, by digest."""
        self.implementations = implementations
        self.operations = operations

    @cached_property
    def cells(self) -> list[coverage.Cell]:
        """Coverage, by operation (slug, then digest; unknown ones last) and architecture."""
        return sorted(coverage.cells(self.rows), key=self._cell_place)

    @cached_property
    def gaps(self) -> list[coverage.Gap]:
        """What is left to measure, most wanted first."""
        declared: dict[str, Counter[str]] = defaultdict(Counter)
        for code in self.implementations.values():
            declared[code.operation].update(code.architectures)
        return coverage.gaps(self.cells, declared)

    @cached_property
    def undeployable(self) -> list[coverage.Undeployable]:
        """Operations without a deployable winner, those with most ranked groups first."""
        verdicts = {code.digest: code.verdict for code in self.implementations.values()}
        return coverage.undeployable(self.operations, self.rows, verdicts)

    @cached_property
    def shared_sources(self) -> list[duplicates.SameSource]:
        """Sources that several implementations share, most shared first."""
        return duplicates.same_source({code.digest: code.source for code in self.implementations.values()})

    @cached_property
    def rows_of(self) -> Mapping[str, list[EvidenceRow]]:
        """Implementation -> its runs."""
        found: dict[str, list[EvidenceRow]] = defaultdict(list)
        for row in self.rows:
            found[row.implementation].append(row)
        return found

    def portability(self, implementation: str) -> list[coverage.Port]:
        """How an implementation fares on each architecture."""
        code = self.implementations.get(implementation)
        declared = code.architectures if code is not None else ()
        return coverage.portability(declared, self.rows_of.get(implementation, ()))

    def _cell_place(self, cell: coverage.Cell) -> tuple[Any, ...]:
        known = self.operations.get(cell.operation or "")
        slug = known.slug if known is not None else ""
        return known is None, slug, cell.operation or "", cell.architecture


async def _read(snapshot: Snapshot) -> Ledger:
    await check_analysed(snapshot)
    store = snapshot.store
    architectures = {
        row["digest"]: row["architecture"] or UNKNOWN_ARCHITECTURE
        for row in await store.read(reads.ENVIRONMENT_INDEX)
    }
    operations = {
        row["digest"]: ListedOperation(row["digest"], row["slug"] or "", row["family"])
        for row in await store.read(reads_coverage.OPERATION_ROWS)
    }
    implementations: dict[str, ListedImplementation] = {}
    deployable = set()
    for row in await store.read(reads_coverage.IMPLEMENTATION_ROWS):
        implementations[row["digest"]] = ListedImplementation(
            digest=row["digest"],
            operation=row["operation"],
            architectures=tuple(row["architectures"] or ()),
            source=row["sourceDigest"],
            verdict=deployability.reasons_of(
                bool(row["publicSource"]), bool(row["installable"]), bool(row["licenseKnown"])
            ),
        )
        if row["deployable"]:
            deployable.add(row["digest"])
    runs = await store.read(reads_coverage.EVIDENCE_ROWS)
    runs.sort(key=lambda row: str(row["digest"]))
    standing = _standings(runs)
    rows = [_row(row, standing, architectures, row["implementation"] in deployable) for row in runs]
    return Ledger(rows, implementations, operations)


def _standings(runs: list[dict[str, Any]]) -> dict[str, Standing]:
    groups: dict[str, list[RunFacts]] = defaultdict(list)
    for row in runs:
        if row["comparisonKey"] is not None:
            groups[row["comparisonKey"]].append(run_facts(row))
    return {
        place.run.digest: place for members in groups.values() for place in ranking.standings(members).rows
    }


def _row(
    row: Mapping[str, Any],
    standing: Mapping[str, Standing],
    architectures: Mapping[str, str],
    deployable: bool,
) -> EvidenceRow:
    place, facts = standing.get(row["digest"]), run_facts(row)
    return EvidenceRow(
        digest=row["digest"],
        operation=row["operation"],
        architecture=architectures.get(row["environment"], UNKNOWN_ARCHITECTURE),
        implementation=row["implementation"],
        source=row["source"],
        name=row["submittedSlug"],
        group=row["comparisonKey"],
        reasons=place.reasons if place is not None else ranking.reasons(facts) or ("INCOMPLETE",),
        rank=place.rank if place is not None else None,
        ratio_to_best=place.ratio_to_best if place is not None else None,
        value=facts.value,
        evidence=facts.evidence,
        deployable=deployable,
    )


class HonestyReads:
    """What has been counted over the catalog of one revision."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.ledger: Once[Ledger] = Once(lambda: _read(snapshot))
        """Every run with its standing; four statements."""
        self.same_numbers: Once[list[duplicates.SameNumbers]] = Once(self._read_same_numbers)
        """Runs with the same numbers under several implementations or names; one statement more."""

    async def _read_same_numbers(self) -> list[duplicates.SameNumbers]:
        suspected = duplicates.suspects((await self.ledger()).rows)
        digests = [row.digest for rows in suspected for row in rows]
        runs = await self._snapshot.entities("Run", digests) if digests else []
        numbers = {run.key: tuple(measurements(run.spec)) for run in runs if run is not None}
        return duplicates.same_numbers(suspected, numbers)


def honesty_reads(snapshot: Snapshot) -> HonestyReads:
    """What has been counted over the catalog at this snapshot's revision."""
    return snapshot.part(HonestyReads)
