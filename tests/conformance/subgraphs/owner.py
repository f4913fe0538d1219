"""A subgraph of another team that owns names which a catalog has too, or might have.

It has its own Project, License and Metric, its own `search`, `node` and `project`, a PageInfo that is not
shareable, a Node with one more field, and a SearchConnection of another shape.

    python -m tests.conformance.subgraphs.owner PORT
"""

from __future__ import annotations

import enum
import sys
from typing import Annotated

import strawberry
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL


@strawberry.interface
class Node:
    id: strawberry.ID
    created_at: str


@strawberry.type
class License:
    spdx: str
    seats: int


@strawberry.enum
class MetricDirection(enum.Enum):
    UP = "up"
    DOWN = "down"


@strawberry.type
class Metric:
    name: str
    direction: MetricDirection


@strawberry.federation.type(keys=["id"])
class Project(Node):
    slug: str
    license: License
    metrics: list[Metric]


@strawberry.type
class PageInfo:
    page: int
    pages: int


@strawberry.type
class SearchConnection:
    page_info: PageInfo
    projects: list[Project]


ATLAS = Project(
    id=strawberry.ID("1"),
    created_at="2026-01-01",
    slug="atlas",
    license=License(spdx="MIT", seats=5),
    metrics=[Metric(name="tickets", direction=MetricDirection.DOWN)],
)


@strawberry.type
class Query:
    @strawberry.field
    def node(self, id: strawberry.ID) -> Node | None:  # noqa: A002 - the argument's public name
        return ATLAS if id == ATLAS.id else None

    @strawberry.field
    def project(self, slug: str) -> Project | None:
        return ATLAS if slug == ATLAS.slug else None

    @strawberry.field
    def search(self, text: Annotated[str, strawberry.argument(name="text")]) -> SearchConnection:
        found = [ATLAS] if text in ATLAS.slug else []
        return SearchConnection(page_info=PageInfo(page=1, pages=1), projects=found)


schema = strawberry.federation.Schema(Query, federation_version="2.7")
app = Starlette(routes=[Route("/graphql", GraphQL[object, None](schema))])

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
