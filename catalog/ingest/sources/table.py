"""The sources there are, one line each. A new source is one module and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from catalog.domain.errors import InputError
from catalog.ingest.items import Source
from catalog.ingest.sources.catalog_export import CatalogExportSource
from catalog.ingest.sources.kernelindex import KernelIndexSource
from catalog.ingest.sources.liger import LigerSource
from catalog.ingest.sources.manifests import ManifestsSource

_ALL: tuple[Source, ...] = (
    LigerSource(),
    KernelIndexSource(),
    CatalogExportSource(),
    ManifestsSource(),  # last: any YAML text may be meant for it
)

SOURCES: Mapping[str, Source] = {source.name: source for source in _ALL}
"""Sources by name, in the order in which they are asked whether a file is theirs."""


def source_named(name: str) -> Source:
    """The source of that name.

    Raises:
        InputError: there is none.
    """
    if name not in SOURCES:
        raise InputError("source", name, f"the sources are {', '.join(SOURCES)}")
    return SOURCES[name]


def detect(path: Path, head: bytes) -> Source | None:
    """The source whose file this is, by its first (decompressed) bytes; None if no source knows it."""
    return next((source for source in SOURCES.values() if source.detects(path, head)), None)
