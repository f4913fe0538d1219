"""ImplementationRevision: one revision of code that computes an operation."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from catalog.domain.manifests.base import (
    Commit,
    Digest,
    Identifier,
    IdentifierSet,
    Name,
    Positive,
    Text50Set,
    Text100,
    Text100Set,
    Text200,
    Text200Set,
    Text500,
    Text1000,
    Url,
    strict,
)


@strict
class SourceRevision(TypedDict):
    repository: NotRequired[Url]
    commit: NotRequired[Commit]
    version: NotRequired[Text100]
    treeDigest: NotRequired[Digest]


@strict
class ImplementedOperation(TypedDict):
    specDigest: Digest


@strict
class EntryPoint(TypedDict):
    language: Identifier
    path: NotRequired[Text500]
    symbol: NotRequired[Text200]
    interface: NotRequired[Identifier]


@strict
class Support(TypedDict):
    """What the code runs on; every list is a set."""

    hardwareArchitectures: IdentifierSet
    productsTested: NotRequired[Text100Set]
    axes: NotRequired[Text200Set]
    dtypes: IdentifierSet
    layouts: NotRequired[Text50Set]


@strict
class SourceFile(TypedDict):
    contentDigest: Digest
    fileName: NotRequired[Text200]
    sizeBytes: NotRequired[Positive]


@strict
class Install(TypedDict):
    kind: Literal["git", "pip", "package", "container", "source"]
    repository: NotRequired[Url]
    commit: NotRequired[Commit]
    package: NotRequired[Text200]
    version: NotRequired[Text100]
    command: NotRequired[Text1000]


@strict
class BuildVariant(TypedDict):
    name: Name
    install: Install
    requirements: NotRequired[dict[Identifier, Text200]]


@strict
class LicenceEvidence(TypedDict):
    path: Text500
    digest: NotRequired[Digest]


@strict
class Licensing(TypedDict):
    declared: NotRequired[Text200]
    concluded: NotRequired[Text200]
    evidence: NotRequired[LicenceEvidence]


@strict
class ImplementationRevision(TypedDict):
    projectRevision: SourceRevision
    operation: ImplementedOperation
    callable: EntryPoint
    support: Support
    source: NotRequired[SourceFile]
    buildVariants: NotRequired[list[BuildVariant]]
    licensing: Licensing
