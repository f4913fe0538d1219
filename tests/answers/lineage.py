"""What hangs together: shared files, earlier revisions, influence, and what a withdrawal would change."""

from __future__ import annotations

import base64
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from tests.answers.book import Answer, Given, answers
from tests.answers.raw import Raw, Run, code_of, rank
from tests.answers.records import take_over
from tests.data.export_raw import Row


def source_of(code: Row) -> str | None:
    """The content digest of an implementation's source."""
    found: str | None = code["manifest"]["spec"].get("source", {}).get("contentDigest")
    return found


def sharing(raw: Raw) -> dict[str, list[str]]:
    """File -> the implementations that have it as their source, by digest."""
    found: dict[str, list[str]] = defaultdict(list)
    for code in raw.tables["implementations"]:
        if (source := source_of(code)) is not None:
            found[source].append(code["implementationDigest"])
    return {source: sorted(digests) for source, digests in found.items()}


@answers("33-shared-source")
def shared_source(raw: Raw, given: Given) -> Answer:
    """The content digest in the manifests of all implementations; the artifact's own row."""
    [(source, digests)] = [
        (source, digests) for source, digests in sharing(raw).items() if given["implementation"] in digests
    ]
    [artifact] = [row for row in raw.tables["artifacts"] if row["contentDigest"] == source]
    others = [digest for digest in digests if digest != given["implementation"]]
    stated = {"contentDigest": source, "sizeBytes": artifact["sizeBytes"], "license": artifact["license"]}
    data = {"sourceArtifact": stated, "sharesSourceWith": [{"digest": digest} for digest in others]}
    return Answer(
        {"implementation": data}, f"{len(others)} others have the same file of {artifact['sizeBytes']} bytes"
    )


def follows(raw: Raw) -> dict[str, str]:
    """Implementation -> the one before it: same project, operation and targets, by first observation."""
    codes = raw.ids("implementations")
    first: dict[str, str] = {}
    for run in raw.runs:
        key = run.code["id"]
        first[key] = min(first.get(key, run.at), run.at)
    lines: dict[Any, list[tuple[str, str, str | None]]] = defaultdict(list)
    for key, at in first.items():
        code = codes[key]
        targets = frozenset(code["manifest"]["spec"]["support"].get("hardwareArchitectures", []))
        line = lines[code["projectId"], code["operationId"], targets]
        line.append((at, code["implementationDigest"], source_of(code)))
    return {
        later: earlier
        for line in lines.values()
        for (_, earlier, old), (_, later, new) in pairwise(sorted(line, key=lambda each: each[:2]))
        if old is None or old != new
    }


@answers("34-ancestors")
def ancestors(raw: Raw, given: Given) -> Answer:
    """The implementations before it, by the time of their first row, and what their manifests name."""
    codes = {row["implementationDigest"]: row for row in raw.tables["implementations"]}
    operations, projects = raw.ids("operations"), raw.ids("projects")
    before = follows(raw)
    layers: list[set[tuple[str, str]]] = [{("Implementation", given["implementation"])}]
    seen = set(layers[0])
    while layers[-1]:
        reached: set[tuple[str, str]] = set()
        for label, key in layers[-1]:
            if label == "Implementation":
                code = codes[key]
                reached.add(("Operation", operations[code["operationId"]]["semanticDigest"]))
                reached.add(("Project", projects[code["projectId"]]["slug"]))
                reached |= {("Artifact", source) for source in [source_of(code)] if source}
                reached |= {("Implementation", before[key]) for key in [key] if key in before}
        layers.append(reached - seen)
        seen |= reached
    by_digest = {row["semanticDigest"]: row["slug"] for row in raw.tables["operations"]}
    shown = {
        "Implementation": lambda key: {"__typename": "ImplementationRevision", "digest": key},
        "Operation": lambda key: {"__typename": "OperationSpec", "slug": by_digest[key]},
        "Project": lambda key: {"__typename": "SoftwareProject", "projectSlug": key},
        "Artifact": lambda key: {"__typename": "EvidenceArtifact", "contentDigest": key},
    }
    nodes = [shown[label](key) for layer in layers for label, key in sorted(layer)]
    data = {"ancestors": {"truncated": False, "nodes": nodes}}
    earlier = sum(label == "Implementation" for label, _ in seen) - 1
    [project] = [key for label, key in seen if label == "Project"]
    return Answer(
        {"implementation": data}, f"{earlier} earlier revisions by `{project}`, each a file of its own"
    )


# -- influence ----------------------------------------------------------------------------------------

DAMPING = 0.85


def votes(raw: Raw) -> tuple[list[Any], list[tuple[Any, Any]], list[tuple[Any, Any]]]:
    """All implementations, Liger's by their parts; who beat whom; who follows whom."""
    beaten: list[tuple[Any, Any]] = [
        (raw.by_id[e["runId"]].implementation, raw.by_id[e["previousRunId"]].implementation)
        for e in raw.tables["record_events"]
        if take_over(raw, e)
    ]
    for rows in raw.liger.values():
        best = None
        for row in sorted(rows, key=lambda row: (row.stamp, row.ns)):
            if best is None or row.ns < best.ns:
                if best is not None and code_of(row) != code_of(best):
                    beaten.append((code_of(row), code_of(best)))
                best = row
    nodes = [row["implementationDigest"] for row in raw.tables["implementations"]]
    return [*nodes, *{code_of(row) for row in raw.liger_rows}], beaten, list(follows(raw).items())


@answers("35-influence")
def influence(raw: Raw, _: Given) -> Answer:
    """PageRank by plain iteration, over the take-overs and derivations that the rows of all files give."""
    nodes, beaten, derived = votes(raw)
    place = {node: number for number, node in enumerate(nodes)}
    weight: dict[tuple[int, int], int] = Counter()
    for voter, chosen in [*((lost, won) for won, lost in beaten), *derived]:
        weight[place[voter], place[chosen]] += 1
        weight[place[chosen], place[chosen]] += 1
    out = [0] * len(nodes)
    for (voter, _chosen), count in weight.items():
        out[voter] += count
    score = [1 / len(nodes)] * len(nodes)
    change = 1.0
    while change > 1e-14:
        idle = sum(value for value, count in zip(score, out, strict=True) if not count)
        fresh = [(1 - DAMPING + DAMPING * idle) / len(nodes)] * len(nodes)
        for (voter, chosen), count in weight.items():
            fresh[chosen] += DAMPING * score[voter] * count / out[voter]
        change = sum(abs(a - b) for a, b in zip(score, fresh, strict=True))
        score = fresh
    exact = {node: round(value, 11) for node, value in zip(nodes, score, strict=True)}
    ranks = {value: number for number, value in enumerate(sorted(set(exact.values()), reverse=True), start=1)}
    won, lost = Counter(one for one, _ in beaten), Counter(other for _, other in beaten)
    later = Counter(earlier for _, earlier in derived)
    top = sorted(nodes, key=lambda node: (-exact[node], str(node)))[:5]
    assert all(isinstance(node, str) for node in top)  # Liger's have no digest here
    shown = [
        {
            "rank": ranks[exact[node]],
            "score": pytest.approx(exact[node], abs=2e-9),
            "takeOvers": won[node],
            "losses": lost[node],
            "successors": later[node],
            "implementation": {"digest": node},
        }
        for node in top
    ]
    [first] = [row for row in raw.tables["implementations"] if row["implementationDigest"] == top[0]]
    short = f"those of `{first['slug']}`, which took {won[top[0]]} records and lost {lost[top[0]]}"
    return Answer({"influence": shown}, short)


# -- withdrawal ---------------------------------------------------------------------------------------


def history(runs: Iterable[Run]) -> list[tuple[str, str, str | None]]:
    """(instant, run, run before) of each record, the export's rule replayed over rows."""
    found: list[tuple[str, str, str | None]] = []
    best: Run | None = None
    for run in sorted((r for r in runs if not r.reasons), key=lambda r: (r.at, r.value, r.digest)):
        if best is None or run.value < best.value:
            found.append((run.at, run.digest, best.digest if best else None))
            best = run
    return found


@answers("36-blast-radius")
def blast_radius(raw: Raw, given: Given) -> Answer:
    """The rows of all implementations with this file; leaders and records of their groups without them."""
    file = given["artifact"]
    gone = {
        run.digest
        for run in raw.runs
        if source_of(run.code) == file or file in str(run.row["manifest"]["run"]["spec"].get("evidence"))
    }
    keys = sorted({raw.by_digest[digest].key for digest in gone})
    changes, lost, gained = [], 0, 0
    for key in keys:
        rest = [run for run in raw.groups[key] if run.digest not in gone]
        board = rank(run for run in rest if not run.reasons)
        before, after = raw.leader(key), board[0].run if board else None
        if before is not after:
            pair = {
                "before": before and {"digest": before.digest},
                "after": after and {"digest": after.digest},
            }
            changes.append({"group": {"key": key}, **pair})
        old, new = set(history(raw.groups[key])), set(history(rest))
        lost += len(old - new)
        gained += len(new - old)
    data = {
        "runCount": len(gone),
        "implementationCount": len({raw.by_digest[digest].implementation for digest in gone}),
        "groupCount": len(keys),
        "leaderChangeCount": len(changes),
        "eventsLostCount": lost,
        "eventsGainedCount": gained,
        "leaderChanges": changes,
    }
    short = f"{len(gone)} runs on {len(keys)} boards: {len(changes)} would have another leader, "
    return Answer({"blastRadius": data}, f"{short}{lost} records would go and {gained} come")


@answers("37-path-between")
def path_between(raw: Raw, given: Given) -> Answer:
    """The content digests in both manifests are one; their projects are two."""
    ends = [base64.b64decode(given[name]).decode().partition(":")[2] for name in ("from", "to")]
    codes = {row["implementationDigest"]: row for row in raw.tables["implementations"]}
    one, other = (codes[digest] for digest in ends)
    source = source_of(one)
    assert source is not None
    assert source == source_of(other)
    assert one["projectId"] != other["projectId"]
    file = base64.b64encode(f"EvidenceArtifact:{source}".encode()).decode()
    has = {"relation": "HAS_SOURCE", "provenance": "manifest"}
    data = {
        "nodes": [{"id": given["from"]}, {"id": file, "contentDigest": source}, {"id": given["to"]}],
        "edges": [{"from": given["from"], "to": file, **has}, {"from": given["to"], "to": file, **has}],
    }
    return Answer({"pathBetween": data}, f"two authors handed in one file, `{source[7:15]}`")
