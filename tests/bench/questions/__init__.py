"""Questions that clients ask, each as GraphQL and as the best Cypher we can write; where @neo4j/graphql can
say it naturally, in its GraphQL too. One module each, and one line in the table below.

Variants are made from what is in the catalog, always the same ones of the same data.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from graph import Store
from tests.bench.questions import (
    dossier,
    entities,
    lineage,
    ranked,
    records,
    resolve,
    runs,
    search,
    serving,
)
from tests.bench.questions.question import Peer, Question, Variant

__all__ = ["QUESTIONS", "Peer", "Question", "Variant", "questions"]

QUESTIONS: Final[Mapping[str, Callable[[Store], Awaitable[Question]]]] = {
    "ranked, 100 runs": partial(ranked.question, first=100),
    "ranked, 20 runs": partial(ranked.question, first=20),
    "dossier": dossier.question,
    "runs, page 1": partial(runs.question, page=1),
    "runs, page 50": partial(runs.question, page=50),
    "search": search.question,
    "resolve": resolve.question,
    "records": records.question,
    "serving": serving.question,
    "lineage": lineage.question,
    "_entities of 100": entities.question,
}


async def questions(store: Store) -> dict[str, Question]:
    """By name, those of which the catalog has anything to ask."""
    made = {name: await make(store) for name, make in QUESTIONS.items()}
    return {name: question for name, question in made.items() if question.variants}
