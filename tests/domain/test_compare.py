"""Comparing runs and their keys: pure rules on small documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain import metrics
from catalog.domain.compare import Compared, Row, comparison, ties, winner
from catalog.domain.deployability import Verdict
from catalog.domain.errors import InputError
from catalog.domain.identity import comparison_key, correctness_key, metric_key
from catalog.domain.key_diff import KeyedGroup, PartDifference, changed, joins, key_diff
from catalog.domain.key_parts import KeyPart, Side, aligned, leaves
from catalog.domain.manifests import Manifest
from catalog.domain.ranking import Profile, RunFacts, standings
from tests.read.samples import (
    B200,
    FAST,
    GEOMEAN,
    H100,
    LARGE,
    MEDIAN,
    PAIR,
    PLAIN,
    SCAN,
    SMALL,
    SUM,
    manifest,
    run,
)

OPERATIONS = {each.digest: each for each in (SUM, SCAN)}
PCIE = manifest(
    "ExecutionEnvironment",
    "h100-pcie",
    {**H100.spec, "hardware": {**H100.spec["hardware"], "formFactor": "PCIe"}},
)


def side(
    workload: Manifest = SMALL,
    protocol: Manifest = MEDIAN,
    environment: Manifest = H100,
    value: int | None = 100,
    **parts: Any,
) -> Side:
    spec = run("r", (FAST, workload, protocol, environment), value, **parts).spec
    operation = OPERATIONS[workload.spec["operationSpecDigest"]]
    primary = metrics.primary(spec, protocol.spec)
    used = {
        KeyPart.OPERATION: operation,
        KeyPart.WORKLOAD: workload,
        KeyPart.PROTOCOL: protocol,
        KeyPart.ENVIRONMENT: environment,
    }
    return Side(
        digests={part: each.digest for part, each in used.items()}
        | {KeyPart.CORRECTNESS: correctness_key(workload.spec)},
        metric=metric_key(*primary[:3]) if primary else "none",
        specs={part: each.spec for part, each in used.items()},
        run_spec=spec,
        workload_kind=workload.kind,
    )


def differing(found: Sequence[PartDifference]) -> dict[str, list[str]]:
    return {each.part.value: [f.field for f in each.fields] for each in found if each.differs}


def test_the_key_of_a_side_is_that_of_its_parts() -> None:
    assert side().key == comparison_key(
        operation=SUM.digest,
        workload=SMALL.digest,
        protocol=MEDIAN.digest,
        environment=H100.digest,
        correctness=correctness_key(SMALL.spec),
        metric="latency:median:ns",
    )
    assert replace(side(), complete=False).key is None
    assert replace(side(), metric=None).key is None


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (side(), {}),
        (side(environment=PCIE), {"environment": ["environment.hardware.formFactor"]}),
        (
            side(environment=B200),
            {"environment": ["environment.hardware.product", "environment.hardware.architecture"]},
        ),
        (
            side(workload=LARGE),
            {"workload": ["workload.axes.lanes", "workload.axes.n", "workload.tensors.x.shape"]},
        ),
        (
            side(value=None),
            {"metric": ["metric.metric", "metric.statistic", "metric.unit"]},
        ),
        (
            side(protocol=GEOMEAN),
            {"protocol": ["protocol.measurement.primaryStatistic"]},
        ),
    ],
)
def test_a_key_diff_names_the_parts_and_the_fields_inside_each(
    other: Side, expected: dict[str, list[str]]
) -> None:
    assert differing(key_diff(side(), other)) == expected
    assert (side().key == other.key) is (not expected)


def test_another_operation_is_another_workload_and_maybe_another_rule() -> None:
    found = differing(key_diff(side(), side(workload=PAIR)))
    assert list(found) == ["operation", "workload", "correctness"]
    assert found["operation"] == [
        "operation.family",
        "operation.axes.lanes.role",
        "operation.axes.lanes.type",
        "operation.axes.lanes.value",
    ]
    assert found["correctness"] == ["correctness.maxAbsoluteError"]


def test_a_part_that_has_not_arrived_differs_and_has_no_fields() -> None:
    bare = replace(
        side(), specs={}, digests={**side().digests, KeyPart.PROTOCOL: "sha256:" + "0" * 64}, complete=False
    )
    found = {each.part: each for each in key_diff(side(), bare)}
    assert (found[KeyPart.PROTOCOL].differs, found[KeyPart.PROTOCOL].fields) == (True, ())
    assert not found[KeyPart.ENVIRONMENT].differs


@pytest.mark.parametrize(
    ("field", "value", "target"),
    [
        ("environment.hardware.formFactor", "PCIe", side(environment=PCIE)),
        ("protocol.measurement.primaryStatistic", "geomean", side(protocol=GEOMEAN)),
        ("metric", "none", side(value=None)),
        ("environment.hardware.product", "H100", side()),
        ("environment.hardware.product", H100.spec["hardware"]["product"], side()),
    ],
)
def test_a_changed_field_gives_the_digests_of_the_changed_document(
    field: str, value: Any, target: Side
) -> None:
    moved = changed(side(), field, value)
    assert differing(key_diff(moved, target)) == {}
    assert moved.key == target.key


def test_a_field_can_be_taken_out() -> None:
    assert changed(side(environment=PCIE), "environment.hardware.formFactor", None).key == side().key


def test_changes_reach_the_parts_that_hang_on_them() -> None:
    start = side()
    assert list(differing(key_diff(start, changed(start, "operation.family", "other")))) == [
        "operation",
        "workload",
    ]
    assert list(differing(key_diff(start, changed(start, "correctness.comparator", "exact")))) == [
        "workload",
        "correctness",
    ]
    assert list(differing(key_diff(start, changed(start, "workload.axes.n", 7)))) == ["workload"]
    assert list(differing(key_diff(start, changed(start, "metric.statistic", "mean")))) == ["metric"]
    scored = side(
        PAIR,
        GEOMEAN,
        value=None,
        measurements=[{"metric": "score", "statistic": "geomean", "unit": "s", "value": 1}],
    )
    other = changed(scored, "protocol.measurement.primaryStatistic", "mean")
    assert list(differing(key_diff(scored, other))) == ["protocol", "metric"]
    assert other.metric == "none"


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("", 1, "change.field"),
        ("environment", {}, "change.field"),
        ("hardware.product", "x", "change.field"),
        ("implementation.language", "x", "change.field"),
        ("workload.operationSpecDigest", "x", "change.field"),
        ("workload.correctness.comparator", "x", "change.field"),
        ("metric.direction", "x", "change.field"),
        ("metric", "latency", "change.value"),
        ("metric.unit", "", "change.value"),
        ("metric.unit", 3, "change.value"),
        ("environment.hardware.formFaktor", "x", "change.value"),
        ("environment.hardware.product", None, "change.value"),
        ("environment.hardware", "x", "change.value"),
        ("environment.hardware.memoryBytes", "many", "change.value"),
        ("environment.hardware.product.name", "x", "change.value"),
        ("workload.axes.n", 1.5, "change.value"),
    ],
)
def test_a_faulty_change_is_refused_by_name(field: str, value: Any, named: str) -> None:
    with pytest.raises(InputError) as fault:
        changed(side(), field, value)
    assert fault.value.field == named


def test_nothing_can_be_changed_in_a_run_that_waits_for_parts() -> None:
    with pytest.raises(InputError, match=r"^run: "):
        changed(replace(side(), complete=False), "environment.hardware.product", "x")


def group(size: int, **other: str) -> KeyedGroup:
    mine = {part: side().value(part) for part in KeyPart}
    return KeyedGroup(mine | {KeyPart(name): value for name, value in other.items()}, size)


def test_what_would_join_equals_the_key_in_all_other_parts() -> None:
    groups = [
        group(7),
        group(2, environment="a"),
        group(3, environment="b"),
        group(5, protocol="a"),
        group(11, protocol="a", environment="a"),
        group(13, metric="none"),
    ]
    assert joins(side(), groups) == {
        KeyPart.OPERATION: 0,
        KeyPart.WORKLOAD: 0,
        KeyPart.PROTOCOL: 5,
        KeyPart.ENVIRONMENT: 5,
        KeyPart.CORRECTNESS: 0,
        KeyPart.METRIC: 13,
    }
    assert joins(replace(side(), complete=False), groups) == dict.fromkeys(KeyPart, 0)


def compared(digest: str, of: Side, value: int | None = 100, **other: Any) -> Compared:
    return Compared(digest, of, value=value, measurements=metrics.measurements(of.run_spec), **other)


def facts(*values: int | None, **other: Any) -> list[RunFacts]:
    return [
        RunFacts(str(n), "passed", "2026-01-01T00:00:00.000000000Z", metric="latency", value=value, **other)
        for n, value in enumerate(values)
    ]


def test_rows_are_aligned_in_the_stated_order() -> None:
    code = FAST.spec
    found = comparison(
        [
            compared(
                "0",
                side(),
                operation_slug="sum-rows",
                source="bench",
                implementation=code,
                permissive=True,
                verdict=Verdict(True, ()),
            ),
            compared(
                "1",
                side(environment=PCIE, value=None),
                None,
                source="bench",
                implementation=PLAIN.spec,
                verdict=Verdict(False, ("NO_INSTALL_RECIPE",)),
            ),
        ],
        None,
    )
    assert list(dict.fromkeys(row.field.split(".")[0] for row in found.rows)) == [
        *("operation", "workload", "protocol", "environment", "correctness"),
        *("source", "licence", "installation", "metrics"),
    ]
    rows = {row.field: row for row in found.rows}
    assert len(rows) == len(found.rows)
    assert rows["environment.hardware.formFactor"] == Row(
        "environment.hardware.formFactor", True, False, (None, "PCIe")
    )
    assert rows["workload.axes.n"] == Row("workload.axes.n", True, True, ("1024", "1024"))
    assert rows["source.slug"] == Row("source.slug", False, True, ("bench", "bench"))
    assert rows["licence.declared"] == Row("licence.declared", False, False, ("MIT", None))
    assert rows["licence.permissive"] == Row("licence.permissive", False, False, ("true", None))
    assert rows["installation.recipes"] == Row("installation.recipes", False, False, ("pip p", None))
    assert rows["installation.deployable"] == Row("installation.deployable", False, False, ("true", "false"))
    assert rows["metrics.primary"] == Row("metrics.primary", True, False, ("latency:median:ns", "none"))
    assert rows["metrics.latency.median.ns"] == Row("metrics.latency.median.ns", False, False, ("100", None))
    assert found.first_material_mismatch == rows["environment.hardware.formFactor"]
    assert (found.comparable, found.winner) == (False, None)


def test_the_first_material_mismatch_is_the_first_row_of_the_key_that_differs() -> None:
    runs = [
        compared("0", side(), source="a"),
        compared("1", side(workload=LARGE, environment=PCIE), source="b"),
    ]
    found = comparison(runs, None)
    assert found.first_material_mismatch is not None
    assert found.first_material_mismatch.field == "workload.axes.lanes"


def test_what_is_not_material_never_forbids_a_comparison() -> None:
    runs = [compared("0", side(), source="a"), compared("1", side(), source="b")]
    found = comparison(runs, standings(facts(100, 200)))
    assert (found.comparable, found.first_material_mismatch, found.winner) == (True, None, "0")


def test_runs_without_a_key_are_not_comparable_with_each_other() -> None:
    waiting = replace(side(), complete=False)
    found = comparison([compared("0", waiting), compared("1", waiting)], None)
    assert (found.comparable, found.winner) == (False, None)


@pytest.mark.parametrize(
    ("runs", "asked", "expected"),
    [
        (facts(100, 200, 50), ["0", "1"], "0"),
        (facts(100, 100), ["0", "1"], None),
        (facts(100, 100, 300), ["1", "2"], "1"),
        (facts(None, 200), ["0", "1"], "1"),
        (facts(None, None), ["0", "1"], None),
        (
            [r._replace(interval=i) for r, i in zip(facts(100, 105), [(90, 104), (104, 110)], strict=True)],
            ["0", "1"],
            None,
        ),
        (
            # the last one overlaps the second, but not the first: another chain, and yet a tie of the two
            [
                r._replace(interval=i)
                for r, i in zip(facts(95, 104, 115), [(90, 100), (100, 110), (109, 120)], strict=True)
            ],
            ["1", "2"],
            None,
        ),
        (
            [
                r._replace(interval=i, native_source="s")
                for r, i in zip(facts(100, 105), [(90, 104), (104, 110)], strict=True)
            ],
            ["0", "1"],
            "0",
        ),
    ],
)
def test_a_winner_is_ranked_before_all_others_and_ties_with_none(
    runs: list[RunFacts], asked: list[str], expected: str | None
) -> None:
    assert winner(asked, standings(runs)) == expected


@given(st.lists(st.integers(1, 6), min_size=2, max_size=8))
def test_a_winner_has_the_one_best_value(values: list[int]) -> None:
    found = winner([str(n) for n in range(len(values))], standings(facts(*values)))
    best = min(values)
    assert found == (str(values.index(best)) if values.count(best) == 1 else None)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 5)), min_size=2, max_size=2))
def test_ties_are_symmetric(runs: list[tuple[int, int]]) -> None:
    one, other = (
        r._replace(interval=(v - w, v + w))
        for r, (v, w) in zip(facts(*(v for v, _ in runs)), runs, strict=True)
    )
    for profile in Profile:
        assert ties(one, other, profile) is ties(other, one, profile)


JSON = st.recursive(
    st.one_of(
        st.booleans(), st.integers(-5, 5), st.text("ab", max_size=2), st.lists(st.integers(0, 2), max_size=2)
    ),
    lambda inner: st.dictionaries(st.text("abc", min_size=1, max_size=2), inner, max_size=3),
    max_leaves=6,
)
DOCUMENT = st.dictionaries(st.text("abc", min_size=1, max_size=2), JSON, max_size=4)


@given(DOCUMENT, DOCUMENT)
def test_aligned_fields_agree_exactly_where_documents_do(one: dict[str, Any], other: dict[str, Any]) -> None:
    rows = aligned([leaves(one), leaves(other)])
    assert all(row.agree for row in aligned([leaves(one), leaves(one)]))
    if all(row.agree for row in rows):
        assert without_empty(one) == without_empty(other)
    assert [row.values for row in aligned([leaves(other), leaves(one)])] == [row.values[::-1] for row in rows]


def without_empty(value: Any) -> Any:
    """Leaves with their types: 1 and true differ, {} says nothing beside other content."""
    return {path: (type(leaf), leaf) for path, leaf in leaves(value).items() if leaf != {}}
