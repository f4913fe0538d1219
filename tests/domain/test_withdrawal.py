"""What a withdrawal does to a group (docs/domain.md §4, §6)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.metrics import Direction
from catalog.domain.ranking import RunFacts, standings
from catalog.domain.records import history
from catalog.domain.withdrawal import FROM_THE_START, effect, retracted


def day(number: int) -> str:
    return f"2026-08-{number:02}T00:00:00.000000000Z"


RUNS = st.lists(
    st.builds(
        lambda digest, at, value, back: RunFacts(
            digest, "passed", day(at), retracted_at=back and day(back), metric="latency", value=value
        ),
        st.text("abcdef", min_size=1, max_size=2),
        st.integers(1, 9),
        st.integers(1, 9),
        st.none() | st.integers(1, 12),
    ),
    unique_by=lambda run: run.digest,
    max_size=12,
)


@given(RUNS, st.sets(st.text("abcdef", min_size=1, max_size=2)), st.integers(1, 12))
def test_it_is_what_the_retraction_does(runs: list[RunFacts], withdrawn: set[str], at: int) -> None:
    done = effect(runs, Direction.LOWER, withdrawn, day(at))
    after = [retracted(run, day(at)) if run.digest in withdrawn else run for run in runs]
    before_events, after_events = history(runs, Direction.LOWER), history(after, Direction.LOWER)
    kept = [event for event in before_events if event not in done.lost]
    assert sorted([*kept, *done.gained], key=lambda event: event.at) == list(after_events)
    assert not set(done.lost) & set(after_events)
    assert not set(done.gained) & set(before_events)
    leader = standings(after).leader
    assert done.leader_after == (leader.digest if leader else None)


@given(RUNS, st.sets(st.text("abcdef", min_size=1, max_size=2)))
def test_from_the_start_is_as_if_the_runs_had_never_been(runs: list[RunFacts], withdrawn: set[str]) -> None:
    done = effect(runs, Direction.LOWER, withdrawn, FROM_THE_START)
    rest = [run for run in runs if run.digest not in withdrawn]
    before = history(runs, Direction.LOWER)
    remaining = {*before} - {*done.lost} | {*done.gained}
    assert remaining == set(history(rest, Direction.LOWER))


@given(RUNS)
def test_an_earlier_retraction_stays(runs: list[RunFacts]) -> None:
    for run in runs:
        once = retracted(run, day(6))
        assert once.retracted_at == min(day(6), run.retracted_at or day(6))
        assert retracted(once, day(9)) == once
