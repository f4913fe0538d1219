"""Words of names, and which are a typo away from each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.search_words import Vocabulary, edits, joined, search_text, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GQA_paged-decode/h32.kv8", ["gqa", "paged", "decode", "h32", "kv8"]),
        ("doubleAI · 037_flux", ["doubleai", "037", "flux"]),
        ("Wojciech Krupiński", ["wojciech", "krupiński"]),
        ("ｆｕｌｌ－width", ["full", "width"]),
        ("--- ", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected
    assert joined(text) == " ".join(expected)


def test_search_text_has_each_word_once() -> None:
    assert search_text(["b a", None, "A_c", ""]) == "a b c"


VOCABULARY = Vocabulary(
    ["rmsnorm", "layernorm", "norm", "gemm", "kv8", "h32", "h24", "12345678", "submission"]
)


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("rmsnrm", ["rmsnorm"]),
        ("rmsnomr", ["rmsnorm"]),
        ("layrnrm", []),  # two edits need eight letters
        ("layernrom", ["layernorm"]),
        ("submissoin", ["submission"]),
        ("h23", []),
        ("12345679", []),
        ("gem", []),
        ("gemn", ["gemm"]),
        ("x" * 1000, []),
    ],
)
def test_near_words(word: str, near: list[str]) -> None:
    assert VOCABULARY.near(word) == near


def test_beginnings() -> None:
    assert VOCABULARY.beginning("h", 5) == ["h24", "h32"]
    assert VOCABULARY.begins("rms")
    assert not VOCABULARY.begins("rmsx")


def _plain(one: str, other: str) -> int:
    """Optimal string alignment by its definition."""
    if not one or not other:
        return len(one) + len(other)
    cost = min(
        _plain(one[1:], other) + 1,
        _plain(one, other[1:]) + 1,
        _plain(one[1:], other[1:]) + (one[0] != other[0]),
    )
    if len(one) > 1 and len(other) > 1 and one[0] == other[1] and one[1] == other[0]:
        cost = min(cost, _plain(one[2:], other[2:]) + 1)
    return cost


SHORT = st.text(alphabet="abc", max_size=6)


@given(SHORT, SHORT, st.integers(0, 3))
def test_edits_are_the_optimal_alignment(one: str, other: str, limit: int) -> None:
    assert edits(one, other, limit) == min(_plain(one, other), limit + 1)


@given(
    st.lists(st.text(alphabet="abcdef", min_size=3, max_size=9), max_size=30),
    st.text(alphabet="abcdef", max_size=9),
)
def test_near_words_are_all_that_are_near(known: list[str], word: str) -> None:
    allowed = 1 if len(word) < 8 else 2
    if len(word) >= 4:
        expected = {each for each in known if edits(word, each, allowed) <= allowed}
        assert set(Vocabulary(known).near(word, limit=100)) == expected
