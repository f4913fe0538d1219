"""Reading ahead: what a selection will ask of the objects below it, in one statement for all of them.

Without it each level of a query waits for the one above, and asks for each kind of object by itself. A node
has the keys of its parts as properties, so the names of the fields that are selected below it tell what will
be needed. They are taken from the whole selection, whatever the type they stand under: something may be read
for nothing, nothing is answered wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cachetools import LRUCache
from graphql import FieldNode, FragmentDefinitionNode, FragmentSpreadNode, InlineFragmentNode
from strawberry import Info

from catalog.api.context import Context
from catalog.read import Entity, Group

PARTS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "Run": {
        "implementation": ("Implementation", "implementation"),
        "workload": ("Workload", "workload"),
        "protocol": ("Protocol", "protocol"),
        "environment": ("Environment", "environment"),
        "source": ("Source", "source"),
        "project": ("Project", "submittedProject"),
    },
    "ComparisonGroup": {
        "operation": ("Operation", "operation"),
        "workload": ("Workload", "workload"),
        "protocol": ("Protocol", "protocol"),
        "environment": ("Environment", "environment"),
    },
    "Implementation": {"operation": ("Operation", "operation"), "project": ("Project", "project")},
    "Workload": {"operation": ("Operation", "operation")},
}
"""Label -> field -> the label of the part, and the property that holds its key."""

LABELS: Final = {name: label for parts in PARTS.values() for name, (label, _) in parts.items()}
"""Field -> the label of the part."""

KEPT: Final = 1000
"""Selections whose names are kept; the node is held with each, so that no other takes its identity."""

_kept: LRUCache[int, tuple[FieldNode, frozenset[str]]] = LRUCache(KEPT)


async def read_ahead(info: Info[Context, None], entities: Sequence[Entity]) -> None:
    """Have in memory what the selection below this field asks of these nodes: one statement for each level
    of which not all is there. A single node's fields fall into the same batch by themselves."""
    if len(entities) < 2:
        return
    names = _selected_below(info)
    level: Iterable[Entity | None] = entities
    while wanted := _parts(level, names):
        level = await info.context.loaders.nodes.load_many(wanted)


async def read_listed(info: Info[Context, None], group: Group, digests: Iterable[str]) -> None:
    """Have in memory some runs of a group, and of their parts what is selected below this field.

    The group knows the parts of its runs: one statement for all.
    """
    names = _selected_below(info)
    wanted: dict[tuple[str, str], None] = {}
    for digest in digests:
        wanted["Run", digest] = None
        for name, key in group.parts_of(digest):
            if name in names and key is not None:
                wanted[LABELS[name], key] = None
    await info.context.loaders.nodes.load_many(list(wanted))


def _parts(entities: Iterable[Entity | None], names: frozenset[str]) -> list[tuple[str, str]]:
    """(label, key) of the parts, each once."""
    selected = {
        label: [part for name, part in parts.items() if name in names] for label, parts in PARTS.items()
    }
    found: dict[tuple[str, str], None] = {}
    for entity in filter(None, entities):
        for label, prop in selected.get(entity.label, ()):
            if (key := entity.props.get(prop)) is not None:
                found[label, key] = None
    return list(found)


def _selected_below(info: Info[Context, None]) -> frozenset[str]:
    """The names of the fields that are selected below a field, at whatever depth."""
    raw = info._raw_info
    [node, *others] = raw.field_nodes
    if others:
        return _names(raw.field_nodes, raw.fragments)
    kept = _kept.get(id(node))
    if kept is None:
        kept = _kept[id(node)] = (node, _names([node], raw.fragments))
    return kept[1]


def _names(nodes: Iterable[FieldNode], fragments: Mapping[str, FragmentDefinitionNode]) -> frozenset[str]:
    names: set[str] = set()
    spread: set[str] = set()
    sets = [node.selection_set for node in nodes]
    for selections in sets:  # grows as it is walked
        for selection in selections.selections if selections is not None else ():
            match selection:
                case FieldNode():
                    names.add(selection.name.value)
                    sets.append(selection.selection_set)
                case InlineFragmentNode():
                    sets.append(selection.selection_set)
                case FragmentSpreadNode() if selection.name.value not in spread:
                    spread.add(selection.name.value)
                    sets.append(fragments[selection.name.value].selection_set)
    return frozenset(names)
