"""Implementations: one revision of code that computes an operation."""

from __future__ import annotations

from typing import ClassVar, Self

import strawberry

from catalog.api.enums import InstallKind
from catalog.api.fields import resolved
from catalog.api.node import Info, Node, fetch, fetch_many, global_id
from catalog.api.types.common import SubmittedName, submitted_name
from catalog.api.types.lineage_fields import LineageFields
from catalog.api.types.parts import COMPLETE, EvidenceArtifact, OperationSpec, SoftwareProject
from catalog.api.types.portability import ImplementationPortability, implementation_portability
from catalog.domain import deployability
from catalog.domain.identity import Digest
from catalog.read import Entity
from catalog.read.ledger import honesty_reads


@strawberry.type(description="Under which licence code may be used.")
class LicenseStatement:
    declared: str | None = strawberry.field(description="What the project declares.")
    concluded: str | None = strawberry.field(description="What a reviewer concluded.")
    permissive: bool | None = strawberry.field(
        description="Whether it is a permissive licence; null when that can't be told."
    )


@strawberry.type(description="A way to install an implementation.")
class InstallRecipe:
    kind: InstallKind = strawberry.field(description="How it is installed.")
    package: str | None = strawberry.field(description="Name of the package.")
    command: str | None = strawberry.field(description="The command as the manifest has it.")


@strawberry.type(description="Whether an implementation can be put to use.")
class DeployabilityVerdict:
    eligible: bool = strawberry.field(description="Whether nothing speaks against it.")
    reasons: list[str] = strawberry.field(description="What does: stable codes, in the policy's order.")


@strawberry.federation.type(
    keys=["digest"], description="One revision of code that computes an operation: what groups compare."
)
class ImplementationRevision(Node, LineageFields):
    label: ClassVar[str] = "Implementation"

    digest: Digest = strawberry.field(description="Its content address.")
    complete: bool = strawberry.field(description=COMPLETE)
    slug: str | None = strawberry.field(description="The name shown; others may have the same.")
    title: str | None = strawberry.field(description="Its name for people.")
    language: str | None = strawberry.field(description="The language it is written in.")
    framework: str | None = strawberry.field(description="The framework it belongs to, where stated.")
    architectures: list[str] = strawberry.field(description="GPU architectures that it says it supports.")
    entity: strawberry.Private[Entity]

    @classmethod
    def of(cls, entity: Entity) -> Self:
        return cls(
            id=global_id("ImplementationRevision", entity.key),
            digest=Digest(entity.key),
            complete=entity.complete,
            slug=entity.get("slug"),
            title=entity.get("title"),
            language=entity.get("language"),
            framework=None,  # no manifest of this version states one
            architectures=list(entity.get("architectures") or ()),
            entity=entity,
        )

    @resolved(description="Commit of its code, else its version.")
    def source_revision(self) -> str | None:
        revision = self.entity.spec.get("projectRevision", {})
        stated: str | None = revision.get("commit", revision.get("version"))
        return stated

    @resolved(description="All names it was submitted under, by slug.")
    def names(self) -> list[SubmittedName]:
        stated = self.entity.stated("ImplementationRevision", "name")
        return [submitted_name(name) for name in stated or self.entity.variant_names]

    @resolved(description="Under which licence it may be used.")
    def license(self) -> LicenseStatement | None:
        licensing = self.entity.spec.get("licensing")
        if licensing is None:
            return None
        return LicenseStatement(
            declared=licensing.get("declared"),
            concluded=licensing.get("concluded"),
            permissive=self.entity.get("permissive"),
        )

    @resolved(description="Ways to install it, in the manifest's order.")
    def installs(self) -> list[InstallRecipe]:
        recipes = (variant["install"] for variant in self.entity.spec.get("buildVariants", ()))
        return [
            InstallRecipe(
                kind=InstallKind(recipe["kind"]),
                package=recipe.get("package"),
                command=recipe.get("command"),
            )
            for recipe in recipes
        ]

    @resolved(description="Whether it can be put to use, by the deployability policy.")
    def deployability(self) -> DeployabilityVerdict | None:
        if not self.complete:
            return None
        stored = (bool(self.entity.get(name)) for name in ("publicSource", "installable", "licenseKnown"))
        reasons = deployability.reasons_of(*stored)
        return DeployabilityVerdict(eligible=not reasons, reasons=list(reasons))

    @resolved(
        description="How it fares on each architecture that it was run on or says it supports, by name; "
        "runs without a recorded architecture are kept apart, last."
    )
    async def portability(self, info: Info) -> list[ImplementationPortability]:
        ledger = await honesty_reads(info.context.snapshot).ledger()
        return [implementation_portability(port) for port in ledger.portability(self.digest)]

    @resolved(description="The file its code is in; the same file is the same code.")
    def source_artifact(self, info: Info) -> EvidenceArtifact | None:
        return fetch(info, EvidenceArtifact, self.entity.get("sourceDigest"))

    @resolved(description="The operation it says it computes.")
    def operation(self, info: Info) -> OperationSpec | None:
        return fetch(info, OperationSpec, self.entity.get("operation"))

    @resolved(description="The project of the name shown.")
    def project(self, info: Info) -> SoftwareProject | None:
        return fetch(info, SoftwareProject, self.entity.get("project"))

    @resolved(description="The projects of all its names, by slug.")
    async def projects(self, info: Info) -> list[SoftwareProject]:
        return await fetch_many(info, SoftwareProject, self.entity.get("projects") or [])
