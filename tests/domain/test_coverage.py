"""Coverage, exclusions, duplicates, portability: cases by hand, and sums that hold for any rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from catalog.domain import coverage, duplicates, exclusions
from catalog.domain.coverage import Gap, Port
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.evidence_rows import EvidenceRow
from catalog.domain.metrics import Measurement


def row(digest: str, **parts: Any) -> EvidenceRow:
    plain: dict[str, Any] = {
        "operation": "add",
        "architecture": "sm_90",
        "implementation": "i",
        "source": "s",
        "name": None,
        "group": "g",
        "reasons": (),
        "rank": 1,
        "ratio_to_best": 1.0,
        "value": 5,
        "evidence": EvidenceLevel.REPORTED,
        "deployable": False,
    }
    return EvidenceRow(digest, **(plain | parts))


FAILED: dict[str, Any] = {"reasons": ("STATUS_TIMEOUT",), "rank": None, "ratio_to_best": None}


def test_a_cell_counts_what_is_there() -> None:
    rows = [
        row("a", evidence=EvidenceLevel.VERIFIED),
        row("b", rank=2, deployable=True, group="h"),
        row("c", **FAILED, evidence=EvidenceLevel.REPLICATED, deployable=True),
        row("d", architecture="unknown", **FAILED),
    ]
    assert coverage.cells(rows) == [
        coverage.Cell("add", "sm_90", 2, 3, 2, EvidenceLevel.VERIFIED, 1, False),
        coverage.Cell("add", "unknown", 1, 1, 0, None, 0, False),
    ]


def test_a_gap_is_where_others_were_measured_and_unknown_fills_none() -> None:
    rows = [
        row("a"),
        row("b", operation="mul", architecture="sm_100"),
        row("c", operation="mul", architecture="unknown"),
        row("d", operation="nowhere", architecture="unknown"),
        row("e", operation=None, architecture="sm_80"),
    ]
    found = coverage.gaps(coverage.cells(rows), {"mul": {"sm_90": 3}})
    assert found == [
        Gap("mul", "sm_90", ("sm_100",), 2, 1, 3),
        Gap("add", "sm_100", ("sm_90",), 1, 0, 0),
    ]


def test_an_operation_with_one_deployable_winner_in_any_group_is_deployable() -> None:
    rows = [
        row("a", deployable=True, group="g1"),
        row("b", group="g2", implementation="x"),
        row("c", operation="mul", group="g3", implementation="x"),
        row("d", operation="mul", group="g3", rank=2, deployable=True),
        row("e", operation="mul", group="g4", implementation="y"),
        row("f", operation="mul", group="g5", **FAILED),
    ]
    verdicts = {"x": ("NO_INSTALL_RECIPE", "LICENSE_UNKNOWN"), "y": ("NO_INSTALL_RECIPE",)}
    assert coverage.undeployable(["add", "mul", "idle"], rows, verdicts) == [
        coverage.Undeployable("mul", 3, 2, 1, 2, (("NO_INSTALL_RECIPE", 2), ("LICENSE_UNKNOWN", 1))),
        coverage.Undeployable("idle", 0, 0, 0, 0, ()),
    ]


def test_portability_tells_led_ranked_failed_and_never_tried() -> None:
    rows = [
        row("a", rank=2, ratio_to_best=1.5),
        row("b", rank=2, ratio_to_best=1.2, group="h"),
        row("c", architecture="unknown", **FAILED),
        row("d", architecture="gfx942"),
        row("e", architecture="gfx942", **FAILED),
    ]
    assert coverage.portability(["sm_90", "sm_100"], rows) == [
        Port("gfx942", False, 2, 1, 1, "d"),
        Port("sm_100", True, 0, 0, 0, None),
        Port("sm_90", True, 2, 2, 0, "b"),
        Port("unknown", False, 1, 0, 0, None),
    ]


def test_the_same_source_and_the_same_numbers() -> None:
    assert duplicates.same_source({"a": "x", "b": "y", "c": "x", "d": None, "e": None}) == [
        duplicates.SameSource("x", ("a", "c"))
    ]
    rows = [
        row("a", implementation="i1", name="one"),
        row("b", implementation="i2"),
        row("c", implementation="i2", group="h"),
        row("d", implementation="i3"),
        row("e", implementation="i4", name="one", group="h", value=6),
        row("f", implementation="i4", name="two", group="h", value=6),
        row("g", implementation="i5", group="k"),
        row("h", implementation="i5", group="k"),
    ]
    alike, other = (Measurement("latency", "median", "ns", 5),), (Measurement("latency", "mean", "ns", 5),)
    numbers = {each.digest: alike for each in rows} | {"d": other}
    assert duplicates.same_numbers(duplicates.suspects(rows), numbers) == [
        duplicates.SameNumbers("g", 5, ("a", "b"), ("i1", "i2"), ("one",)),
        duplicates.SameNumbers("h", 6, ("e", "f"), ("i4",), ("one", "two")),
    ]


REASONS = ("UNPUBLISHED", "STATUS_TIMEOUT", "RETRACTED", "MISSING_PRIMARY_METRIC")


@st.composite
def tables(draw: st.DrawFn) -> list[EvidenceRow]:
    rows = []
    for number in range(draw(st.integers(0, 12))):
        why = tuple(reason for reason in REASONS if draw(st.integers(0, 4)) == 0)
        rows.append(
            row(
                f"r{number}",
                operation=draw(st.sampled_from(["add", "mul", None])),
                architecture=draw(st.sampled_from(["sm_90", "sm_100", "unknown"])),
                source=draw(st.sampled_from(["s", "t", None])),
                implementation=draw(st.sampled_from(["i", "j"])),
                reasons=why,
                rank=None if why else draw(st.integers(1, 3)),
            )
        )
    return rows


@given(tables())
def test_ranked_and_excluded_add_up_in_every_part(rows: list[EvidenceRow]) -> None:
    counted = exclusions.summary(rows)
    assert counted.total == len(rows) == counted.ranked + counted.excluded
    for part in (counted.by_source, counted.by_architecture):
        assert sum(each.total for each in part) == counted.total
        assert sum(each.ranked for each in part) == counted.ranked
        assert sum(each.excluded for each in part) == counted.excluded
    assert sum(each.first for each in counted.by_reason) == counted.excluded
    assert sum(each.runs for each in counted.combinations) == counted.excluded
    assert {each.reason: each.runs for each in counted.by_reason} == Counter(
        reason for each in rows for reason in each.reasons
    )


@given(tables())
def test_cells_and_ports_lose_no_run(rows: list[EvidenceRow]) -> None:
    cells = coverage.cells(rows)
    assert sum(cell.runs for cell in cells) == len(rows)
    assert sum(cell.eligible for cell in cells) == sum(not each.reasons for each in rows)
    ports = coverage.portability(["sm_120"], rows)
    assert sum(port.runs for port in ports) == len(rows)
    filled = {(cell.operation, cell.architecture) for cell in cells}
    assert not filled & {(gap.operation, gap.architecture) for gap in coverage.gaps(cells, {})}
