"""From a row's configuration to a workload case: the sizes, dtype and scalars that it binds.

A configuration binds when a variant of the kernel fits the row's x_name and every axis, dtype, scalar and
guard holds; keys that no rule names are ignored and reach no digest.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from catalog.domain.axes import evaluate
from catalog.domain.errors import quote
from catalog.ingest.sources.liger_facts import Divisible, Equals, Kernel


@dataclass(frozen=True, slots=True)
class Case:
    """A bound case. ``axes`` holds the bound sizes, without derived ones; ``scalars`` their values."""

    kernel: Kernel
    axes: Mapping[str, int]
    dtype: str
    scalars: Mapping[str, float]

    @property
    def key(self) -> str:
        """The bound axes sorted by name, each name and value together, then the dtype."""
        parts = [f"{name}{value}" for name, value in sorted(self.axes.items())]
        return "-".join([*parts, self.dtype])

    def shape(self, dimensions: tuple[str | int, ...]) -> list[int]:
        """Dimensions with the numbers of this case filled in, derived ones computed."""
        return [self._size(dimension) for dimension in dimensions]

    def _size(self, dimension: str | int) -> int:
        if isinstance(dimension, int):
            return dimension
        if dimension in self.axes:
            return self.axes[dimension]
        return evaluate(self.kernel.derived[dimension], self.axes)


class NotBoundError(Exception):
    """The configuration is outside what the facts cover."""


def bind(
    kernel: Kernel, x_name: str, x_value: int, config: Mapping[str, Any], dtypes: Mapping[str, str]
) -> Case:
    """The case that a row's configuration means.

    Raises:
        NotBoundError: no variant fits, or an axis, dtype, scalar or guard does not hold.
    """
    variant = kernel.variants.get(x_name) or kernel.variants.get("*")
    if variant is None:
        raise NotBoundError(f"no variant of {kernel.csv_name} sweeps {quote(x_name)}")
    axes = {
        axis: math.prod(x_value if key == "$x" else _axis(config, key) for key in keys)
        for axis, keys in variant.items()
    }
    dtype = kernel.fixed_dtype or _dtype(config, kernel.dtype_key, dtypes)
    scalars = {
        scalar.name: scalar.value
        if scalar.value is not None
        else _number(config, scalar.key, positive=scalar.parse == "positive")
        for scalar in kernel.scalars
    }
    for guard in kernel.guards:
        _check(guard, axes, config)
    return Case(kernel, axes, dtype, scalars)


def read_config(text: str) -> object:
    """Strict JSON: no NaN or Infinity, no key twice.

    Raises:
        ValueError: it is not.
    """
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _finite(config: Mapping[str, Any], key: str | None) -> int | float:
    """The finite number under a key; true and false are none."""
    value = config.get(key) if key is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotBoundError(f"{key} is no number")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotBoundError(f"{key} is no number")
    return value


def _axis(config: Mapping[str, Any], key: str) -> int:
    value = _finite(config, key)
    if not value > 0 or value % 1:
        raise NotBoundError(f"{key} is no whole number above 0")
    return int(value)


def _number(config: Mapping[str, Any], key: str | None, *, positive: bool) -> float:
    value = _finite(config, key)
    if positive and not value > 0:
        raise NotBoundError(f"{key} is not above 0")
    return value


def _dtype(config: Mapping[str, Any], key: str | None, dtypes: Mapping[str, str]) -> str:
    value = config.get(key) if key is not None else None
    if not isinstance(value, str) or value not in dtypes:
        raise NotBoundError(f"{key} is no known dtype")
    return dtypes[value]


def _check(guard: Equals | Divisible, axes: Mapping[str, int], config: Mapping[str, Any]) -> None:
    match guard:
        case Equals(key, wanted):
            value = config.get(key)
            if isinstance(value, bool) is not isinstance(wanted, bool) or value != wanted:
                raise NotBoundError(f"{key} is not {quote(wanted)}")
        case Divisible(axis, by):
            divisor = axes[by] if isinstance(by, str) else by
            if axes[axis] % divisor:
                raise NotBoundError(f"{axis} is not divisible by {by}")
