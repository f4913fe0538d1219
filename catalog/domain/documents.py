"""From the bytes of a file to its manifests (docs/domain.md §1).

Bytes are checked before they become objects: size, UTF-8, no byte order mark. Then JSON or YAML, bundles
split, and each document validated on its own: a faulty one loses no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from catalog.domain.errors import Fault, ManifestError
from catalog.domain.json_strict import bad_utf8, parse_json, read_json
from catalog.domain.manifests.validation import Manifest, validate
from catalog.domain.places import MAX_BYTES, MAX_DEPTH, Position, RawDocument, step
from catalog.domain.yaml_core import MAX_ALIASES, read_yaml

__all__ = [
    "MAX_ALIASES",
    "MAX_BYTES",
    "MAX_DEPTH",
    "Media",
    "Position",
    "RawDocument",
    "load_manifests",
    "media_of",
    "parse_json",
    "read_documents",
]

Media = Literal["json", "yaml"]

_SUFFIXES: dict[str, Media] = {"json": "json", "yaml": "yaml", "yml": "yaml"}
_ENVELOPE = frozenset(("apiVersion", "kind", "metadata", "spec"))
_AT_KEY = frozenset(("unknown_field", "duplicate_key", "non_string_key", "invalid_identifier"))


def media_of(name: str) -> Media | None:
    """What a file's name says about its format, if anything."""
    return _SUFFIXES.get(name.rpartition(".")[2].lower())


def load_manifests(data: bytes, name: str) -> Iterator[Manifest | ManifestError]:
    """Each document of a file in turn: its manifest, or everything that is wrong with it, with lines and
    columns and with JSON Pointers into the file. ``name`` tells the format by its suffix."""
    for document in read_documents(data, media=media_of(name)):
        yield document if isinstance(document, ManifestError) else _validated(document)


def read_documents(data: bytes, *, media: Media | None = None) -> list[RawDocument | ManifestError]:
    """The documents of a file, in order; in place of one that cannot be read, what is wrong with it.

    Without ``media``, a text that starts with ``{`` and is JSON is read as JSON, anything else as YAML.
    """
    if len(data) > MAX_BYTES:
        message = f"must be at most {MAX_BYTES} bytes; split the file"
        return [ManifestError([Fault("document_too_large", "", message, f"{len(data)} bytes")])]
    if data.startswith(b"\xef\xbb\xbf"):
        fault = Fault("byte_order_mark", "", "must be UTF-8 without a byte order mark", "U+FEFF", 1, 1)
        return [ManifestError([fault])]
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return [ManifestError([bad_utf8(error)])]
    documents: list[RawDocument | ManifestError]
    if media == "json" or (media is None and text.lstrip().startswith("{")):
        try:
            documents = [read_json(text)]
        except ManifestError as error:
            documents = [error]
            if media is None and error.faults[-1].reason == "invalid_json":
                documents = list(read_yaml(text))
    else:
        documents = list(read_yaml(text))
    return [part for document in documents for part in _split(document)]


def _split(document: RawDocument | ManifestError) -> list[RawDocument | ManifestError]:
    """A bundle (an object whose values are manifests) as its members; anything else as it is."""
    value = document.value if isinstance(document, RawDocument) else None
    if isinstance(document, ManifestError) or not isinstance(value, dict) or not value:
        return [document]
    if _ENVELOPE & value.keys() or not all(isinstance(m, dict) and "kind" in m for m in value.values()):
        return [document]
    members: list[RawDocument | ManifestError] = []
    for name, member in value.items():
        base = step(name)
        faults = tuple(
            replace(fault, pointer=fault.pointer[len(base) :])
            for fault in document.faults
            if fault.pointer == base or fault.pointer.startswith(base + "/")
        )
        members.append(RawDocument(member, faults, document.find_places, base))
    return members


def _validated(document: RawDocument) -> Manifest | ManifestError:
    faults = list(document.faults)
    try:
        manifest = validate(document.value)
    except ManifestError as error:
        known = {fault.pointer for fault in faults}
        faults.extend(_placed(fault, document) for fault in error.faults if fault.pointer not in known)
    else:
        if not faults:
            return manifest
    faults.sort(key=lambda fault: (fault.line or 0, fault.column or 0))
    return ManifestError(replace(fault, pointer=document.base + fault.pointer) for fault in faults)


def _placed(fault: Fault, document: RawDocument) -> Fault:
    position = document.locate(fault.pointer, key=fault.reason in _AT_KEY)
    return fault if position is None else replace(fault, line=position[0], column=position[1])
