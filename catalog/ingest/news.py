"""What a batch brings that a follower of the catalog wants to be told: published runs, record events.

A run is announced once it is published and whole, that is when it has a comparison key. A record event is
news when the history of its group has it after the batch and did not have it before (docs/domain.md §6).
Both are compared with what the graph held, so a batch that brings nothing new tells nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.domain import metrics, records
from catalog.ingest import projection
from catalog.ingest.working import Node, Working
from catalog.read.groups import run_facts
from graph import state

Row = Mapping[str, Any]
RecordRuns = Callable[..., Awaitable[list[dict[str, Any]]]]


@dataclass(slots=True)
class News:
    """`runs`: digests of the runs that a batch publishes; `records`: its record events, as texts."""

    runs: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)


async def news_of(working: Working, read: RecordRuns) -> News:
    """The news of a batch that has been derived; one statement, when it touches groups that exist."""
    moved: dict[str, list[Node]] = defaultdict(list)
    for run in working.dirty("Run"):
        if _moved(run):
            moved[run.value("comparisonKey")].append(run)
    before = await _members(working, read, moved)
    news = News(sorted(run.key for runs in moved.values() for run in runs if _appears(run)))
    for key in sorted(moved):
        after = before[key] | {run.key: _row(run, before[key].get(run.key, {})) for run in moved[key]}
        known = set(_history(before[key].values()))
        news.records += [records.text(key, event) for event in _history(after.values()) if event not in known]
    return news


def _moved(run: Node) -> bool:
    """Whether ranking and records see another run than before."""
    stored = run.stored or {}
    return run.value("comparisonKey") is not None and (
        run.superseded != bool(stored.get("superseded"))
        or _published(stored) != _published_now(run)
        or any(run.value(name) != stored.get(name) for name in ("comparisonKey", "retractedAt"))
    )


def _appears(run: Node) -> bool:
    stored = run.stored or {}
    return _published_now(run) and not (stored.get("comparisonKey") is not None and _published(stored))


def _published(stored: Row) -> bool:
    return stored.get("published") is not False


def _published_now(run: Node) -> bool:
    return run.value("published") is not False


async def _members(
    working: Working, read: RecordRuns, keys: Iterable[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Group -> its runs as the graph holds them, by digest; none of a group that the batch makes."""
    members: dict[str, dict[str, dict[str, Any]]] = {key: {} for key in keys}
    existing = [key for key in members if not _is_new(working.nodes.get(("ComparisonGroup", key)))]
    if existing:
        for row in await read(state.RECORD_RUNS, input={"keys": existing}):
            members[row["key"]][row["digest"]] = row
    return members


def _is_new(group: Node | None) -> bool:
    return group is not None and group.is_new


def _row(run: Node, held: Row) -> dict[str, Any]:
    """The run as the graph will hold it; one that joins its group has its spec in memory."""
    own: Row = {}
    if run.spec is not None and "status" not in run.derived:
        own = projection.VIEWS["BenchmarkRun"].props(run.spec)
    stated = {name: run.value(name) for name in ("published", "retractedAt")}
    return {**held, **own, **stated, **run.derived, "digest": run.key, "superseded": run.superseded}


def _history(rows: Iterable[Row]) -> tuple[records.RecordEvent, ...]:
    runs = list(rows)
    metric = runs[0]["metric"] if runs else None
    return records.history(map(run_facts, runs), metrics.direction_of(metric) if metric is not None else None)
