"""The boards of ``catalog rank``: comparison groups of one operation, each with its runs as they stand.

Which groups match is decided here for what people type on a command line (a GPU or protocol by part of its
name, a shortened digest); ranks, ratios and reasons are those of :mod:`catalog.read.groups`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from catalog.domain.errors import InputError
from catalog.domain.instants import print_instant
from catalog.domain.ranking import POLICY, Standing
from catalog.read import Entity, Group, Snapshot
from catalog.read.axes import AxisCondition
from catalog.read.filters import GroupFilter
from catalog.read.group_lists import selected_groups
from catalog.read.lists import Listing
from catalog.read.lookup import key_of
from catalog.read.paging import Cursors, Window

_AXIS: Final = re.compile(r"([a-z][a-z0-9_]*)\s*(<=|>=|<|>|=)\s*(\S+)")
_OPERATORS: Final = {"=": "EQ", "<": "LT", "<=": "LTE", ">": "GT", ">=": "GTE"}
_HEX: Final = re.compile(r"(?:sha256:)?[0-9a-f]{8,64}")
_ALL: Final = 10**9


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asked for."""

    operation: str
    axes: tuple[AxisCondition, ...] = ()
    gpu: str | None = None
    architecture: str | None = None
    protocol: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A run on a board, with the name it was submitted under, else its implementation's."""

    standing: Standing
    name: str | None
    project: str | None

    @property
    def observed(self) -> str:
        """When it was observed, as RFC 3339."""
        return print_instant(self.standing.run.observed_at)


@dataclass(frozen=True, slots=True)
class Board:
    """One comparison group and what it compares; a part known only by digest has no names."""

    group: Group
    operation: Entity | None
    workload: Entity | None
    environment: Entity | None
    protocol: Entity | None
    rows: tuple[Row, ...]

    def to_json(self) -> dict[str, Any]:
        """The board as JSON."""
        standings, props = self.group.standings, self.group.entity.props
        return {
            "key": self.group.key,
            "policy": POLICY,
            "profile": standings.profile.value,
            "metric": {name: props.get(name) for name in ("metric", "statistic", "unit", "direction")},
            "size": standings.size,
            "eligibleCount": standings.eligible_count,
            "operation": _named(self.operation),
            "workload": _named(self.workload),
            "environment": _named(self.environment)
            | {name: part(self.environment, name) for name in ("product", "architecture")},
            "protocol": _named(self.protocol),
            "runs": [_run_json(row) for row in self.rows],
        }


def _run_json(row: Row) -> dict[str, Any]:
    run = row.standing.run
    return {
        "digest": run.digest,
        "rank": row.standing.rank,
        "tied": row.standing.tied,
        "value": run.value,
        "ratioToBest": row.standing.ratio_to_best,
        "name": row.name,
        "project": row.project,
        "evidenceLevel": run.evidence.value,
        "status": run.status,
        "observedAt": row.observed,
        "reasons": list(row.standing.reasons),
    }


def _named(entity: Entity | None) -> dict[str, Any]:
    if entity is None:
        return {"digest": None, "title": None}
    slug = {"slug": entity.get("slug")} if entity.get("slug") else {}
    return {"digest": entity.key, **slug, "title": entity.get("title")}


def part(entity: Entity | None, name: str) -> Any:
    """A property of a part of the board; None where the part or the property is not known."""
    return None if entity is None else entity.get(name)


def axis_condition(text: str) -> AxisCondition:
    """``tokens=2048`` (also ``<``, ``<=``, ``>``, ``>=``) as a condition. Raises InputError."""
    match = _AXIS.fullmatch(text)
    if match is None:
        raise InputError("AXIS", text, "must be an axis and its value, as in tokens=2048")
    name, operator, number = match.groups()
    try:
        value = int(number) if re.fullmatch(r"-?[0-9]{1,15}", number) else float(number)
    except ValueError as error:
        raise InputError(name, number, "must be a number") from error
    if not math.isfinite(value):
        raise InputError(name, number, "must be a finite number")
    return AxisCondition(name, _OPERATORS[operator], value)


async def boards(snapshot: Snapshot, wanted: Wanted) -> list[Board]:
    """The boards that match, by workload, environment and protocol; maybe none.

    Raises InputError for an operation, axis, GPU, architecture or protocol that the catalog does not have.
    """
    operations = await _operations(snapshot, wanted.operation)
    for condition in wanted.axes:
        await _check_axis(snapshot, condition, operations)
    if wanted.architecture is not None and not await snapshot.environments(wanted.architecture, None):
        known = [str(e.get("architecture") or "unknown") for e in await _all(snapshot, "Environment")]
        raise _unknown("--arch", wanted.architecture, "an architecture of the catalog", known)
    found: list[str] = []
    for operation in operations:
        chosen = GroupFilter(operation=operation, architecture=wanted.architecture, axes=wanted.axes)
        found += await selected_groups(snapshot, chosen, "SIZE_DESC")
    groups = [group for group in await snapshot.groups(found) if group is not None]
    if wanted.gpu is not None:
        keys = await _meant(snapshot, "Environment", "--gpu", wanted.gpu, _product)
        groups = [group for group in groups if group.entity.get("environment") in keys]
    if wanted.protocol is not None:
        keys = await _meant(snapshot, "Protocol", "--protocol", wanted.protocol, _protocol_names)
        groups = [group for group in groups if group.entity.get("protocol") in keys]
    return await _assembled(snapshot, groups)


async def _operations(snapshot: Snapshot, name: str) -> list[str]:
    found = await snapshot.operations_meant(name)
    if not found and _HEX.fullmatch(name):
        key = await key_of(snapshot, "Operation", name, field="OPERATION")
        found = [key] if key is not None and await snapshot.entity("Operation", key) else []
    if not found:
        known = [str(entity.get("slug")) for entity in await _all(snapshot, "Operation")]
        wanted = "the slug, alias, family or digest of an operation in the catalog"
        raise _unknown("OPERATION", name, wanted, known, list_all=False)
    return found


async def _check_axis(snapshot: Snapshot, condition: AxisCondition, operations: Sequence[str]) -> None:
    names = await _axis_names(snapshot, operations)
    if condition.name not in names:
        raise _unknown("AXIS", condition.name, "an axis of the operation", sorted(names))


async def _axis_names(snapshot: Snapshot, operations: Sequence[str]) -> set[str]:
    entities = await snapshot.entities("Operation", operations)
    return {name for entity in entities if entity is not None for name in entity.spec.get("axes", {})}


async def _all(snapshot: Snapshot, label: str) -> list[Entity]:
    page = await Listing(snapshot, label, {}, Cursors("rank"), Window(_ALL)).page()
    return [entity for entity in await snapshot.entities(label, page.items) if entity is not None]


async def _meant(
    snapshot: Snapshot, label: str, field: str, text: str, names: Callable[[Entity], Iterable[str]]
) -> frozenset[str]:
    """Keys of the objects that a digest, a shortened one, or words of a name select."""
    if _HEX.fullmatch(text):
        key = await key_of(snapshot, label, text, field=field)
        return frozenset([key] if key is not None else [])
    objects = await _all(snapshot, label)
    asked = _words(text)
    meant = frozenset(o.key for o in objects if any(asked <= _words(name) for name in names(o)))
    if not meant:
        raise _unknown(field, text, "words of a name in the catalog", [n for o in objects for n in names(o)])
    return meant


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _product(environment: Entity) -> list[str]:
    return [" ".join(filter(None, (environment.get("product"), environment.get("formFactor"))))]


def _protocol_names(protocol: Entity) -> list[str]:
    return [name for variant in protocol.variant_names for name in variant.values()]


def _unknown(
    field: str, value: str, wanted: str, known: Iterable[str], *, list_all: bool = True
) -> InputError:
    names = sorted({name for name in known if name})
    near = get_close_matches(value, names, 5, 0.5)
    hint = ", ".join(near or (names[:12] if list_all else []))
    return InputError(field, value, f"must be {wanted}" + (f" ({hint})" if hint else ""))


async def _assembled(snapshot: Snapshot, groups: Sequence[Group]) -> list[Board]:
    parts = {
        name: await _by_key(snapshot, label, (group.entity.get(name) for group in groups))
        for name, label in _PARTS.items()
    }
    runs = await _by_key(snapshot, "Run", (digest for group in groups for digest in group.members))
    implementations = await _by_key(
        snapshot, "Implementation", (run.get("implementation") for run in runs.values())
    )

    def row(group: Group, standing: Standing) -> Row:
        run = runs.get(standing.run.digest)
        implementation = implementations.get(part(run, "implementation") or "")
        name = part(run, "submittedSlug") or part(implementation, "slug")
        return Row(standing, name, group.members[standing.run.digest].project)

    made = [
        Board(
            group,
            **{name: found.get(group.entity.get(name) or "") for name, found in parts.items()},
            rows=tuple(row(group, standing) for standing in group.standings.rows),
        )
        for group in groups
    ]
    return sorted(made, key=_order)


_PARTS: Final = {
    "operation": "Operation",
    "workload": "Workload",
    "environment": "Environment",
    "protocol": "Protocol",
}


def _order(board: Board) -> tuple[str, ...]:
    shown = (board.operation, board.workload, board.environment, board.protocol)
    return (*(str(part(entity, "title") or "") for entity in shown), board.group.key)


async def _by_key(snapshot: Snapshot, label: str, keys: Iterable[str | None]) -> dict[str, Entity]:
    wanted = [key for key in dict.fromkeys(keys) if key]
    found = await snapshot.entities(label, wanted) if wanted else []
    return {entity.key: entity for entity in found if entity is not None}
