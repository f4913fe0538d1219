"""Numbers and texts as they are printed."""

import pytest

from catalog.cli import output
from catalog.cli.exits import one_line


@pytest.mark.parametrize(
    ("value", "unit", "humane", "exact"),
    [
        (9_110_560, "ns", "9.111 ms", "9,110,560 ns"),
        (12_200_064, "ns", "12.20 ms", "12,200,064 ns"),
        (34_822_486_568, "ns", "34.82 s", "34,822,486,568 ns"),
        (3 * 10**15, "ns", "3,000,000 s", "3,000,000,000,000,000 ns"),
        (219.81, "ns", "219.8 ns", "219.81 ns"),
        (1500, "ns", "1.500 µs", "1,500 ns"),
        (9_110_560.0, "ns", "9.111 ms", "9,110,560 ns"),
        (1234.5678, "tokens/s", "1,235 tokens/s", "1234.5678 tokens/s"),
        (1e300, "ns", None, "1e+300 ns"),
        (0.00012, "s", "0.0001200 s", "0.00012 s"),
    ],
)
def test_values(value: float, unit: str, humane: str | None, exact: str) -> None:
    assert output.exact(value, unit) == exact
    assert humane is None or output.humane(value, unit) == humane


def test_no_text_reaches_the_terminal_as_control_sequence() -> None:
    assert one_line("a\tb\nc\x1b[2J\x07é") == "a b c\\x1b[2J\\x07é"
