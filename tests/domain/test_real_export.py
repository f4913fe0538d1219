"""The rules of the domain against the whole public export: they give what its rows say."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from catalog.domain.evidence import evidence_level, exact_revision, own_public_source, raw_evidence
from catalog.domain.instants import parse_instant
from catalog.domain.metrics import direction_of, interval, measurements, primary
from catalog.domain.ranking import Profile, RunFacts, group_profile, reasons, standings
from catalog.domain.records import history
from tests.data.export_raw import Row, Tables

pytestmark = pytest.mark.real_data


def facts_of(row: Row) -> RunFacts:
    spec = row["manifest"]["run"]["spec"]
    found = primary(spec, row["manifest"]["protocol"]["spec"])
    return RunFacts(
        digest=row["runDigest"],
        status=spec["status"],
        observed_at=parse_instant(spec["observedAt"]),
        metric=found.metric if found else None,
        value=found.value if found else None,
        interval=interval(spec),
        native_source=spec.get("sourceNative", {}).get("source"),
    )


@pytest.fixture(scope="module")
def groups(export: Tables) -> dict[str, list[RunFacts]]:
    """The runs of each comparison key."""
    by_key: dict[str, list[RunFacts]] = defaultdict(list)
    for row in export["benchmark_runs"]:
        by_key[row["comparisonKey"]].append(facts_of(row))
    return by_key


def test_measurements(export: Tables) -> None:
    columns = ("metric", "statistic", "unit", "value", "sampleCount")
    exported = Counter((row["runId"], *(row[c] for c in columns)) for row in export["measurements"])
    derived = Counter(
        (row["id"], *measurement)
        for row in export["benchmark_runs"]
        for measurement in measurements(row["manifest"]["run"]["spec"])
    )
    assert derived == exported
    assert derived.total() == 13_853


def test_primary(export: Tables) -> None:
    for row in export["benchmark_runs"]:
        found = primary(row["manifest"]["run"]["spec"], row["manifest"]["protocol"]["spec"])
        exported = tuple(row[f"primary{part}"] for part in ("Metric", "Statistic", "Unit", "Value"))
        if found is None:
            assert exported == ("none", None, None, None)
        else:
            assert (found.metric, found.statistic, found.unit, found.value) == exported


def test_evidence(export: Tables) -> None:
    repository = {row["id"]: bool(row["manifest"]["spec"].get("repository")) for row in export["projects"]}
    implementations = {row["id"]: row for row in export["implementations"]}
    levels: Counter[str] = Counter()
    for row in export["benchmark_runs"]:
        run_spec = row["manifest"]["run"]["spec"]
        implementation = implementations[row["implementationId"]]
        spec = implementation["manifest"]["spec"]
        assert raw_evidence(run_spec) is row["hasRawEvidence"]
        level = evidence_level(
            replications=row["independentReplicationCount"],
            rerun_passed=row["reproducedByKernelindex"],
            public_source=own_public_source(spec) or repository[implementation["projectId"]],
            exact_revision=exact_revision(spec),
            parts_complete=True,
            raw_evidence=raw_evidence(run_spec),
        )
        levels[level.value] += 1
    assert levels == {"REPRODUCIBLE": 175, "REPORTED": 7_682}


def test_eligibility(groups: dict[str, list[RunFacts]]) -> None:
    assert len(groups) == 1_912
    found: Counter[tuple[str, ...]] = Counter()
    for group in groups.values():
        assert group_profile(group) is Profile.SOURCE_NATIVE
        for row in standings(group).rows:
            assert (row.rank is None) == bool(row.reasons)
            found[row.reasons] += 1
    assert found == {
        (): 7_771,
        ("STATUS_RUNTIME_ERROR", "MISSING_PRIMARY_METRIC"): 82,
        ("STATUS_COMPILE_ERROR", "MISSING_PRIMARY_METRIC"): 4,
    }


def test_record_history(export: Tables, groups: dict[str, list[RunFacts]]) -> None:
    digests = {row["id"]: row["runDigest"] for row in export["benchmark_runs"]}
    exported = {
        (
            row["comparisonKey"],
            parse_instant(row["at"]),
            row["cause"].upper(),
            digests[row["runId"]],
            digests.get(row["previousRunId"]),
        )
        for row in export["record_events"]
    }
    derived = {
        (key, event.at, event.cause.value, event.run, event.previous)
        for key, group in groups.items()
        for event in history(group, direction_of(group[0].metric or ""))
    }
    assert derived == exported
    assert len(derived) == 2_948
    with_records = sum(any(not reasons(run) for run in group) for group in groups.values())
    assert with_records == len({key for key, *_ in derived}) == 1_828
