"""SoftwareProject: whose code an implementation is a revision of."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from catalog.domain.manifests.base import Identifier, Text200, Url, strict


@strict
class Host(TypedDict):
    kind: Literal["github", "huggingface", "gitlab", "other"]
    id: Text200


@strict
class Package(TypedDict):
    ecosystem: Identifier
    name: Text200


@strict
class SoftwareProject(TypedDict):
    name: Text200
    kind: NotRequired[Literal["library", "individual", "vendor"]]
    repository: NotRequired[Url]
    homepage: NotRequired[Url]
    host: NotRequired[Host]
    packages: NotRequired[list[Package]]
