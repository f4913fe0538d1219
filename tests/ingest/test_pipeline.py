"""Imports on both engines: what is counted, what is written, in which order, by how many at once."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from catalog.ingest import pipeline
from catalog.ingest.pipeline import check_paths, import_paths
from catalog.keep.export import export
from catalog.keep.verify import verify
from graph import Store
from tests.content import content
from tests.engines import Engine

MADE = Path("tests/data/made")
EVIDENCE = MADE / "evidence.jsonl"
LATE = [MADE / "late-run.jsonl", MADE / "late-workload.jsonl"]
LIGER = Path("catalog/data/liger/all_benchmark_data.csv")


async def test_the_bundled_file_counts_as_its_facts_say_and_a_second_import_writes_nothing(
    store: Store,
) -> None:
    first = (await import_paths(store, [LIGER])).to_json()
    assert first["files"] == [
        {
            "path": str(LIGER),
            "rows": 2448,
            "accepted": 1649,
            "unchanged": 0,
            "skipped": 799,
            "rejected": 0,
        }
    ]
    assert first["skipped"] == {"metric_not_speed": 799}
    assert first["rejected"] == {}
    assert first["objects"]["BenchmarkRun"] == {"new": 1649, "unchanged": 0}
    assert first["revision"]["before"] == 0

    before = await content(store)
    second = (await import_paths(store, [LIGER])).to_json()
    assert second["files"][0] | {"path": ""} == {
        "path": "",
        "rows": 2448,
        "accepted": 0,
        "unchanged": 1649,
        "skipped": 799,
        "rejected": 0,
    }
    assert second["objects"]["BenchmarkRun"] == {"new": 0, "unchanged": 1649}
    assert second["revision"] == {"before": first["revision"]["after"], "after": first["revision"]["after"]}
    assert await content(store) == before
    assert (await verify(store)).problems == []


async def test_a_dry_run_says_what_the_import_then_does_and_writes_nothing(store: Store) -> None:
    planned = (await import_paths(store, [LIGER], dry_run=True)).to_json()
    assert (planned["dryRun"], planned["revision"]) == (True, {"before": 0, "after": 0})
    assert not any((await content(store))["nodes"])
    done = (await import_paths(store, [LIGER])).to_json()
    for same in ("files", "objects", "skipped", "rejected"):
        assert planned[same] == done[same]


async def test_the_same_rows_in_any_order_and_batches_of_any_size_give_the_same_content(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, *rows = EVIDENCE.read_text().splitlines(keepends=True)
    late = [
        (MADE / f"late-{name}.jsonl").read_text().splitlines(keepends=True)[1] for name in ("run", "workload")
    ]
    contents = []
    for seed, size in ((None, 5000), (1, 1), (2, 3), (3, 8)):
        monkeypatch.setattr(pipeline, "BATCH_ROWS", size)
        shuffled = [*rows, *late]
        if seed is not None:
            random.Random(seed).shuffle(shuffled)
        await engine.reset()
        async with engine.store() as store:
            for part, chunk in enumerate((shuffled[:20], shuffled[20:])):
                path = tmp_path / f"{seed}-{part}.jsonl"
                path.write_text("".join([header, *chunk]))
                report = await import_paths(store, [path])
                assert report.rejected == Counter()
            assert (await verify(store)).problems == []
            contents.append(await content(store))
    assert all(other == contents[0] for other in contents[1:])


async def test_an_export_reads_back_to_the_same_content(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    await engine.reset()
    async with engine.store() as store:
        await import_paths(store, [LIGER, EVIDENCE, *LATE])
        with path.open("w") as out:
            await export(store, out)
        before = await content(store)
    await engine.reset()
    async with engine.store() as store:
        report = await import_paths(store, [path])
        assert report.rejected == Counter()
        assert await content(store) == before
        again = tmp_path / "again.jsonl"
        with again.open("w") as out:
            await export(store, out)
    assert again.read_bytes() == path.read_bytes()


async def changes(store: Store) -> list[dict[str, object]]:
    rows = await store.read("MATCH (c:Change) RETURN properties(c) AS change ORDER BY c.revision")
    return [row["change"] for row in rows]


@pytest.mark.parametrize("seed", [1, 2])
async def test_batches_planned_ahead_write_and_tell_what_they_would_one_by_one(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    header, *rows = EVIDENCE.read_text().splitlines(keepends=True)
    rows += [
        line for path in (*LATE, MADE / "lineage.jsonl") for line in path.read_text().splitlines(True)[1:]
    ]
    rows = list(dict.fromkeys(rows))
    random.Random(seed).shuffle(rows)
    rows.append(rows[0])  # nothing is new in the last batch
    size = 5
    await engine.reset()
    async with engine.store() as store:
        for start in range(0, len(rows), size):
            path = tmp_path / f"{start}.jsonl"
            path.write_text(header + "".join(rows[start : start + size]))
            await import_paths(store, [path])
        apart = await content(store), await changes(store)
    await engine.reset()
    monkeypatch.setattr(pipeline, "BATCH_ROWS", size)
    path = tmp_path / "all.jsonl"
    path.write_text(header + "".join(rows))
    async with engine.store() as store:
        report = await import_paths(store, [path])
        assert (report.total("accepted"), report.total("unchanged")) == (len(rows) - 1, 1)
        assert (await content(store), await changes(store)) == apart
        assert len(apart[1]) == report.revision_after


@pytest.mark.parametrize("size", [5000, 4])
async def test_eight_imports_at_once_leave_one_set_of_nodes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(pipeline, "BATCH_ROWS", size)
    await engine.reset()
    async with engine.store() as store:
        await import_paths(store, [EVIDENCE])
        alone = await content(store)
    await engine.reset()

    async def one() -> None:
        async with engine.store() as own:
            report = await import_paths(own, [EVIDENCE])
            assert report.rejected == Counter()

    await asyncio.gather(*(one() for _ in range(8)))
    async with engine.store() as store:
        assert await content(store) == alone
        assert (await verify(store)).problems == []


async def test_faulty_rows_are_reported_and_the_good_ones_go_in(store: Store, tmp_path: Path) -> None:
    lines = EVIDENCE.read_text().splitlines(keepends=True)
    broken = json.loads(lines[2])
    broken["manifest"]["spec"]["surprise"] = 1
    path = tmp_path / "some.jsonl"
    path.write_text("".join([lines[0], lines[1], json.dumps(broken) + "\n", "{nonsense\n", *lines[2:]]))
    report = (await import_paths(store, [path])).to_json()
    assert report["files"][0] | {"path": ""} == {
        "path": "",
        "rows": len(lines) + 1,
        "accepted": len(lines) - 1,
        "unchanged": 0,
        "skipped": 0,
        "rejected": 2,
    }
    assert [(p["pointer"], p["line"]) for p in report["problems"]] == [
        ("/manifest/spec/surprise", 3),
        ("", 4),
    ]
    assert (await verify(store)).problems == []


async def test_a_run_waits_for_its_workload_and_joins_its_group_when_it_comes(store: Store) -> None:
    await import_paths(store, [EVIDENCE, MADE / "late-run.jsonl"])
    waiting = await verify(store)
    assert waiting.problems == []
    assert {label: len(keys) for label, keys in waiting.missing.items()} == {"Workload": 1}
    report = await import_paths(store, [MADE / "late-workload.jsonl"])
    assert report.to_json()["objects"] == {"WorkloadCase": {"new": 1, "unchanged": 0}}
    arrived = await verify(store)
    assert (arrived.problems, arrived.missing) == ([], {})
    assert arrived.checked["ComparisonGroup"] == waiting.checked["ComparisonGroup"] + 1


async def test_files_beside_data_in_a_folder_are_passed_over_and_named_ones_are_refused(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text("about the data")
    (tmp_path / "evidence.jsonl").write_bytes(EVIDENCE.read_bytes())
    folder = await import_paths(store, [tmp_path])
    assert (folder.skipped, folder.rejected) == (Counter({"not_evidence": 1}), Counter())
    named = await import_paths(store, [tmp_path / "README.md", tmp_path / "absent.yaml"])
    assert named.rejected == Counter({"unknown_format": 1, "unreadable_file": 1})


def test_a_check_reads_everything_without_a_graph() -> None:
    report = check_paths([LIGER, EVIDENCE]).to_json()
    assert [(f["rows"], f["accepted"], f["skipped"]) for f in report["files"]] == [
        (2448, 1649, 799),
        (52, 52, 0),
    ]
    assert report["source"] == "liger, catalog"


@pytest.mark.real_data
@pytest.mark.slow
async def test_the_public_export_goes_in_whole_and_two_catalogs_in_either_order_are_one(
    engine: Engine, real_files: list[Path]
) -> None:
    exported, *csvs = real_files
    contents = []
    for order in ([exported, *csvs], [*reversed(csvs), exported]):
        await engine.reset()
        async with engine.store() as store:
            report = (await import_paths(store, order)).to_json()
            assert report["rejected"] == {}
            contents.append(await content(store))
            if len(contents) == 1:
                assert report["objects"]["BenchmarkRun"] == {"new": 7857 + 1757, "unchanged": 0}
                again = (await import_paths(store, [exported])).to_json()
                assert again["files"][0]["unchanged"] == again["files"][0]["rows"] == 40795
                assert again["revision"]["before"] == again["revision"]["after"]
                verified = await verify(store, strict=True)
                assert (verified.problems, verified.missing) == ([], {})
                assert verified.checked["record events"] == 2948 + 961
                assert verified.checked["unranked runs"] == 86
                assert verified.warnings["OPERATION_MISMATCH"] == 43
    assert contents[0] == contents[1]
