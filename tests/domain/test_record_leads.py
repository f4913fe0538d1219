"""Who holds most records, and since when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.record_leads import Handover, Lead, lead


@pytest.mark.parametrize(
    ("handovers", "expected"),
    [
        pytest.param([], Lead(None, None, ()), id="nothing happened"),
        pytest.param([Handover("1", "a", None)], Lead("a", "1", (("a", 1),)), id="the first record"),
        pytest.param(
            [Handover("1", "b", None), Handover("1", "a", None)],
            Lead("a", "1", (("a", 1), ("b", 1))),
            id="equals at one instant: by slug",
        ),
        pytest.param(
            [Handover("1", "b", None), Handover("2", "a", None)],
            Lead("b", "1", (("a", 1), ("b", 1))),
            id="an equal does not take the lead",
        ),
        pytest.param(
            [Handover("1", "b", None), Handover("2", "a", None), Handover("3", "a", "b")],
            Lead("a", "3", (("a", 2),)),
            id="more does",
        ),
        pytest.param(
            [Handover("1", "b", None), Handover("2", "a", "b"), Handover("2", "b", "a")],
            Lead("b", "1", (("b", 1),)),
            id="what happens at one instant happens together",
        ),
        pytest.param(
            [Handover("1", "a", None), Handover("2", None, "a"), Handover("3", "a", None)],
            Lead("a", "3", (("a", 1),)),
            id="who loses the last record begins anew",
        ),
        pytest.param(
            [Handover("1", None, None), Handover("2", None, None)], Lead(None, None, ()), id="no project"
        ),
    ],
)
def test_leads(handovers: list[Handover], expected: Lead) -> None:
    assert lead(handovers) == expected
    assert lead(reversed(handovers)) == expected


@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from("abc"))))
def test_the_leader_holds_most_of_what_is_held(changes: list[tuple[int, str]]) -> None:
    """Every change is a new record of one of three projects."""
    found = lead(Handover(str(at), project, None) for at, project in changes)
    assert sum(count for _, count in found.shares) == len(changes)
    if changes:
        assert dict(found.shares)[found.leader or ""] == found.shares[0][1]
