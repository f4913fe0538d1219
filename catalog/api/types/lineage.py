"""Lineage: subgraphs of what code descends from and how it fared, their nodes of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, cast

import strawberry
from strawberry.types.nodes import FragmentSpread, InlineFragment, SelectedField, Selection

from catalog.api.costs import long
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, global_id, parse_global_id, view
from catalog.domain.errors import InputError
from catalog.read.lineage import MAXIMUM_NODES, Subgraph
from catalog.read.projection import Node as Place

DEFAULT_DEPTH: Final = 3

Depth = Annotated[
    int | None,
    strawberry.argument(description="How many steps to go: 3 unless given."),
]

TYPE_NAMES: Final[dict[str, str]] = {
    "Implementation": "ImplementationRevision",
    "Project": "SoftwareProject",
    "Operation": "OperationSpec",
    "Artifact": "EvidenceArtifact",
    "Run": "BenchmarkRun",
}
"""Label -> type name of the nodes that take part in lineage."""

_LABELS: Final = {name: label for label, name in TYPE_NAMES.items()}


@strawberry.type(description="A typed edge of the lineage graph.")
class LineageEdge:
    from_: strawberry.ID = strawberry.field(name="from", description="Id of the node it starts at.")
    to: strawberry.ID = strawberry.field(description="Id of the node it ends at.")
    relation: str = strawberry.field(
        description="What the start is to the end, as in: an implementation FOLLOWS the one before it."
    )
    provenance: str = strawberry.field(
        description="Where it comes from: a manifest, a catalog fact, a reviewed relation, or a rule that "
        "derives it."
    )


@strawberry.type(description="A part of the lineage graph: every way between its nodes is kept.")
class LineageGraph:
    edges: list[LineageEdge] = strawberry.field(
        directives=long(1000), description="The edges between the nodes."
    )
    truncated: bool = strawberry.field(
        description="Whether something that can be reached was left out: by depth, or because the answer "
        "would have more than 500 nodes or 5,000 edges."
    )
    places: strawberry.Private[Sequence[Place]]

    @resolved(
        costs=long(MAXIMUM_NODES), description="The nodes, nearest first; the first is where the walk began."
    )
    async def nodes(self, info: Info) -> list[Node]:
        types = _types()
        if _only_ids(info.selected_fields[0].selections):
            return [_bare(types[label], _id(label, key)) for label, key in self.places]
        found = await info.context.snapshot.mixed(self.places)
        return [cast(Node, view(types[entity.label], entity)) for entity in found if entity is not None]


def lineage_graph(found: Subgraph) -> LineageGraph:
    """A subgraph as the schema shows it."""
    return LineageGraph(
        edges=[
            LineageEdge(
                from_=_id(*edge.start),
                to=_id(*edge.end),
                relation=edge.relation,
                provenance=edge.provenance,
            )
            for edge in found.edges
        ],
        truncated=found.truncated,
        places=found.nodes,
    )


def depth_given(depth: int | None) -> int:
    """How deep to walk; raises InputError for a negative number. What bounds a walk is its size."""
    if depth is None:
        return DEFAULT_DEPTH
    if depth < 0:
        raise InputError("depth", depth, "must be 0 or more")
    return depth


def place_given(field: str, text: str) -> Place:
    """(label, key) of a global id; raises InputError for one of a kind that has no lineage."""
    try:
        type_name, key = parse_global_id(text)
    except InputError as error:
        raise InputError(field, text, "must be an id that this server gave out") from error
    label = _LABELS.get(type_name)
    if label is None:
        kinds = ", ".join(_LABELS)
        raise InputError(field, text, f"must be the id of one of {kinds}; this is of a {type_name}")
    return label, key


def _id(label: str, key: str) -> strawberry.ID:
    return global_id(TYPE_NAMES[label], key)


def _only_ids(selections: Iterable[Selection]) -> bool:
    """Whether nothing but the id and the type's name is asked for, so that no node need be read."""
    for selection in selections:
        match selection:
            case SelectedField():
                if selection.name not in ("id", "__typename"):
                    return False
            case InlineFragment() | FragmentSpread():
                if not _only_ids(selection.selections):
                    return False
    return True


def _bare(type_: Any, id_: strawberry.ID) -> Node:
    """An object of the type that has nothing but its id."""
    node: Node = object.__new__(type_)
    node.id = id_
    return node


def _types() -> dict[str, Any]:
    # imported here: these types have lineage themselves
    from catalog.api.types.implementation import ImplementationRevision
    from catalog.api.types.parts import EvidenceArtifact, OperationSpec, SoftwareProject
    from catalog.api.types.run import BenchmarkRun

    types = (ImplementationRevision, SoftwareProject, OperationSpec, EvidenceArtifact, BenchmarkRun)
    return {type_.label: type_ for type_ in types}
