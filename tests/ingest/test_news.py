"""The log of changes tells what each write changed: held against the whole catalog, read before and after."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from catalog.domain.facts import Statement
from catalog.domain.records import RecordEvent
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots
from catalog.read.changes import BrokenRecord, Event, Place, PublishedRun, read_stretch, read_summary
from catalog.read.overview import overview
from graph import Store
from tests.read.samples import write

MADE = Path("tests/data/made")
LIGER = Path("catalog/data/liger/all_benchmark_data.csv")

PUBLISHED = """
MATCH (r:Run) WHERE r.comparisonKey IS NOT NULL AND coalesce(r.published, true) RETURN r.digest AS digest
"""


class Seen(NamedTuple):
    """What the whole catalog shows: published runs, and the record events of all groups."""

    runs: set[str]
    records: set[tuple[str, RecordEvent]]


async def look(store: Store) -> Seen:
    runs = {row["digest"] for row in await store.read(PUBLISHED)}
    ledger = await overview(await Snapshots(store).current()).ledger()
    return Seen(runs, {(entry.group, entry.event) for entry in ledger.entries})


async def logged(store: Store, after: int) -> tuple[Event, ...]:
    return (await read_stretch(store, Place(after + 1), await store.revision(), 1_000_000)).events


def told(events: tuple[Event, ...]) -> tuple[list[str], list[tuple[str, RecordEvent]]]:
    return (
        [event.run for event in events if isinstance(event, PublishedRun)],
        [(event.group, event.event) for event in events if isinstance(event, BrokenRecord)],
    )


def lines_of(*names: str) -> tuple[str, list[str]]:
    """The header and the rows of made files, each row once."""
    files = [(MADE / f"{name}.jsonl").read_text().splitlines(keepends=True) for name in names]
    return files[0][0], list(dict.fromkeys(row for file in files for row in file[1:]))


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_each_write_tells_what_the_catalog_shows_after_it_and_not_before(
    store: Store, tmp_path: Path, seed: int
) -> None:
    """Rows in any order: parts that come late, retractions and supersessions before and after their runs."""
    header, rows = lines_of("evidence", "late-run", "late-workload", "lineage")
    draw = random.Random(seed)
    draw.shuffle(rows)
    before = await look(store)
    while rows:
        batch = [rows.pop() for _ in range(min(len(rows), draw.randint(1, 9)))]
        path = tmp_path / "rows.jsonl"
        path.write_text(header + "".join(batch))
        revision = await store.revision()
        assert not (await import_paths(store, [path])).rejected
        after = await look(store)
        runs, records = told(await logged(store, revision))
        assert runs == sorted(after.runs - before.runs)
        assert set(records) == after.records - before.records
        assert len(records) == len(set(records))
        before = after
    assert len(before.runs) > 20
    assert len(before.records) > 10


async def test_the_bundled_file_is_told_once_and_whole(store: Store) -> None:
    report = await import_paths(store, [LIGER])
    shown = await look(store)
    runs, records = told(await logged(store, 0))
    assert (len(runs), set(runs)) == (1649, shown.runs)
    assert set(records) >= shown.records
    summary = await read_summary(store, 0, await store.revision())
    assert (summary.runs, summary.records) == (1649, len(records))
    new = {kind: counted["new"] for kind, counted in report.to_json()["objects"].items()}
    assert dict(summary.objects) == {kind: count for kind, count in new.items() if count}

    await import_paths(store, [LIGER])
    assert await logged(store, summary.revision) == ()


async def test_a_run_that_waits_for_a_part_is_told_when_the_part_arrives(store: Store) -> None:
    await import_paths(store, [MADE / "evidence.jsonl", MADE / "late-run.jsonl"])
    revision = await store.revision()
    waiting = await one(store, "MATCH (r:Run) WHERE r.partsComplete = false RETURN r.digest AS digest")
    assert waiting not in told(await logged(store, 0))[0]
    await import_paths(store, [MADE / "late-workload.jsonl"])
    [published, broken] = await logged(store, revision)
    assert published == PublishedRun(Place(revision + 1, 0), waiting)
    assert isinstance(broken, BrokenRecord)
    assert (broken.place, broken.event.run) == (Place(revision + 1, 1), waiting)


async def test_a_publication_that_is_stated_later_is_told_then(store: Store, tmp_path: Path) -> None:
    """`made-hidden` is denied by one source; another one says that it is published."""
    await import_paths(store, [MADE / "evidence.jsonl"])
    hidden = await one(store, "MATCH (r:Run) WHERE r.published = false RETURN r.digest AS digest")
    assert hidden not in told(await logged(store, 0))[0]
    revision = await store.revision()
    await state(store, tmp_path, hidden, "published", True)
    runs, records = told(await logged(store, revision))
    assert runs == [hidden]
    assert [event.run for _, event in records] == [hidden]


async def test_an_earlier_retraction_moves_the_event_and_tells_it_again(store: Store, tmp_path: Path) -> None:
    await import_paths(store, [MADE / "evidence.jsonl"])
    record = await one(store, "MATCH (r:Run) WHERE r.retractedAt IS NOT NULL RETURN r.digest AS digest")
    revision = await store.revision()
    await state(store, tmp_path, record, "retraction", {"at": "2026-01-03T12:00:00Z", "reason": "again"})
    runs, records = told(await logged(store, revision))
    assert runs == []
    [(_, event)] = records
    assert (event.at, event.cause, event.previous) == ("2026-01-03T12:00:00.000000000Z", "RETRACTION", record)


async def test_imports_at_once_tell_each_run_once_and_at_the_revision_that_brought_it(store: Store) -> None:
    paths = [MADE / f"{name}.jsonl" for name in ("evidence", "lineage", "coverage", "compare")]
    await asyncio.gather(*(import_paths(store, [path]) for path in paths + paths[::-1]))
    events = await logged(store, 0)
    shown = await look(store)
    runs, records = told(events)
    assert (len(runs), set(runs)) == (len(shown.runs), shown.runs)
    assert set(records) >= shown.records
    brought = await store.read("MATCH (r:Run) RETURN r.digest AS run, r.importRevision AS revision")
    assert {(event.run, event.place.revision) for event in events if isinstance(event, PublishedRun)} <= {
        (row["run"], row["revision"]) for row in brought
    }


async def one(store: Store, statement: str) -> str:
    [row] = await store.read(statement)
    return str(row["digest"])


async def state(store: Store, folder: Path, run: str, field: str, value: Any) -> None:
    """Import a statement of another source about a run."""

    write(folder / "fact.jsonl", [Statement("BenchmarkRun", run, field, value, "other-lab")])
    assert not (await import_paths(store, [folder / "fact.jsonl"])).rejected
