"""Speed-ups over a baseline, and the best run per owner: laws over any group."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.baselines import best_baseline, is_baseline, speedups
from catalog.domain.best_per import first_of_each, name_of
from catalog.domain.ranking import RunFacts, standings


def run(number: int, value: float | None, metric: str = "latency", status: str = "passed") -> RunFacts:
    return RunFacts(
        f"{number:02}",
        status,
        f"2026-01-{number % 28 + 1:02}T00:00:00.000000000Z",
        metric=metric,
        value=value,
    )


@pytest.mark.parametrize(
    ("submitted", "yes"),
    [
        (None, False),
        ({"slug": "x"}, False),
        ({"slug": "x", "role": "entry"}, False),
        ({"slug": "baseline"}, False),
        ({"slug": "x", "role": "baseline"}, True),
    ],
)
def test_a_baseline_is_a_run_submitted_in_that_role(submitted: dict[str, str] | None, yes: bool) -> None:
    assert is_baseline(submitted) is yes


def test_the_best_of_several_baselines_counts() -> None:
    group = standings([run(1, 100), run(2, 400), run(3, 200), run(4, 50, status="timeout")])
    assert speedups(group, {"02", "03"}) == {"01": 2.0, "02": 0.5, "03": 1.0}


def test_where_higher_is_better_the_quotient_turns() -> None:
    group = standings([run(1, 100, "tflops"), run(2, 400, "tflops")])
    assert speedups(group, {"01"}) == {"01": 1.0, "02": 4.0}


@pytest.mark.parametrize(
    "runs",
    [
        [run(1, 100), run(2, 10, status="timeout")],  # the only baseline is not ranked
        [run(1, 100)],  # it is not in the group
        [run(1, 3, "widgets"), run(2, 4, "widgets")],  # nothing is ranked
    ],
)
def test_without_a_ranked_baseline_there_is_no_speedup(runs: list[RunFacts]) -> None:
    assert speedups(standings(runs), {"02"}) == {}


GROUPS = st.lists(
    st.builds(
        run,
        st.just(0),
        st.one_of(st.none(), st.integers(1, 20)),
        st.just("latency"),
        st.sampled_from(["passed", "passed", "timeout"]),
    ),
    max_size=8,
).map(
    lambda runs: [
        RunFacts(f"{n:02}", r.status, r.observed_at, metric=r.metric, value=r.value)
        for n, r in enumerate(runs)
    ]
)


@given(GROUPS, st.sets(st.integers(0, 7).map("{:02}".format)))
def test_speedup_and_ratio_tell_the_same(runs: list[RunFacts], among: set[str]) -> None:
    group = standings(runs)
    found, baseline = speedups(group, among), best_baseline(group, among)
    ranked = [row for row in group.rows if row.rank is not None]
    assert set(found) == ({row.run.digest for row in ranked} if baseline else set())
    if baseline is not None:
        assert found[baseline.digest] == 1
        ratios = {row.run.digest: row.ratio_to_best or 0 for row in ranked}
        for digest, speedup in found.items():
            assert math.isclose(speedup * ratios[digest], ratios[baseline.digest])
        assert all(found[digest] <= 1 for digest in among & set(found))


@given(GROUPS, st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_the_first_ranked_run_of_each_owner_keeps_its_place_and_rank(
    runs: list[RunFacts], owners: list[int]
) -> None:
    rows = standings(runs).rows

    def owner(digest: str) -> int:
        return owners[int(digest)]

    firsts = first_of_each(rows, owner)
    assert [row for row in rows if row in firsts] == firsts
    assert len({owner(row.run.digest) for row in firsts}) == len(firsts)
    for row in rows:
        if row.rank is not None:
            [first] = [each for each in firsts if owner(each.run.digest) == owner(row.run.digest)]
            assert rows.index(first) <= rows.index(row)
            assert (first.rank or 0) <= row.rank


def test_a_name_and_a_digest_are_never_taken_for_each_other() -> None:
    assert name_of("sha256:aa", "sha256:bb") != name_of(None, "sha256:aa")
    assert name_of("fast", "sha256:aa") == name_of("fast", "sha256:bb")
