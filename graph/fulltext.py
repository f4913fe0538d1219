"""Asking the full-text indexes (textindex.py) which objects have a word that begins so.

On both engines an index is part of the transaction that writes, so what is committed is found. Words come as
catalog.domain.search_words makes them: lower case, letters and digits only, nothing that a query parser would
take for syntax. The score of an engine never leaves graph/: engines count differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from graph.names import composed
from graph.schema import NODES
from graph.store import Reader
from graph.textindex import EMBEDDED, SEARCHED, index_name


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


def _having(label: str, engine: str) -> str:
    many = ", {limit: $looked}" if engine != EMBEDDED else ""
    return (
        f"UNWIND $queries AS query CALL db.index.fulltext.queryNodes($index{label}, query{many}) YIELD node "
        f"WITH query, node WHERE node.complete = true {_RAN.get(label, '')}"
        f"RETURN '{label}' AS label, query, node.{NODES[label].key} AS key LIMIT $most"
    )


_HERE: Final = "AND ($environments IS NULL OR EXISTS {{ MATCH {} WHERE r.environment IN $environments }}) "
_RAN: Final = {
    "Operation": _HERE.format("(r:Run {operation: node.digest})"),
    "Implementation": _HERE.format("(node)<-[:MEASURES]-(r:Run)"),
}


@lru_cache(maxsize=4)
@composed
def _candidates(engine: str) -> str:
    return " UNION ALL ".join(_having(label, engine) for label in SEARCHED)


async def having(
    store: Reader, queries: Iterable[Iterable[str]], environments: list[str] | None, most: int
) -> list[dict[str, Any]]:
    """Rows {label, query, key} of objects whose text has, for every word of a query, one that begins so.

    At most `most` of each label, and with `environments` only operations and implementations that ran in
    one. The engine gives its best first, and looks at no more than a hundred times as many.
    """
    texts = [" AND ".join(clause(word) for word in dict.fromkeys(query)) for query in queries]
    return await _ask(store, texts, environments, most)


async def near(
    store: Reader, words: Iterable[str], environments: list[str] | None, most: int
) -> list[dict[str, Any]]:
    """Rows {label, query, key}, as `having` gives them, of objects with a word two edits away at most."""
    return await _ask(store, [f"{word}~" for word in words], environments, most)


async def _ask(
    store: Reader, texts: Iterable[str], environments: list[str] | None, most: int
) -> list[dict[str, Any]]:
    indexes = {f"index{label}": index_name(store.engine.name, label) for label in SEARCHED}
    return await store.read(
        _candidates(store.engine.name),
        queries=[text for text in dict.fromkeys(texts) if text],
        environments=environments,
        most=most,
        looked=100 * most,
        **indexes,
    )


def clause(word: str) -> str:
    """How `having` asks for a word."""
    return f"({word}^8 OR {word}*)"
