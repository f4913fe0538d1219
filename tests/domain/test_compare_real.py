"""Comparison keys and their differences against the whole public export."""

from __future__ import annotations

from collections import defaultdict

import pytest

from catalog.domain.compare import Compared, comparison
from catalog.domain.identity import correctness_key, metric_key
from catalog.domain.key_diff import key_diff
from catalog.domain.key_parts import KeyPart, Side
from catalog.domain.metrics import primary
from tests.data.export_raw import Tables, by

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def sides(export: Tables) -> dict[str, tuple[str, Side]]:
    """Run digest -> the key that the export states, and the run's side."""
    workloads = by("id", export["workloads"])
    operations = {row["semanticDigest"]: row["manifest"]["spec"] for row in export["operations"]}
    found = {}
    for row in export["benchmark_runs"]:
        workload = workloads[row["workloadId"]]
        spec = workload["manifest"]["spec"]
        run, protocol = row["manifest"]["run"]["spec"], row["manifest"]["protocol"]["spec"]
        number, operation = primary(run, protocol), spec["operationSpecDigest"]
        side = Side(
            digests={
                KeyPart.OPERATION: operation,
                KeyPart.WORKLOAD: workload["workloadDigest"],
                KeyPart.PROTOCOL: run["protocolDigest"],
                KeyPart.ENVIRONMENT: run["environmentDigest"],
                KeyPart.CORRECTNESS: correctness_key(spec),
            },
            metric=metric_key(*number[:3]) if number else "none",
            specs={
                KeyPart.OPERATION: operations[operation],
                KeyPart.WORKLOAD: spec,
                KeyPart.PROTOCOL: protocol,
                KeyPart.ENVIRONMENT: row["manifest"]["environment"]["spec"],
            },
            run_spec=run,
            workload_kind=workload["manifest"]["kind"],
        )
        found[row["runDigest"]] = (row["comparisonKey"], side)
    return found


def test_the_key_of_every_side_is_the_exported_one(sides: dict[str, tuple[str, Side]]) -> None:
    assert len(sides) == 7_857
    assert [digest for digest, (key, side) in sides.items() if side.key != key] == []


def test_two_runners_of_one_gpu_differ_in_their_form_factor_alone(sides: dict[str, tuple[str, Side]]) -> None:
    def first(beginning: str) -> tuple[str, Side]:
        return next((d, s) for d, (key, s) in sides.items() if key.startswith(f"sha256:{beginning}"))

    (one, side), (other, beside) = first("25ad78ee"), first("9d48f4d7")
    [part] = [each for each in key_diff(side, beside) if each.differs]
    assert part.part is KeyPart.ENVIRONMENT
    assert [field.field for field in part.fields] == ["environment.hardware.formFactor"]
    found = comparison([Compared(one, side), Compared(other, beside)], None)
    assert found.first_material_mismatch is not None
    assert found.first_material_mismatch.field == "environment.hardware.formFactor"
    assert (found.comparable, found.winner) == (False, None)


def test_no_suite_shares_a_key_with_a_case(sides: dict[str, tuple[str, Side]]) -> None:
    kinds: dict[str, set[str | None]] = defaultdict(set)
    for key, side in sides.values():
        kinds[key].add(side.workload_kind)
    assert {len(each) for each in kinds.values()} == {1}
    assert sum(side.workload_kind == "WorkloadSuite" for _, side in sides.values()) == 3_840


def test_a_differing_part_names_a_differing_field(sides: dict[str, tuple[str, Side]]) -> None:
    """Every document that has another digest has another field: nothing is lost on the way to the rows."""
    every = [side for _, side in sides.values()]
    for one, other in zip(every[::40], every[1::40], strict=False):
        for part in key_diff(one, other):
            alone = (
                part.part is KeyPart.WORKLOAD
                and one.digests[KeyPart.OPERATION] != other.digests[KeyPart.OPERATION]
            )
            assert bool(part.fields) is part.differs or alone
