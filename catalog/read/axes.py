"""Which workloads have which axis values.

Axis values are inside manifests, so they are matched here: an axis is looked up in the case, then in the
operation's constants; a suite matches when one of its cases does (docs/domain.md §8). The cases of a
workload are covered by its digest and kept beyond revisions.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from catalog.domain.errors import InputError
from catalog.domain.identity import load_canonical
from graph import reads
from graph.store import Reader

Axes = Mapping[str, int | float]

OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "EQ": operator.eq,
    "LT": operator.lt,
    "LTE": operator.le,
    "GT": operator.gt,
    "GTE": operator.ge,
}


@dataclass(frozen=True, slots=True)
class AxisCondition:
    """`name` `operator` `value`, as in tokens LTE 2048."""

    name: str
    operator: str
    value: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise InputError("axes", self.value, f"the value of {self.name} must be a finite number")

    def holds(self, case: Axes, constants: Axes) -> bool:
        """Whether a case meets it; one without the axis does not."""
        value = case.get(self.name, constants.get(self.name))
        return value is not None and bool(OPERATORS[self.operator](value, self.value))


@dataclass(frozen=True, slots=True)
class Tensors:
    """The data types and the shapes of a case's tensors; a suite has none."""

    dtypes: frozenset[str] = frozenset()
    shapes: frozenset[tuple[int, ...]] = frozenset()


class Cases:
    """The axis values of each case, and its tensors, by workload digest; the latest `most`, where given."""

    def __init__(self, most: int | None = None) -> None:
        self.by_workload: MutableMapping[str, tuple[Axes, ...]] = {} if most is None else LRUCache(most)
        self.tensors: MutableMapping[str, Tensors] = {} if most is None else LRUCache(most)

    async def read(self, store: Reader, workloads: list[str]) -> None:
        """Read some workloads; one statement."""
        [found] = await store.read(reads.SOME_WORKLOAD_MANIFESTS, keys=workloads)
        self.learn(found["rows"])

    def learn(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take in rows {digest, manifest}."""
        for row in rows:
            if row["digest"] not in self.by_workload:
                spec = load_canonical(row["manifest"])["spec"]
                cases = spec.get("cases", (spec,))
                self.by_workload[row["digest"]] = tuple(_numbers(case["axes"]) for case in cases)
                self.tensors[row["digest"]] = _tensors(spec)


class _Bound:
    """All cases of all workloads by axis: which of them have a value for it, their own or their operation's.

    Integers stay exact: the largest that a manifest may hold is exact as a float too.
    """

    def __init__(self, workloads: Iterable[tuple[Iterable[Axes], Axes]]) -> None:
        owners: list[int] = []
        values: dict[str, dict[int, float]] = {}
        for number, (cases, constants) in enumerate(workloads):
            for case in cases:
                for name, value in {**constants, **case}.items():
                    values.setdefault(name, {})[len(owners)] = value
                owners.append(number)
        self._owners = np.array(owners, np.int64)
        self._values = {name: _arrays(bound) for name, bound in values.items()}

    def meeting(self, conditions: Iterable[AxisCondition]) -> list[int]:
        """Numbers of the workloads of which one case meets all conditions."""
        met = np.ones(len(self._owners), np.bool_)
        for condition in conditions:
            cases, values = self._values.get(condition.name, _arrays({}))
            these = np.zeros(len(met), np.bool_)
            these[cases[OPERATORS[condition.operator](values, condition.value)]] = True
            met &= these
        numbers: list[int] = np.unique(self._owners[met]).tolist()
        return numbers


def _arrays(bound: Mapping[int, float]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    return np.array(list(bound), np.int64), np.array(list(bound.values()), np.float64)


class AxisIndex:
    """Workload -> cases and operation; operation -> constants; at one revision."""

    def __init__(self, cases: Cases, operations: dict[str, str | None], constants: dict[str, Axes]) -> None:
        self._cases = cases.by_workload
        self._tensors = cases.tensors
        self._operations = operations
        self._constants = constants

    @classmethod
    async def read(cls, store: Reader, cases: Cases) -> AxisIndex:
        """Three statements, whatever the number of workloads."""
        operations = {row["digest"]: row["operation"] for row in await store.read(reads.WORKLOAD_INDEX)}
        unknown = [digest for digest in operations if digest not in cases.by_workload]
        if len(unknown) == len(operations):
            cases.learn(await store.read(reads.WORKLOAD_MANIFESTS))
        elif unknown:
            await cases.read(store, unknown)
        constants = {
            row["digest"]: _constants(load_canonical(row["manifest"])["spec"])
            for row in await store.read(reads.OPERATION_MANIFESTS)
        }
        return cls(cases, operations, constants)

    @classmethod
    async def of(
        cls,
        store: Reader,
        cases: Cases,
        workloads: Iterable[Mapping[str, Any]],
        operations: Iterable[Mapping[str, Any]],
    ) -> AxisIndex:
        """That of rows {digest, operation} of workloads and {key, manifest} of operations; one statement."""
        of = {row["digest"]: row["operation"] for row in workloads}
        unknown = [digest for digest in of if digest not in cases.by_workload]
        if unknown:
            await cases.read(store, unknown)
        constants = {row["key"]: _constants(load_canonical(row["manifest"])["spec"]) for row in operations}
        return cls(cases, of, constants)

    @property
    def operations(self) -> Mapping[str, str | None]:
        """Workload -> its operation, for all that are complete."""
        return self._operations

    def names(self, workload: str) -> set[str]:
        """The axes that the cases of a workload bind."""
        return {name for case in self._cases.get(workload, ()) for name in case}

    def tensors(self, workload: str) -> Tensors:
        """The data types and shapes of a case."""
        return self._tensors.get(workload, Tensors())

    def constants(self, operation: str) -> Axes:
        """The constant axes of an operation."""
        return self._constants.get(operation, {})

    def matching(
        self, conditions: Iterable[AxisCondition], operations: Iterable[str] | None = None
    ) -> list[str]:
        """Digests of the workloads of which one case meets all conditions; of these operations if given."""
        among = None if operations is None else set(operations)
        workloads = list(self._operations)
        found = (workloads[number] for number in self._bound.meeting(conditions))
        return [workload for workload in found if among is None or self._operations[workload] in among]

    @cached_property
    def _bound(self) -> _Bound:
        return _Bound(
            (self._cases.get(workload, ()), self._constants.get(operation or "", {}))
            for workload, operation in self._operations.items()
        )


def _tensors(spec: Mapping[str, Any]) -> Tensors:
    tensors = spec.get("tensors", {}).values()
    return Tensors(
        frozenset(tensor["dtype"] for tensor in tensors),
        frozenset(tuple(int(size) for size in tensor["shape"]) for tensor in tensors),
    )


def _constants(spec: Mapping[str, Any]) -> Axes:
    return _numbers(
        {
            name: axis.get("value")
            for name, axis in spec.get("axes", {}).items()
            if isinstance(axis, Mapping) and axis.get("role") == "constant"
        }
    )


def _numbers(axes: Mapping[str, Any]) -> Axes:
    return {
        name: value
        for name, value in axes.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
