"""Coverage, gaps, what is left out and why, what is there twice, and what is in the catalog at all."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any

from tests.answers.book import Answer, Given, answers
from tests.answers.raw import Raw, Run, architecture_of, code_of, counted, edges, instant
from tests.data import liger_raw


def places(raw: Raw) -> dict[tuple[str, str], int]:
    """(operation, architecture) -> how many runs, of all files."""
    found = Counter((run.operation["slug"], run.architecture) for run in raw.runs)
    for row in raw.liger_rows:
        found[liger_raw.operation_slug(row.kernel), architecture_of(row)] += 1
    return dict(found)


@answers("44-coverage")
def coverage(raw: Raw, given: Given) -> Answer:
    """The family's rows, counted by operation and architecture."""
    cells: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in raw.runs:
        if run.operation["family"] == given["family"]:
            cells[run.operation["slug"], run.architecture].append(run)
    shown: list[dict[str, Any]] = []
    for (slug, architecture), runs in sorted(cells.items()):
        assert not any(run.row["installable"] for run in runs)
        ranked = [run for run in runs if not run.reasons]
        # raw evidence comes with commit and repository here: `reproducible-runs` looks at every row
        best = "REPRODUCIBLE" if any(run.row["hasRawEvidence"] for run in ranked) else "REPORTED"
        shown.append(
            {
                "operation": {"slug": slug},
                "architecture": architecture,
                "architectureKnown": architecture != "unknown",
                "groupCount": len({run.key for run in runs}),
                "runCount": len(runs),
                "eligibleCount": len(ranked),
                "bestEvidence": best,
                "hasDeployableWinner": False,
            }
        )
    runs_ = sum(map(len, cells.values()))
    known = sum(architecture != "unknown" for _, architecture in cells)
    assert known == 0
    return Answer(
        {"coverage": edges(shown[:5], totalCount=len(shown))},
        f"{len(shown)} operations in {runs_} runs, none with a recorded architecture",
    )


@answers("45-coverage-gaps")
def coverage_gaps(raw: Raw, given: Given) -> Answer:
    """All architectures of all rows, less those of the operation's rows."""
    found = places(raw)
    everywhere = {architecture for _, architecture in found} - {"unknown"}
    own = {architecture: count for (slug, architecture), count in found.items() if slug == given["operation"]}
    measured = sorted(own.keys() - {"unknown"})
    shown = [
        {
            "architecture": architecture,
            "measuredOn": measured,
            "runCount": sum(own[name] for name in measured),
            "unknownRunCount": own.get("unknown", 0),
        }
        for architecture in sorted(everywhere - own.keys())
    ]
    missing = ", ".join(f"`{each['architecture']}`" for each in shown)
    return Answer(
        {"coverageGaps": edges(shown, totalCount=len(shown))},
        f"on {missing}, beside {len(measured)} where it was",
    )


@answers("46-no-deployable-winner")
def no_deployable_winner(raw: Raw, _: Given) -> Answer:
    """The winners among the rows of each group, and what columns and providers say of them."""
    groups: dict[str, list[str]] = defaultdict(list)
    for key, runs in raw.groups.items():
        groups[runs[0].operation["slug"]].append(key)
    shown: list[dict[str, Any]] = []
    for slug, keys in groups.items():
        boards = [raw.boards[key] for key in keys if raw.boards[key]]
        winners = {
            each.run.implementation: each.run.code for board in boards for each in board if each.rank == 1
        }
        reasons: Counter[str] = Counter()
        for code in winners.values():
            assert not code["installable"]
            reasons["NO_INSTALL_RECIPE"] += 1
            reasons["NO_PUBLIC_SOURCE"] += not code["sourceAvailable"]
            reasons["LICENSE_UNKNOWN"] += code["licenseExpression"] is None
        ordered = sorted((+reasons).items(), key=lambda item: (-item[1], item[0]))
        shown.append(
            {
                "operation": {"slug": slug},
                "groupCount": len(keys),
                "rankedGroupCount": len(boards),
                "deployableCount": 0,
                "winnerCount": len(winners),
                "reasons": [{"reason": reason, "count": count} for reason, count in ordered],
            }
        )
    led: dict[str, bool] = defaultdict(bool)
    for rows in raw.liger.values():
        best = min(row.ns for row in rows)
        led[liger_raw.operation_slug(rows[0].kernel)] |= any(
            row.ns == best and "pipPackage" in liger_raw.PROVIDERS[row.provider] for row in rows
        )
    without = [slug for slug, deployable in led.items() if not deployable]
    shown.sort(key=lambda each: (-each["rankedGroupCount"], each["operation"]["slug"]))
    assert shown[2]["rankedGroupCount"] > max(
        sum(liger_raw.operation_slug(rows[0].kernel) == slug for rows in raw.liger.values())
        for slug in without
    )
    total = len(shown) + len(without)
    return Answer(
        {"undeployableOperations": edges(shown[:3], totalCount=total)},
        f"{total} of {len(shown) + len(led)}; of Liger-Kernel's {len(led)} only {len(without)}",
    )


@answers("47-exclusion-ledger")
def exclusion_ledger(raw: Raw, _: Given) -> Answer:
    """The columns of every row; Liger's lines are all ranked."""
    every = [(run.source["slug"], run.architecture, run.reasons) for run in raw.runs]
    every += [("liger-kernel-bench", architecture_of(row), ()) for row in raw.liger_rows]
    excluded = [reasons for _, _, reasons in every if reasons]

    def counts(place: int, name: str, value: Any) -> list[dict[str, Any]]:
        return [
            {
                name: value(part),
                "runCount": count,
                "rankedCount": sum(each[place] == part and not each[2] for each in every),
                "excludedCount": sum(each[place] == part and bool(each[2]) for each in every),
            }
            for part, count in counted(every, lambda each: each[place]).items()
        ]

    sets = sorted(Counter(excluded).items(), key=lambda item: -item[1])
    summary = {
        "runCount": len(every),
        "rankedCount": len(every) - len(excluded),
        "excludedCount": len(excluded),
        "bySource": counts(0, "source", lambda slug: {"slug": slug}),
        "byArchitecture": counts(1, "architecture", str),
        "byReasons": [{"reasons": list(reasons), "runCount": count} for reasons, count in sets],
    }
    kinds = " and ".join(f"{count} `{reasons[0]}`" for reasons, count in sets)
    short = f"{len(every):,} runs = {len(every) - len(excluded):,} ranked + {len(excluded)} left out: {kinds}"
    return Answer({"exclusions": {"totalCount": len(excluded), "summary": summary}}, short)


@answers("48-same-source")
def same_source(raw: Raw, _: Given) -> Answer:
    """The content digest in the manifests of all implementations."""
    sharing: dict[str, list[str]] = defaultdict(list)
    for code in raw.tables["implementations"]:
        source = code["manifest"]["spec"].get("source")
        if source:
            sharing[source["contentDigest"]].append(code["implementationDigest"])
    shared = {file: sorted(codes) for file, codes in sharing.items() if len(codes) > 1}
    ordered = sorted(shared.items(), key=lambda item: (-len(item[1]), item[0]))
    shown = [
        {"artifact": {"contentDigest": file}, "implementations": [{"digest": code} for code in codes]}
        for file, codes in ordered[:2]
    ]
    file, codes = ordered[0]
    short = f"`{file[7:15]}`, by {len(codes)} implementations; {len(shared)} files are shared in all"
    return Answer({"duplicateEvidence": edges(shown, totalCount=len(shared))}, short)


@answers("49-same-numbers")
def same_numbers(raw: Raw, _: Given) -> Answer:
    """Rows of one group with equal timings and measurements, of several implementations or providers."""
    alike: dict[Any, list[Run]] = defaultdict(list)
    for run in raw.runs:
        spec = run.row["manifest"]["run"]["spec"]
        if run.row["primaryValue"] is not None:
            numbers = json.dumps([spec.get("timing"), spec.get("measurements")], sort_keys=True)
            alike[run.key, numbers].append(run)
    found = [runs for runs in alike.values() if len({run.implementation for run in runs}) > 1]
    found.sort(key=lambda runs: (-len(runs), runs[0].key, sorted(run.digest for run in runs)))
    assert not equal_lines(raw)
    shown = [
        {
            "value": runs[0].value,
            "group": {"key": runs[0].key},
            "runs": [{"digest": digest} for digest in sorted(run.digest for run in runs)],
        }
        for runs in found[:3]
    ]
    short = f"{len(found)} sets, the largest of {len(found[0])} runs; none in Liger-Kernel's files"
    return Answer({"duplicateEvidence": edges(shown, totalCount=len(found))}, short)


def equal_lines(raw: Raw) -> list[set[str]]:
    """The names of Liger's lines of one group with equal numbers, where they differ."""
    alike: dict[Any, set[str]] = defaultdict(set)
    for group, rows in raw.liger.items():
        for row in rows:
            alike[group, row.ns, row.spread].add(f"{row.kernel} {row.provider}")
    return [names for names in alike.values() if len(names) > 1]


@answers("50-portability")
def portability(raw: Raw, given: Given) -> Answer:
    """Lines of the CSV files by the architecture of their GPU; the least value of each group."""
    named = {
        code_of(row)
        for row in raw.liger_rows
        if liger_raw.kebab(f"liger-bench-{row.kernel}-{row.provider}") == given["slug"]
    }
    [code] = named
    runs: Counter[str] = Counter()
    leads: Counter[str] = Counter()
    for rows in raw.liger.values():
        own = [row for row in rows if code_of(row) == code]
        if own:
            architecture = architecture_of(own[0])
            runs[architecture] += len(own)
            leads[architecture] += min(row.ns for row in own) == min(row.ns for row in rows)
    shown = [
        {
            "architecture": architecture,
            "declared": False,
            "state": "LEADS" if leads[architecture] else "RANKED",
            "runCount": count,
            "eligibleCount": count,
            "failedCount": 0,
            "leadCount": leads[architecture],
        }
        for architecture, count in sorted(runs.items())
    ]
    told = ", ".join(f"{each['leadCount']} on `{each['architecture']}`" for each in shown)
    short = f"boards that it leads: {told}"
    return Answer({"implementations": edges([{"portability": shown}])}, short)


@answers("42-suite-results")
def suite_results(raw: Raw, given: Given) -> Answer:
    """The source's rows, the newest first, and the cases in the manifests of their workloads."""
    runs = [run for run in raw.runs if run.source["slug"] == given["source"]]
    runs.sort(key=lambda run: run.digest)
    runs.sort(key=lambda run: run.at, reverse=True)
    assert len({run.at for run in runs[:4]}) == 4
    shown: list[dict[str, Any]] = []
    for run in runs[:3]:
        spec = run.workload["manifest"]["spec"]
        parts = ("metric", "statistic")
        shown.append(
            {
                "digest": run.digest,
                "primary": {
                    "metric": run.row["primaryMetric"],
                    "statistic": run.row["primaryStatistic"],
                    "unit": run.row["primaryUnit"],
                    "value": run.value,
                },
                "suiteResult": {
                    "reported": True,
                    "caseCount": len(spec["cases"]),
                    "aggregation": {part: spec["aggregation"][part] for part in parts},
                },
                "workload": {"kind": "SUITE", "digest": run.workload["workloadDigest"]},
            }
        )
    assert {run.workload["manifest"]["kind"] for run in runs} == {"WorkloadSuite"}
    first = shown[0]
    short = f"{len(runs)} runs; the newest {first['primary']['value'] / 1e3:.1f} µs "
    short += f"on average over {first['suiteResult']['caseCount']} cases"
    return Answer({"runs": edges(shown, totalCount=len(runs))}, short)


@answers("51-sources")
def sources(raw: Raw, _: Given) -> Answer:
    """The export's sources and their rows; what is known of Liger's and the stamps of its lines."""
    runs, serving = raw.tables["benchmark_runs"], raw.tables["serving_runs"]
    shown: list[dict[str, Any]] = []
    for row in raw.tables["sources"]:
        policy = row["policy"] or {}
        own = [[each for each in table if each["sourceId"] == row["id"]] for table in (runs, serving)]
        shown.append(
            {
                **{name: row[name] for name in ("slug", "name", "kind")},
                **{name: policy.get(name) for name in ("license", "attribution")},
                "verifiedOn": policy.get("verified"),
                "runCount": len(own[0]),
                "servingRunCount": len(own[1]),
                "lastObservedAt": instant(max(each["observedAt"] for each in own[0] + own[1])),
            }
        )
    facts = liger_raw.FACTS["source"]
    stamp = max(row.stamp for row in raw.liger_rows)
    shown.append(
        {
            **{name: facts[name] for name in ("slug", "name", "kind", "license", "attribution")},
            "verifiedOn": facts["verified"],
            "runCount": len(raw.liger_rows),
            "servingRunCount": 0,
            "lastObservedAt": f"{stamp.replace(' ', 'T')}Z",
        }
    )
    shown.sort(key=lambda each: each["slug"])
    short = f"{len(shown)} sources; {sum(each['license'] is None for each in shown)} states no terms"
    newest = max(shown, key=lambda each: str(each["lastObservedAt"]))
    short += f"; the newest result is of `{newest['slug']}`, {newest['lastObservedAt'][:10]}"
    return Answer({"sources": edges(shown, totalCount=len(shown))}, short)


@answers("52-overview")
def overview(raw: Raw, _: Given) -> Answer:
    """The rows of each table, and what is different in Liger's lines."""
    rows, liger = raw.tables, raw.liger_rows
    kinds = Counter(row["manifest"]["kind"] for row in rows["workloads"])
    providers = {liger_raw.PROVIDERS[row.provider]["project"] for row in liger}
    cases = {(group[0], *group[3:]) for group in raw.liger}
    counts = {
        "OperationSpec": len(rows["operations"]) + len({liger_raw.OPERATIONS[row.kernel] for row in liger}),
        "WorkloadCase": kinds["WorkloadCase"] + len(cases),
        "WorkloadSuite": kinds["WorkloadSuite"],
        "SoftwareProject": len({row["slug"] for row in rows["projects"]} | providers),
        "ImplementationRevision": len(rows["implementations"]) + len({code_of(row) for row in liger}),
        "BenchmarkProtocol": len({run.row["protocolKey"] for run in raw.runs}) + len({r.mode for r in liger}),
        "ExecutionEnvironment": len({run.row["environmentKey"] for run in raw.runs})
        + len({row.gpu for row in liger}),
        "BenchmarkRun": len(raw.runs) + len(liger),
        "ModelRevision": len(rows["model_revisions"]),
        "ServingStackRevision": len(rows["serving_stack_revisions"]),
        "ServingConfiguration": len(rows["serving_configurations"]),
        "ServingWorkload": len(rows["serving_workloads"]),
        "ServingRun": len(rows["serving_runs"]),
        "ComparisonGroup": len(raw.groups) + len(raw.liger),
        "EvidenceSource": len(rows["sources"]) + 1,
        "EvidenceArtifact": len({row["contentDigest"] for row in rows["artifacts"]}),
        "ServingCohort": len({row["cohortKey"] for row in rows["serving_runs"]}),
    }
    data = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "policies": {"ranking": "ranking-v1", "deployability": "deployability-v1", "serving": "serving-v1"},
        "counts": [{"kind": kind, "count": count} for kind, count in counts.items()],
    }
    short = f"{counts['BenchmarkRun']:,} runs of {counts['ImplementationRevision']:,} implementations on "
    short += f"{counts['ComparisonGroup']:,} boards, and {counts['ServingRun']} serving runs"
    return Answer({"catalog": data}, short)
