"""The catalog as a whole: its revision, engine, policies, and how much it holds."""

from __future__ import annotations

import strawberry

from catalog.api.costs import long
from catalog.api.enums import ErrorCode
from catalog.api.fields import resolved
from catalog.api.node import Info, fetch_many
from catalog.api.types.parts import EvidenceSource
from catalog.domain import deployability, ranking, serving
from catalog.domain.manifests import API_VERSION
from catalog.read import Snapshot


@strawberry.type(description="The database engine behind the catalog.")
class CatalogEngine:
    name: str = strawberry.field(description="Which engine it is: neo4j or arcadedb.")
    version: str = strawberry.field(description="Its version.")


@strawberry.type(description="The policies that derived values follow, by name and version.")
class CatalogPolicies:
    ranking: str = strawberry.field(description="Eligibility and ranking inside a group.")
    deployability: str = strawberry.field(description="Whether an implementation can be put to use.")
    serving: str = strawberry.field(description="Ranking of serving results.")


@strawberry.type(description="How many objects of a kind there are.")
class CatalogKindCount:
    kind: str = strawberry.field(description="A manifest kind or another type of object.")
    count: int = strawberry.field(description="How many; those known only by digest are left out.")


@strawberry.type(description="The catalog as a whole.")
class KernelCatalog:
    revision: int = strawberry.field(description="Raised by every write; this answer is about it.")
    api_version: str = strawberry.field(description="The `apiVersion` of the manifests.")
    engine: CatalogEngine = strawberry.field(description="The database engine.")
    policies: CatalogPolicies = strawberry.field(description="The policies in force.")

    @resolved(
        costs=long(20),
        description="How much there is of each kind; a kind of this catalog's own last, once there is one.",
    )
    async def counts(self, info: Info) -> list[CatalogKindCount]:
        counts = await info.context.snapshot.counts()
        return [CatalogKindCount(kind=kind, count=count) for kind, count in counts]

    @resolved(description="Every code that `extensions.code` of an error may be.")
    def error_codes(self) -> list[ErrorCode]:
        return list(ErrorCode)

    @resolved(costs=long(10), description="Who reported, by slug.")
    async def sources(self, info: Info) -> list[EvidenceSource]:
        return await fetch_many(info, EvidenceSource, await info.context.snapshot.source_slugs())


def kernel_catalog(snapshot: Snapshot) -> KernelCatalog:
    """The catalog at the revision of a snapshot."""
    return KernelCatalog(
        revision=snapshot.revision,
        api_version=API_VERSION,
        engine=CatalogEngine(name=snapshot.engine.name, version=snapshot.engine.version),
        policies=CatalogPolicies(
            ranking=ranking.POLICY, deployability=deployability.POLICY, serving=serving.POLICY
        ),
    )
