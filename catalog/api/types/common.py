"""Small types that several others show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import strawberry

from catalog.api.fields import resolved
from catalog.api.node import Info, fetch
from catalog.api.types.parts import SoftwareProject


@strawberry.type(description="A number with a name.")
class NamedNumber:
    name: str = strawberry.field(description="The name.")
    value: float = strawberry.field(description="The number, exact up to 2^53.")


@strawberry.type(description="An editorial label of a manifest.")
class ManifestLabel:
    name: str = strawberry.field(description="Name of the label.")
    value: str = strawberry.field(description="Its value.")


@strawberry.type(description="Something to know about an object that is no reason to refuse it.")
class ManifestWarning:
    code: str = strawberry.field(description="Stable code, such as OPERATION_MISMATCH or ZONE_ASSUMED.")
    message: str = strawberry.field(description="The same for people.")


def manifest_warnings(stated: Iterable[tuple[str, str]]) -> list[ManifestWarning]:
    """From (code, message) pairs."""
    return [ManifestWarning(code=code, message=message) for code, message in stated]


@strawberry.type(description="One number of a run.")
class BenchmarkMeasurement:
    metric: str = strawberry.field(description="What was measured, such as latency.")
    statistic: str = strawberry.field(description="How samples were summed up, such as median.")
    unit: str = strawberry.field(description="The unit of the value.")
    value: float = strawberry.field(description="The value as stated, never rounded or converted.")
    sample_count: int | None = strawberry.field(
        description="How many samples it sums up; null if not stated, or beyond 32 bits."
    )


@strawberry.type(description="A name under which something was submitted to a source.")
class SubmittedName:
    slug: str = strawberry.field(description="The name as the source spells it in addresses.")
    title: str | None = strawberry.field(description="The name for people.")
    role: str | None = strawberry.field(description="The part it plays there, such as baseline.")
    project_slug: strawberry.Private[str | None]

    @resolved(description="The project it was submitted for.")
    def project(self, info: Info) -> SoftwareProject | None:
        return fetch(info, SoftwareProject, self.project_slug)


def submitted_name(stated: Mapping[str, Any]) -> SubmittedName:
    """The name as its source stated it: {slug, title?, role?, project?}."""
    return SubmittedName(
        slug=stated["slug"],
        title=stated.get("title"),
        role=stated.get("role"),
        project_slug=stated.get("project"),
    )


def named_numbers(numbers: Mapping[str, Any]) -> list[NamedNumber]:
    """Numbers by name, sorted by name."""
    return [NamedNumber(name=name, value=numbers[name]) for name in sorted(numbers)]
