"""Manifests in YAML or JSON files: one or more documents a file, bundles among them.

A manifest states no catalog facts, with one exception: an implementation whose ``metadata.labels.project``
is a project's slug belongs to that project (docs/domain.md §2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import IO, Any

from catalog.domain.documents import MAX_BYTES, load_manifests, media_of
from catalog.domain.errors import InputError, ManifestError
from catalog.domain.facts import Statement
from catalog.domain.manifests import Manifest
from catalog.ingest.items import Outcome, Place, Row
from catalog.ingest.sources.rejection import rejected, unreadable

_COMPRESSED = re.compile(r"\.(zst|gz)$", re.IGNORECASE)


class ManifestsSource:
    """Files of manifests."""

    name = "manifests"

    def detects(self, path: Path, head: bytes) -> bool:
        """A text that speaks of an apiVersion, or whose name says that it is YAML or JSON."""
        return b"apiVersion" in head or media_of(_plain_name(path)) is not None

    def read(self, path: Path, stream: IO[bytes]) -> Iterator[Outcome]:
        """One outcome a document, numbered from 1; the members of a bundle are documents of their own."""
        try:
            data = _first(stream, MAX_BYTES + 1)
        except OSError as error:
            yield unreadable(str(path), 1, error)
            return
        for number, found in enumerate(load_manifests(data, _plain_name(path)), 1):
            yield _outcome(Place(str(path), number), found)


def _plain_name(path: PurePath) -> str:
    """The file's name without what says that it is compressed."""
    return _COMPRESSED.sub("", path.name)


def _first(stream: IO[bytes], most: int) -> bytes:
    data = bytearray()
    while len(data) < most and (piece := stream.read(most - len(data))):
        data += piece
    return bytes(data)


def _outcome(place: Place, found: Manifest | ManifestError) -> Outcome:
    if isinstance(found, ManifestError):
        return rejected(place, found)
    try:
        return Row(place, (found,), _project(found))
    except InputError as error:
        return rejected(place, error, under="/metadata/labels/project")


def _project(manifest: Manifest) -> tuple[Statement, ...]:
    project = manifest.metadata.get("labels", {}).get("project")
    if manifest.kind != "ImplementationRevision" or project is None:
        return ()
    name: dict[str, Any] = {"slug": manifest.metadata["name"], "project": project}
    if "title" in manifest.metadata:
        name["title"] = manifest.metadata["title"]
    return (Statement(manifest.kind, manifest.digest, "name", name, ManifestsSource.name),)
