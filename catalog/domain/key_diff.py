"""Why two runs are not in one comparison group, and what a changed field would do to a key.

Nothing here compares values: across keys there is no ratio. Source: docs/domain.md §2, §9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from catalog.domain import metrics
from catalog.domain.errors import InputError, ManifestError
from catalog.domain.identity import NO_METRIC, correctness_key, metric_key
from catalog.domain.key_parts import KeyPart, Side, Spec, aligned, dotted
from catalog.domain.manifests import API_VERSION, Manifest, validate

KINDS: Final[Mapping[KeyPart, str]] = {
    KeyPart.OPERATION: "OperationSpec",
    KeyPart.PROTOCOL: "BenchmarkProtocol",
    KeyPart.ENVIRONMENT: "ExecutionEnvironment",
}
"""Manifest kind behind a part; a workload's is case or suite."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field of a part that differs: its full path and both values as text, None where it is missing."""

    field: str
    value: str | None
    other: str | None


@dataclass(frozen=True, slots=True)
class PartDifference:
    """One part of the key on both sides; ``fields`` is empty when they agree or a document is unknown."""

    part: KeyPart
    differs: bool
    value: str | None
    other: str | None
    fields: tuple[FieldDifference, ...]


@dataclass(frozen=True, slots=True)
class KeyedGroup:
    """A comparison group by the parts of its key, with the number of its runs."""

    parts: Mapping[KeyPart, str | None]
    size: int


def key_diff(side: Side, other: Side) -> tuple[PartDifference, ...]:
    """Every part of the key, in order. A part that is unknown on either side differs."""
    return tuple(_difference(part, side, other) for part in KeyPart)


def joins(side: Side, groups: Iterable[KeyedGroup]) -> dict[KeyPart, int]:
    """For each part, how many runs of other groups equal this key in all parts but that one.

    Operation and correctness are fixed by the workload, so for them it is 0.
    """
    found = dict.fromkeys(KeyPart, 0)
    mine = {part: side.value(part) for part in KeyPart}
    if side.key is None:
        return found
    for group in groups:
        differing = [part for part in KeyPart if group.parts[part] != mine[part]]
        if len(differing) == 1:
            found[differing[0]] += group.size
    return found


def changed(side: Side, field: str, value: Any) -> Side:
    """The side with one field changed, all digests computed anew; a ``value`` of None takes it out.

    ``field`` is a path such as environment.hardware.formFactor, or ``metric`` with a whole metric key.
    A changed operation changes the workload, which names it; a changed correctness rule is in the
    workload; a changed protocol may choose another metric. Raises InputError, naming change.field or
    change.value.
    """
    head, _, rest = field.partition(".")
    part = next((part for part in KeyPart if part.value == head), None)
    if part is None or (not rest and part is not KeyPart.METRIC):
        parts = ", ".join(part.value for part in KeyPart)
        message = f"must be a path that begins with one of {parts}, as in environment.hardware.formFactor"
        raise InputError("change.field", field, message)
    if side.key is None:
        raise InputError("run", None, "must be a run all of whose parts have arrived")
    match part:
        case KeyPart.METRIC:
            return replace(side, metric=_changed_metric(side, rest, field, value))
        case KeyPart.CORRECTNESS:
            spec = side.specs[KeyPart.WORKLOAD]
            rule = _with(spec["correctness"], rest, value)
            return _with_workload(side, {**spec, "correctness": rule}, field, value)
        case KeyPart.WORKLOAD:
            if rest.partition(".")[0] in ("operationSpecDigest", "correctness"):
                message = (
                    "must be a field of the case itself: operation and correctness are parts of their own"
                )
                raise InputError("change.field", field, message)
            return _with_workload(side, _with(side.specs[KeyPart.WORKLOAD], rest, value), field, value)
    if part not in side.specs:
        raise InputError(
            "change.field", field, f"must be a field of a document that is known; this {head} is not"
        )
    made = _validated(KINDS[part], _with(side.specs[part], rest, value), field, value)
    moved = _replaced(side, part, made)
    if part is KeyPart.OPERATION:
        workload = {**side.specs[KeyPart.WORKLOAD], "operationSpecDigest": made.digest}
        return _with_workload(moved, workload, field, value)
    if part is KeyPart.PROTOCOL:
        primary = metrics.primary(side.run_spec, made.spec)
        key = metric_key(primary.metric, primary.statistic, primary.unit) if primary else NO_METRIC
        return replace(moved, metric=key)
    return moved


def _difference(part: KeyPart, side: Side, other: Side) -> PartDifference:
    value, others = side.value(part), other.value(part)
    differs = value is None or value != others
    documents = (side.fields(part), other.fields(part))
    fields: tuple[FieldDifference, ...] = ()
    if differs and documents[0] is not None and documents[1] is not None:
        rows = aligned([documents[0], documents[1]])
        fields = tuple(FieldDifference(dotted(part.value, *r.path), *r.values) for r in rows if not r.agree)
    return PartDifference(part, differs, value, others, fields)


def _changed_metric(side: Side, rest: str, field: str, value: Any) -> str:
    members: dict[str, Any] = {"metric": None, "statistic": None, "unit": None}
    if side.metric is not None and side.metric != NO_METRIC:
        members = dict(zip(members, side.metric.split(":", 2), strict=True))
    if rest in members:
        members[rest] = value
    elif not rest and value in (None, NO_METRIC):
        return NO_METRIC
    elif not rest and isinstance(value, str) and value.count(":") == 2:
        members = dict(zip(members, value.split(":"), strict=True))
    else:
        field_fault = rest and f"must be {' or '.join(f'metric.{name}' for name in members)}, or metric"
        if field_fault:
            raise InputError("change.field", field, field_fault)
        raise InputError("change.value", value, "must be a metric key such as latency:median:ns, or none")
    if not all(isinstance(each, str) and each and ":" not in each for each in members.values()):
        raise InputError("change.value", value, "must leave a metric with a name, a statistic and a unit")
    return metric_key(**members)


def _with(document: Spec, path: str, value: Any) -> dict[str, Any]:
    """A copy with the value at a dotted path; names that hold a dot themselves are found if they exist."""
    names = [name for name in document if path == name or path.startswith(f"{name}.")]
    name = max(names, key=len, default=path.partition(".")[0])
    rest = path[len(name) + 1 :]
    copy = dict(document)
    if rest:
        below = document.get(name)
        copy[name] = _with(below if isinstance(below, Mapping) else {}, rest, value)
    elif value is None:
        copy.pop(name, None)
    else:
        copy[name] = value
    return copy


def _with_workload(side: Side, spec: Spec, field: str, value: Any) -> Side:
    made = _validated(str(side.workload_kind), spec, field, value)
    moved = _replaced(side, KeyPart.WORKLOAD, made)
    digests = {**moved.digests, KeyPart.CORRECTNESS: correctness_key(made.spec)}
    return replace(moved, digests=digests)


def _replaced(side: Side, part: KeyPart, made: Manifest) -> Side:
    return replace(side, digests={**side.digests, part: made.digest}, specs={**side.specs, part: made.spec})


def _validated(kind: str, spec: Spec, field: str, value: Any) -> Manifest:
    try:
        return validate(
            {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": "changed"}, "spec": dict(spec)}
        )
    except ManifestError as error:
        faults = "; ".join(f"{fault.pointer} {fault.message}" for fault in error.faults[:3])
        raise InputError("change.value", value, f"must make {field} of a valid {kind} ({faults})") from error
