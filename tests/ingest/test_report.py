"""Distinct objects are counted as sets of digests would count them."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from catalog.ingest.report import ObjectCounts, Seen


def digest(number: int) -> str:
    return "sha256:" + hashlib.sha256(str(number).encode()).hexdigest()


batches = st.lists(st.tuples(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60))), max_size=12)


@given(batches)
def test_each_object_counts_once_and_is_new_if_the_import_brought_it(
    drawn: list[tuple[set[int], set[int]]],
) -> None:
    seen, new, old = Seen(), set[int](), set[int]()
    for brought, there in drawn:
        brought -= new | old
        seen.note("BenchmarkRun", map(digest, brought | there), map(digest, brought))
        new |= brought
        old |= there - new
    counts = seen.counts()
    assert counts == ({"BenchmarkRun": ObjectCounts(len(new), len(old))} if drawn else {})
