"""OperationRelation: a reviewed statement of how two operations relate (docs/domain.md §7).

A kind of this catalog's own, under its own apiVersion: the public format has none for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from catalog.domain.manifests.base import Digest, Identifier, Instant, Number, Text200, Text2000, strict
from catalog.domain.manifests.checks import Finding, at, at_most, items

RelationName = Literal[
    "exactly_equivalent",
    "equivalent_under_constraints",
    "implements_subset",
    "approximately_equivalent",
    "derived_from",
    "supersedes",
    "unknown",
]
Operator = Literal["eq", "lt", "lte", "gt", "gte"]


@strict
class AxisConstraint(TypedDict):
    """A condition on one axis, as in n lte 4096."""

    axis: Identifier
    operator: Operator
    value: Number


# ``from`` is a word of the language, so this shape is made by the functional form.
OperationRelation = TypedDict(
    "OperationRelation",
    {
        "from": Digest,
        "to": Digest,
        "relation": RelationName,
        "constraints": NotRequired[Annotated[list[AxisConstraint], Field(min_length=1)]],
        "rationale": Text2000,
        "reviewer": Text200,
        "reviewedAt": NotRequired[Instant],
    },
)
"""The relation goes from one operation to the other: `from` supersedes `to`, is derived from it."""
OperationRelation = strict(OperationRelation)  # type: ignore[misc]

CONSTRAINED = "equivalent_under_constraints"
MOST_CONSTRAINTS = 20


def check_relation(spec: Any) -> Iterator[Finding]:
    """Two different operations; constraints exactly for the relation that is named after them."""
    start, end = at(spec, "from"), at(spec, "to")
    if isinstance(start, str) and start == end:
        yield Finding(("to",), "same_operation", "must be another operation than 'from'", end)
    relation, constrained = at(spec, "relation"), at(spec, "constraints") is not None
    if relation == CONSTRAINED and not constrained:
        yield Finding(("constraints",), "missing_constraints", f"{CONSTRAINED} needs its constraints")
    elif isinstance(relation, str) and relation != CONSTRAINED and constrained:
        message = f"only {CONSTRAINED} has constraints, this relation is another"
        yield Finding(("constraints",), "unexpected_constraints", message, relation)
    yield from at_most(spec, MOST_CONSTRAINTS, "constraints")
    for field in ("rationale", "reviewer"):
        if isinstance(text := at(spec, field), str) and not text.strip():
            yield Finding((field,), "empty_text", "must say something", text)
    seen: set[str] = set()
    for index, constraint in items(at(spec, "constraints")):
        said = repr([at(constraint, name) for name in ("axis", "operator", "value")])
        if said in seen:
            yield Finding(("constraints", index), "duplicate_item", "stands there twice")
        seen.add(said)
