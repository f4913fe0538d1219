"""Catalog facts: what the catalog knows of an object beside its manifest (docs/domain.md §2).

Publication, retraction, slugs, aliases, projects … are in no manifest and no digest. Each is stated by a
source, and a statement never overwrites another one: an object keeps a set of statements that only grows,
and what is shown is a function of that set. So the order in which statements arrive never shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Any, NamedTuple

from catalog.domain import fact_values as check
from catalog.domain.errors import InputError
from catalog.domain.identity import canonical_bytes, canonical_text, load_canonical
from catalog.domain.instants import parse_instant


class Merge(Enum):
    """How the statements of one field become the value that is shown."""

    SINGLE = auto()
    """The one of the smallest source slug, then of the smallest JCS bytes."""
    SET = auto()
    """All of them, each once, sorted."""
    EARLIEST = auto()
    """The earliest instant."""
    EARLIEST_EVENT = auto()
    """The event with the earliest ``at``, then of the smallest JCS bytes."""
    LARGEST = auto()
    """The largest number."""
    ANY = auto()
    """True when one of them says true."""


class Field(NamedTuple):
    """One kind of statement: how its values are checked and merged."""

    merge: Merge
    check: Callable[[object], str | None]


_SLUG = Field(Merge.SINGLE, check.slug)

FIELDS: Mapping[tuple[str, str], Field] = {
    ("OperationSpec", "slug"): _SLUG,
    ("OperationSpec", "alias"): Field(Merge.SET, check.name),
    ("OperationSpec", "tag"): Field(Merge.SET, check.name),
    ("ImplementationRevision", "name"): Field(Merge.SET, check.submitted_name),
    ("EvidenceArtifact", "kind"): Field(Merge.SINGLE, check.name),
    ("EvidenceArtifact", "mediaType"): Field(Merge.SINGLE, check.name),
    ("EvidenceArtifact", "sizeBytes"): Field(Merge.SINGLE, check.count),
    ("EvidenceArtifact", "uri"): Field(Merge.SINGLE, check.artifact_uri),
    ("EvidenceArtifact", "license"): Field(Merge.SET, check.name),
    ("EvidenceSource", "name"): Field(Merge.SINGLE, check.name),
    ("EvidenceSource", "kind"): Field(Merge.SINGLE, check.name),
    ("EvidenceSource", "license"): Field(Merge.SINGLE, check.text),
    ("EvidenceSource", "attribution"): Field(Merge.SINGLE, check.text),
    ("EvidenceSource", "termsUrl"): Field(Merge.SINGLE, check.https_url),
    ("EvidenceSource", "terms"): Field(Merge.SINGLE, check.text),
    ("EvidenceSource", "verifiedOn"): Field(Merge.SINGLE, check.calendar_date),
    ("BenchmarkRun", "publishedAt"): Field(Merge.EARLIEST, check.instant),
    ("BenchmarkRun", "published"): Field(Merge.ANY, check.boolean),
    ("BenchmarkRun", "retraction"): Field(Merge.EARLIEST_EVENT, check.event),
    ("BenchmarkRun", "supersedes"): Field(Merge.SET, check.digest),
    ("BenchmarkRun", "replications"): Field(Merge.LARGEST, check.count),
    ("BenchmarkRun", "controlledRerun"): Field(Merge.ANY, check.boolean),
    ("BenchmarkRun", "submittedAs"): Field(Merge.SINGLE, check.submitted_name),
    ("ServingRun", "publishedAt"): Field(Merge.EARLIEST, check.instant),
    ("ServingRun", "published"): Field(Merge.ANY, check.boolean),
    ("ServingRun", "retraction"): Field(Merge.EARLIEST_EVENT, check.event),
    ("ServingRun", "supersedes"): Field(Merge.SET, check.digest),
    ("ModelRevision", "slug"): _SLUG,
    ("ServingStackRevision", "slug"): _SLUG,
    ("ServingStackRevision", "project"): Field(Merge.SET, check.slug),
    ("ServingWorkload", "slug"): _SLUG,
    ("ServingConfiguration", "summary"): Field(Merge.SINGLE, check.text),
}
"""Every statement there is: (kind of the subject, field) -> how it is checked and merged."""

FROM_MANIFEST = "manifest"
"""Stands as the source of what a manifest itself says of another object (its artifacts): no source's slug."""

SLUG_KEYED = frozenset({"EvidenceSource", "SoftwareProject"})
"""Kinds whose objects are named by slug; all others are named by digest."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One source's statement of one field of one object.

    ``subject`` is the object's digest (an EvidenceArtifact's content digest, an EvidenceSource's slug);
    ``source`` the slug of the source that states it. A statement that exists is a valid one:

    Raises:
        InputError: no such field of that kind, or a subject, source or value that it does not take.
    """

    subject_kind: str
    subject: str
    field: str
    value: Any
    source: str

    def __post_init__(self) -> None:
        known = FIELDS.get((self.subject_kind, self.field))
        if known is None:
            fields = sorted(field for kind, field in FIELDS if kind == self.subject_kind)
            right = f"its fields are {', '.join(fields)}" if fields else "there are none of that kind"
            raise InputError(self.field, self.field, f"no such fact of {self.subject_kind}: {right}")
        subject = check.slug if self.subject_kind in SLUG_KEYED else check.digest
        for name, value, fault in (
            ("subject", self.subject, subject(self.subject)),
            ("source", self.source, check.slug(self.source)),
            (self.field, self.value, known.check(self.value)),
        ):
            if fault is not None:
                raise InputError(name, value, fault)

    def __hash__(self) -> int:
        return hash((self.subject_kind, self.subject, text(self)))


def text(statement: Statement) -> str:
    """The statement as a node keeps it: the JCS text of ``{"field", "source", "value"}``."""
    field, source = _quoted(statement.field), _quoted(statement.source)
    return f'{{"field":{field},"source":{source},"value":{canonical_text(statement.value)}}}'


_quoted = lru_cache(maxsize=1024)(canonical_text)


def parse(stored: str, subject_kind: str, subject: str) -> Statement:
    """The statement behind :func:`text`, about the object it was stored on.

    Raises:
        InputError: the text is not that of a statement about such an object.
    """
    try:
        body = load_canonical(stored)
    except ValueError as error:
        raise InputError("facts", stored, f"not a statement's text: {error}") from error
    if not isinstance(body, dict) or body.keys() != {"field", "source", "value"}:
        raise InputError("facts", stored, "a statement's text is an object of field, source and value")
    if not isinstance(body["field"], str):
        raise InputError("facts", stored, "a statement's field is a string")
    return Statement(subject_kind, subject, body["field"], body["value"], body["source"])


def shown(subject_kind: str, field: str, statements: Iterable[Statement]) -> Any:
    """The value of ``field`` that the statements about one object add up to (docs/domain.md §2).

    Statements of other fields are passed over. A set gives a sorted list (empty when nothing is stated);
    any other field gives one value as it was stated, or None.
    """
    merge = FIELDS[subject_kind, field].merge
    stated = [s for s in statements if s.field == field and s.subject_kind == subject_kind]
    if len(stated) == 1:  # nearly always, and there is nothing to weigh
        return [stated[0].value] if merge is Merge.SET else stated[0].value
    if merge is Merge.SET:
        unique = {canonical_bytes(s.value): s.value for s in stated}
        return [value for _, value in sorted(unique.items(), key=_in_set)]
    if not stated:
        return None
    if merge is Merge.ANY:
        return any(s.value for s in stated)
    if merge is Merge.LARGEST:
        return max(s.value for s in stated)
    return min(stated, key=_PREFERENCE[merge]).value


def _in_set(entry: tuple[bytes, Any]) -> tuple[str, bytes]:
    """Strings by code point, names by slug, then JCS bytes."""
    canonical, value = entry
    return (value["slug"] if isinstance(value, dict) else value), canonical


_PREFERENCE: Mapping[Merge, Callable[[Statement], tuple[str, bytes]]] = {
    Merge.SINGLE: lambda s: (s.source, canonical_bytes(s.value)),
    Merge.EARLIEST: lambda s: (parse_instant(s.value), canonical_bytes(s.value)),
    Merge.EARLIEST_EVENT: lambda s: (parse_instant(s.value["at"]), canonical_bytes(s.value)),
}


def published(statements: Iterable[Statement]) -> bool:
    """Whether a run is published: it is, unless a source says otherwise and none contradicts it.

    A stated ``publishedAt`` says yes as ``published: true`` does (docs/domain.md §4).
    """
    denied = False
    for statement in statements:
        if statement.field == "publishedAt" or (statement.field == "published" and statement.value):
            return True
        denied = denied or statement.field == "published"
    return not denied


def shown_variant(metadata: Sequence[str], preferred_name: str | None = None) -> int:
    """Which of an object's metadata variants, given as JCS texts, is shown (docs/domain.md §2).

    That named ``preferred_name`` when there is one (for an implementation: the name under which its
    earliest run was submitted, see :func:`earliest_name`), else that of the smallest JCS bytes.

    Returns:
        Its index in ``metadata``.

    Raises:
        ValueError: there is no variant.
    """
    order = sorted(range(len(metadata)), key=lambda index: metadata[index].encode())
    if preferred_name is not None:
        for index in order:
            if load_canonical(metadata[index]).get("name") == preferred_name:
                return index
    if not order:
        raise ValueError("an object without metadata shows none of it")
    return order[0]


def earliest_name(metadata: Sequence[str], runs: Iterable[tuple[str, str, str]]) -> str | None:
    """The variant name that an implementation's earliest run belongs to, or None when no run decides.

    ``runs`` are (submittedAs slug, observedAt as canonical text, run digest) of the implementation's runs;
    those whose slug is no variant's metadata.name do not decide. Equal instants go by digest.
    """
    names = {load_canonical(variant).get("name") for variant in metadata}
    deciding = ((observed, digest, slug) for slug, observed, digest in runs if slug in names)
    return min(deciding, default=("", "", None))[2]
