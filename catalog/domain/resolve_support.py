"""Whether an implementation says that it supports what is asked for (docs/domain.md §9).

Only what is declared counts: an implementation that names no hardware declares no support. What a request
leaves open needs no support. A declaration that cannot be read covers nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from catalog.domain.axes import axis_names, evaluate
from catalog.domain.errors import BadValue
from catalog.domain.resolve_match import has_dtypes
from catalog.domain.resolve_types import UNKNOWN, Axes, Number, Operation, Request

_DECLARED: Final = re.compile(r"\s*([a-z][a-z0-9_]*)\s*(?:(<=|>=|==|=|<|>|%)\s*([0-9]+)(?:\s*==?\s*0)?\s*)?")
_HOLDS: Final[Mapping[str, Callable[[Number, int], bool]]] = {
    "=": operator.eq,
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "%": lambda value, by: by > 0 and value % by == 0,
}


def covers(
    request: Request, of: Operation, support: Mapping[str, Any], product_architectures: Iterable[str]
) -> bool:
    """Whether the declared support covers a request that is possible (:func:`is_possible`).

    A product is covered when it was tested, or when its architecture (``product_architectures``: those that
    environments record with it) is supported.
    """
    architectures = set(support.get("hardwareArchitectures", ())) - {UNKNOWN}
    tested = support.get("productsTested", ())
    if not (architectures or tested):
        return False
    if request.architecture is not None and request.architecture not in architectures:
        return False
    untested = request.product is not None and request.product not in tested
    if untested and architectures.isdisjoint(product_architectures):
        return False
    if not has_dtypes(request.dtypes, support.get("dtypes", ())):
        return False
    known = {**of.constants, **request.axes}
    return all(_declared(text, known) for text in support.get("axes", ()))


def _declared(text: str, known: Axes) -> bool:
    """Whether `n`, `n <= 4096`, `n % 128` and the like holds; of an axis left open it does."""
    match = _DECLARED.fullmatch(text)
    if match is None:
        return False
    name, sign, number = match.groups()
    return sign is None or name not in known or _HOLDS[sign](known[name], int(number))


def is_possible(request: Request, of: Operation) -> bool:
    """Whether the operation can have a case as requested: its axes, their bounds, the shape of a tensor."""
    if not all(value == int(value) and _in_bounds(of, name, value) for name, value in request.axes.items()):
        return False
    axes = {**of.constants, **request.axes}
    if not _derived_agree(of, axes):
        return False
    if request.shape is None:
        return True
    filled = (_fill(tensor["shape"], request.shape, of, axes) for tensor in of.tensors)
    return any(found is not None and _derived_agree(of, found) for found in filled)


def _in_bounds(of: Operation, name: str, value: Number) -> bool:
    axis = of.axes.get(name)
    if axis is None:
        return False
    if axis.get("role") == "constant":
        return bool(axis.get("value") == value)
    return bool(axis.get("minimum", value) <= value <= axis.get("maximum", value))


def _derived_agree(of: Operation, axes: Axes) -> bool:
    """Whether every derived axis that is stated is what its expression gives, where all it uses is known."""
    whole = {name: int(value) for name, value in axes.items()}
    for name, axis in of.axes.items():
        expression = axis.get("expression")
        if axis.get("role") != "derived" or expression is None or name not in whole:
            continue
        try:
            if axis_names(expression) <= whole.keys() and evaluate(expression, whole) != whole[name]:
                return False
        except BadValue:
            return False
    return True


def _fill(
    symbolic: Iterable[int | str], shape: tuple[Number, ...], of: Operation, axes: Axes
) -> dict[str, Number] | None:
    """The axes with those that a symbolic shape takes from a concrete one; None when it does not fit."""
    extents = list(symbolic)
    if len(extents) != len(shape):
        return None
    filled = dict(axes)
    for extent, value in zip(extents, shape, strict=True):
        if isinstance(extent, int):
            if extent != value:
                return None
        elif filled.setdefault(extent, value) != value or not _in_bounds(of, extent, value):
            return None
    return filled
