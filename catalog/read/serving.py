"""Serving cohorts as read: which there are, who is in them, and how they answer a question.

What is read of a revision is kept as long as its snapshot. Source: docs/domain.md §10.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from cachetools import LRUCache

from catalog.domain import metrics, serving, serving_metrics
from catalog.domain.errors import InputError
from catalog.domain.identity import load_canonical
from catalog.domain.serving import Bound, Constraint, Objective, ServingFacts
from catalog.read.entities import Entity
from catalog.read.once import Once
from catalog.read.snapshot import Snapshot
from graph import reads_serving

COHORTS_KEPT: Final = 1_000
ANSWERS_KEPT: Final = 8
NAMES_KEPT: Final = 1_000
MOST_CONSTRAINTS: Final = 32
_TOPOLOGY: Final = re.compile(r"[^/]*/(?P<model>.*)/(?P<each>\d+)x(?P<nodes>\d+)/.*?", re.DOTALL)
_WORD: Final = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class IndexedCohort:
    """A cohort as the index of all cohorts has it: enough to filter and to order."""

    key: str
    model: str
    workload: str
    accelerator: str
    accelerators: int
    quality_policy: str
    metrics: frozenset[str]
    size: int
    newest: str
    sources: frozenset[str]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every cohort alike."""

    objective: Objective | None = None
    constraints: tuple[Constraint, ...] = ()


class Cohort:
    """A serving cohort with all its runs, at one revision."""

    def __init__(self, entity: Entity, workload: Entity | None, runs: Sequence[ServingFacts]) -> None:
        self.entity = entity
        self.key = entity.key
        self.size = len(runs)
        stated = workload.spec.get("slo", ()) if workload is not None else ()
        self._bounds = [Bound(o["metric"], o["statistic"], o["unit"], o["value"]) for o in stated]
        self._runs = runs
        self._answers: LRUCache[Question, serving.Answer] = LRUCache(ANSWERS_KEPT)

    def answer(self, question: Question) -> serving.Answer:
        """The runs as the question ranks them; kept for the last few questions."""
        answer = self._answers.get(question)
        if answer is None:
            answer = serving.resolve(self._runs, self._bounds, question.objective, question.constraints)
            self._answers[question] = answer
        return answer


class ServingReads:
    """What has been read of the serving results of one revision."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._cohorts: LRUCache[str, Cohort] = LRUCache(COHORTS_KEPT)
        self._named: LRUCache[str, list[str]] = LRUCache(NAMES_KEPT)
        self.index: Once[list[IndexedCohort]] = Once(self._read_index)
        """Every cohort, largest first, then by key."""
        self._bound_metrics: Once[frozenset[str]] = Once(self._read_bound_metrics)

    def peek(self, key: str) -> Cohort | None:
        """The cohort if it was loaded already."""
        return self._cohorts.get(key)

    async def cohorts(self, keys: Sequence[str]) -> list[Cohort | None]:
        """The cohorts with these keys, in their order; one statement."""
        found = {key: self._cohorts[key] for key in dict.fromkeys(keys) if key in self._cohorts}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            for row in await self._snapshot.store.read(reads_serving.COHORTS, keys=missing):
                found[row["key"]] = self._cohorts[row["key"]] = self._cohort(row)
        return [found.get(key) for key in keys]

    async def named(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """The digests that the names `<ManifestKind>:<name>` mean, maybe none; one statement."""
        found = {key: self._named[key] for key in dict.fromkeys(keys) if key in self._named}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            read: dict[str, list[str]] = {key: [] for key in missing}
            for row in await self._snapshot.store.read(reads_serving.SERVING_NAMES, keys=missing):
                read[row["key"]].append(row["digest"])
            self._named.update(read)
            found |= read
        return found

    async def check_metric(self, field: str, metric: str) -> None:
        """Raises InputError for a metric that no run reports, no workload bounds and the policy doesn't know.

        Two statements at most.
        """
        if metric in serving_metrics.KNOWN:
            return
        reported = frozenset[str]().union(*(cohort.metrics for cohort in await self.index()))
        known = reported | await self._bound_metrics() | serving_metrics.KNOWN
        if metric not in known:
            near = get_close_matches(metric, sorted(known), n=3) or sorted(known)
            raise InputError(field, metric, f"no such metric; there are {', '.join(near)}")

    async def _read_index(self) -> list[IndexedCohort]:
        rows = await self._snapshot.store.read(reads_serving.COHORT_INDEX)
        found = [_indexed(row) for row in rows]
        return sorted(found, key=lambda cohort: (-cohort.size, cohort.key))

    async def _read_bound_metrics(self) -> frozenset[str]:
        rows = await self._snapshot.store.read(reads_serving.BOUND_METRICS)
        specs = (load_canonical(row["manifest"])["spec"] for row in rows)
        return frozenset(bound["metric"] for spec in specs for bound in spec.get("slo", ()))

    def _cohort(self, row: dict[str, Any]) -> Cohort:
        adopted, load = self._snapshot.adopted, row["workload"]
        workload = adopted("ServingWorkload", load["digest"], load) if load else None
        runs = [
            _facts(adopted("ServingRun", run["digest"], run), configured=bool(run["configured"]))
            for run in row["runs"]
        ]
        return Cohort(adopted("ServingCohort", row["key"], row["node"]), workload, runs)


def serving_reads(snapshot: Snapshot) -> ServingReads:
    """What has been read of the serving results at this snapshot's revision."""
    return snapshot.part(ServingReads)


async def standing_reasons(snapshot: Snapshot, run: Entity) -> tuple[str, ...]:
    """Why a serving run does not rank, whatever is asked; none when it does. One statement."""
    if not run.complete or run.get("cohortKey") is None:
        own = serving.reasons(_facts(run, configured=False)) if run.complete else ()
        return own or ("INCOMPLETE",)
    configuration = await snapshot.entity("ServingConfiguration", run.props["configuration"])
    return serving.reasons(_facts(run, configured=configuration is not None and configuration.complete))


def accelerator_matches(wanted: str, model: str) -> bool:
    """Whether the words of an accelerator's name contain the wanted ones, in a row and whatever their case.

    So H100 means `NVIDIA H100-SXM-80GB` and H200 does not mean `NVIDIA GH200`.
    """
    words, among = _WORD.findall(wanted.lower()), _WORD.findall(model.lower())
    return bool(words) and any(
        among[start : start + len(words)] == words for start in range(len(among) - len(words) + 1)
    )


def _indexed(row: dict[str, Any]) -> IndexedCohort:
    topology = _TOPOLOGY.fullmatch(row["topologyKey"])
    assert topology is not None, "a topology key has four parts"
    return IndexedCohort(
        key=row["key"],
        model=row["model"],
        workload=row["workload"],
        accelerator=topology["model"],
        accelerators=int(topology["each"]) * int(topology["nodes"]),
        quality_policy=row["qualityPolicy"],
        metrics=frozenset(pair.partition("·")[0] for pair in row["metricSetKey"].split(",")),
        size=row["size"],
        newest=row["newest"],
        sources=frozenset(filter(None, row["sources"])),
    )


def _facts(run: Entity, configured: bool) -> ServingFacts:
    return ServingFacts(
        digest=run.key,
        status=run.props["status"],
        observed_at=run.props["observedAt"],
        measurements=tuple(metrics.measurements(run.spec)),
        published=run.get("published") is not False,
        retracted=run.get("retractedAt") is not None,
        superseded=bool(run.get("superseded")),
        complete=configured,
    )
