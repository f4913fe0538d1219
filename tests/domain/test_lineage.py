"""Which revision follows which (docs/domain.md §7)."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.lineage import Revision, is_take_over, predecessors
from catalog.domain.records import Cause, RecordEvent


def revision(
    digest: str,
    observed: str | None,
    source: str | None = None,
    project: str | None = "p",
    operation: str | None = "o",
    on: str = "x",
) -> Revision:
    return Revision(digest, project, operation, frozenset(on), source, observed)


@pytest.mark.parametrize(
    ("revisions", "pairs"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([revision("a", "1")], [], id="alone"),
        pytest.param(
            [revision("c", "3"), revision("a", "1"), revision("b", "2")],
            [("b", "a"), ("c", "b")],
            id="by first observation, consecutive only",
        ),
        pytest.param([revision("b", "1"), revision("a", "1")], [("b", "a")], id="one instant: by digest"),
        pytest.param(
            [revision("a", "1", "s"), revision("b", "2", "s"), revision("c", "3", "t")],
            [("c", "b")],
            id="the same source content gives no edge, and none that skips it",
        ),
        pytest.param(
            [revision("a", "1", "s"), revision("b", "2", "t"), revision("c", "3", "s")],
            [("b", "a"), ("c", "b")],
            id="source content that comes back is a revision",
        ),
        pytest.param(
            [revision("a", "1"), revision("b", "2")], [("b", "a")], id="unknown source is not equal"
        ),
        pytest.param([revision("a", "1", "s"), revision("b", "2")], [("b", "a")], id="one source unknown"),
        pytest.param(
            [revision("a", "1"), revision("b", None), revision("c", "3")],
            [("c", "a")],
            id="never observed: not in the line",
        ),
        pytest.param([revision("a", "1"), revision("b", "2", project="q")], [], id="other project"),
        pytest.param([revision("a", "1"), revision("b", "2", operation="q")], [], id="other operation"),
        pytest.param([revision("a", "1", on="xy"), revision("b", "2")], [], id="other architectures"),
        pytest.param(
            [revision("a", "1", on="xy"), revision("b", "2", on="yx")], [("b", "a")], id="a set has no order"
        ),
        pytest.param(
            [revision("a", "1", project=None), revision("b", "2", project=None)],
            [],
            id="no project is not one project",
        ),
    ],
)
def test_predecessors(revisions: list[Revision], pairs: list[tuple[str, str]]) -> None:
    assert sorted(predecessors(revisions)) == pairs


REVISIONS = st.lists(
    st.builds(
        Revision,
        st.text("abcdefgh", min_size=1, max_size=2),
        st.sampled_from(["p", "q", None]),
        st.sampled_from(["o", "r"]),
        st.sampled_from([frozenset("x"), frozenset("xy"), frozenset()]),
        st.sampled_from(["s", "t", None]),
        st.sampled_from(["1", "2", "3", None]),
    ),
    unique_by=lambda revision: revision.digest,
    max_size=30,
)


@given(REVISIONS, st.randoms(use_true_random=False))
def test_the_order_of_revisions_does_not_matter_and_lines_have_no_branches(
    revisions: list[Revision], random: object
) -> None:
    pairs = sorted(predecessors(revisions))
    shuffled = sorted(revisions, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert sorted(predecessors(shuffled)) == pairs
    assert len({later for later, _ in pairs}) == len({earlier for _, earlier in pairs}) == len(pairs)


@given(REVISIONS)
def test_an_edge_joins_neighbours_of_one_line(revisions: list[Revision]) -> None:
    def line(revision: Revision) -> tuple[str, str, list[str]]:
        return (revision.project or "", revision.operation or "", sorted(revision.architectures))

    def place(revision: Revision) -> tuple[str, str]:
        return (revision.first_observed or "", revision.digest)

    expected = set()
    seen = [r for r in revisions if r.project is not None and r.first_observed is not None]
    for _, members in groupby(sorted(seen, key=line), key=line):
        ordered = sorted(members, key=place)
        for number, later in enumerate(ordered[1:]):
            earlier = ordered[number]
            if not (earlier.source and earlier.source == later.source):
                expected.add((later.digest, earlier.digest))
    assert set(predecessors(revisions)) == expected


@pytest.mark.parametrize(
    ("cause", "previous", "won", "lost", "expected"),
    [
        (Cause.NEW_RUN, "r", "a", "b", True),
        (Cause.NEW_RUN, "r", "a", "a", False),
        (Cause.NEW_RUN, None, "a", None, False),
        (Cause.RETRACTION, "r", "a", "b", False),
    ],
)
def test_take_overs(cause: Cause, previous: str | None, won: str, lost: str | None, expected: bool) -> None:
    event = RecordEvent("1", cause, "new", previous, 0.5)
    assert is_take_over(event, won, lost) is expected
