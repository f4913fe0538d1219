"""One run per name or project in the list of a group (docs/domain.md §4, §11).

Who submits often would fill a ranked list: here each keeps the first place, and the rank of the whole group.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from enum import StrEnum

from catalog.domain.ranking import Standing


class BestPer(StrEnum):
    """Whose best run is listed."""

    RUN = "RUN"
    NAME = "NAME"
    PROJECT = "PROJECT"


def name_of(submitted_slug: str | None, implementation: str) -> tuple[str, str]:
    """What a run goes by: the name it was submitted under, else its implementation's digest."""
    return ("implementation", implementation) if submitted_slug is None else ("name", submitted_slug)


def first_of_each(rows: Iterable[Standing], owner: Callable[[str], Hashable]) -> list[Standing]:
    """Of the ranked ``rows`` (in display order) the first of each owner; ``owner`` takes a run's digest."""
    firsts: dict[Hashable, Standing] = {}
    for row in rows:
        if row.rank is not None:
            firsts.setdefault(owner(row.run.digest), row)
    return list(firsts.values())
