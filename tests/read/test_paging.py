"""Sizes and cursors of pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.errors import InputError
from catalog.read.paging import Cursors, page_size


@pytest.mark.parametrize(("first", "size"), [(None, 20), (0, 0), (1, 1), (100, 100)])
def test_sizes(first: int | None, size: int) -> None:
    assert page_size(first) == size


@pytest.mark.parametrize(("first", "said"), [(-1, "from 0 to 100"), (101, "at most 100")])
def test_sizes_out_of_range(first: int, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        page_size(first)
    assert caught.value.field == "first"


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_cursor_gives_its_position_back(at: str, key: str) -> None:
    cursors = Cursors("runs", "OBSERVED_DESC", {"source": "a"})
    assert cursors.position(cursors.make(at, key), str, str) == [at, key]


@given(st.text(max_size=400))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="after"):
        Cursors("runs").position(text, str)


@pytest.mark.parametrize(
    "other",
    [
        Cursors("groups", "A", {"x": 1}),
        Cursors("runs", "B", {"x": 1}),
        Cursors("runs", "A", {"x": 2}),
        Cursors("runs", "A", {"y": 1}),
        Cursors("runs", "A"),
    ],
)
def test_a_cursor_of_another_list_order_or_filter_is_refused(other: Cursors) -> None:
    mine = Cursors("runs", "A", {"x": 1, "z": None})
    assert mine.position(mine.make("k"), str) == ["k"]
    with pytest.raises(InputError, match="after"):
        mine.position(other.make("k"), str)
    with pytest.raises(InputError, match="after"):
        mine.position(mine.make("k", "l"), str)
    with pytest.raises(InputError, match="after"):
        mine.position(mine.make(1), str)
