"""Short ways to read documents in tests."""

from __future__ import annotations

from typing import Any

from catalog.domain.documents import load_manifests, read_documents
from catalog.domain.errors import ManifestError

GOOD = """\
apiVersion: kernelindex.dev/v1alpha1
kind: SoftwareProject
metadata: {name: good}
spec:
  name: Good
"""


def values(data: str | bytes, media: Any = "yaml") -> list[Any]:
    """The values of all documents; for a faulty one the reasons."""
    data = data if isinstance(data, bytes) else data.encode()
    return [
        [fault.reason for fault in document.faults]
        if isinstance(document, ManifestError) or document.faults
        else document.value
        for document in read_documents(data, media=media)
    ]


def faults(data: str | bytes, name: str = "x.yaml") -> list[tuple[str, str, int | None, int | None]]:
    data = data if isinstance(data, bytes) else data.encode()
    return [
        (fault.reason, fault.pointer, fault.line, fault.column)
        for document in load_manifests(data, name)
        if isinstance(document, ManifestError)
        for fault in document.faults
    ]
