"""What full-text search finds an object by: the words of its names, and few others (docs/domain.md §8)."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.domain.identity import load_canonical
from catalog.domain.search_words import search_text
from catalog.ingest import projection
from catalog.ingest.working import Node


def text_of(node: Node) -> str | None:
    """The words of an operation's names, titles, family and tags; of an implementation's names, titles and
    projects; of a project's slug and name. None while the object is not complete."""
    complete = node.complete or bool(node.derived.get("complete"))  # a project's is derived
    return search_text(_texts(node)) if complete else None


def _texts(node: Node) -> Iterable[str | None]:
    if node.label == "Project":
        yield node.key
        yield node.value("name")
        return
    kind = node.kind or ""
    stated = node.statements()
    yield from projection.names(kind, node.metadata, stated)
    yield from (load_canonical(text).get("title") for text in node.metadata)
    if node.label == "Operation":
        yield node.value("family")
        yield from (statement.value for statement in stated if statement.field == "tag")
    else:
        yield from (statement.value.get("title") for statement in stated if statement.field == "name")
        yield from projection.named_projects(kind, stated)
