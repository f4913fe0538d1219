"""The products subgraph that Apollo's compatibility suite asks, served through the catalog's HTTP layer.

The suite fixes schema and data. `python -m tests.conformance.products` serves it on a free port and prints
the address.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any, Final

import strawberry
import uvicorn
from strawberry.schema_directive import Location

from catalog.server.app import create_app
from catalog.server.run import OPTIONS
from catalog.server.settings import Settings
from tests.server.sample import Watch, explain, find_manifests

FEDERATION_VERSION: Final = "2.3"
"""The newest that the suite knows."""

EMAIL: Final = "support@apollographql.com"


@strawberry.federation.schema_directive(
    locations=[Location.OBJECT],
    name="custom",
    compose=True,
    import_url="https://myspecs.dev/myCustomDirective/v1.0",
)
class Custom: ...


@strawberry.federation.type(keys=["email"])
class User:
    email: strawberry.ID
    total_products_created: int | None = strawberry.federation.field(external=True, default=None)
    years_of_employment: int = strawberry.federation.field(external=True, default=0)

    @strawberry.federation.field(override="users")  # type: ignore[untyped-decorator] # Strawberry's own gap
    def name(self) -> str | None:
        return "Jane Smith" if self.email == EMAIL else None

    @strawberry.federation.field(requires=["totalProductsCreated", "yearsOfEmployment"])  # type: ignore[untyped-decorator]
    def average_products_created_per_year(self) -> int | None:
        if self.total_products_created is None or not self.years_of_employment:
            return None
        return round(self.total_products_created / self.years_of_employment)

    @classmethod
    def resolve_reference(cls, email: strawberry.ID, **required: Any) -> User:
        return cls(
            email=email,
            total_products_created=required.get("totalProductsCreated"),
            years_of_employment=required.get("yearsOfEmployment", 0),
        )


@strawberry.federation.type(shareable=True)
class ProductDimension:
    size: str | None
    weight: float | None
    unit: str | None = strawberry.federation.field(inaccessible=True)


@strawberry.type
class ProductVariation:
    id: strawberry.ID


@strawberry.type
class CaseStudy:
    case_number: strawberry.ID
    description: str | None


@strawberry.federation.type(keys=["study { caseNumber }"])
class ProductResearch:
    study: CaseStudy
    outcome: str | None = None

    @classmethod
    def resolve_reference(cls, study: Mapping[str, Any], **_: Any) -> ProductResearch | None:
        return RESEARCH.get(study["caseNumber"])


@strawberry.federation.type(keys=["sku package"])
class DeprecatedProduct:
    sku: str
    package: str
    reason: str | None
    created_by: User | None

    @classmethod
    def resolve_reference(cls, sku: str, package: str, **_: Any) -> DeprecatedProduct | None:
        return deprecated_product(sku, package)


@strawberry.federation.type(keys=["id", "sku package", "sku variation { id }"], directives=[Custom()])
class Product:
    id: strawberry.ID
    sku: str | None
    package: str | None
    variation: ProductVariation | None
    dimensions: ProductDimension | None
    created_by: User | None = strawberry.federation.field(provides=["totalProductsCreated"])
    notes: str | None = strawberry.federation.field(tags=["internal"])
    research: list[ProductResearch]

    @classmethod
    def resolve_reference(cls, **wanted: Any) -> Product | None:
        return next((product for product in PRODUCTS if _fits(product, wanted)), None)


def _fits(product: Product, wanted: Mapping[str, Any]) -> bool:
    if "id" in wanted:
        return bool(product.id == wanted["id"])
    if "variation" in wanted:
        variation = product.variation and product.variation.id
        return (product.sku, variation) == (wanted["sku"], wanted["variation"]["id"])
    return (product.sku, product.package) == (wanted["sku"], wanted["package"])


@strawberry.federation.interface_object(keys=["id"])
class Inventory:
    id: strawberry.ID

    @strawberry.field
    def deprecated_products(self) -> list[DeprecatedProduct]:
        return [DEPRECATED]

    @classmethod
    def resolve_reference(cls, id: strawberry.ID, **_: Any) -> Inventory:  # noqa: A002 - the key's name
        return cls(id=id)


def deprecated_product(sku: str, package: str) -> DeprecatedProduct | None:
    return DEPRECATED if (sku, package) == (DEPRECATED.sku, DEPRECATED.package) else None


@strawberry.type
class Query:
    @strawberry.field
    def product(self, id: strawberry.ID) -> Product | None:  # noqa: A002 - the argument's name
        return Product.resolve_reference(id=id)

    @strawberry.field(deprecation_reason="Use product query instead")  # type: ignore[untyped-decorator]
    def deprecated_product(self, sku: str, package: str) -> DeprecatedProduct | None:
        return deprecated_product(sku, package)


SUPPORT: Final = User(email=strawberry.ID(EMAIL), total_products_created=1337, years_of_employment=10)
DEPRECATED: Final = DeprecatedProduct(
    sku="apollo-federation-v1",
    package="@apollo/federation-v1",
    reason="Migrate to Federation V2",
    created_by=SUPPORT,
)
RESEARCH: Final = {
    number: ProductResearch(study=CaseStudy(case_number=strawberry.ID(number), description=description))
    for number, description in (("1234", "Federation Study"), ("1235", "Studio Study"))
}
PRODUCTS: Final = [
    Product(
        id=strawberry.ID(f"apollo-{sku}"),
        sku=sku,
        package=package,
        variation=ProductVariation(id=strawberry.ID(variation)),
        dimensions=ProductDimension(size="small", weight=1, unit="kg"),
        created_by=SUPPORT,
        notes=None,
        research=[RESEARCH[study]],
    )
    for sku, package, variation, study in (
        ("federation", "@apollo/federation", "OSS", "1234"),
        ("studio", "", "platform", "1235"),
    )
]

schema = strawberry.federation.Schema(
    query=Query,
    types=[Inventory, ProductResearch, User],
    federation_version=FEDERATION_VERSION,
)


watch = Watch()
app = create_app(
    schema=schema,
    context_factory=watch.context,
    store_probe=watch,
    manifest_bytes=find_manifests,
    map_error=explain,
    settings=Settings(graphiql=False),
)


def main() -> None:
    """Serve until interrupted."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"}), flush=True)
        uvicorn.Server(uvicorn.Config(app, **OPTIONS)).run(sockets=[listener])


if __name__ == "__main__":
    main()
