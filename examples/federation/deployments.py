"""A subgraph of another team: which kernels its services run, and where.

It knows an implementation by nothing but its digest. `Deployment.implementation` leads into the catalog's
graph, and `deployments` is a field more on the catalog's `ImplementationRevision`. One deployment runs a
kernel of the team's own that the catalog does not know.

    python examples/federation/deployments.py [--host ADDRESS] [--port N]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NewType, Self, TypeVar, cast

import strawberry
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

DATA: Final = Path(__file__).with_name("deployments.json")

Digest = NewType("Digest", str)


F = TypeVar("F", bound=Callable[..., Any])


def resolved(description: str) -> Callable[[F], F]:
    """`strawberry.field` for a method, which keeps the method's type."""
    return cast(Callable[[F], F], strawberry.field(description=description))


@dataclass(frozen=True)
class Row:
    """A deployment as the team keeps it."""

    id: str
    service: str
    cluster: str
    replicas: int
    since: str
    implementation: str


ROWS: Final = tuple(Row(**row) for row in json.loads(DATA.read_text("utf-8")))


@strawberry.federation.type(keys=["digest"], description="A revision of a kernel, known by its digest.")
class ImplementationRevision:
    digest: Digest = strawberry.field(description="Its content address in the catalog.")

    @resolved("Where it is deployed, largest first.")
    def deployments(self) -> list[Deployment]:
        return shown(row for row in ROWS if row.implementation == self.digest)

    @classmethod
    def resolve_reference(cls, digest: str, **_: Any) -> Self:
        return cls(digest=Digest(digest))


@strawberry.federation.type(keys=["id"], description="A kernel as one service runs it on one cluster.")
class Deployment:
    id: strawberry.ID = strawberry.field(description="Its name.")
    service: str = strawberry.field(description="The service that runs it.")
    cluster: str = strawberry.field(description="Where it runs.")
    replicas: int = strawberry.field(description="How many processes run it.")
    since: str = strawberry.field(description="The day it was rolled out.")
    implementation: ImplementationRevision = strawberry.field(description="The kernel.")

    @classmethod
    def of(cls, row: Row) -> Self:
        return cls(
            id=strawberry.ID(row.id),
            service=row.service,
            cluster=row.cluster,
            replicas=row.replicas,
            since=row.since,
            implementation=ImplementationRevision(digest=Digest(row.implementation)),
        )

    @classmethod
    def resolve_reference(cls, id: str, **_: Any) -> Self | None:  # noqa: A002 - the name of the key
        return next((cls.of(row) for row in ROWS if row.id == id), None)


def shown(rows: Iterable[Row]) -> list[Deployment]:
    """Deployments, largest first."""
    return [Deployment.of(row) for row in sorted(rows, key=lambda row: (-row.replicas, row.id))]


@strawberry.type(description="What can be asked.")
class Query:
    @resolved("Deployments, largest first.")
    def deployments(
        self,
        service: Annotated[
            str | None, strawberry.argument(description="Of this service only.")
        ] = strawberry.UNSET,
    ) -> list[Deployment]:
        return shown(row for row in ROWS if not service or row.service == service)


SCALARS: Final[dict[object, Any]] = {
    Digest: strawberry.scalar(name="Digest", description="A content address of the catalog.")
}
schema: Final = strawberry.federation.Schema(
    Query, config=StrawberryConfig(scalar_map=SCALARS), federation_version="2.7"
)

app: Final = Starlette(routes=[Route("/graphql", GraphQL[object, None](schema, graphql_ide=None))])

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The deployments subgraph.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8001)
    given = parser.parse_args()
    uvicorn.run(app, host=given.host, port=given.port, log_level="warning")
