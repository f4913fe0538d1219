"""What no real source states: retractions, evidence beyond reports, several serving metrics, relations.

The answers were worked out by hand (tests/data/made) or come from the lines of its files. Where the digest
decides the order it is made here, as domain.md §2 says.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.answers.book import Answer, Given, answers
from tests.answers.raw import Raw, edges
from tests.answers.records import digest
from tests.data.export_raw import Row
from tests.data.made import FOLDER


def worked_out(name: str) -> Any:
    """A file of answers that were worked out by hand."""
    return json.loads((FOLDER / name).read_text())


def manifests(path: Path) -> dict[str, Row]:
    """Digest -> manifest, of the lines of a file."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    found = [row["manifest"] for row in rows if "manifest" in row]
    return {digest({part: m[part] for part in ("apiVersion", "kind", "spec")}): m for m in found}


def title(name: str | None) -> dict[str, str] | None:
    """Titles are names with spaces."""
    return None if name is None else {"title": name.replace("-", " ")}


@answers("41-serving-frontier")
def serving_frontier(_: Raw, __: Given) -> Answer:
    """Worked out by hand; units and order from the file."""
    expected = worked_out("serving-expected.json")["nothing asked"]["cohorts"][0]
    made = manifests(FOLDER / "serving.jsonl")
    digests = {manifest["metadata"]["name"]: key for key, manifest in made.items()}
    frontier = []
    for name in expected["frontier"]:
        spec = made[digests[name]]["spec"]
        measured = sorted(spec["measurements"], key=lambda each: each["metric"])
        assert [each["value"] for each in measured] == expected["frontier"][name]
        metrics = [{part: each[part] for part in ("metric", "value", "unit")} for each in measured]
        frontier.append(
            (-measured[0]["value"], spec["observedAt"], {"run": {"title": name}, "metrics": metrics})
        )
    frontier.sort(key=lambda each: each[1], reverse=True)
    frontier.sort(key=lambda each: each[0])
    excluded = sorted(expected["excluded"].items(), key=lambda item: digests[item[0]])
    node = {
        "size": expected["size"],
        "frontier": [point for _, _, point in frontier],
        "excluded": [{"run": {"title": name}, "reasons": reasons} for name, reasons in excluded],
    }
    names = ", ".join(f"`{point['run']['title']}`" for point in node["frontier"])
    short = f"{names}; {len(excluded)} of {expected['size']} do not count, each with its reason"
    return Answer({"servingCohorts": edges([node])}, short)


@answers("29-retracted-record")
def retracted_record(_: Raw, __: Given) -> Answer:
    """Worked out by hand."""
    expected = worked_out("expected.json")["groups"]["1024"]
    made = manifests(FOLDER / "evidence.jsonl")
    digests = {manifest["metadata"]["name"]: key for key, manifest in made.items()}
    history = [
        {**event, "run": title(event["run"]), "previous": title(event["previous"])}
        for event in expected["records"]
    ]
    runs: list[dict[str, Any]] = [
        {"rank": row["rank"], "node": {**(title(row["run"]) or {}), "standing": {"reasons": []}}}
        for row in expected["ranked"]
    ]
    for name, reasons in sorted(expected["excluded"].items(), key=lambda item: digests[item[0]]):
        runs.append({"rank": None, "node": {**(title(name) or {}), "standing": {"reasons": reasons}}})
    last = expected["records"][-1]
    assert last["cause"] == "RETRACTION"
    short = f"it went back to `{last['run']}` on the day of the retraction, {last['at'][:10]}"
    node = {"recordHistory": history, "runs": {"edges": runs}}
    return Answer({"comparisonGroups": edges([node])}, short)


@answers("38-operation-relations")
def operation_relations(_: Raw, given: Given) -> Answer:
    """The relations' own lines."""
    made = manifests(FOLDER / "resolve.jsonl")
    [own] = [
        key
        for key, manifest in made.items()
        if (manifest["kind"], manifest["metadata"]["name"]) == ("OperationSpec", given["operation"])
    ]
    relations = []
    for key in sorted(made):
        manifest = made[key]
        spec = manifest["spec"]
        if manifest["kind"] == "OperationRelation" and own in (spec["from"], spec["to"]):
            ends = {end: {"slug": made[spec[end]]["metadata"]["name"]} for end in ("from", "to")}
            constraints = [{**each, "operator": each["operator"].upper()} for each in spec["constraints"]]
            relations.append(
                {
                    "relation": spec["relation"].upper(),
                    "reviewer": spec["reviewer"],
                    **ends,
                    "constraints": constraints,
                }
            )
    [relation] = relations
    bounds = " and ".join(
        f"`{each['axis']}` {each['operator'].lower()} {each['value']}" for each in relation["constraints"]
    )
    return Answer({"operation": {"relations": relations}}, f"`{relation['from']['slug']}`, where {bounds}")


@answers("43-suite-score")
def suite_score(_: Raw, given: Given) -> Answer:
    """The geometric mean of the medians in the manifests of the runs on its cases."""
    suite = next(
        s for s in worked_out("compare-expected.json")["scores"]["made-fold-suite"] if s["value"] is not None
    )
    made = {m["metadata"].get("title"): m for m in manifests(FOLDER / "compare.jsonl").values()}
    medians = [made[name]["spec"]["timing"]["latencyNs"]["median"] for name in suite["runs"]]
    score = math.exp(sum(map(math.log, medians)) / len(medians))
    assert math.isclose(score, suite["value"])
    [spec] = [m["spec"] for key, m in manifests(FOLDER / "compare.jsonl").items() if key == given["workload"]]
    assert len(spec["cases"]) == len(medians)
    computed = {
        "value": pytest.approx(score),
        "unit": "ns",
        "caseCount": len(medians),
        "complete": True,
        "implementation": {"slug": suite["code"]},
        "runs": [{"title": name} for name in suite["runs"]],
    }
    data = {"workload": {"aggregation": spec["aggregation"], "computedScores": [computed]}}
    return Answer(
        data, f"`{suite['code']}` {suite['value']} ns over {len(medians)} cases; nobody else has run all"
    )


@answers("10-evidence-levels")
def evidence_levels(_: Raw, __: Given) -> Answer:
    """Worked out by hand."""
    ranked = worked_out("expected.json")["groups"]["4096"]["ranked"]
    shown = [
        {
            "rank": row["rank"],
            "tiedWithPrevious": place > 0,
            "node": {**(title(row["run"]) or {}), "evidenceLevel": row["evidence"]},
        }
        for place, row in enumerate(ranked)
    ]
    levels = ", ".join(row["evidence"].lower() for row in ranked)
    return Answer(
        {"comparisonGroups": edges([{"runs": {"edges": shown}}])}, f"one run of each level: {levels}"
    )
