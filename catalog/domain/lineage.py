"""What code descends from and who took whose record: the derived part of lineage (docs/domain.md §7).

Pure functions of facts. What facts state outright (project, operation, source file) needs no rule and is
read as it is stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from catalog.domain.records import Cause, RecordEvent

FIRST_OBSERVATION: Final = "derived:first-observation"
"""Provenance of the edges that `predecessors` derives."""


@dataclass(frozen=True, slots=True)
class Revision:
    """What the order of an implementation's revisions depends on.

    ``project`` is that of the name shown, None while unknown. ``architectures`` are the target architectures
    that the manifest declares. ``source`` is the digest of its source content, None where none is stated.
    ``first_observed`` is the canonical instant of its earliest run, None when none was ever observed.
    """

    digest: str
    project: str | None
    operation: str | None
    architectures: frozenset[str]
    source: str | None
    first_observed: str | None


def predecessors(revisions: Iterable[Revision]) -> Iterator[tuple[str, str]]:
    """(implementation, the one before it) for each pair that follow each other.

    Revisions of the same project, operation and set of target architectures stand in the order of (first
    observation, digest). A pair is consecutive in that order; one whose source content is equal gives no
    edge, and none that skips it. Revisions without a project, an operation or an observation take no part.
    """
    lines: dict[tuple[str, str, frozenset[str]], list[tuple[str, str, str | None]]] = defaultdict(list)
    for revision in revisions:
        if revision.project is None or revision.operation is None or revision.first_observed is None:
            continue
        line = lines[revision.project, revision.operation, revision.architectures]
        line.append((revision.first_observed, revision.digest, revision.source))
    for line in lines.values():
        line.sort(key=lambda entry: entry[:2])
        for (_, earlier, old), (_, later, new) in pairwise(line):
            if old is None or old != new:
                yield later, earlier


def is_take_over(event: RecordEvent, won: str | None, lost: str | None) -> bool:
    """Whether a record fell to another implementation: ``won`` and ``lost`` are those of the event's runs."""
    return event.cause is Cause.NEW_RUN and event.previous is not None and won != lost
