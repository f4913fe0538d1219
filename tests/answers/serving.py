"""Serving results: what may be ranked together, and what is fastest under a bound."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.answers.book import Answer, Given, answers
from tests.answers.raw import Raw, edges
from tests.data.export_raw import Row, by


def words(text: str) -> str:
    return f" {text.lower().replace('-', ' ')} "


def cohorts(raw: Raw, accelerator: str) -> dict[str, list[Row]]:
    """Cohort key -> its rows, where the accelerator's name has these words; largest first, then by key."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in raw.tables["serving_runs"]:
        assert (row["status"], row["retractedAt"], row["supersedesId"]) == ("valid", None, None)
        if words(accelerator) in words(row["acceleratorModel"]):
            found[row["cohortKey"]].append(row)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def throughput(row: Row) -> float:
    """The one number of an exported serving run."""
    [measured] = row["manifest"]["spec"]["measurements"]
    assert measured["metric"] == "output_token_throughput_tps"
    value: float = measured["value"]
    return value


@answers("39-serving-resolve")
def serving_resolve(raw: Raw, given: Given) -> Answer:
    """The rows of each cohort by their throughput; the bounds in the manifests of their workloads."""
    request = given["request"]
    [bound] = request["constraints"]
    models, workloads = raw.ids("model_revisions"), raw.ids("serving_workloads")
    configurations = raw.ids("serving_configurations")
    found: list[dict[str, Any]] = []
    told = ""
    for key, rows in cohorts(raw, request["acceleratorModel"]).items():
        row = rows[0]
        if (models[row["modelRevisionId"]]["slug"], row["qualityPolicy"]) != (
            request["model"],
            request["qualityPolicy"],
        ) or row["totalAccelerators"] > request["maximumAccelerators"]:
            continue
        stated = by("metric", workloads[row["workloadId"]]["manifest"]["spec"].get("slo", []))
        limit = stated.get(bound["metric"])
        if limit is not None:
            assert (limit["unit"], limit["operator"]) == ("ms", "<=")
        kept = limit is not None and limit["value"] <= bound["value"]
        values = sorted({throughput(each) for each in rows}, reverse=True)
        assert len(values) == len(rows)
        ranked: list[dict[str, Any]] = []
        excluded: list[dict[str, Any]] = []
        if kept and limit is not None:
            outcome = {"state": "DECLARED", "satisfied": True, "observed": limit["value"]}
            for each in sorted(rows, key=throughput, reverse=True):
                place = {"rank": values.index(throughput(each)) + 1, "value": throughput(each)}
                ranked.append({**place, "run": {"digest": each["runDigest"]}, "outcomes": [outcome]})
                summary = configurations[each["configurationId"]]["summary"]
                told = (
                    told
                    or f"{summary}: {throughput(each):,.0f} tokens/s, by the bound that its workload declares"
                )
        else:
            reasons = [f"METRIC_NOT_REPORTED:{bound['metric']}"]
            digests = sorted(each["runDigest"] for each in rows)
            excluded = [{"run": {"digest": digest}, "reasons": reasons} for digest in digests]
        found.append({"key": key, "ranked": ranked, "excluded": excluded})
    found.sort(key=lambda each: (-len(each["ranked"]), -len(each["ranked"] + each["excluded"]), each["key"]))
    return Answer({"resolveServing": {"truncated": False, "cohorts": found}}, told)


@answers("40-serving-cohorts")
def serving_cohorts(raw: Raw, given: Given) -> Answer:
    """The rows by the cohort key that they state."""
    models, workloads = raw.ids("model_revisions"), raw.ids("serving_workloads")
    found = cohorts(raw, given["accelerator"])
    shown = []
    for key, rows in list(found.items())[:3]:
        row = rows[0]
        assert row["manifest"]["spec"]["topology"].get("interconnect") is None
        topology = f"{row['acceleratorVendor']}/{row['acceleratorModel']}/"
        shown.append(
            {
                "key": key,
                "size": len(rows),
                "topologyKey": f"{topology}{row['acceleratorCount']}x{row['nodeCount']}/unspecified",
                "metrics": [row["metricSetKey"]],
                "model": {"slug": models[row["modelRevisionId"]]["slug"]},
                "workload": {"slug": workloads[row["workloadId"]]["slug"]},
            }
        )
    runs = sum(map(len, found.values()))
    largest = len(next(iter(found.values())))
    return Answer(
        {"servingCohorts": edges(shown, totalCount=len(found))},
        f"{len(found)} cohorts of {runs} runs; the largest have {largest}",
    )
