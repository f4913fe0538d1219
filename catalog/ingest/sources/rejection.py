"""How the modules of a source say that a row is faulty."""

from __future__ import annotations

from dataclasses import replace

from catalog.domain.errors import Fault, InputError, ManifestError, quote
from catalog.ingest.items import Place, Rejected


class RejectRow(Exception):  # noqa: N818 - says what to do with the row
    """The row is faulty: a reason (a counter's name) and its faults."""

    def __init__(self, reason: str, *faults: Fault) -> None:
        super().__init__(reason)
        self.reason = reason
        self.faults = faults


def rejected(
    place: Place, error: RejectRow | ManifestError | InputError, line: int | None = None, under: str = ""
) -> Rejected:
    """The outcome of a row that ``error`` came of; ``under`` is where in the row a manifest's faults are.

    An InputError comes from a catalog fact (``domain.facts``) and is reported as ``invalid_fact``.
    """
    match error:
        case RejectRow(reason=reason, faults=faults):
            pass
        case ManifestError(faults=found):
            reason = "invalid_manifest"
            faults = tuple(replace(fault, pointer=under + fault.pointer) for fault in found)
        case InputError():
            reason = "invalid_fact"
            faults = (Fault(reason, under, f"{error.field}: {error.message}", quote(error.value)),)
    return Rejected(
        place, reason, tuple(fault if fault.line else replace(fault, line=line) for fault in faults)
    )


def unreadable(file: str, row: int, error: OSError) -> Rejected:
    """The outcome where a file cannot be read on: nothing follows it."""
    return Rejected(Place(file, row), "unreadable_file", (Fault("unreadable_file", "", str(error)),))
