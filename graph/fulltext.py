"""Asking the full-text indexes (textindex.py) which objects have a word that begins so.

On both engines an index is part of the transaction that writes, so what is committed is found. Words come as
catalog.domain.search_words makes them: lower case, letters and digits only, nothing that a query parser would
take for syntax. The score of an engine never leaves graph/: engines count differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from graph.schema import NODES
from graph.store import Reader
from graph.textindex import SEARCHED, index_name


def _beginning(label: str) -> str:
    return (
        f"UNWIND $words AS word CALL db.index.fulltext.queryNodes($index{label}, word + '*') YIELD node "
        f"RETURN '{label}' AS label, word, node.{NODES[label].key} AS key"
    )


BEGINNING: Final = " UNION ALL ".join(map(_beginning, SEARCHED))
"""Rows {label, word, key}: the nodes whose text has a word that begins with one of $words."""


async def beginning(store: Reader, words: Iterable[str]) -> list[dict[str, Any]]:
    """Rows {label, word, key} of the objects whose text has a word that begins so; one statement."""
    indexes = {f"index{label}": index_name(store.engine.name, label) for label in SEARCHED}
    return await store.read(BEGINNING, words=sorted(set(words)), **indexes)
