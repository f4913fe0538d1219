"""Runs side by side, and what separates two comparison keys."""

from __future__ import annotations

from typing import Annotated, Self

import strawberry

from catalog.api.costs import long
from catalog.api.enums import ComparisonKeyPart
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch, fetch_many
from catalog.api.scalars import JSON
from catalog.api.types.group import ComparisonGroup, fetch_group
from catalog.api.types.run import BenchmarkRun
from catalog.domain.compare import Comparison, Row
from catalog.domain.identity import Digest
from catalog.domain.key_diff import PartDifference, key_diff
from catalog.domain.key_parts import KeyPart, Side


@strawberry.type(description="One field of several runs side by side.")
class RunComparisonRow:
    field: str = strawberry.field(description="Its path, such as environment.hardware.formFactor.")
    material: bool = strawberry.field(description="Whether it is part of the comparison key.")
    agree: bool = strawberry.field(description="Whether all runs have the same.")
    values: list[str | None] = strawberry.field(
        description="One value per run, in the order of `runs`; null where a run does not state it. Texts "
        "are as they are, all else is JSON."
    )

    @classmethod
    def of(cls, row: Row) -> Self:
        return cls(field=row.field, material=row.material, agree=row.agree, values=list(row.values))


@strawberry.type(description="Two to eight runs side by side. Values of different keys are never divided.")
class RunComparison:
    comparable: bool = strawberry.field(description="Whether all share one comparison key.")
    first_material_mismatch: RunComparisonRow | None = strawberry.field(
        description="The first row that is part of the comparison key and differs."
    )
    rows: list[RunComparisonRow] = strawberry.field(
        directives=long(30),
        description="All fields: operation, workload, protocol, environment, correctness, source, licence, "
        "installation, metrics.",
    )
    winner_digest: strawberry.Private[str | None]
    digests: strawberry.Private[list[str]]

    @resolved(
        description="The one that is ranked before all others. Null on a tie, without a common key, and when "
        "none of them is ranked."
    )
    def winner(self, info: Info) -> BenchmarkRun | None:
        return fetch(info, BenchmarkRun, self.winner_digest)

    @resolved(description="The runs, in the order in which they were asked for.")
    async def runs(self, info: Info) -> list[BenchmarkRun]:
        return await fetch_many(info, BenchmarkRun, self.digests)


def run_comparison(digests: list[str], found: Comparison) -> RunComparison:
    """A comparison as the schema shows it."""
    first = found.first_material_mismatch
    return RunComparison(
        comparable=found.comparable,
        first_material_mismatch=RunComparisonRow.of(first) if first is not None else None,
        rows=[RunComparisonRow.of(row) for row in found.rows],
        winner_digest=found.winner,
        digests=digests,
    )


@strawberry.input(description="One field changed in a run's documents; nothing is stored.")
class KeyChange:
    field: str = strawberry.field(
        description="Its path: environment.hardware.formFactor, workload.axes.n, correctness.comparator, or "
        "`metric` with a metric key such as latency:median:ns. A list is one field."
    )
    value: JSON | None = strawberry.field(
        default=strawberry.UNSET, description="What it becomes; not given, the field is left out."
    )


@strawberry.type(description="A field of a part that differs.")
class ComparisonKeyField:
    field: str = strawberry.field(description="Its path, such as environment.hardware.formFactor.")
    value: str | None = strawberry.field(description="On the side of `run`; null where it is not stated.")
    other: str | None = strawberry.field(description="On the other side.")


@strawberry.type(description="One part of a comparison key on both sides.")
class ComparisonKeyPartDiff:
    part: ComparisonKeyPart = strawberry.field(description="Which.")
    differs: bool = strawberry.field(description="Whether the sides differ; true while one is not known.")
    value: str | None = strawberry.field(
        description="What goes into the key of `run`: a digest or the metric key; null while it is missing."
    )
    other: str | None = strawberry.field(description="The same of the other side.")
    fields: list[ComparisonKeyField] = strawberry.field(
        directives=long(10),
        description="The fields that differ; empty when the part is the same or a document has not arrived.",
    )
    joins: int = strawberry.field(
        description="How many runs outside the group of `run`, ranked or not, equal its key in all parts but "
        "this one: so many would join if this part were ignored. Operation and correctness hang on the "
        "workload, so nothing differs in them alone."
    )


@strawberry.type(description="What separates two comparison keys. There is no ratio across keys.")
class ComparisonKeyDiff:
    same: bool = strawberry.field(description="Whether both sides have one key.")
    key: Digest | None = strawberry.field(description="The key of `run`; null while a part is missing.")
    other_key: Digest | None = strawberry.field(
        description="The key of the other run, or of `run` with the change."
    )
    differing: list[ComparisonKeyPart] = strawberry.field(description="The parts that differ, in order.")
    parts: list[ComparisonKeyPartDiff] = strawberry.field(
        directives=long(6), description="All six parts, in order."
    )
    run_digest: strawberry.Private[str]
    other_digest: strawberry.Private[str | None]

    @resolved(description="The run that was asked about.")
    def run(self, info: Info) -> BenchmarkRun | None:
        return fetch(info, BenchmarkRun, self.run_digest)

    @resolved(description="The other run; null when a change was asked about.")
    def other(self, info: Info) -> BenchmarkRun | None:
        return fetch(info, BenchmarkRun, self.other_digest)

    @resolved(description="The group that `run` belongs to.")
    def group(self, info: Info) -> ComparisonGroup | None:
        return fetch_group(info, self.key)

    @resolved(description="The group of the other side; null when no run has that key so far.")
    def other_group(self, info: Info) -> ComparisonGroup | None:
        return fetch_group(info, self.other_key)


KeyChangeArgument = Annotated[
    KeyChange | None,
    strawberry.argument(description="Compare with the run itself with one field changed."),
]


def comparison_key_diff(
    side: Side, other: Side, joins: dict[KeyPart, int], digests: tuple[str, str | None]
) -> ComparisonKeyDiff:
    """A key difference as the schema shows it; `digests`: of the run, and of the other run, if any."""
    parts = key_diff(side, other)
    key, other_key = side.key, other.key
    return ComparisonKeyDiff(
        same=key is not None and key == other_key,
        key=Digest(key) if key is not None else None,
        other_key=Digest(other_key) if other_key is not None else None,
        differing=[ComparisonKeyPart(each.part.value) for each in parts if each.differs],
        parts=[_part(each, joins[each.part]) for each in parts],
        run_digest=digests[0],
        other_digest=digests[1],
    )


def _part(found: PartDifference, joins: int) -> ComparisonKeyPartDiff:
    return ComparisonKeyPartDiff(
        part=ComparisonKeyPart(found.part.value),
        differs=found.differs,
        value=found.value,
        other=found.other,
        fields=[ComparisonKeyField(field=f.field, value=f.value, other=f.other) for f in found.fields],
        joins=joins,
    )
