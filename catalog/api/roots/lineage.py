"""Root fields that walk the lineage graph, and weigh it."""

from __future__ import annotations

from typing import Annotated, Any

import strawberry

from catalog.api.costs import SEARCH
from catalog.api.enums import LineageRelation
from catalog.api.fields import ANALYSIS, resolved, tagged
from catalog.api.node import Info, fetch, given
from catalog.api.paging import First
from catalog.api.scalars import DateTime
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.lineage import (
    DEFAULT_DEPTH,
    Depth,
    LineageGraph,
    depth_given,
    lineage_graph,
    place_given,
)
from catalog.api.types.withdrawal import BlastRadius, blast_radius_view
from catalog.domain.errors import InputError
from catalog.domain.identity import Digest
from catalog.read import lineage
from catalog.read.filters import instant
from catalog.read.influence import Influence
from catalog.read.lineage import Subgraph
from catalog.read.lookup import key_of
from catalog.read.overview import overview
from catalog.read.paging import page_size
from catalog.read.projection import Node
from catalog.read.snapshot import Snapshot
from catalog.read.withdrawal import blast_radius

Relations = Annotated[
    list[LineageRelation] | None,
    strawberry.argument(description="Walk edges of these relations only; all unless given."),
]


@strawberry.type(description="How much others build on an implementation, or fell to it.")
class ImplementationInfluence:
    rank: int = strawberry.field(description="1 is the most influential; equals share a rank.")
    score: float = strawberry.field(description="Its PageRank; those of all implementations add up to 1.")
    take_overs: int = strawberry.field(description="How many records it took from other implementations.")
    losses: int = strawberry.field(description="How many records it lost to other implementations.")
    successors: int = strawberry.field(description="How many revisions follow it directly.")
    digest: strawberry.Private[str]

    @resolved(description="The implementation.")
    def implementation(self, info: Info) -> ImplementationRevision | None:
        return fetch(info, ImplementationRevision, self.digest)


@tagged(ANALYSIS)
@strawberry.type(description="Walks over the lineage graph.")
class LineageRootFields:
    @resolved(
        costs=SEARCH,
        description="Everything around an implementation, project, operation, source file or run, edges "
        "walked either way. Null when there is no such object. At most 7 statements: the revision twice, "
        "how large the catalog is, its parts, all runs, a run to start from, the nodes; ids alone need "
        "no nodes.",
    )
    async def lineage(
        self,
        info: Info,
        id: Annotated[  # noqa: A002 - the argument's public name
            strawberry.ID, strawberry.argument(description="Id of the object to start from.")
        ],
        depth: Depth = DEFAULT_DEPTH,
        relations: Relations = strawberry.UNSET,
    ) -> LineageGraph | None:
        start, steps = place_given("id", id), depth_given(given(depth))
        snapshot = await info.context.open()
        found = await _around(snapshot, start, steps, _chosen(given(relations)))
        return None if found is None else lineage_graph(found)

    @resolved(
        costs=SEARCH,
        description="All shortest ways between two objects, edges walked either way; without nodes when "
        "there is no way. Null when one of the two does not exist. At most 6 statements: the revision "
        "twice, how large the catalog is, its parts, all runs, the nodes.",
    )
    async def path_between(
        self,
        info: Info,
        from_: Annotated[strawberry.ID, strawberry.argument(name="from", description="Id of one object.")],
        to: Annotated[strawberry.ID, strawberry.argument(description="Id of the other.")],
        relations: Relations = strawberry.UNSET,
    ) -> LineageGraph | None:
        start, end = place_given("from", from_), place_given("to", to)
        snapshot = await info.context.open()
        graph = await overview(snapshot).projection()
        unplaced = [node for node in (start, end) if node not in graph.places]
        if unplaced and None in await snapshot.mixed(unplaced):
            return None
        return lineage_graph(lineage.between(graph, start, end, _chosen(given(relations))))

    @resolved(
        costs=SEARCH,
        description="Implementations by influence: PageRank over who follows whom and who took whose "
        "record. At most 7 statements: the revision twice, how large the catalog is, its parts, all "
        "runs, the operation's name, implementations.",
    )
    async def influence(
        self,
        info: Info,
        operation: Annotated[
            str | None,
            strawberry.argument(
                description="Only implementations of this operation (slug, alias, family or digest); rank "
                "and score stay those among all."
            ),
        ] = strawberry.UNSET,
        first: First = strawberry.UNSET,
    ) -> list[ImplementationInfluence]:
        size, name = page_size(given(first)), given(operation)
        snapshot = await info.context.open()
        rows = await overview(snapshot).influence()
        if name is not None:
            meant = frozenset(await snapshot.operations_meant(name))
            known = (await overview(snapshot).projection()).implementations
            rows = [row for row in rows if known[row.digest].operation in meant]
        return [_influence(row) for row in rows[:size]]

    @resolved(
        costs=SEARCH,
        description="What turns stale if an implementation, a source or a file is withdrawn: give exactly "
        "one. Null when it does not exist. At most 7 statements: the revision twice, a shortened digest, the "
        "object, the runs that rest on it, one for their groups, the runs shown.",
    )
    async def blast_radius(
        self,
        info: Info,
        implementation: Annotated[
            Digest | None, strawberry.argument(description="Digest of the implementation.")
        ] = strawberry.UNSET,
        source: Annotated[
            str | None, strawberry.argument(description="Slug of the source that reported runs.")
        ] = strawberry.UNSET,
        artifact: Annotated[
            Digest | None,
            strawberry.argument(description="Content digest of a file that code or evidence is in."),
        ] = strawberry.UNSET,
        at: Annotated[
            DateTime | None,
            strawberry.argument(
                description="From when on it is withdrawn. Unless given, from the start, as if its runs had "
                "never counted."
            ),
        ] = strawberry.UNSET,
    ) -> BlastRadius | None:
        named = {
            "Implementation": given(implementation),
            "Source": given(source),
            "Artifact": given(artifact),
        }
        chosen = [(label, text) for label, text in named.items() if text is not None]
        if len(chosen) != 1:
            message = "give exactly one of implementation, source and artifact"
            raise InputError("implementation", named["Implementation"], message)
        [(label, text)] = chosen
        since = instant("at", given(at))
        snapshot = await info.context.open()
        key = text if label == "Source" else await key_of(snapshot, label, text, field=label.lower())
        blast = None if key is None else await blast_radius(snapshot, label, key, since)
        return None if blast is None else blast_radius_view(blast)


def _chosen(relations: list[Any] | None) -> frozenset[str]:
    return lineage.EVERYTHING if relations is None else frozenset(each.value for each in relations)


async def _around(snapshot: Snapshot, start: Node, depth: int, relations: frozenset[str]) -> Subgraph | None:
    graph = await overview(snapshot).projection()
    if start in graph.places:
        return lineage.around(graph, start, depth, relations=relations)
    [entity] = await snapshot.mixed([start])
    if entity is None:
        return None
    code = entity.get("implementation") if start[0] == "Run" else None
    if code is None or not depth or "MEASURES" not in relations:
        return Subgraph((start,), (), truncated=code is not None and not depth)
    implementation = ("Implementation", code)
    rest = lineage.around(graph, implementation, depth - 1, relations=relations)
    return lineage.with_run(start, implementation, rest)


def _influence(row: Influence) -> ImplementationInfluence:
    return ImplementationInfluence(
        rank=row.rank,
        score=row.score,
        take_overs=row.take_overs,
        losses=row.losses,
        successors=row.successors,
        digest=row.digest,
    )
