"""Names of statements, and watching statements run."""

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import graph
from graph import browse, names, queries, reads, reads_search
from graph.errors import StoreError
from graph.schema import CATALOG_ID
from graph.store import Store

CYPHER = re.compile(r"\s*(MATCH|MERGE|UNWIND|CALL|RETURN)\b")
WITHOUT_NAMES = {"ddl", "textindex"}


def statements() -> Iterator[tuple[str, str]]:
    """Every constant of the package that is a statement, or a table of them: module, text."""
    for module in pkgutil.iter_modules(graph.__path__):
        found = importlib.import_module(f"graph.{module.name}")
        for constant, value in vars(found).items():
            if constant.isupper() and not constant.startswith("_"):
                texts = value.values() if isinstance(value, dict) else [value]
                for text in texts:
                    if isinstance(text, str) and CYPHER.match(text):
                        yield module.name, text


def test_every_statement_has_a_name_of_its_own() -> None:
    named = {text: names.name_of(text) for module, text in statements() if module not in WITHOUT_NAMES}
    assert names.UNNAMED not in named.values()
    assert [name for name, count in Counter(named.values()).items() if count > 1] == []


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (reads.GROUPS["neo4j"], "reads.GROUPS.neo4j"),
        (reads.LOAD["Run"], "reads.LOAD.Run"),
        (queries.CATALOG, "queries.CATALOG"),
        (browse.count("Run", ["status"]), "browse.count"),
        (browse.keys("Project", []), "browse.keys"),
        (browse.runs(["status"], browse.RunSort.OBSERVED_DESC), "browse.runs"),
        (reads_search.by_digest(("Run",)), "reads_search.by_digest"),
        ("RETURN 2", "unnamed"),
    ],
)
def test_a_name_says_where_the_statement_is(statement: str, name: str) -> None:
    assert names.name_of(statement) == name


async def test_every_statement_is_watched_by_name_also_one_that_fails(store: Store) -> None:
    seen: list[tuple[str, bool]] = []

    @contextmanager
    def observe(statement: str) -> Iterator[None]:
        name = names.name_of(statement)
        try:
            yield
        except Exception:
            seen.append((name, False))
            raise
        seen.append((name, True))

    store.observe = observe
    await store.read(queries.CATALOG, id=CATALOG_ID)
    await store.read(browse.count("Run", []))
    with pytest.raises(StoreError):
        await store.read("RETURN 1 +")
    assert seen == [("queries.CATALOG", True), ("browse.count", True), ("unnamed", False)]
