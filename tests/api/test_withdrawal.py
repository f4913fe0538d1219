"""What a withdrawal would change, told before it happens and seen after, on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catalog.ingest.pipeline import import_paths
from graph.store import Store
from tests.api.lineage_made import (
    EXPECTED,
    MADE,
    UNKNOWN,
    ask,
    code_of,
    comparable,
    fault,
    shown,
    size_of,
)
from tests.data.made.lineage import IMPLEMENTATIONS, RUNS
from tests.data.made.make import artifact, says
from tests.read.samples import write

BLAST = """query ($i: Digest, $s: String, $a: Digest, $at: DateTime) {
  blastRadius(implementation: $i, source: $s, artifact: $a, at: $at) {
    runCount implementationCount groupCount leaderChangeCount eventsLostCount eventsGainedCount
    runs { digest } leaderChanges { group { key } before { digest } after { digest } }
    eventsLost { group { key workload { axes { name value } } } event { %s } }
    eventsGained { group { key workload { axes { name value } } } event { %s } } } }"""
EVENT = "at cause improvement run { digest } previous { digest }"
BLAST = BLAST % (EVENT, EVENT)

WITHDRAWALS: dict[str, dict[str, Any]] = {
    "a2 from the start": {"i": IMPLEMENTATIONS["a2"].digest},
    "a3 on day 8": {"i": IMPLEMENTATIONS["a3"].digest[:20], "at": shown(8)},
    "file a from the start": {"a": artifact("a")},
    "file f from day 5": {"a": artifact("f"), "at": shown(5)},
    "rival's source from the start": {"s": "made-rival-bench"},
}


def changed(events: list[dict[str, Any]]) -> list[list[Any]]:
    return [
        [
            size_of(each["group"]),
            int(each["event"]["at"][8:10]),
            each["event"]["cause"],
            code_of(each["event"]["run"]),
            code_of(each["event"]["previous"]),
        ]
        for each in events
    ]


STATE = """{ comparisonGroups(first: 100) { edges { node { key leader { digest }
  recordHistory { at cause improvement run { digest } previous { digest } } } } } }"""
State = dict[str, tuple[Any, list[Any]]]


async def state(store: Store) -> State:
    groups = (await ask(store, STATE))["comparisonGroups"]["edges"]
    return {edge["node"]["key"]: (edge["node"]["leader"], edge["node"]["recordHistory"]) for edge in groups}


def check(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for count in ("runCount", "implementationCount", "groupCount", "leaderChangeCount"):
        assert found[count] == expected[count], count
    assert comparable(changed(found["eventsLost"])) == comparable(expected["lost"])
    assert comparable(changed(found["eventsGained"])) == comparable(expected["gained"])
    assert found["eventsLostCount"] == len(expected["lost"])
    assert found["eventsGainedCount"] == len(expected["gained"])
    assert len(found["runs"]) == expected["runCount"]


@pytest.mark.parametrize("name", WITHDRAWALS)
async def test_the_retraction_does_what_was_foretold(store: Store, tmp_path: Path, name: str) -> None:
    await import_paths(store, [MADE / "lineage.jsonl"])
    variables = WITHDRAWALS[name]
    before, foretold = await state(store), (await ask(store, BLAST, **variables))["blastRadius"]
    check(foretold, EXPECTED["withdrawals"][name])

    at = variables.get("at", "1970-01-01T00:00:00Z")
    runs = {run.digest: run for run in RUNS.values()}
    retractions = [
        says("made-later", runs[each["digest"]], "retraction", {"at": at, "reason": "withdrawn"})
        for each in foretold["runs"]
    ]
    write(tmp_path / "retractions.jsonl", retractions)
    assert not (await import_paths(store, [tmp_path / "retractions.jsonl"])).rejected

    expected = dict(before)
    for change in foretold["leaderChanges"]:
        leader, history = expected[change["group"]["key"]]
        assert leader == change["before"]
        expected[change["group"]["key"]] = (change["after"], history)
    for key, (leader, history) in expected.items():
        lost, gained = (
            [each["event"] for each in foretold[side] if each["group"]["key"] == key]
            for side in ("eventsLost", "eventsGained")
        )
        kept = [event for event in history if event not in lost]
        assert len(kept) + len(lost) == len(history)
        expected[key] = (leader, sorted([*kept, *gained], key=lambda event: event["at"]))
    assert await state(store) == expected
    assert expected != before


async def test_a_withdrawal_of_nothing_and_of_several_things(store: Store) -> None:
    await import_paths(store, [MADE / "lineage.jsonl"])
    unknown: list[dict[str, Any]] = [{"i": UNKNOWN}, {"i": "00000000"}, {"s": "nobody"}, {"a": UNKNOWN}]
    for one in unknown:
        assert await ask(store, BLAST, **one) == {"blastRadius": None}
    several: list[dict[str, Any]] = [{}, {"i": UNKNOWN, "s": "nobody"}]
    for bad in several:
        assert await fault(store, BLAST, **bad) == ("BAD_USER_INPUT", "implementation")
    assert await fault(store, BLAST, s="nobody", at="yesterday") == ("BAD_USER_INPUT", "at")
