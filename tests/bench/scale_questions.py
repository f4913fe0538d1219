"""What is asked of catalogs of every size: the contract's queries and others, about what the smallest has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from graph import Store
from graph.schema import NODES
from tests.bench.questions import entities, ranked, records, resolve, runs
from tests.bench.questions.question import MEASURED, Question, contract, digests

MOST: Final = 60
"""Variants of a question."""

LABELS: Final = " UNION ALL ".join(
    f"MATCH (n:{label}) RETURN '{label}' AS label, count(n) AS count" for label in sorted(NODES)
)

NEWEST: Final = """
query Newest($first: Int = 20, $filter: RecordFilter) {
  records(filter: $filter, orderBy: NEWEST, first: $first) {
    pageInfo { hasNextPage endCursor }
    edges { node { architecture takeOver group { key operation { slug } }
      event { at cause improvement run { digest } previous { digest } } } }
  }
}
"""

_RUNS: Final = """
UNWIND $places AS place
CALL (place) {
  MATCH (r:Run) WHERE r.digest >= place AND r.value IS NOT NULL
  RETURN r.digest AS digest ORDER BY r.digest LIMIT 1
}
RETURN DISTINCT digest
"""

_ARCHITECTURES: Final = (
    "MATCH (e:Environment) RETURN DISTINCT e.architecture AS architecture ORDER BY architecture"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and the variables of each request."""

    text: str
    variants: Sequence[dict[str, Any]]


async def chosen(store: Store) -> dict[str, Asked]:
    """The questions whose variants are made from one catalog and put to all that begin like it."""
    group = await ranked.question(store, first=100)
    keys = [{"key": variant.variables["key"]} for variant in group.variants]
    found = await store.read(_RUNS, places=digests(MOST))
    measured = await store.read(MEASURED)
    names = sorted(
        {(row["operation"], row["product"]) for row in measured if row["product"] is not None},
    )[: 10 * MOST : 10]
    return {
        "ranked, 100 runs": _of(group),
        "dossier": Asked(contract("run-dossier"), [{"digest": row["digest"]} for row in found]),
        "record history": Asked(contract("record-history"), keys),
        "_entities of 100": _of(await entities.question(store)),
        "search, a name": Asked(
            contract("search"), [{"query": f'"{name}" gpu:"{product}"'} for name, product in names]
        ),
        "search, a family": Asked(
            contract("search"),
            [{"query": f'{name.rpartition("-")[0]} gpu:"{product}"'} for name, product in names],
        ),
        "records of an operation": _of(await records.question(store)),
        "resolve": _of(await resolve.question(store)),
        "catalog": Asked(contract("catalog"), [{}]),
    }


async def of_this_size(store: Store) -> dict[str, Asked]:
    """The questions about places in lists, which are others in every catalog."""
    architectures = [row["architecture"] for row in await store.read(_ARCHITECTURES)]
    newest = [{"filter": {"architecture": name}} for name in architectures if name]
    return {
        "runs, page 1": Asked(contract("runs"), [{"first": size} for size in range(20, 26)]),
        "runs, page 50": Asked(
            contract("runs"),
            [
                variant.variables
                for page in range(45, 51)
                for variant in (await runs.question(store, page=page)).variants
            ],
        ),
        "runs of an architecture": Asked(contract("runs"), [{**each, "first": 20} for each in newest]),
        "records, newest": Asked(NEWEST, [{"first": size} for size in range(20, 26)]),
        "records of an architecture": Asked(NEWEST, newest),
    }


def _of(question: Question) -> Asked:
    return Asked(question.text, [variant.variables for variant in question.variants][:MOST])
