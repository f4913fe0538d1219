"""Record history (docs/domain.md §6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.metrics import Direction, Number
from catalog.domain.ranking import RunFacts, reasons
from catalog.domain.records import Cause, RecordEvent, history

LOWER, HIGHER = Direction.LOWER, Direction.HIGHER


def day(number: int) -> str:
    return f"2026-08-{number:02}T00:00:00.000000000Z"


def run(name: str, observed: int, value: Number, retracted: int | None = None) -> RunFacts:
    return RunFacts(
        digest=name,
        status="passed",
        observed_at=day(observed),
        retracted_at=None if retracted is None else day(retracted),
        metric="latency",
        value=value,
    )


def new(at: int, name: str, previous: str | None = None, improvement: float | None = None) -> RecordEvent:
    return RecordEvent(day(at), Cause.NEW_RUN, name, previous, improvement)


def fallen(at: int, previous: str, to: str | None) -> RecordEvent:
    return RecordEvent(day(at), Cause.RETRACTION, to, previous, None)


@pytest.mark.parametrize(
    ("runs", "events"),
    [
        pytest.param([], [], id="nobody"),
        pytest.param([run("a", 1, 100)], [new(1, "a")], id="first"),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 75), run("c", 3, 18.75)],
            [new(1, "a"), new(2, "b", "a", 0.25), new(3, "c", "b", 0.75)],
            id="each beats the last",
        ),
        pytest.param([run("a", 1, 100), run("b", 2, 100)], [new(1, "a")], id="equal is not better"),
        pytest.param([run("a", 1, 100), run("b", 2, 120)], [new(1, "a")], id="worse is nothing"),
        pytest.param([run("a", 1, 100), run("b", 1, 90)], [new(1, "b")], id="best of one instant"),
        pytest.param([run("b", 1, 90), run("a", 1, 90)], [new(1, "a")], id="equal at one instant: digest"),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 50, retracted=3)],
            [new(1, "a"), new(2, "b", "a", 0.5), fallen(3, "b", "a")],
            id="retracted: back to the one before",
        ),
        pytest.param(
            [run("a", 1, 100, retracted=2)], [new(1, "a"), fallen(2, "a", None)], id="nobody is left"
        ),
        pytest.param(
            [run("a", 1, 100, retracted=2), run("b", 3, 200)],
            [new(1, "a"), fallen(2, "a", None), new(3, "b")],
            id="after nobody, anybody",
        ),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 50, retracted=4), run("c", 3, 80), run("d", 5, 60)],
            [
                new(1, "a"),
                new(2, "b", "a", 0.5),
                fallen(4, "b", "c"),
                new(5, "d", "c", 0.25),
            ],
            id="falls to the best that was never a record",
        ),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 120, retracted=3), run("c", 4, 50)],
            [new(1, "a"), new(4, "c", "a", 0.5)],
            id="retracting one that holds nothing is no event",
        ),
        pytest.param(
            [run("a", 1, 100, retracted=3), run("b", 2, 50), run("c", 4, 25)],
            [new(1, "a"), new(2, "b", "a", 0.5), new(4, "c", "b", 0.5)],
            id="retracting a former holder is no event",
        ),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 75, retracted=4), run("c", 3, 18.75, retracted=4)],
            [new(1, "a"), new(2, "b", "a", 0.25), new(3, "c", "b", 0.75), fallen(4, "c", "a")],
            id="two retracted at once",
        ),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 75, retracted=5), run("c", 3, 18.75, retracted=4)],
            [
                new(1, "a"),
                new(2, "b", "a", 0.25),
                new(3, "c", "b", 0.75),
                fallen(4, "c", "b"),
                fallen(5, "b", "a"),
            ],
            id="one retracted after the other",
        ),
        pytest.param(
            [run("a", 1, 100), run("b", 2, 50, retracted=2)], [new(1, "a")], id="retracted when observed"
        ),
        pytest.param(
            [run("a", 1, 100), run("b", 3, 50, retracted=2)], [new(1, "a")], id="retracted before observed"
        ),
        pytest.param(
            [run("a", 1, 100, retracted=2), run("b", 2, 50)],
            [new(1, "a"), fallen(2, "a", "b")],
            id="one observed at the instant of retraction succeeds",
        ),
        pytest.param(
            [run("a", 1, 50, retracted=3), run("b", 2, 100), run("c", 3, 70)],
            [new(1, "a"), fallen(3, "a", "c")],
            id="best at the instant of retraction, new or old",
        ),
        pytest.param(
            [run("a", 1, 100, retracted=4), run("b", 3, 100), run("c", 2, 100)],
            [new(1, "a"), fallen(4, "a", "c")],
            id="of equal successors the first observed",
        ),
    ],
)
def test_history(runs: list[RunFacts], events: list[RecordEvent]) -> None:
    assert list(history(runs, LOWER)) == events


def test_where_higher_is_better() -> None:
    runs = [
        run(n, d, v)._replace(metric="tflops") for n, d, v in [("a", 1, 100), ("b", 2, 400), ("c", 3, 200)]
    ]
    assert list(history(runs, HIGHER)) == [new(1, "a"), new(2, "b", "a", 0.75)]
    both = [run(n, 1, v)._replace(metric="tflops") for n, v in [("a", 100), ("b", 400)]]
    assert list(history(both, HIGHER)) == [new(1, "b")]


def test_a_group_without_direction_has_no_records() -> None:
    assert history([run("a", 1, 1)._replace(metric="accuracy")], None) == ()


@pytest.mark.parametrize(
    "flaw",
    [
        {"status": "timeout"},
        {"published": False},
        {"superseded": True},
        {"complete": False},
        {"metric": None, "value": None},
        {"superseded": True, "retracted_at": day(9)},
    ],
)
def test_runs_with_another_reason_than_retraction_take_no_part(flaw: dict[str, Any]) -> None:
    flawed = run("b", 2, 1)._replace(**flaw)
    assert list(history([run("a", 1, 100), flawed], LOWER)) == [new(1, "a")]


def test_an_older_observation_changes_the_history() -> None:
    runs = [run("a", 2, 100), run("b", 3, 50)]
    assert list(history([*runs, run("c", 1, 80)], LOWER)) == [new(1, "c"), new(3, "b", "c", 0.375)]


def metric(direction: Direction) -> str:
    return "tflops" if direction is HIGHER else "latency"


def groups(direction: Direction) -> st.SearchStrategy[list[RunFacts]]:
    facts = st.builds(
        RunFacts,
        digest=st.text("abcdef0123456789", min_size=4, max_size=4),
        status=st.sampled_from(["passed", "passed", "passed", "timeout"]),
        observed_at=st.integers(1, 6).map(day),
        retracted_at=st.none() | st.integers(1, 8).map(day),
        superseded=st.sampled_from([False, False, False, True]),
        metric=st.just(metric(direction)),
        value=st.integers(1, 6),
    )
    return st.lists(facts, max_size=12, unique_by=lambda r: r.digest)


def best_at(runs: list[RunFacts], at: str, direction: Direction) -> RunFacts | None:
    """The best run that counts at an instant, found by looking at all of them."""
    sign = -1 if direction is HIGHER else 1
    counting = [
        r
        for r in runs
        if set(reasons(r)) <= {"RETRACTED"}
        and r.observed_at <= at
        and (r.retracted_at is None or at < r.retracted_at)
    ]
    return min(counting, key=lambda r: (sign * (r.value or 0), r.observed_at, r.digest), default=None)


directions = st.sampled_from(Direction)


@given(directions.flatmap(lambda d: st.tuples(st.just(d), groups(d))))
def test_the_last_event_names_the_best_run_at_every_instant(case: tuple[Direction, list[RunFacts]]) -> None:
    direction, runs = case
    events = history(runs, direction)
    for number in range(10):
        past = [event for event in events if event.at <= day(number)]
        best = best_at(runs, day(number), direction)
        assert (past[-1].run if past else None) == (best.digest if best else None)


@given(directions.flatmap(lambda d: st.tuples(st.just(d), groups(d))))
def test_events_follow_one_another(case: tuple[Direction, list[RunFacts]]) -> None:
    direction, runs = case
    events = history(runs, direction)
    by_digest = {r.digest: r for r in runs}
    assert [event.previous for event in events] == [None, *(event.run for event in events[:-1])][
        : len(events)
    ]
    assert [event.at for event in events] == sorted({event.at for event in events})
    for event in events:
        if event.cause is Cause.RETRACTION:
            assert event.previous is not None
            assert event.improvement is None
            assert by_digest[event.previous].retracted_at == event.at
        else:
            assert event.run is not None
            assert by_digest[event.run].observed_at == event.at
            assert (event.improvement is None) == (event.previous is None)
            assert event.improvement is None or 0 < event.improvement < 1


@given(groups(LOWER).flatmap(lambda group: st.tuples(st.just(group), st.permutations(group))))
def test_the_order_of_the_runs_never_shows(groups: tuple[list[RunFacts], list[RunFacts]]) -> None:
    group, shuffled = groups
    assert history(shuffled, LOWER) == history(group, LOWER)


@given(groups(LOWER), st.sampled_from([{"status": "timeout"}, {"superseded": True}, {"complete": False}]))
def test_ineligible_runs_leave_no_trace(group: list[RunFacts], flaw: dict[str, Any]) -> None:
    flawed = run("ineligible", 1, 1)._replace(**flaw)
    assert history([*group, flawed], LOWER) == history(group, LOWER)
