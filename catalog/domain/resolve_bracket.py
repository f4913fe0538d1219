"""The nearest measured cases below and above a request, along the one axis that differs (docs/domain.md §9).

No claim is made across two differing axes, and nothing is ever interpolated: the answer is two cases, not a
value between theirs.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.domain.resolve_match import apart, axis_mismatches
from catalog.domain.resolve_types import Bracket, Number, Operation, Request, Side, Workload

Measured = tuple[Operation, Workload]
"""A case with an eligible run that differs from the request in nothing but axes."""


def brackets(request: Request, measured: Iterable[Measured]) -> tuple[Bracket, ...]:
    """One bracket for each operation and axis along which a measured case differs in that axis alone.

    None when a measured case meets the request. Suites are left out: their cases are not measured one by
    one. Of cases with the same value the one with the smallest digest is named. Brackets with both sides
    come first, then those whose nearer side is nearer, then by axis and operation.
    """
    sides: dict[tuple[str, str], dict[bool, Side]] = {}
    for operation, workload in measured:
        if workload.suite:
            continue
        [case] = workload.cases
        differing = axis_mismatches(request, case, operation.constants)
        if not differing:
            return ()
        [(axis, value), *more] = differing
        if more or value is None:
            continue
        found = sides.setdefault((operation.digest, axis), {})
        above = value > request.axes[axis]
        new = Side(value, workload.digest)
        if above not in found or _order(new, above) < _order(found[above], above):
            found[above] = new
    ordered = sorted(
        sides.items(), key=lambda item: (-len(item[1]), _nearer(request, item[0][1], item[1]), item[0][::-1])
    )
    return tuple(
        Bracket(axis, request.axes[axis], found.get(False), found.get(True)) for (_, axis), found in ordered
    )


def _order(side: Side, above: bool) -> tuple[Number, str]:
    return (side.value if above else -side.value), side.workload


def _nearer(request: Request, axis: str, found: dict[bool, Side]) -> float:
    return min(apart(request.axes[axis], side.value) for side in found.values())
