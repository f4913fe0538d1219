"""Comparison groups as read: who stands where, and how the record went.

The only place where stored rows become ranking facts, so that a group, a run's page and every list agree.
Source: docs/domain.md §4, §6.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from catalog.domain import baselines, facts, metrics, ranking, records
from catalog.domain.best_per import name_of
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.ranking import RunFacts, Standing
from catalog.domain.records import RecordEvent
from catalog.read.entities import Entity
from graph import reads

_MAY_BE_BASELINE: Final = f'"role":"{baselines.BASELINE}"'
"""In the canonical text of every submittedAs statement with that role; the others need not be parsed."""


class Member(NamedTuple):
    """What filters and lists of a group's runs look at, beside the ranking facts.

    ``project`` is that under which the run was submitted, if any, else that of its implementation.
    """

    project: str | None
    deployable: bool
    name: Hashable
    implementation: str


class Group:
    """A comparison group with all its runs, at one revision."""

    def __init__(self, entity: Entity, rows: Iterable[Mapping[str, Any]]) -> None:
        self.entity = entity
        self.key = entity.key
        self._facts: list[RunFacts] = []
        self.members: dict[str, Member] = {}
        self._submissions: dict[str, list[str]] = {}
        for row in rows:
            self._facts.append(run_facts(row))
            if any(_MAY_BE_BASELINE in text for text in row["submissions"]):
                self._submissions[row["digest"]] = row["submissions"]
            submitted = row["submittedProject"]
            self.members[row["digest"]] = Member(
                project=submitted if submitted is not None else row["project"],
                deployable=bool(row["deployable"]),
                name=name_of(row["submittedSlug"], row["implementation"]),
                implementation=row["implementation"],
            )

    @classmethod
    def read(cls, entity: Entity, members: Iterable[Sequence[Any]]) -> Self:
        """The group of what `reads.GROUPS` gives."""
        return cls(entity, (dict(zip(reads.GROUP_MEMBER, values, strict=True)) for values in members))

    @cached_property
    def standings(self) -> ranking.Standings:
        """Ranked runs first, then the others; of the whole group."""
        return ranking.standings(self._facts)

    @cached_property
    def places(self) -> dict[str, int]:
        """Run digest -> its place in the list of standings, from 0."""
        return {row.run.digest: place for place, row in enumerate(self.standings.rows)}

    @cached_property
    def history(self) -> tuple[RecordEvent, ...]:
        """The record events, by time."""
        return records.history(self._facts, self.direction)

    @cached_property
    def speedups(self) -> dict[str, float]:
        """Run digest -> how much faster than the group's best baseline; empty without one."""
        if not self._submissions:
            return {}
        submitted = {
            digest: facts.shown(
                "BenchmarkRun", "submittedAs", [facts.parse(text, "BenchmarkRun", digest) for text in texts]
            )
            for digest, texts in self._submissions.items()
        }
        among = {digest for digest, name in submitted.items() if baselines.is_baseline(name)}
        return baselines.speedups(self.standings, among)

    @property
    def direction(self) -> metrics.Direction | None:
        """Which values are better; None for a group that does not rank."""
        metric = self.entity.get("metric")
        return metrics.direction_of(metric) if isinstance(metric, str) else None

    def parts_of(self, digest: str) -> Iterable[tuple[str, str | None]]:
        """(field, key) of what a run of the group hangs on; of projects the one it was submitted under, if it
        was, else that of its implementation."""
        member, place = self.members[digest], self.standings.rows[self.places[digest]]
        yield "implementation", member.implementation
        yield "project", member.project
        yield "source", place.run.native_source
        for name in ("environment", "workload", "protocol"):
            yield name, self.entity.get(name)

    def standing(self, digest: str) -> Standing | None:
        """Where a run of the group stands."""
        place = self.places.get(digest)
        return None if place is None else self.standings.rows[place]

    def events_of(self, digest: str) -> list[RecordEvent]:
        """The events by which the run became the record."""
        return [event for event in self.history if event.run == digest]


def run_facts(props: Mapping[str, Any]) -> RunFacts:
    """The ranking facts of a run from its stored properties."""
    low, high = props.get("intervalLow"), props.get("intervalHigh")
    return RunFacts(
        digest=props["digest"],
        status=props["status"],
        observed_at=props["observedAt"],
        published=props.get("published") is not False,
        retracted_at=props.get("retractedAt"),
        superseded=bool(props.get("superseded")),
        complete=props.get("partsComplete") is not False,
        metric=props.get("metric"),
        value=props.get("value"),
        interval=(low, high) if low is not None and high is not None else None,
        evidence=EvidenceLevel(props.get("evidence") or EvidenceLevel.REPORTED),
        native_source=props.get("source"),
        metric_pending=bool(props.get("metricPending")),
    )


@dataclass(frozen=True, slots=True)
class IndexedGroup:
    """A group as the index of all groups has it: enough to filter and to order."""

    key: str
    operation: str | None
    workload: str
    protocol: str
    environment: str
    size: int
    newest: str
    sources: frozenset[str]
