"""Several runs side by side: aligned fields, the first that forbids a comparison, and a winner.

A winner exists only among runs of one comparison key, and no ratio is ever formed here. Pure functions of
documents and standings. Source: docs/domain.md §9, §4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from catalog.domain.deployability import Verdict
from catalog.domain.key_parts import KeyPart, Side, Spec, aligned, dotted, text_of
from catalog.domain.metrics import Measurement
from catalog.domain.ranking import Profile, RunFacts, Standings

FEWEST: Final = 2
MOST: Final = 8

DOCUMENT_PARTS: Final = (
    KeyPart.OPERATION,
    KeyPart.WORKLOAD,
    KeyPart.PROTOCOL,
    KeyPart.ENVIRONMENT,
    KeyPart.CORRECTNESS,
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison shows of one run beside its side of the key.

    ``implementation``: its spec, None while it is known only by digest. ``license``: the source's.
    """

    digest: str
    side: Side
    operation_slug: str | None = None
    source: str | None = None
    license: str | None = None
    implementation: Spec | None = None
    permissive: bool | None = None
    verdict: Verdict | None = None
    value: int | float | None = None
    measurements: Sequence[Measurement] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Row:
    """One aligned field; ``material``: it is part of the comparison key. One value per run."""

    field: str
    material: bool
    agree: bool
    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``winner`` is a digest: None on a tie, without a common key, or when none of the runs is eligible."""

    comparable: bool
    first_material_mismatch: Row | None
    winner: str | None
    rows: tuple[Row, ...]


def common_key(runs: Sequence[Compared]) -> str | None:
    """The comparison key that all runs share, or None."""
    keys = {run.side.key for run in runs}
    return next(iter(keys)) if len(keys) == 1 else None


def comparison(runs: Sequence[Compared], standings: Standings | None) -> Comparison:
    """The comparison of these runs; ``standings`` are those of the group that all share, if they do."""
    rows = tuple(_rows(runs))
    comparable = common_key(runs) is not None
    return Comparison(
        comparable=comparable,
        first_material_mismatch=next((row for row in rows if row.material and not row.agree), None),
        winner=winner([run.digest for run in runs], standings) if comparable and standings else None,
        rows=rows,
    )


def winner(digests: Sequence[str], standings: Standings) -> str | None:
    """The one run of these that is ranked before all others, unless it ties with one of them."""
    ranked = [row for row in standings.rows if row.rank is not None and row.run.digest in digests]
    if not ranked:
        return None
    first, *others = ranked
    tied = any(o.rank == first.rank or ties(first.run, o.run, standings.profile) for o in others)
    return None if tied else first.run.digest


def ties(one: RunFacts, other: RunFacts, profile: Profile) -> bool:
    """Whether two eligible runs of one group tie (docs/domain.md §4).

    Chains are stricter: of runs that tie pairwise, two may still stand in different chains.
    """
    if one.value == other.value:
        return True
    if profile is Profile.SOURCE_NATIVE or one.interval is None or other.interval is None:
        return False
    return one.interval[0] <= other.interval[1] and other.interval[0] <= one.interval[1]


def _rows(runs: Sequence[Compared]) -> Iterator[Row]:
    for part in DOCUMENT_PARTS:
        yield from _part_rows(part, runs)
    yield _row("source.slug", [run.source for run in runs])
    yield _row("source.benchmark", [_native(run).get("benchmark") for run in runs])
    yield _row("source.license", [run.license for run in runs])
    for name in ("declared", "concluded"):
        licensing = [(run.implementation or {}).get("licensing", {}) for run in runs]
        yield _row(f"licence.{name}", [each.get(name) for each in licensing])
    yield _row("licence.permissive", [text_of(run.permissive) for run in runs])
    yield _row("installation.recipes", [_recipes(run) for run in runs])
    verdicts = [run.verdict for run in runs]
    yield _row("installation.deployable", [text_of(v.eligible) if v else None for v in verdicts])
    yield _row("installation.reasons", [", ".join(v.reasons) or None if v else None for v in verdicts])
    yield from _metric_rows(runs)


def _part_rows(part: KeyPart, runs: Sequence[Compared]) -> Iterator[Row]:
    """The differing field says more than the digest, so the digest closes the part."""
    if part is KeyPart.OPERATION:
        yield _row("operation.slug", [run.operation_slug for run in runs])
    documents = [run.side.fields(part) for run in runs]
    known = [document for document in documents if document is not None]
    if len(known) == len(documents):
        for each in aligned(known):
            yield Row(dotted(part.value, *each.path), True, each.agree, each.values)
    last = "key" if part is KeyPart.CORRECTNESS else "digest"
    yield _row(f"{part.value}.{last}", [run.side.value(part) for run in runs], material=True)


def _metric_rows(runs: Sequence[Compared]) -> Iterator[Row]:
    yield _row("metrics.primary", [run.side.metric for run in runs], material=True)
    yield _row("metrics.value", [text_of(run.value) for run in runs])
    tables = [_measured(run) for run in runs]
    for name in dict.fromkeys(name for table in tables for name in table):
        yield _row(f"metrics.{name}", [table.get(name) for table in tables])


def _measured(run: Compared) -> dict[str, str]:
    """metric.statistic.unit -> the number; several under one name are listed."""
    table: dict[str, list[str]] = {}
    for m in run.measurements:
        table.setdefault(dotted(m.metric, m.statistic, m.unit), []).append(str(text_of(m.value)))
    return {name: ", ".join(values) for name, values in table.items()}


def _native(run: Compared) -> Spec:
    native: Spec = run.side.run_spec.get("sourceNative", {})
    return native


def _recipes(run: Compared) -> str | None:
    variants = (run.implementation or {}).get("buildVariants", ())
    recipes = [variant["install"] for variant in variants]
    shown = (" ".join(filter(None, (each["kind"], each.get("package")))) for each in recipes)
    return "; ".join(shown) or None


def _row(name: str, values: Sequence[str | None], *, material: bool = False) -> Row:
    return Row(name, material, len(set(values)) == 1, tuple(values))
