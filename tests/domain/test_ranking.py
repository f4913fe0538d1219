"""Eligibility and ranking-v1 (docs/domain.md §4)."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.metrics import Number
from catalog.domain.ranking import (
    POLICY,
    Profile,
    RunFacts,
    Standing,
    Standings,
    group_profile,
    reasons,
    standings,
)

DAY = "2026-08-{:02}T00:00:00.000000000Z"
BASE = RunFacts(digest="sha256:base", status="passed", observed_at=DAY.format(1), metric="latency", value=100)


def run(
    name: str,
    value: Number | None,
    interval: tuple[Number, Number] | None = None,
    *,
    metric: str = "latency",
    day: int = 1,
    evidence: EvidenceLevel = EvidenceLevel.REPORTED,
    native_source: str | None = None,
) -> RunFacts:
    return RunFacts(
        digest=name,
        status="passed",
        observed_at=DAY.format(day),
        metric=metric,
        value=value,
        interval=interval,
        evidence=evidence,
        native_source=native_source,
    )


def ranks(group: Standings) -> list[tuple[str, int | None]]:
    return [(row.run.digest, row.rank) for row in group.rows]


def test_policy_name() -> None:
    assert POLICY == "ranking-v1"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (BASE, ()),
        (BASE._replace(published=False), ("UNPUBLISHED",)),
        (BASE._replace(status="runtime_error"), ("STATUS_RUNTIME_ERROR",)),
        (BASE._replace(status="suspected_reward_hack"), ("STATUS_SUSPECTED_REWARD_HACK",)),
        (BASE._replace(retracted_at=DAY.format(9)), ("RETRACTED",)),
        (BASE._replace(superseded=True), ("SUPERSEDED",)),
        (BASE._replace(metric=None, value=None), ("MISSING_PRIMARY_METRIC",)),
        (BASE._replace(value=0), ("MISSING_PRIMARY_METRIC",)),
        (BASE._replace(value=-1), ("MISSING_PRIMARY_METRIC",)),
        (BASE._replace(value=float("nan")), ("MISSING_PRIMARY_METRIC",)),
        (BASE._replace(metric="accuracy"), ("UNRANKED_METRIC",)),
        (BASE._replace(complete=False), ("INCOMPLETE",)),
        # only the protocol is missing, and it would name the metric
        (BASE._replace(metric=None, value=None, complete=False, metric_pending=True), ("INCOMPLETE",)),
        (
            BASE._replace(metric=None, value=None, complete=False),
            ("MISSING_PRIMARY_METRIC", "INCOMPLETE"),
        ),
        (
            BASE._replace(
                published=False,
                status="revoked",
                retracted_at=DAY.format(9),
                superseded=True,
                complete=False,
                metric=None,
                value=None,
            ),
            (
                "UNPUBLISHED",
                "STATUS_REVOKED",
                "RETRACTED",
                "SUPERSEDED",
                "MISSING_PRIMARY_METRIC",
                "INCOMPLETE",
            ),
        ),
        (
            BASE._replace(metric="accuracy", status="timeout", complete=False),
            ("STATUS_TIMEOUT", "UNRANKED_METRIC", "INCOMPLETE"),
        ),
    ],
)
def test_reasons_all_of_them_in_order(facts: RunFacts, expected: tuple[str, ...]) -> None:
    assert reasons(facts) == expected


def test_standings_of_a_whole_group() -> None:
    fast, slow, slower = run("a", 100), run("b", 150), run("c", 300)
    failed = run("f", None)._replace(status="compile_error", metric=None)
    retracted = run("e", 50)._replace(retracted_at=DAY.format(2))
    assert standings([slower, failed, fast, retracted, slow]) == Standings(
        rows=(
            Standing(fast, 1, False, False, 1.0, ()),
            Standing(slow, 2, False, False, 1.5, ()),
            Standing(slower, 3, False, False, 3.0, ()),
            Standing(retracted, None, False, False, None, ("RETRACTED",)),
            Standing(failed, None, False, False, None, ("STATUS_COMPILE_ERROR", "MISSING_PRIMARY_METRIC")),
        ),
        leader=fast,
        eligible_count=3,
        size=5,
        profile=Profile.STRICT_EXACT,
    )


def test_an_empty_group_and_one_where_nothing_ranks() -> None:
    assert standings([]) == Standings((), None, 0, 0, Profile.STRICT_EXACT)
    unranked = run("a", 1, metric="accuracy")
    assert standings([unranked]) == Standings(
        (Standing(unranked, None, False, False, None, ("UNRANKED_METRIC",)),),
        None,
        0,
        1,
        Profile.STRICT_EXACT,
    )


def test_where_higher_is_better_the_largest_leads_and_the_ratio_is_inverse() -> None:
    best, half = run("b", 400.0, metric="tflops"), run("a", 200.0, metric="tflops")
    found = standings([half, best])
    assert found.leader == best
    assert [(row.run.digest, row.rank, row.ratio_to_best) for row in found.rows] == [
        ("b", 1, 1.0),
        ("a", 2, 2.0),
    ]


def test_equal_values_share_a_rank_and_ranks_are_dense() -> None:
    found = standings([run("d", 30), run("c", 20), run("b", 20), run("a", 10)])
    assert [(r.run.digest, r.rank, r.tied, r.tied_with_previous) for r in found.rows] == [
        ("a", 1, False, False),
        ("b", 2, True, False),
        ("c", 2, True, True),
        ("d", 3, False, False),
    ]


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("overlapping", [("a", 1), ("b", 1)]),
        ("touching", [("a", 1), ("b", 1)]),
        ("apart", [("a", 1), ("b", 2)]),
        ("one without interval", [("a", 1), ("b", 2)]),
        # b overlaps a and c, but c does not overlap a: c opens the next chain
        ("chain is no relay", [("a", 1), ("b", 1), ("c", 2)]),
        # d overlaps c but not b, so it opens a third chain
        ("chains one after another", [("a", 1), ("b", 1), ("c", 2), ("d", 2), ("e", 3)]),
        # b has a's value, so it ties without an interval; c must tie with b too, and cannot
        ("equal value without interval bars others", [("a", 1), ("b", 1), ("c", 2)]),
        # b and c have one value, only b overlaps a
        ("equal values apart from the chain", [("a", 1), ("b", 1), ("c", 2)]),
    ],
)
def test_tie_chains_by_interval(group: str, expected: list[tuple[str, int]]) -> None:
    runs = {
        "overlapping": [run("a", 100, (90, 110)), run("b", 105, (95, 115))],
        "touching": [run("a", 100, (90, 110)), run("b", 120, (110, 130))],
        "apart": [run("a", 100, (90, 110)), run("b", 120, (111, 130))],
        "one without interval": [run("a", 100, (90, 110)), run("b", 105)],
        "chain is no relay": [run("a", 100, (90, 105)), run("b", 104, (95, 115)), run("c", 112, (108, 120))],
        "chains one after another": [
            run("a", 100, (90, 105)),
            run("b", 104, (95, 115)),
            run("c", 112, (108, 120)),
            run("d", 118, (116, 122)),
            run("e", 130, (121, 135)),
        ],
        "equal value without interval bars others": [
            run("a", 100, (90, 110)),
            run("b", 100),
            run("c", 101, (95, 105)),
        ],
        "equal values apart from the chain": [
            run("a", 100, (90, 110)),
            run("b", 101, (95, 105)),
            run("c", 101),
        ],
    }[group]
    assert ranks(standings(runs)) == expected


def test_intervals_play_no_part_in_a_source_native_group() -> None:
    runs = [run("a", 100, (90, 110), native_source="s"), run("b", 105, (95, 115), native_source="s")]
    assert ranks(standings(runs)) == [("a", 1), ("b", 2)]


def test_inside_a_chain_evidence_then_newness_then_digest_order_the_display() -> None:
    verified = run("z", 105, (90, 110), evidence=EvidenceLevel.VERIFIED)
    newer = run("y", 104, (90, 110), day=3)
    old_a, old_b = run("a", 103, (90, 110), day=2), run("b", 100, (90, 110), day=2)
    found = standings([old_b, old_a, newer, verified])
    assert [(row.run.digest, row.rank, row.tied_with_previous) for row in found.rows] == [
        ("z", 1, False),
        ("y", 1, True),
        ("a", 1, True),
        ("b", 1, True),
    ]
    assert found.leader == verified
    # the best value is b's, though it is shown last
    assert [row.ratio_to_best for row in found.rows] == [1.05, 1.04, 1.03, 1.0]


@pytest.mark.parametrize(
    ("sources", "profile"),
    [
        (["s", "s"], Profile.SOURCE_NATIVE),
        (["s", "t"], Profile.STRICT_EXACT),
        (["s", None], Profile.STRICT_EXACT),
        ([None, None], Profile.STRICT_EXACT),
        ([], Profile.STRICT_EXACT),
    ],
)
def test_profile(sources: list[str | None], profile: Profile) -> None:
    group = [run(f"r{i}", 1, native_source=source) for i, source in enumerate(sources)]
    assert group_profile(group) is profile
    assert standings(group).profile is profile


def test_a_ratio_beyond_a_float_is_none() -> None:
    found = standings([run("a", 1e-300), run("b", 1e300)])
    assert [row.ratio_to_best for row in found.rows] == [1.0, None]


def test_large_integers_stay_exact() -> None:
    found = standings([run("a", 2**53 - 2), run("b", 2**53 - 1)])
    assert ranks(found) == [("a", 1), ("b", 2)]


# Laws, over small groups in which ties, overlaps and reasons are frequent.

intervals = st.none() | st.tuples(st.integers(1, 12), st.integers(1, 12)).map(
    lambda ends: (min(ends), max(ends))
)


def groups(metric: str = "latency") -> st.SearchStrategy[list[RunFacts]]:
    facts = st.builds(
        RunFacts,
        digest=st.text("abcdef0123456789", min_size=4, max_size=4),
        status=st.sampled_from(["passed", "passed", "passed", "timeout"]),
        observed_at=st.integers(1, 3).map(DAY.format),
        published=st.sampled_from([True, True, True, False]),
        retracted_at=st.none() | st.none() | st.just(DAY.format(2)),
        superseded=st.sampled_from([False, False, False, True]),
        complete=st.sampled_from([True, True, True, False]),
        metric=st.just(metric),
        value=st.integers(1, 9),
        interval=intervals,
        evidence=st.sampled_from(EvidenceLevel),
        native_source=st.none(),
    )
    return st.lists(facts, max_size=12, unique_by=lambda r: r.digest)


def walked_pair_by_pair(group: list[RunFacts], higher: bool) -> dict[str, int]:
    """The rule as it is written: a run joins when it ties with each member, asked one by one."""

    def tie(a: RunFacts, b: RunFacts) -> bool:
        if a.value == b.value:
            return True
        if a.interval is None or b.interval is None:
            return False
        return a.interval[0] <= b.interval[1] and b.interval[0] <= a.interval[1]

    def order(facts: RunFacts) -> tuple[Number, str]:
        value = facts.value or 0
        return (-value if higher else value), facts.digest

    chains: list[list[RunFacts]] = []
    for facts in sorted((f for f in group if not reasons(f)), key=order):
        if chains and all(tie(member, facts) for member in chains[-1]):
            chains[-1].append(facts)
        else:
            chains.append([facts])
    return {facts.digest: rank for rank, chain in enumerate(chains, 1) for facts in chain}


@given(groups() | groups("tflops"))
def test_ranks_are_those_of_the_written_rule(group: list[RunFacts]) -> None:
    found = standings(group)
    higher = any(facts.metric == "tflops" for facts in group)
    expected = walked_pair_by_pair(group, higher)
    assert {row.run.digest: row.rank for row in found.rows if row.rank is not None} == expected
    assert found.eligible_count == len(expected)
    assert found.size == len(group) == len(found.rows)


@given(groups().flatmap(lambda group: st.tuples(st.just(group), st.permutations(group))))
def test_the_order_of_the_runs_never_shows(groups: tuple[list[RunFacts], list[RunFacts]]) -> None:
    group, shuffled = groups
    assert standings(shuffled) == standings(group)


@given(groups(), st.sampled_from(["status", "published", "superseded", "retracted_at", "complete", "metric"]))
def test_an_ineligible_run_changes_nobodys_rank(group: list[RunFacts], why: str) -> None:
    flaw = {
        "status": "timeout",
        "published": False,
        "superseded": True,
        "retracted_at": DAY.format(1),
        "complete": False,
        "metric": None,
    }[why]
    extra = BASE._replace(value=1, **{why: flaw})  # type: ignore[arg-type]
    before, after = standings(group), standings([*group, extra])
    assert [row for row in after.rows if row.run != extra] == list(before.rows)
    assert (after.leader, after.eligible_count) == (before.leader, before.eligible_count)
    assert after.size == before.size + 1


@given(groups())
def test_what_every_standing_keeps(group: list[RunFacts]) -> None:
    rows = standings(group).rows
    ranked = [row for row in rows if row.rank is not None]
    assert rows[: len(ranked)] == tuple(ranked)
    assert [row.run.digest for row in rows[len(ranked) :]] == sorted(
        row.run.digest for row in rows if row.rank is None
    )
    for row in rows:
        assert (row.rank is None) == bool(row.reasons) == (row.ratio_to_best is None)
        assert row.tied == (row.rank is not None and [r.rank for r in ranked].count(row.rank) > 1)
    found = [row.rank for row in ranked if row.rank is not None]
    assert found == sorted(found)
    assert set(found) == set(range(1, len(set(found)) + 1))
    for before, row in itertools.pairwise(ranked):
        assert row.tied_with_previous == (row.rank == before.rank)
