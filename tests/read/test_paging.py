"""Windows, cursors, and lists in memory read from either end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.errors import InputError
from catalog.read.memory_lists import MemoryListing
from catalog.read.paging import Cursors, Page, Window, page_window


@pytest.mark.parametrize(
    ("first", "last", "window"),
    [
        (None, None, Window(20)),
        (0, None, Window(0)),
        (1, None, Window(1)),
        (100, None, Window(100)),
        (None, 0, Window(0, backward=True)),
        (None, 100, Window(100, backward=True)),
    ],
)
def test_windows(first: int | None, last: int | None, window: Window) -> None:
    assert page_window(first, None, last, None) == window


@pytest.mark.parametrize(
    ("first", "last", "field", "said"),
    [
        (-1, None, "first", "from 0 to 100"),
        (101, None, "first", "at most 100"),
        (None, -1, "last", "from 0 to 100"),
        (None, 101, "last", "at most 100"),
        (1, 1, "last", "must not be given together with first"),
        (0, 0, "last", "must not be given together with first"),
    ],
)
def test_windows_that_there_are_not(first: int | None, last: int | None, field: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        page_window(first, None, last, None)
    assert caught.value.field == field


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_cursor_gives_its_position_back(at: str, key: str) -> None:
    cursors = Cursors("runs", "OBSERVED_DESC", {"source": "a"})
    cursor = cursors.make(at, key)
    assert cursors.bounds(Window(after=cursor, before=cursor), str, str) == ([at, key], [at, key])


@given(st.text(max_size=400))
def test_any_other_text_is_refused(text: str) -> None:
    for window in (Window(after=text), Window(before=text)):
        with pytest.raises(InputError) as caught:
            Cursors("runs").bounds(window, str)
        assert caught.value.field == ("after" if window.before is None else "before")


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
    assert mine.bounds(Window(after=mine.make("k")), str) == (["k"], None)
    for cursor in (other.make("k"), mine.make("k", "l"), mine.make(1)):
        with pytest.raises(InputError, match="after"):
            mine.bounds(Window(after=cursor), str)
        with pytest.raises(InputError, match="before"):
            mine.bounds(Window(before=cursor), str)


CURSORS = Cursors("numbers")


async def page(items: list[int], window: Window, *, ordered: bool = False) -> Page[int]:
    """A page of a list of numbers; `ordered`: the list knows that it ascends."""

    async def read() -> list[int]:
        return items

    order = (lambda position: position[0]) if ordered else None
    return await MemoryListing(read, lambda item: (item,), CURSORS, window, types=(int,), order=order).page()


NUMBERS = st.lists(st.integers(0, 50), unique=True, max_size=20)


@given(NUMBERS, st.integers(1, 8), st.data())
async def test_pages_from_either_end_add_up_to_the_list(
    items: list[int], size: int, data: st.DataObject
) -> None:
    places = st.none() | st.integers(0, len(items) - 1) if items else st.none()
    low, high = data.draw(places), data.draw(places)
    after, before = (None if n is None else CURSORS.make(items[n]) for n in (low, high))
    between = items[0 if low is None else low + 1 : high]

    forward: list[int] = []
    window = Window(size, False, after, before)
    while True:
        found = await page(items, window)
        forward += found.items
        assert found.has_previous == (window.after is not None)
        if not found.has_next:
            break
        window = Window(size, False, found.cursors[-1], before)

    backward: list[int] = []
    window = Window(size, True, after, before)
    while True:
        found = await page(items, window)
        backward = found.items + backward
        assert found.has_next == (window.before is not None)
        if not found.has_previous:
            break
        window = Window(size, True, after, found.cursors[0])
    assert forward == backward == between


@given(NUMBERS, st.integers(0, 50), st.integers(0, 20))
async def test_a_list_that_is_ordered_goes_on_where_a_gone_item_was(
    items: list[int], gone: int, size: int
) -> None:
    items.sort()
    cursor = CURSORS.make(gone)
    behind = await page(items, Window(size, after=cursor), ordered=True)
    assert behind.items == [n for n in items if n > gone][:size]
    ahead = await page(items, Window(size, backward=True, before=cursor), ordered=True)
    assert ahead.items == ([n for n in items if n < gone][-size:] if size else [])


async def test_a_list_without_an_order_refuses_what_is_gone() -> None:
    for window in (Window(after=CURSORS.make(3)), Window(before=CURSORS.make(3))):
        with pytest.raises(InputError, match="must name an item of this list") as caught:
            await page([1, 2], window)
        assert caught.value.field == ("after" if window.before is None else "before")
