"""Comparing runs whose parts, or that themselves, are known only by digest."""

from __future__ import annotations

from tests.api.conftest import Ask
from tests.read.samples import BEST, FAILED, MISMATCHED, SUM, WAITING

COMPARE = """query ($runs: [Digest!]!) { compare(runs: $runs) {
  comparable winner { digest } firstMaterialMismatch { field values } rows { field values } } }"""
DIFF = """query ($run: Digest!, $other: Digest!) { keyDiff(run: $run, other: $other) {
  same differing key otherKey otherGroup { size } parts { part fields { field } joins } } }"""


async def test_a_run_that_waits_for_its_workload_is_compared_by_what_is_known(ask: Ask) -> None:
    found = (await ask(COMPARE, runs=[BEST.digest, WAITING.digest]))["data"]["compare"]
    assert (found["comparable"], found["winner"]) == (False, None)
    assert found["firstMaterialMismatch"] == {
        "field": "operation.digest",
        "values": [SUM.digest, None],
    }
    rows = {row["field"]: row["values"] for row in found["rows"]}
    assert rows["workload.digest"] == [BEST.spec["workloadDigest"], WAITING.spec["workloadDigest"]]
    assert not any(field.startswith("workload.axes") for field in rows)
    assert rows["environment.hardware.product"] == ["H100", "H100"]
    assert rows["correctness.key"][1] is None


async def test_its_key_is_not_known_either(ask: Ask) -> None:
    found = (await ask(DIFF, run=WAITING.digest, other=BEST.digest))["data"]["keyDiff"]
    assert (found["same"], found["key"], found["otherGroup"]) == (False, None, {"size": 6})
    assert found["differing"] == ["OPERATION", "WORKLOAD", "CORRECTNESS"]
    assert all(part["fields"] == [] and part["joins"] == 0 for part in found["parts"])


async def test_a_run_that_is_not_ranked_loses_to_one_that_is(ask: Ask) -> None:
    found = (await ask(COMPARE, runs=[FAILED.digest, BEST.digest]))["data"]["compare"]
    assert found["winner"] == {"digest": BEST.digest}


async def test_runs_without_a_metric_differ_in_the_metric_too(ask: Ask) -> None:
    found = (await ask(DIFF, run=MISMATCHED.digest, other=BEST.digest))["data"]["keyDiff"]
    assert found["differing"] == [
        *("OPERATION", "WORKLOAD", "PROTOCOL", "ENVIRONMENT", "CORRECTNESS", "METRIC"),
    ]
