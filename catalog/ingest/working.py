"""The part of the graph that one batch touches, in memory: what is there, and what the batch adds.

Everything only grows: metadata variants and statements are sets, a bare node becomes complete once, a
relationship is added once. So absorbing the same rows in another order, or twice, gives the same graph,
and a row that adds nothing is *unchanged*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from catalog.domain import facts
from catalog.domain.facts import Statement
from catalog.domain.identity import canonical_text
from catalog.domain.manifests import Manifest
from catalog.ingest import projection
from catalog.ingest.items import Row
from graph.schema import LABEL_OF_KIND

NodeId = tuple[str, str]
"""Label and key."""


SUBJECT_KIND_OF_LABEL: dict[str, str] = {
    label: kind for kind, label in projection.SUBJECT_LABEL.items() if label != "Workload"
}


@dataclass(slots=True, eq=False)
class Node:
    """One node: what the graph held when it was read, and what the batch has added since.

    ``stored`` are the properties that were read (without the manifest); ``manifest`` the canonical text,
    known when the batch brought it or it was loaded on purpose.
    """

    label: str
    key: str
    stored: Mapping[str, Any] | None = None
    kind: str | None = None
    complete: bool = False
    manifest: str | None = None
    spec: Mapping[str, Any] | None = None
    metadata: set[str] = field(default_factory=set)
    facts: dict[str, Statement | None] = field(default_factory=dict)
    """By their text; those that were stored are parsed when they are needed (:meth:`statements`)."""
    names: set[str] | None = None
    superseded: bool = False
    completed_now: bool = False
    dirty: bool = False
    provenance: dict[str, Any] = field(default_factory=dict)
    derived: dict[str, Any] = field(default_factory=dict)
    """What the batch computed for it; stands before ``stored``."""

    def value(self, name: str) -> Any:
        """A property as it will stand after the batch."""
        if name in self.derived:
            return self.derived[name]
        return (self.stored or {}).get(name)

    @property
    def is_new(self) -> bool:
        return self.stored is None

    def statements(self) -> list[Statement]:
        """What is stated of it, in the order of the statements' texts."""
        if not self.facts:
            return []
        kind = self.kind or SUBJECT_KIND_OF_LABEL.get(self.label, "")
        for text, statement in self.facts.items():
            if statement is None:
                self.facts[text] = facts.parse(text, kind, self.key)
        return [statement for _, statement in sorted(self.facts.items()) if statement is not None]

    def variants(self) -> list[str]:
        return sorted(self.metadata, key=str.encode)


class Working:
    """Nodes by label and key, and the relationships that the batch adds."""

    def __init__(self) -> None:
        self.nodes: dict[NodeId, Node] = {}
        self.edges: dict[str, dict[tuple[str, str], None]] = {}
        self._variants: dict[int, tuple[Manifest, str]] = {}

    def load(self, label: str, key: str, stored: Mapping[str, Any]) -> Node:
        """Take in a node as it was read."""
        node = Node(
            label,
            key,
            stored=stored,
            kind=stored.get("kind") if label in _MANIFEST_LABELS else None,
            complete=bool(stored.get("complete")),
            metadata=set(stored.get("metadata") or ()),
            facts=dict.fromkeys(stored.get("facts") or ()),
            superseded=bool(stored.get("superseded")),
        )
        self.nodes[label, key] = node
        return node

    def touch(self, label: str, key: str) -> Node:
        """The node, made bare when nothing is known of it."""
        node = self.nodes.get((label, key))
        if node is None:
            node = self.nodes[label, key] = Node(label, key, dirty=True)
        return node

    def connect(self, relationship: str, start: Node, end: Node) -> None:
        """Add a relationship that is not in the graph."""
        name = f"{start.label}-{relationship}->{end.label}"
        self.edges.setdefault(name, {})[start.key, end.key] = None

    def dirty(self, label: str) -> Iterator[Node]:
        return (node for node in list(self.nodes.values()) if node.dirty and node.label == label)

    def absorb(self, row: Row, importer: str = "", revision: int = 0) -> bool:
        """Add what the row states; whether it brought anything new. ``importer`` and ``revision`` are the
        provenance of what it completes; without an importer it has none.
        """
        changed = False
        for manifest in row.manifests:
            if self._absorb_manifest(manifest):
                changed = True
                node = self.nodes[LABEL_OF_KIND[manifest.kind], manifest.digest]
                if importer and node.completed_now and not node.provenance:
                    node.provenance = _provenance(row, importer, revision)
        for statement in row.statements:
            changed |= self._absorb_statement(statement)
        return changed

    def variant(self, manifest: Manifest) -> str:
        """The text of its metadata. Rows share the manifests of their parts, so it is made once for each."""
        known = self._variants.get(id(manifest))
        if known is None:  # the manifest is kept, so that no other takes its id
            known = self._variants[id(manifest)] = manifest, canonical_text(manifest.metadata)
        return known[1]

    def hear(self, row: Row, said: dict[str, dict[str, Said]]) -> None:
        """Note what the row says of each node: by label, then by key."""
        for manifest in row.manifests:
            if id(manifest) not in self._variants:
                _of(said, LABEL_OF_KIND[manifest.kind], manifest.digest).metadata.add(self.variant(manifest))
        for statement in row.statements:
            label = projection.SUBJECT_LABEL[statement.subject_kind]
            _of(said, label, statement.subject).facts.add(facts.text(statement))

    def _absorb_manifest(self, manifest: Manifest) -> bool:
        label = LABEL_OF_KIND[manifest.kind]
        node = self.touch(label, manifest.digest)
        node.spec = manifest.spec
        changed = False
        if not node.complete:
            node.complete = node.completed_now = changed = True
            node.kind, node.manifest = manifest.kind, manifest.canonical
            for ref in projection.VIEWS[manifest.kind].refs(manifest.spec):
                self.connect(ref.relationship, node, self.touch(ref.label, ref.key))
            for statement in projection.implied(manifest.kind, manifest.spec):
                self._absorb_statement(statement)
        variant = self.variant(manifest)
        if variant not in node.metadata:
            if manifest.kind in _ANSWER_TO_NAMES:
                self._name(node, manifest.kind, {manifest.metadata["name"]})
            node.metadata.add(variant)
            changed = True
        node.dirty |= changed
        return changed

    def _absorb_statement(self, statement: Statement) -> bool:
        node = self.touch(projection.SUBJECT_LABEL[statement.subject_kind], statement.subject)
        text = facts.text(statement)
        if text in node.facts:
            return False
        kind = statement.subject_kind
        if projects := projection.named_projects(kind, [statement]):
            for slug in projects - projection.named_projects(kind, node.statements()):
                relationship = "SUBMITTED_AS" if kind == "BenchmarkRun" else "REVISION_OF"
                self.connect(relationship, node, self.touch("Project", slug))
        if names := projection.names(kind, (), [statement]):
            self._name(node, kind, names)
        if statement.field == "supersedes" and not _states(node, "supersedes", statement.value):
            self._supersede(node, statement.value)
        node.facts[text] = statement
        node.dirty = True
        return True

    def _supersede(self, newer: Node, digest: str) -> None:
        older = self.touch(newer.label, digest)
        older.superseded = older.dirty = True
        self.connect("SUPERSEDES", newer, older)

    def _name(self, node: Node, kind: str, names: set[str]) -> None:
        """Make the node answer to names; a project's revision describes the project of that name."""
        if node.names is None:
            node.names = projection.names(kind, node.metadata, node.statements())
        for name in names - node.names:
            if kind == "SoftwareProject":
                project = self.touch("Project", name)
                project.dirty = True
                self.connect("DESCRIBES", node, project)
            elif kind in projection.NAMED_KINDS:
                named = self.touch("Name", f"{kind}:{name}")
                named.derived |= {"kind": kind, "name": name}
                self.connect("NAMES", named, node)
        node.names |= names


def _states(node: Node, field_name: str, value: object) -> bool:
    return any(s.field == field_name and s.value == value for s in node.statements())


@lru_cache(maxsize=16)
def _file_name(path: str) -> str:
    return PurePath(path).name


def _provenance(row: Row, importer: str, revision: int) -> dict[str, Any]:
    return {
        "importer": importer,
        "importFile": _file_name(row.place.file),
        "importRow": row.place.row,
        "importRevision": revision,
        "importNotes": list(row.notes) or None,
    }


_MANIFEST_LABELS = frozenset(LABEL_OF_KIND.values())
_ANSWER_TO_NAMES = projection.NAMED_KINDS | {"SoftwareProject"}


@dataclass(slots=True)
class Said:
    """What rows say of one node: texts of metadata variants and of statements."""

    metadata: set[str] = field(default_factory=set)
    facts: set[str] = field(default_factory=set)

    def is_held(self, node: Node) -> bool:
        """Whether the node holds all of it; a node with a metadata variant is complete."""
        return self.metadata <= node.metadata and self.facts <= node.facts.keys()


def _of(said: dict[str, dict[str, Said]], label: str, key: str) -> Said:
    keys = said.setdefault(label, {})
    if (known := keys.get(key)) is None:
        known = keys[key] = Said()
    return known


def is_held(row: Row, held: Mapping[str, set[str]]) -> bool:
    """Whether all nodes that the row is about are among these keys, by label."""
    for manifest in row.manifests:
        if manifest.digest not in held[LABEL_OF_KIND[manifest.kind]]:
            return False
    for statement in row.statements:
        if statement.subject not in held[projection.SUBJECT_LABEL[statement.subject_kind]]:
            return False
    return True


def needed(row: Row) -> Iterator[NodeId]:
    """Every node that absorbing the row may touch."""
    for manifest in row.manifests:
        yield LABEL_OF_KIND[manifest.kind], manifest.digest
        if manifest.kind == "SoftwareProject":
            yield "Project", manifest.metadata["name"]
        if manifest.kind in projection.NAMED_KINDS:
            yield "Name", f"{manifest.kind}:{manifest.metadata['name']}"
        for ref in projection.VIEWS[manifest.kind].refs(manifest.spec):
            yield ref.label, ref.key
    for statement in row.statements:
        kind = statement.subject_kind
        label = projection.SUBJECT_LABEL[kind]
        yield label, statement.subject
        yield from (("Project", slug) for slug in projection.named_projects(kind, [statement]))
        yield from (("Name", f"{kind}:{name}") for name in projection.names(kind, (), [statement]))
        if statement.field == "supersedes":
            yield label, statement.value
