"""Search in a large catalog: the part of it that a search is about, as an index of its own.

Candidates are found by the engine: what has the words, in its own order, exact words first; without words
what a condition names, else what the newest runs are about. Their rows are read, and what search says of them
is worked out as in a small catalog. Where a bound was reached, `Scope.partial` says so and the answer does.
Source: docs/search.md, docs/scale.md.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from catalog.domain.search_intent import Intent, Known, Term
from catalog.domain.search_tables import LANGUAGES
from catalog.domain.search_values import short_product
from catalog.domain.search_words import joined, words
from catalog.read.axes import AxisIndex
from catalog.read.filters import CASES
from catalog.read.once import Once
from catalog.read.run_lists import read_runs
from catalog.read.search_filter import PLACE_TESTS, Condition
from catalog.read.search_index import KINDS, Parts, Records, SearchIndex, assembled, places_of
from catalog.read.search_rows import Place
from catalog.read.search_suggest import Suggestion, suggestion
from catalog.read.snapshot import Snapshot
from catalog.read.totals import count
from graph import fulltext, reads_scope, reads_search
from graph.browse import RunSort

MOST: Final = 100
"""Candidates of each kind."""

MOST_ROWS: Final = 1_000
"""Rows of runs, implementations and workloads that are looked at, of the candidates of each kind."""

OPERATION_FIELDS: Final = ("operation", "family", "model", "layout")
"""Fields of an intent that select operations."""


ALL: Final = 1_000_000
"""For what there is little of."""

NEWEST: Final = 300
"""Runs that tell the candidates where neither a word nor an operation does."""


_PLACES: Final[dict[str, Place]] = {}
"""What conditions look at of environments, by digest, which covers it: few, and kept."""


@dataclass(slots=True)
class Scope:
    """Keys of the candidates by label, each in the order in which they were found."""

    keys: dict[str, dict[str, None]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    partial: bool = False
    """Whether a bound was reached."""
    runs_alone: bool = False
    """Whether a condition that only runs can meet leaves aside the rows of everything else."""

    def add(self, label: str, keys: Iterable[str | None]) -> None:
        """Take in candidates as long as there is room."""
        known = self.keys[label]
        for key in keys:
            if key is not None and key not in known:
                if len(known) == MOST:
                    self.partial = True
                    return
                known[key] = None

    def params(self) -> dict[str, list[str]]:
        """The keys as parameters of a statement."""
        return {
            "operations": list(self.keys["Operation"]),
            "implementations": list(self.keys["Implementation"]),
            "projects": list(self.keys["Project"]),
        }


class LargeSearch:
    """What every search of a revision needs to know of a large catalog: little, and read once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.places: Once[dict[str, Place]] = Once(self._read_places)
        """Every environment."""
        self.families: Once[dict[str, int]] = Once(self._read_families)
        """How many operations each family has."""

    async def known(self) -> Known:
        """The values that are understood beside those of the tables."""
        places = (await self.places()).values()
        return Known(
            products=frozenset(place.product for place in places if place.product is not None),
            architectures=frozenset(place.architecture for place in places if place.architecture is not None),
            sources=frozenset(await self._snapshot.source_slugs()),
        )

    async def environments(self, intent: Intent) -> list[str] | None:
        """Digests of the environments that an intent selects; None when it says nothing of them."""
        asked = [(name, value) for name in PLACE_TESTS if (value := getattr(intent, name)) is not None]
        if not asked:
            return None
        tests = [PLACE_TESTS[name](value) for name, value in asked]
        return [d for d, place in (await self.places()).items() if all(test(place) for test in tests)]

    async def in_families(self, family: str, *, beginning: bool) -> list[str]:
        """The families of this name, or that begin so; whatever case and separators."""
        wanted = joined(family)
        named = {name: joined(name) for name in await self.families()}
        return [n for n, own in named.items() if own == wanted or (beginning and own.startswith(wanted))]

    async def unmet(self, condition: Condition, intent: Intent, scope: Scope) -> bool:
        """Whether nothing in the catalog meets a condition that nothing in a scope meets."""
        name = condition.field
        if name in PLACE_TESTS:
            there = await self.environments(replace(Intent(), **{name: getattr(intent, name)}))
            return not await count(self._snapshot, "Run", {"environments": there})
        if name in OPERATION_FIELDS and not intent.terms:
            return not scope.keys["Operation"]
        return not (scope.partial or scope.runs_alone) and any(scope.keys.values())

    async def unrecorded_runs(self, product: str) -> int:
        """How many runs on a GPU have no architecture recorded."""
        there = await self.environments(Intent(product=product))
        places = await self.places()
        without = [digest for digest in there or () if places[digest].architecture is None]
        return await count(self._snapshot, "Run", {"environments": without})

    async def suggestions(self) -> list[Suggestion]:
        """What `suggest` can give without looking at runs or implementations: families, GPUs, architectures,
        sources."""
        runs = {row["key"]: row["runs"] for row in await some(self._snapshot, "RUNS_AT", most=ALL)}
        totals: Counter[tuple[str, str]] = Counter()
        for family, operations in (await self.families()).items():
            totals["family", family] += operations
        for digest, place in (await self.places()).items():
            if place.product is not None:
                totals["product", short_product(place.product)] += runs.get(digest, 0)
            if place.architecture is not None:
                totals["architecture", place.architecture] += runs.get(digest, 0)
        for source, tally in (await self._snapshot.source_tally()).items():
            totals["source", source] += tally.runs
        return [suggestion(field, value, found) for (field, value), found in totals.items() if found]

    async def names(self, beginning: str) -> list[Suggestion]:
        """Operations and projects whose name begins so, some of them where there are many."""
        rows = await fulltext.having(self._snapshot.store, [words(beginning)], None, MOST)
        keys = {kind: [row["key"] for row in rows if row["label"] == kind] for kind in KINDS}
        operations = await self._snapshot.entities("Operation", keys["Operation"])
        slugs = [(entity.get("slug") or entity.key, "operation") for entity in operations if entity]
        slugs += [(slug, "project") for slug in keys["Project"]]
        return [Suggestion(text, field, 1) for text, field in slugs]

    async def _read_places(self) -> dict[str, Place]:
        read = self._snapshot.store.read
        [row] = await read(reads_search.ENVIRONMENT_KEYS)
        keys: list[str] = row["keys"]
        if missing := [key for key in keys if key not in _PLACES]:
            _PLACES.update(places_of(await read(reads_search.SOME_ENVIRONMENTS, keys=missing)))
        return {key: _PLACES[key] for key in keys}

    async def _read_families(self) -> dict[str, int]:
        rows = await some(self._snapshot, "FAMILIES", most=ALL)
        return {row["family"]: row["operations"] for row in rows}


def large_search(snapshot: Snapshot) -> LargeSearch:
    """What is kept of a revision for all its searches."""
    return snapshot.part(LargeSearch)


async def scoped_index(snapshot: Snapshot, intent: Intent) -> tuple[SearchIndex, Scope]:
    """The index of what a search may find, and of what it was made."""
    kept = large_search(snapshot)
    environments = await kept.environments(intent)
    scope = Scope()
    if intent.terms:
        await _by_words(snapshot, scope, intent.terms, environments)
    elif any(getattr(intent, name) for name in OPERATION_FIELDS):
        await _by_operation(snapshot, scope, intent)
    else:
        await _by_runs(snapshot, scope, intent, environments)
    index = await _index(snapshot, scope, intent, environments)
    _fill_beginnings(index, intent.terms)
    return index, scope


async def _by_words(
    snapshot: Snapshot, scope: Scope, terms: tuple[Term, ...], environments: list[str] | None
) -> None:
    """What has all words, in its text or as facets; if nothing has, what has one of them, or one near it."""
    store = snapshot.store
    own = list(dict.fromkeys(word for term in terms for word in term.words))
    facets = {" ".join(term.words) for term in terms} & {
        *map(joined, await large_search(snapshot).families()),
        *LANGUAGES,
    }
    rest = [word for word in own if word not in {each for facet in facets for each in facet.split()}]
    rows = await fulltext.having(store, [own, rest], environments, MOST)
    if not rows:
        single = [[word] for word in own]
        rows = await fulltext.having(store, single, environments, MOST)
        found = {row["query"] for row in rows}
        missing = [word for word in own if fulltext.clause(word) not in found]
        if missing:
            rows += await fulltext.near(store, missing, environments, MOST)
    for label in KINDS:
        keys = [row["key"] for row in rows if row["label"] == label]
        scope.partial |= len(keys) >= MOST
        scope.add(label, keys)
    if languages := sorted(LANGUAGES & facets):
        written = await some(snapshot, "IN_LANGUAGES", languages=languages, most=MOST + 1)
        scope.add("Implementation", (row["key"] for row in written))
    if facets:
        await _add_parts(snapshot, scope)


async def _by_operation(snapshot: Snapshot, scope: Scope, intent: Intent) -> None:
    """The operations that a condition names, and their implementations."""
    kept, store = large_search(snapshot), snapshot.store
    families: list[str] = []
    if intent.operation is not None:
        scope.add("Operation", await snapshot.operations_meant(intent.operation))
        families += await kept.in_families(intent.operation, beginning=not scope.keys["Operation"])
    if intent.family is not None:
        families += await kept.in_families(intent.family, beginning=False)
    if families:
        rows = await some(snapshot, "IN_FAMILIES", families=families, most=MOST + 1)
        scope.add("Operation", (row["key"] for row in rows))
    for tagged in filter(None, (intent.model, intent.layout)):
        rows = await fulltext.having(store, [tuple(words(tagged))], None, MOST)
        scope.add("Operation", (row["key"] for row in rows if row["label"] == "Operation"))
        scope.add("Implementation", (row["key"] for row in rows if row["label"] == "Implementation"))
    on = list(scope.keys["Operation"])
    _add_parts_of(scope, await some(snapshot, "PARTS", scope, runs=[], operations=on, most=MOST_ROWS))
    await _add_parts(snapshot, scope)


def _add_parts_of(scope: Scope, runs: Records) -> None:
    """What runs are about."""
    for row in runs:
        scope.add("Operation", [row["operation"]])
        scope.add("Implementation", [row["implementation"]])
        scope.add("Project", [row["project"], *(row["projects"] or ())])


async def _by_runs(snapshot: Snapshot, scope: Scope, intent: Intent, environments: list[str] | None) -> None:
    """What the newest runs that meet some conditions are about, then whatever there is."""
    conditions: dict[str, Any] = {"source": intent.source, "environments": environments}
    given = {name: value for name, value in conditions.items() if value is not None}
    runs = await read_runs(snapshot, given, RunSort.OBSERVED_DESC, NEWEST)
    scope.partial = len(runs) == NEWEST
    keys = [row["key"] for row in runs]
    _add_parts_of(scope, await some(snapshot, "PARTS", runs=keys, operations=[], most=NEWEST))
    if not given:
        for row in await snapshot.store.read(reads_scope.ANY, most=MOST + 1):
            scope.add(row["label"], row["keys"])
    await _add_parts(snapshot, scope)


async def _add_parts(snapshot: Snapshot, scope: Scope) -> None:
    """The implementations of the candidates, and the projects of those."""
    params = scope.params()
    for row in await some(snapshot, "IMPLEMENTATIONS", None, most=MOST + 1, **params):
        scope.add("Implementation", [row["key"]])
        scope.add("Project", row["projects"] or ())


async def some(
    snapshot: Snapshot, what: str, scope: Scope | None = None, *, most: int, **params: Any
) -> Records:
    """Rows of a statement of reads_scope, each once. A bound that is reached shows in `scope`."""
    names, unique = reads_scope.COLUMNS[what], reads_scope.KEYS[what]
    found: dict[tuple[Any, ...], list[Any]] = {}
    for branch in await snapshot.store.read(reads_scope.SOME[what], **params, most=most):
        if scope is not None:
            scope.partial |= len(branch["rows"]) >= most
        for values in branch["rows"]:
            found.setdefault(tuple(values[:unique]), values)
    return [dict(zip(names, values, strict=True)) for values in found.values()]


async def _index(
    snapshot: Snapshot, scope: Scope, intent: Intent, environments: list[str] | None
) -> SearchIndex:
    params = scope.params()
    scope.runs_alone = any((environments is not None, intent.source, intent.minimum_evidence))
    meeting = {"environments": environments, "source": intent.source}
    runs, projects, places = await asyncio.gather(
        some(snapshot, "RUNS", scope, **params, **meeting, most=MOST_ROWS),
        some(snapshot, "PROJECTS", projects=params["projects"], most=MOST),
        large_search(snapshot).places(),
    )
    codes = _distinct((*params["implementations"], *(row["implementation"] for row in runs)))
    own = {name: [] if scope.runs_alone else params[name] for name in ("operations", "projects")}
    implementations, names, workloads = await asyncio.gather(
        some(snapshot, "IMPLEMENTATIONS", scope, implementations=codes, **own, most=4 * MOST_ROWS),
        some(
            snapshot,
            "NAMES",
            operations=params["operations"],
            implementations=params["implementations"],
            most=4 * MOST_ROWS,
        ),
        some(
            snapshot,
            "WORKLOADS",
            scope,
            operations=own["operations"],
            workloads=_distinct(row["workload"] for row in runs),
            most=4 * MOST_ROWS,
        ),
    )
    operations = _distinct((*params["operations"], *_of(runs), *_of(implementations)))
    specs = await some(snapshot, "OPERATIONS", operations=operations, most=4 * MOST_ROWS)
    await snapshot.codes.read(snapshot.store, [row["key"] for row in implementations])
    axes = await AxisIndex.of(snapshot.store, CASES, workloads, specs)
    parts = Parts(specs, implementations, projects, names, places, runs)
    return await asyncio.to_thread(
        assembled,
        parts,
        axes,
        snapshot.codes,
        lambda node: node[1] in scope.keys[node[0]],
    )


def _of(rows: Iterable[Mapping[str, Any]]) -> Iterable[str | None]:
    return (row["operation"] for row in rows)


def _distinct(keys: Iterable[str | None]) -> list[str]:
    return [key for key in dict.fromkeys(keys) if key is not None]


def _fill_beginnings(index: SearchIndex, terms: Iterable[Term]) -> None:
    """Keep which objects have a word that begins so, for all words that will be looked at."""
    for word in {word for term in terms for word in term.words}:
        for each in (word, *(index.vocabulary.near(word) if not index.vocabulary.begins(word) else ())):
            index.beginning[each] = [f for f in index.objects if any(own.startswith(each) for own in f.words)]
