"""One object as it was read: its document, the metadata shown, the facts stated, the properties derived.

What a digest covers never changes, so parsed documents are kept beyond revisions; all the rest hangs on the
revision it was read at. Source: docs/domain.md §2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from catalog.domain import facts
from catalog.domain.identity import load_canonical
from catalog.read.recent import Recent
from graph.schema import NODES

_EMPTY: Final[Mapping[str, Any]] = {}

DOCUMENTS_KEPT: Final = 1_000


class Documents:
    """Parsed manifests by digest, the oldest dropped first."""

    def __init__(self, size: int = DOCUMENTS_KEPT) -> None:
        self._parsed: Recent[str, Mapping[str, Any]] = Recent(size)

    def parsed(self, digest: str, text: str) -> Mapping[str, Any]:
        """{apiVersion, kind, spec} of the manifest with this digest and canonical text."""
        document = self._parsed.get(digest)
        if document is None:
            document = load_canonical(text)
            self._parsed[digest] = document
        return document


class Entity:
    """A node of the graph. `label` and `key` name it; `props` are its properties as stored.

    `complete` is False for an object known only by its digest: it has no other properties.
    `view` is a place for the layer above to keep what it made of this entity.
    """

    __slots__ = ("_documents", "complete", "key", "label", "props", "view")

    def __init__(self, label: str, key: str, props: Mapping[str, Any], documents: Documents) -> None:
        self.label = label
        self.key = key
        self.complete = bool(props.get("complete", label in _ALWAYS_COMPLETE))
        # Facts may arrive before the manifest; until it does, nothing but the digest is shown of an object.
        self.props = props if self.complete or NODES[label].key != "digest" else _EMPTY
        self.view: Any = None
        self._documents = documents

    @property
    def kind(self) -> str | None:
        """The manifest kind; None where it is not known yet, or the node holds no manifest."""
        return self.props.get("kind") if NODES[self.label].key == "digest" else None

    @property
    def document(self) -> Mapping[str, Any]:
        """{apiVersion, kind, spec}, normalised; empty for an object known only by its digest."""
        text = self.props.get("manifest")
        return self._documents.parsed(self.key, text) if text is not None else _EMPTY

    @property
    def spec(self) -> Mapping[str, Any]:
        """The spec of the manifest; empty for an object known only by its digest."""
        spec: Mapping[str, Any] = self.document.get("spec", _EMPTY)
        return spec

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata variant that is shown; empty when there is none."""
        variants = self.props.get("metadata") or ()
        shown = self.props.get("shown")
        if not variants:
            return _EMPTY
        chosen: Mapping[str, Any] = load_canonical(variants[shown or 0])
        return chosen

    @property
    def variant_names(self) -> list[dict[str, Any]]:
        """{slug, title?} of each metadata variant, by slug; of several with one name the first is taken."""
        names: dict[str, dict[str, Any]] = {}
        for text in self.props.get("metadata") or ():
            variant = load_canonical(text)
            shown = {"slug": variant["name"], "title": variant.get("title")}
            names.setdefault(variant["name"], shown)
        return [names[slug] for slug in sorted(names)]

    def stated(self, subject_kind: str, field: str) -> Any:
        """What the sources' statements of one catalog fact add up to: one value or None, or a sorted list."""
        begin = f'{{"field":"{field}",'  # canonical texts: their members are sorted by name
        texts = (text for text in self.props.get("facts") or () if text.startswith(begin))
        return facts.shown(subject_kind, field, [facts.parse(t, subject_kind, self.key) for t in texts])

    def get(self, name: str) -> Any:
        """A property as stored; None for one it does not have."""
        return self.props.get(name)


_ALWAYS_COMPLETE: Final = frozenset({"ComparisonGroup", "Source", "Artifact"})
"""Labels whose nodes are made of facts and keys: there is no more to come that would complete them."""
