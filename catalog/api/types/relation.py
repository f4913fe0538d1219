"""Reviewed relations between operations."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Self

import strawberry

from catalog.api.enums import AxisOperator, _value
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, fetch, fetch_many, global_id
from catalog.api.scalars import DateTime, printed
from catalog.api.types.parts import COMPLETE, OperationSpec
from catalog.domain.identity import Digest
from catalog.domain.instants import parse_instant
from catalog.read import Entity
from catalog.read.resolve import relations_of


@strawberry.enum(description="How two operations relate. Only the first two ever let results meet.")
class OperationRelationKind(Enum):
    EXACTLY_EQUIVALENT = _value("exactly_equivalent", "They compute the same, always.")
    EQUIVALENT_UNDER_CONSTRAINTS = _value(
        "equivalent_under_constraints", "They compute the same where the constraints hold."
    )
    IMPLEMENTS_SUBSET = _value("implements_subset", "One computes a part of the other.")
    APPROXIMATELY_EQUIVALENT = _value("approximately_equivalent", "Nearly the same; results never meet.")
    DERIVED_FROM = _value("derived_from", "The one was made from the other.")
    SUPERSEDES = _value("supersedes", "The one takes the place of the other.")
    UNKNOWN = _value("unknown", "They relate in a way that was not told.")


@strawberry.type(description="A condition on an axis under which a relation holds.")
class RelationConstraint:
    axis: str = strawberry.field(description="Name of the axis, of either operation.")
    operator: AxisOperator = strawberry.field(description="How to compare.")
    value: float = strawberry.field(description="What to compare with.")


@strawberry.federation.type(
    keys=["digest"],
    description="A reviewed statement of how two operations relate, from one to the other.",
)
class OperationRelation(Node):
    label: ClassVar[str] = "OperationRelation"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    relation: OperationRelationKind | None = strawberry.field(description="What it states.")
    rationale: str | None = strawberry.field(description="Why, for people.")
    reviewer: str | None = strawberry.field(description="Who reviewed it.")
    reviewed_at: DateTime | None = strawberry.field(description="When.")
    constraints: list[RelationConstraint] = strawberry.field(
        description="Where it holds; empty unless it is equivalence under constraints."
    )
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        spec = entity.spec
        reviewed_at = spec.get("reviewedAt")
        return cls(
            id=global_id("OperationRelation", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            relation=OperationRelationKind(spec["relation"]) if spec else None,
            rationale=spec.get("rationale"),
            reviewer=spec.get("reviewer"),
            reviewed_at=printed(parse_instant(reviewed_at)) if reviewed_at else None,
            constraints=[
                RelationConstraint(
                    axis=constraint["axis"],
                    operator=AxisOperator(constraint["operator"].upper()),
                    value=constraint["value"],
                )
                for constraint in spec.get("constraints", ())
            ],
            entity=entity,
        )

    @resolved(name="from", description="The operation that it speaks of.")
    def start(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.entity.get("fromOperation"))

    @resolved(description="The operation that it relates it to.")
    def to(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.entity.get("toOperation"))


async def operation_relations(info: Info, operation: str) -> list[OperationRelation]:
    """The relations that an operation is at either end of, by digest."""
    return await fetch_many(info, OperationRelation, await relations_of(info.context.snapshot, operation))
