"""Where a case, a place and a protocol differ from a request (docs/domain.md §9).

A bound axis is looked up in the case, then in the operation's constants; a suite is taken by the one of its
cases that comes closest. A shape is met when one tensor has exactly it. Data types are met when all that are
asked for are among the case's; where a case has no tensors, those of the operation stand in. The
architecture ``unknown`` never matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from catalog.domain.resolve_types import (
    UNKNOWN,
    Axes,
    Environment,
    Mismatch,
    Number,
    Operation,
    Request,
    Workload,
)
from catalog.domain.search_tables import dtypes_meant, stored_dtype

NOT_STATED = "not stated"
UNSTATED = 1000.0
"""The distance of an axis without a value: farther than any that has one."""


def axis_mismatches(request: Request, case: Axes, constants: Axes) -> list[tuple[str, Number | None]]:
    """(axis, observed value) of every bound axis that differs, by name; None for one without a value."""
    found = []
    for name in sorted(request.axes):
        value = case.get(name, constants.get(name))
        if value != request.axes[name]:
            found.append((name, value))
    return found


def nearest_case(request: Request, workload: Workload, constants: Axes) -> list[tuple[str, Number | None]]:
    """The axis mismatches of the case that comes closest."""
    if len(workload.cases) == 1:
        return axis_mismatches(request, workload.cases[0], constants)
    found = (axis_mismatches(request, case, constants) for case in workload.cases)
    return min(found, key=lambda differing: (len(differing), _distance(request, differing)))


def workload_mismatches(
    request: Request, operation: Operation, workload: Workload
) -> tuple[list[Mismatch], float]:
    """(axes by name, then the shape, then the data types; how far the axes are apart).

    The distance is the sum of |log(observed / requested)|.
    """
    differing = nearest_case(request, workload, operation.constants)
    found = [
        Mismatch(f"axes.{name}", number(request.axes[name]), NOT_STATED if value is None else number(value))
        for name, value in differing
    ]
    return found + tensor_mismatches(request, operation, workload), _distance(request, differing)


def tensor_mismatches(request: Request, operation: Operation, workload: Workload) -> list[Mismatch]:
    """The shape, then the data types."""
    found = []
    if request.shape is not None and request.shape not in workload.shapes:
        found.append(Mismatch("shape", shape(request.shape), _nearest_shape(request.shape, workload)))
    dtypes = workload.dtypes or operation.dtypes
    if not has_dtypes(request.dtypes, dtypes):
        observed = ", ".join(sorted(dtypes)) or NOT_STATED
        found.append(Mismatch("dtypes", ", ".join(request.dtypes), observed))
    return found


def has_dtypes(wanted: Iterable[str], dtypes: Iterable[str]) -> bool:
    """Whether all that are wanted are there: ``bfloat16`` is bf16, ``fp8`` any format of that width."""
    stored = frozenset(map(stored_dtype, dtypes))
    return not any(dtypes_meant(stored_dtype(dtype)).isdisjoint(stored) for dtype in wanted)


def place_mismatches(request: Request, environment: Environment | None, protocol: str) -> Iterator[Mismatch]:
    """Product, architecture, protocol."""
    product = environment.product if environment is not None else None
    if request.product is not None and product != request.product:
        yield Mismatch("product", request.product, product or NOT_STATED)
    architecture = (environment.architecture if environment is not None else None) or UNKNOWN
    if request.architecture is not None and (architecture != request.architecture or architecture == UNKNOWN):
        yield Mismatch("architecture", request.architecture, architecture)
    if request.protocol is not None and protocol != request.protocol:
        yield Mismatch("protocol", request.protocol, protocol)


def _distance(request: Request, differing: Sequence[tuple[str, Number | None]]) -> float:
    return sum(apart(request.axes[name], value) for name, value in differing)


def apart(requested: Number, observed: Number | None) -> float:
    """|log(observed / requested)|; where a logarithm makes no sense the plain difference."""
    if observed is None:
        return UNSTATED
    if requested > 0 and observed > 0:
        return abs(math.log(observed / requested))
    return float(abs(observed - requested))


def _nearest_shape(wanted: tuple[Number, ...], workload: Workload) -> str:
    if not workload.shapes:
        return NOT_STATED

    def far(found: tuple[int, ...]) -> tuple[int, float, tuple[int, ...]]:
        differs = sum(map(apart, wanted, found)) if len(found) == len(wanted) else math.inf
        return abs(len(found) - len(wanted)), differs, found

    nearest: tuple[int, ...] = min(workload.shapes, key=far)
    return shape(nearest)


def shape(extents: Sequence[Number]) -> str:
    """As in [4096, 128]."""
    return f"[{', '.join(map(number, extents))}]"


def number(value: Number) -> str:
    """A number as JSON writes it, whole ones without a fraction."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
