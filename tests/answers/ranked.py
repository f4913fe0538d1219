"""Boards: ranks, ties, leaders, one run per project, and what stands behind a run."""

from __future__ import annotations

import json
from typing import Any

from tests.answers.book import Answer, Given, answers
from tests.answers.raw import Raw, Run, Standing, edges, instant, named
from tests.data import export_raw, liger_raw


def gpu(run: Run) -> str:
    """Its GPU without the maker."""
    return str(run.row["hardwareModel"]).removeprefix("NVIDIA ")


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.3f} µs"


@answers("01-ranked-group")
def ranked_group(raw: Raw, given: Given) -> Answer:
    """The rows that state this comparison key, sorted by their value."""
    board, first = raw.boards[given["key"]], raw.groups[given["key"]][0]
    shown = [
        {
            "rank": each.rank,
            "ratioToBest": each.ratio,
            "node": {
                "digest": each.run.digest,
                "observedAt": instant(each.run.at),
                "primary": {"value": each.run.value, "unit": "s"},
                "implementation": {
                    "slug": each.run.code["slug"],
                    "project": {
                        "slug": each.run.project["slug"],
                        "name": each.run.project["manifest"]["spec"]["name"],
                    },
                },
            },
        }
        for each in board[: given["first"]]
    ]
    data = {
        "comparisonGroup": {
            "size": len(raw.groups[given["key"]]),
            "eligibleCount": len(board),
            "profile": "SOURCE_NATIVE",
            "operation": {"slug": first.operation["slug"]},
            "environment": {"product": first.row["hardwareModel"], "architecture": first.architecture},
            "metric": {
                "metric": first.row["primaryMetric"],
                "statistic": first.row["primaryStatistic"],
                "unit": first.row["primaryUnit"],
                "direction": "LOWER_IS_BETTER",
            },
            "runs": {"totalCount": len(raw.groups[given["key"]]), "edges": shown},
        }
    }
    best, second = board[:2]
    short = f"`{best.run.code['slug']}` with {micro(best.run.value)}, of {len(board)} ranked; "
    return Answer(data, short + f"the second takes {second.ratio:.2f} times as long")


@answers("02-shared-lead")
def shared_lead(raw: Raw, given: Given) -> Answer:
    """Equal values among the rows of the group; in a tie the newest first."""
    board = raw.boards[given["key"]]
    shown = [
        {
            "rank": each.rank,
            "tiedWithPrevious": each.tied_with_previous,
            "node": {
                "digest": each.run.digest,
                "primary": {"value": each.run.value, "unit": "s"},
                "standing": {"tied": each.tied},
            },
        }
        for each in board[:3]
    ]
    leads = [each for each in board if each.rank == 1]
    data = {"comparisonGroup": {"leader": {"digest": board[0].run.digest}, "runs": {"edges": shown}}}
    assert len(leads) > 1
    return Answer(data, f"yes: {len(leads)} runs have rank 1 with {leads[0].run.value * 1e3:.4f} ms")


@answers("03-best-per-project")
def best_per_project(raw: Raw, given: Given) -> Answer:
    """The first row of each project in the sorted rows of the group."""
    firsts: dict[str, Standing] = {}
    for each in raw.boards[given["key"]]:
        firsts.setdefault(each.run.project["slug"], each)
    shown = [
        {
            "rank": each.rank,
            "ratioToBest": each.ratio,
            "node": {"digest": each.run.digest, "implementation": {"project": {"slug": slug}}},
        }
        for slug, each in list(firsts.items())[:3]
    ]
    data = {"comparisonGroup": {"runs": {"totalCount": len(firsts), "edges": shown}}}
    names = ", ".join(f"`{slug}`" for slug in list(firsts)[:3])
    ranks = ", ".join(str(each["rank"]) for each in shown)
    return Answer(data, f"{names} at ranks {ranks}; {len(firsts)} authors in all")


def boards_of(raw: Raw, operation: str) -> dict[str, list[Run]]:
    """The groups of an operation, largest first, then by key."""
    found = {key: runs for key, runs in raw.groups.items() if runs[0].operation["slug"] == operation}
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


@answers("04-groups-and-leaders")
def groups_and_leaders(raw: Raw, given: Given) -> Answer:
    """The comparison keys of the operation's rows with this GPU, and the least value under each."""
    shown: list[dict[str, Any]] = []
    for key, runs in boards_of(raw, given["operation"]).items():
        row, best = runs[0].row, raw.boards[key][0].run
        if row["hardwareModel"] == given["product"]:
            shown.append(
                {
                    "key": key,
                    "size": len(runs),
                    "workload": {"kind": "SUITE"},
                    "environment": {
                        "formFactor": row["manifest"]["environment"]["spec"]["hardware"]["formFactor"]
                    },
                    "leader": {
                        "digest": best.digest,
                        "primary": {"value": best.value},
                        "implementation": {"project": {"slug": best.project["slug"]}},
                    },
                }
            )
            assert runs[0].workload["manifest"]["kind"] == "WorkloadSuite"
    text = "; ".join(
        f"{each['size']} runs on `{each['environment']['formFactor']}`, best "
        f"{micro(each['leader']['primary']['value'])}"
        for each in shown
    )
    return Answer({"comparisonGroups": edges(shown, totalCount=len(shown))}, f"{len(shown)}: {text}")


@answers("05-large-cases")
def large_cases(raw: Raw, given: Given) -> Answer:
    """The axes of the workloads that the operation's rows ran on."""
    shown: list[dict[str, Any]] = []
    for key, runs in boards_of(raw, given["operation"]).items():
        axes = runs[0].workload["manifest"]["spec"]["axes"]
        if axes["m"] >= given["rows"]:
            product = {"product": runs[0].row["hardwareModel"]}
            place = {"workload": {"axes": named(axes)}, "environment": product}
            shown.append({"key": key, "size": len(runs), **place})
    sizes = sorted({each["workload"]["axes"][0]["value"] for each in shown})
    text = ", ".join(f"{size:,}" for size in sizes[:-1]) + f" and {sizes[-1]:,} rows"
    runs_ = sum(each["size"] for each in shown)
    return Answer(
        {"comparisonGroups": edges(shown, totalCount=len(shown))},
        f"{text}: {runs_} runs on {len(shown)} boards",
    )


@answers("07-run-dossier")
def run_dossier(raw: Raw, given: Given) -> Answer:
    """The row of the run and those that it names, its place in its group, its line in the file."""
    run = raw.by_digest[given["digest"]]
    row, documents = run.row, run.row["manifest"]
    spec, environment = documents["run"]["spec"], documents["environment"]["spec"]
    code = run.code["manifest"]["spec"]
    [standing] = [each for each in raw.boards[run.key] if each.run is run]
    needle = json.dumps(run.digest)[1:-1].encode()
    [line] = [
        number
        for number, text in enumerate(export_raw.lines(raw.folder), start=1)
        if needle in text and json.loads(text)["table"] == "benchmark_runs"
    ]
    log = spec["evidence"]["logs"]["digest"]
    assert not code.get("buildVariants")
    assert code["projectRevision"]["commit"]  # with it and the repository the revision is exact and public
    assert code["projectRevision"]["repository"]
    number = {"metric": row["primaryMetric"], "statistic": row["primaryStatistic"]} | {
        "unit": row["primaryUnit"],
        "value": run.value,
    }
    data = {
        "digest": run.digest,
        "status": row["status"].upper(),
        "evidenceLevel": "REPRODUCIBLE",
        "observedAt": instant(run.at),
        "publishedAt": instant(row["publishedAt"]),
        "comparisonKey": run.key,
        "primary": number,
        "measurements": [number],
        "standing": {
            "rank": standing.rank,
            "eligibleCount": len(raw.boards[run.key]),
            "ratioToBest": standing.ratio,
            "reasons": [],
        },
        "implementation": {
            "digest": run.implementation,
            "language": code["callable"]["language"],
            "license": {**code["licensing"], "permissive": True},
            "installs": [],
            "deployability": {"eligible": False, "reasons": ["NO_INSTALL_RECIPE"]},
        },
        "workload": {
            "digest": run.workload["workloadDigest"],
            "kind": "CASE",
            "axes": named(run.workload["manifest"]["spec"]["axes"]),
            "operation": {"slug": run.operation["slug"], "family": run.operation["family"]},
        },
        "protocol": {
            "name": documents["protocol"]["metadata"]["name"],
            "timer": documents["protocol"]["spec"]["measurement"]["timer"],
        },
        "environment": {
            **{name: environment["hardware"][name] for name in ("vendor", "product", "architecture")},
            "driver": environment["software"].get("driver"),
            "cudaToolkit": environment["software"]["cudaToolkit"],
        },
        "source": {"slug": run.source["slug"], "license": run.source["policy"]["license"]},
        "artifacts": [
            {"contentDigest": code["source"]["contentDigest"], "kind": "source"},
            {"contentDigest": log, "kind": "log"},
        ],
        "provenance": {"importer": "kernelindex", "row": line},
        "manifest": documents["run"],
    }
    assert code["licensing"]["concluded"] == "Apache-2.0"
    short = f"`{run.source['slug']}`, on a {gpu(run)}; reproducible, but there is no install recipe; "
    return Answer({"run": data}, short + f"rank {standing.rank} of {len(raw.boards[run.key])}")


@answers("08-failed-runs")
def failed_runs(raw: Raw, given: Given) -> Answer:
    """The column `status` of all rows, the newest first."""
    failed = [run for run in raw.runs if run.row["status"].upper() in given["status"]]
    failed.sort(key=lambda run: run.digest)
    failed.sort(key=lambda run: run.at, reverse=True)
    assert len({run.at for run in failed[:4]}) == 4
    shown = [
        {
            "digest": run.digest,
            "status": run.row["status"].upper(),
            "observedAt": instant(run.at),
            "implementation": {"digest": run.implementation},
            "workload": {"operation": {"slug": run.operation["slug"]}},
        }
        for run in failed[:3]
    ]
    short = f"{len(failed)} runs; the latest did not compile for `{failed[0].operation['slug']}`"
    assert failed[0].row["status"] == "compile_error"
    return Answer({"runs": edges(shown, totalCount=len(failed))}, short)


@answers("09-reproducible-runs")
def reproducible_runs(raw: Raw, _: Given) -> Answer:
    """Rows with raw evidence whose implementation names public source and an exact revision."""
    found = []
    for run in raw.runs:
        spec = run.code["manifest"]["spec"]
        revision = spec.get("projectRevision", {})
        content = spec.get("source", {}).get("contentDigest")
        exact = content or revision.get("commit") or revision.get("treeDigest")
        public = content or (revision.get("repository") and revision.get("commit"))
        public = public or run.project["manifest"]["spec"].get("repository")
        assert run.row["independentReplicationCount"] < 2
        assert not run.row["reproducedByKernelindex"]
        if run.row["hasRawEvidence"] and exact and public:
            found.append(run)
    found.sort(key=lambda run: (run.at, run.digest))
    shown = [
        {
            "digest": run.digest,
            "evidenceLevel": "REPRODUCIBLE",
            "observedAt": instant(run.at),
            "source": {"slug": run.source["slug"]},
        }
        for run in found[:5]
    ]
    sources = sorted({run.source["slug"] for run in found})
    return Answer(
        {"runs": edges(shown, totalCount=len(found))}, f"{len(found)} runs, all of `{', '.join(sources)}`"
    )


@answers("06-baseline-speedup")
def baseline_speedup(raw: Raw, given: Given) -> Answer:
    """The CSV lines with this kernel, size, GPU and pass; the fastest in the role of a baseline over each."""
    sizes = (("tokens", given["tokens"]), ("vocab", 128256))
    [rows] = [
        rows
        for rows in raw.liger.values()
        if (rows[0].kernel, rows[0].mode, rows[0].gpu, rows[0].axes)
        == ("jsd", "backward", "NVIDIA B200", sizes)
    ]
    roles = {row.external: liger_raw.PROVIDERS[row.provider].get("role") for row in rows}
    baseline = min(row.ns for row in rows if roles[row.external] == "baseline")
    ordered = sorted(rows, key=lambda row: row.ns)
    assert len({row.ns for row in rows}) == len(rows)
    shown = [
        {
            "rank": number,
            "speedupOverBaseline": baseline / row.ns,
            "node": {
                "primary": {"value": row.ns},
                "sourceNative": {"externalId": row.external},
                "submittedAs": {
                    "slug": liger_raw.kebab(f"liger-bench-{row.kernel}-{row.provider}"),
                    "role": roles[row.external],
                },
            },
        }
        for number, row in enumerate(ordered, start=1)
    ]
    protocol = {"name": liger_raw.FACTS["protocols"]["backward"]["name"]}
    best = ordered[0]
    assert best.provider == "liger"
    short = f"Liger's {baseline / best.ns:.2f} times as fast as PyTorch, {best.ns / 1e6:.2f} ms"
    return Answer({"comparisonGroups": edges([{"protocol": protocol, "runs": {"edges": shown}}])}, short)
