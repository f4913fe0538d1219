"""What lists can be filtered by, and how a filter becomes conditions of a statement.

Names (an operation's slug, an architecture, an axis) are resolved to digests first, in memory where an
index is at hand; a name that means nothing makes the list empty, never an error. Source: docs/domain.md §8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from catalog.domain.errors import CatalogError, InputError
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.identity import parse_digest
from catalog.domain.instants import parse_instant
from catalog.read.axes import AxisCondition, AxisIndex, Cases
from catalog.read.snapshot import Snapshot
from catalog.read.totals import Conditions, large
from graph import reads

CASES_KEPT: Final = 50_000
CASES: Final = Cases(CASES_KEPT)
"""The cases of workloads that questions about a large catalog looked at: their digests cover them."""


class Filter:
    """Base of the filters: which of their fields are in use."""

    def used(self) -> dict[str, Any]:
        """The fields that are given, as plain JSON."""
        given: dict[str, Any] = asdict(self)  # type: ignore[call-overload] # every subclass is a dataclass
        return {name: value for name, value in given.items() if value not in (None, ())}


@dataclass(frozen=True, slots=True)
class RunFilter(Filter):
    """Every field that is given must hold. Instants are texts as users write them."""

    comparison_key: str | None = None
    architecture: str | None = None
    product: str | None = None
    status: tuple[str, ...] | None = None
    source: str | None = None
    operation: str | None = None
    project: str | None = None
    implementation: str | None = None
    workload: str | None = None
    protocol: str | None = None
    environment: str | None = None
    minimum_evidence: EvidenceLevel | None = None
    deployable: bool | None = None
    observed_from: str | None = None
    observed_before: str | None = None
    language: str | None = None
    axes: tuple[AxisCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupFilter(Filter):
    """Filter on comparison groups; source: one that reported at least one of the runs."""

    operation: str | None = None
    workload: str | None = None
    protocol: str | None = None
    architecture: str | None = None
    product: str | None = None
    source: str | None = None
    axes: tuple[AxisCondition, ...] = ()
    minimum_size: int | None = None


@dataclass(frozen=True, slots=True)
class RankedFilter(Filter):
    """Filter on the runs of one group; ranks stay those of the whole group."""

    architecture: str | None = None
    minimum_evidence: EvidenceLevel | None = None
    deployable: bool | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class ImplementationFilter(Filter):
    """Filter on implementations; slug finds all that answer to that name."""

    slug: str | None = None
    operation: str | None = None
    project: str | None = None
    language: str | None = None
    architecture: str | None = None
    deployable: bool | None = None


def full_digest(field: str, text: str | None) -> str | None:
    """A digest in its full form; raises InputError for any other text."""
    if text is None:
        return None
    try:
        return parse_digest(text)
    except (CatalogError, ValueError) as error:
        message = "must be a full digest: 'sha256:' and 64 lower-case hexadecimal digits"
        raise InputError(field, text, message) from error


def instant(field: str, text: str | None) -> str | None:
    """The sort key of an instant; raises InputError, also for one without a zone."""
    if text is None:
        return None
    try:
        return parse_instant(text)
    except (CatalogError, ValueError) as error:
        message = "must be an instant in UTC with Z, as in 2026-05-27T17:14:29Z"
        raise InputError(field, text, message) from error


def levels_from(minimum: EvidenceLevel) -> list[str]:
    """The evidence levels that are at least this one."""
    return [level.value for level in EvidenceLevel if level.order >= minimum.order]


async def run_conditions(snapshot: Snapshot, f: RunFilter) -> Conditions | None:
    """The conditions that select the runs; None when nothing can match."""
    conditions: Conditions = {
        "comparisonKey": full_digest("comparisonKey", f.comparison_key),
        "status": None if f.status is None else list(f.status),
        "source": f.source,
        "project": f.project,
        "implementation": full_digest("implementation", f.implementation),
        "workload": full_digest("workload", f.workload),
        "protocol": full_digest("protocol", f.protocol),
        "environment": full_digest("environment", f.environment),
        "evidence": None if f.minimum_evidence is None else levels_from(f.minimum_evidence),
        "deployable": f.deployable,
        "observedFrom": instant("observedFrom", f.observed_from),
        "observedBefore": instant("observedBefore", f.observed_before),
        "language": f.language,
    }
    if f.operation is not None:
        conditions["operations"] = await snapshot.operations_meant(f.operation)
    if f.architecture is not None or f.product is not None:
        conditions["environments"] = await snapshot.environments(f.architecture, f.product)
    if f.axes:
        conditions["workloads"] = await workloads_meeting(snapshot, f.axes, conditions.get("operations"))
    return _possible(conditions)


async def workloads_meeting(
    snapshot: Snapshot, axes: Sequence[AxisCondition], operations: list[str] | None
) -> list[str]:
    """Digests of the workloads of which one case meets all conditions; of these operations where given.

    In a large catalog they must be: InputError where they are not.
    """
    if not await large(snapshot):
        return (await snapshot.axes()).matching(axes, operations)
    if operations is None:
        told = ", ".join(condition.name for condition in axes)
        raise InputError("axes", told, "must come with an operation, as this catalog is large")
    return (await axes_of(snapshot, operations)).matching(axes)


async def axes_of(snapshot: Snapshot, operations: list[str]) -> AxisIndex:
    """The axis values of the workloads of some operations; at most three statements."""
    workloads = await snapshot.store.read(reads.WORKLOADS_OF, keys=operations)
    specs = await snapshot.store.read(reads.SOME_OPERATION_MANIFESTS, keys=operations)
    return await AxisIndex.of(snapshot.store, CASES, workloads, specs)


async def implementation_conditions(snapshot: Snapshot, f: ImplementationFilter) -> Conditions | None:
    """The conditions that select the implementations; None when nothing can match."""
    conditions: Conditions = {
        "name": None if f.slug is None else f"ImplementationRevision:{f.slug}",
        "project": f.project,
        "language": f.language,
        "architecture": f.architecture,
        "deployable": f.deployable,
    }
    if f.operation is not None:
        conditions["operations"] = await snapshot.operations_meant(f.operation)
    return _possible(conditions)


def _possible(conditions: Conditions) -> Conditions | None:
    given = {name: value for name, value in conditions.items() if value is not None}
    return None if any(value == [] for value in given.values()) else given
