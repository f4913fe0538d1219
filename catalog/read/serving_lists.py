"""Lists of serving cohorts and runs, and what selects them. Source: docs/domain.md §10."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalog.domain.errors import CatalogError
from catalog.domain.identity import parse_digest
from catalog.read.filters import Filter, full_digest
from catalog.read.serving import IndexedCohort, Question, accelerator_matches, serving_reads
from catalog.read.snapshot import Snapshot
from catalog.read.totals import Conditions


@dataclass(frozen=True, slots=True)
class CohortFilter(Filter):
    """Every field that is given must hold. Model and workload: a slug, name or digest."""

    model: str | None = None
    workload: str | None = None
    accelerator_model: str | None = None
    maximum_accelerators: int | None = None
    quality_policy: str | None = None
    source: str | None = None
    metric: str | None = None


@dataclass(frozen=True, slots=True)
class ServingRunFilter(Filter):
    """Every field that is given must hold. Model and workload: a slug, name or digest."""

    model: str | None = None
    workload: str | None = None
    configuration: str | None = None
    cohort: str | None = None
    status: tuple[str, ...] | None = None
    source: str | None = None


async def meant(snapshot: Snapshot, **names: str | None) -> dict[str, list[str]]:
    """Kind -> the digests that its name stands for, where one is given; maybe none.

    One statement, none for names that were asked for lately.
    """
    found: dict[str, list[str]] = {}
    keys: dict[str, str] = {}
    for kind, name in names.items():
        if name is None:
            continue
        try:
            found[kind] = [parse_digest(name)]
        except (CatalogError, ValueError):
            keys[kind] = f"{kind}:{name}"
    if keys:
        digests = await serving_reads(snapshot).named(list(keys.values()))
        found |= {kind: digests[key] for kind, key in keys.items()}
    return found


async def select_cohorts(snapshot: Snapshot, f: CohortFilter) -> list[IndexedCohort]:
    """The cohorts that pass the filter, largest first, then by key; two statements."""
    cohorts = await serving_reads(snapshot).index()
    tests: list[Callable[[IndexedCohort], bool]] = []
    if (most := f.maximum_accelerators) is not None:
        tests.append(lambda cohort: cohort.accelerators <= most)
    if (wanted := f.accelerator_model) is not None:
        there = {cohort.accelerator for cohort in cohorts}
        accelerators = {model for model in there if accelerator_matches(wanted, model)}
        tests.append(lambda cohort: cohort.accelerator in accelerators)
    if (policy := f.quality_policy) is not None:
        tests.append(lambda cohort: cohort.quality_policy == policy)
    if (source := f.source) is not None:
        tests.append(lambda cohort: source in cohort.sources)
    if (metric := f.metric) is not None:
        tests.append(lambda cohort: metric in cohort.metrics)
    named = await meant(snapshot, ModelRevision=f.model, ServingWorkload=f.workload)
    models, workloads = named.get("ModelRevision"), named.get("ServingWorkload")
    if models is not None:
        tests.append(lambda cohort: cohort.model in models)
    if workloads is not None:
        tests.append(lambda cohort: cohort.workload in workloads)
    return [cohort for cohort in cohorts if all(test(cohort) for test in tests)]


async def order_cohorts(
    snapshot: Snapshot, cohorts: Sequence[IndexedCohort], question: Question
) -> list[str]:
    """Keys of the cohorts, those first in which the question ranks most runs, else keeps most.

    Constraints are decided run by run, so with any all cohorts are read: five statements.
    """
    objective = question.objective
    kept = {cohort.key: cohort.size for cohort in cohorts}
    if question.constraints:
        for found in await serving_reads(snapshot).cohorts(list(kept)):
            if found is not None:
                rows = found.answer(question).ranked
                kept[found.key] = sum(objective is None or row.rank is not None for row in rows)
    elif objective is not None:
        kept = {c.key: c.size if objective.metric in c.metrics else 0 for c in cohorts}
    return [cohort.key for cohort in sorted(cohorts, key=lambda c: (-kept[c.key], -c.size, c.key))]


async def run_conditions(snapshot: Snapshot, f: ServingRunFilter) -> Conditions | None:
    """The conditions that select the runs; None when nothing can match. One statement."""
    named = await meant(snapshot, ModelRevision=f.model, ServingWorkload=f.workload)
    conditions: Conditions = {
        "models": named.get("ModelRevision"),
        "workloads": named.get("ServingWorkload"),
        "configuration": full_digest("configuration", f.configuration),
        "cohort": full_digest("cohort", f.cohort),
        "status": None if f.status is None else list(f.status),
        "source": f.source,
    }
    given = {name: value for name, value in conditions.items() if value is not None}
    return None if any(value == [] for value in given.values()) else given
