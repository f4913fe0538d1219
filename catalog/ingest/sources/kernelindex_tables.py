"""Tables of the public export that hold what runs are made of, and the facts beside the manifests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from catalog.domain.errors import Fault, ManifestError, quote
from catalog.domain.facts import Statement
from catalog.domain.identity import correctness_key
from catalog.domain.manifests import Manifest, validate
from catalog.ingest.sources.kernelindex_columns import (
    STATED_BY,
    Brought,
    Columns,
    Known,
    KnownWorkload,
    check,
    invalid,
    remember,
)

POLICY_FIELDS = {
    "license": "license",
    "attribution": "attribution",
    "url": "termsUrl",
    "terms": "terms",
    "verified": "verifiedOn",
}
"""Keys of a source's policy -> facts; others (how often a source is looked at) are no facts."""


def of_kind(raw: object, *kinds: str) -> Manifest:
    """The valid manifest, which must be of one of these kinds.

    Raises:
        ManifestError: it is not.
    """
    found = raw.get("kind") if isinstance(raw, dict) else None
    if isinstance(raw, dict) and found not in kinds:
        message = f"the kind in this table must be {' or '.join(kinds)}"
        raise ManifestError((Fault("wrong_kind", "/kind", message, quote(found)),))
    return validate(raw)


def stated(kind: str, subject: str, facts: Iterable[tuple[str, Any]]) -> tuple[Statement, ...]:
    """Facts that the export itself states; those without a value (null) are not stated."""
    return tuple(
        Statement(kind, subject, field, value, STATED_BY) for field, value in facts if value is not None
    )


def sources(known: Known, columns: Columns) -> Brought:
    """Sources: name, kind and terms."""
    slug = columns.text("slug")
    policy = columns.optional_mapping("policy")
    facts: list[tuple[str, Any]] = [("name", columns.text("name")), ("kind", columns.text("kind"))]
    facts += [(field, policy.get(key)) for key, field in POLICY_FIELDS.items()]
    statements = stated("EvidenceSource", slug, facts)
    remember(known.sources, columns, slug)
    return Brought(statements=statements)


def projects(known: Known, columns: Columns) -> Brought:
    """Projects. Their slug is their manifest's name."""
    manifest = of_kind(columns.mapping("manifest"), "SoftwareProject")
    slug = columns.text("slug")
    if slug != manifest.metadata["name"]:
        raise invalid("slug", "must be the manifest's metadata.name", slug)
    remember(known.projects, columns, slug)
    return Brought((manifest,))


def operations(known: Known, columns: Columns) -> Brought:
    """Operations with their slug and tags."""
    manifest = of_kind(columns.mapping("manifest"), "OperationSpec")
    check("semanticDigest", columns.text("semanticDigest"), manifest.digest)
    facts = [("slug", columns.text("slug")), *(("tag", tag) for tag in columns.texts("tags"))]
    statements = stated("OperationSpec", manifest.digest, facts)
    remember(known.operations, columns, manifest.digest)
    return Brought((manifest,), statements)


def operation_aliases(known: Known, columns: Columns) -> Brought:
    """Further names of operations."""
    operation = columns.refer("operationId", known.operations)
    return Brought(statements=stated("OperationSpec", operation, [("alias", columns.text("alias"))]))


def workloads(known: Known, columns: Columns) -> Brought:
    """Workloads: cases and suites."""
    manifest = of_kind(columns.mapping("manifest"), "WorkloadCase", "WorkloadSuite")
    check("workloadDigest", columns.text("workloadDigest"), manifest.digest)
    operation = manifest.spec["operationSpecDigest"]
    check("operationId", columns.refer("operationId", known.operations), operation)
    workload = KnownWorkload(manifest.digest, operation, correctness_key(manifest.spec))
    remember(known.workloads, columns, workload)
    return Brought((manifest,))


def implementations(known: Known, columns: Columns) -> Brought:
    """Implementations, each with the name and project that the export gives it."""
    manifest = of_kind(columns.mapping("manifest"), "ImplementationRevision")
    check("implementationDigest", columns.text("implementationDigest"), manifest.digest)
    operation = columns.refer("operationId", known.operations)
    check("operationId", operation, manifest.spec["operation"]["specDigest"])
    name = {
        "slug": columns.text("slug"),
        "title": columns.text("title"),
        "project": columns.refer("projectId", known.projects),
    }
    statements = stated("ImplementationRevision", manifest.digest, [("name", name)])
    remember(known.implementations, columns, manifest.digest)
    return Brought((manifest,), statements)


def artifacts(_: Known, columns: Columns) -> Brought:
    """Artifacts by content digest: what they are, where they are, and under which licence."""
    facts = [
        ("kind", columns.text("kind")),
        ("mediaType", columns.text("mediaType")),
        ("sizeBytes", columns.count("sizeBytes")),
        ("uri", columns.optional_text("uri")),
        ("license", columns.optional_text("license")),
    ]
    return Brought(statements=stated("EvidenceArtifact", columns.text("contentDigest"), facts))
