"""Plots as SVG that reads on light and on dark backgrounds, the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
from matplotlib.typing import RcKeyType

COLOURS: Final = ("#3b82c4", "#d9822b", "#3a9b5c", "#c2528b", "#8a6fd1", "#9a8a2f", "#2fa3a3", "#b5533c")
"""Of middle brightness, told apart by colour-blind readers as well; in the order of the series."""
GREY: Final = "#808890"
MARKERS: Final = "osD^vPX*"
WIDTH: Final = 7.2
"""Inches."""
HEIGHT: Final = 3.6

_STYLE: Final[dict[RcKeyType, Any]] = {
    "svg.fonttype": "none",  # texts stay texts
    "svg.hashsalt": "kernel-catalog",  # else ids are random
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": GREY,
    "axes.labelcolor": GREY,
    "axes.edgecolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GREY,
    "grid.alpha": 0.25,
    "legend.frameon": False,
}


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its name and its points. ``low`` and ``high``, of the same length as ``y``, give it a band."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def lines(
    path: Path, title: str, series: Sequence[Series], *, x: str, y: str, ticks: Sequence[float] = ()
) -> None:
    """Write a plot of lines, both axes logarithmic; ``x`` and ``y`` say what is on them, with the unit.

    ``ticks`` are the places on x that have a label: those of the points unless given.
    """
    with _figure(path, title, height=HEIGHT, along="y") as axes:
        axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
        for place, each in enumerate(series):
            marker = MARKERS[place % len(MARKERS)]
            [line] = axes.plot(each.x, each.y, marker=marker, markersize=4, linewidth=1.4, label=each.name)
            if each.low:
                axes.fill_between(each.x, each.low, each.high, color=line.get_color(), alpha=0.2, linewidth=0)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks(ticks or sorted({point for each in series for point in each.x}))
        axes.xaxis.set_major_formatter(FuncFormatter(_number))


def dots(
    path: Path, title: str, groups: Sequence[str], series: Mapping[str, Sequence[float | None]], *, x: str
) -> None:
    """Write a plot with a row for each of the groups, and in it a dot of each series that has one there.

    The axis is logarithmic; ``x`` says what is on it, with the unit.
    """
    with _figure(path, title, height=0.9 + 0.26 * len(groups), along="x") as axes:
        axes.set(xscale="log", xlabel=x)
        for place, (name, values) in enumerate(series.items()):
            shown = [(value, at) for at, value in enumerate(values) if value is not None]
            marker = MARKERS[place % len(MARKERS)]
            axes.plot(*zip(*shown, strict=True), marker, markersize=6, alpha=0.85, label=name)
        axes.set_yticks(range(len(groups)), groups)
        axes.set_ylim(len(groups) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=True, axis="y", linewidth=0.4)


@contextmanager
def _figure(path: Path, title: str, *, height: float, along: Literal["x", "y"]) -> Iterator[Axes]:
    """A figure whose scale of values lies along one of the axes; written in the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(title, loc="left")
        yield axes
        scale = axes.xaxis if along == "x" else axes.yaxis
        scale.set_major_locator(LogLocator(subs=(1, 2, 5)))
        scale.set_major_formatter(FuncFormatter(_number))
        scale.set_minor_formatter(NullFormatter())
        axes.set_axisbelow(True)
        axes.grid(visible=True, axis=along)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        figure.savefig(path, format="svg", transparent=True, metadata={"Date": None, "Creator": None})


def _number(value: float, _: int | None) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
