"""Where documents disagree with each other: warnings, never a rejection (docs/domain.md §1).

A manifest is validated alone. What it says beside another one is real data even when the two do not fit,
so the object keeps it and carries a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Warning(NamedTuple):  # noqa: A001 - the field's word for it; nothing here uses the builtin
    """A disagreement: a stable code, and a sentence that names what disagrees."""

    code: str
    message: str


def workload_warnings(workload: Mapping[str, Any], operation: Mapping[str, Any]) -> list[Warning]:
    """How the axes of a case differ from what its operation declares; specs of both.

    ``DERIVED_AXIS_STATED``: the case gives a value that follows from other axes. ``CONSTANT_AXIS_OMITTED``:
    it leaves out an axis that the operation fixes. ``UNDECLARED_AXIS``: the operation has no such axis. The
    cases of a suite list only what varies, so suites are not asked.
    """
    declared, stated = operation["axes"], workload.get("axes")
    if stated is None:
        return []
    derived = sorted(n for n in stated if n in declared and declared[n]["role"] == "derived")
    omitted = sorted(n for n, axis in declared.items() if axis["role"] == "constant" and n not in stated)
    undeclared = sorted(n for n in stated if n not in declared)
    found = (
        ("DERIVED_AXIS_STATED", "states axes that the operation derives", derived),
        ("CONSTANT_AXIS_OMITTED", "leaves out axes that the operation fixes", omitted),
        ("UNDECLARED_AXIS", "states axes that the operation does not declare", undeclared),
    )
    return [Warning(code, f"the workload {text}: {', '.join(names)}") for code, text, names in found if names]


def run_warnings(workload_operation: str | None, implementation_operation: str | None) -> list[Warning]:
    """``OPERATION_MISMATCH``: the implementation declares another operation than the workload's.

    The run counts under the workload's (docs/domain.md §2). An unknown operation disagrees with nothing.
    """
    if (
        None in (workload_operation, implementation_operation)
        or workload_operation == implementation_operation
    ):
        return []
    message = (
        f"the implementation declares operation {implementation_operation}, the workload {workload_operation}"
    )
    return [Warning("OPERATION_MISMATCH", message)]
