"""Records and lineage of the public export and Liger's three files, against the raw rows of the export."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby, pairwise
from typing import Any

import pytest

from catalog.api.node import global_id
from catalog.domain.instants import print_instant
from catalog.read import Snapshots
from catalog.read.overview import overview
from catalog.read.record_lists import leads
from graph.store import Store
from tests.api.lineage_made import ask
from tests.data.export_raw import Tables, by

pytestmark = [pytest.mark.real_data, pytest.mark.slow]

LIGER = "liger-kernel-bench"


@pytest.fixture(scope="module")
def snapshots(full: Store) -> Snapshots:
    return Snapshots(full)


async def test_the_ledger_is_that_of_the_export(export: Tables, snapshots: Snapshots) -> None:
    ledger = await overview(await snapshots.current()).ledger()
    digest = {row["id"]: row["runDigest"] for row in export["benchmark_runs"]}
    code = {row["id"]: row["implementationId"] for row in export["benchmark_runs"]}
    exported = [row for row in export["record_events"] if row["previousRunId"] is not None]
    found = [entry for entry in ledger.entries if entry.subject.source != LIGER]
    assert Counter((e.group, e.event.run, e.event.previous) for e in found) == Counter(
        (row["comparisonKey"], digest[row["runId"]], digest.get(row["previousRunId"]))
        for row in export["record_events"]
    )
    within = sum(code[row["runId"]] == code[row["previousRunId"]] for row in exported)
    assert (len(export["record_events"]), len(exported), within) == (2948, 1120, 179)
    assert sum(entry.take_over for entry in found) == 1120 - 179
    liger = [entry for entry in ledger.entries if entry.subject.source == LIGER]
    successions = [entry for entry in liger if entry.previous is not None]
    assert (len(liger), len(successions)) == (961, 199)
    assert sum(not entry.take_over for entry in successions) == 26


async def test_the_leads_are_those_of_a_replay_of_the_raw_events(
    export: Tables, snapshots: Snapshots
) -> None:
    project = {row["id"]: row["slug"] for row in export["projects"]}
    code = {row["id"]: project[row["projectId"]] for row in export["implementations"]}
    runs = by("id", export["benchmark_runs"])
    held: dict[str, Counter[str]] = defaultdict(Counter)
    leader: dict[str, tuple[str, str]] = {}
    ordered = sorted(export["record_events"], key=lambda row: row["at"])
    for at, together in groupby(ordered, key=lambda row: row["at"]):
        for row in together:
            run = runs[row["runId"]]
            on = run["manifest"]["environment"]["spec"]["hardware"]["architecture"]
            held[on][code[run["implementationId"]]] += 1
            if row["previousRunId"] is not None:
                held[on][code[runs[row["previousRunId"]]["implementationId"]]] -= 1
        for on, counts in held.items():
            most = max(counts.values())
            if on not in leader or counts[leader[on][0]] < most:
                leader[on] = (min(slug for slug, count in counts.items() if count == most), at)
    only_exported = {"gfx942", "gfx950", "unknown"}  # Liger has no runs there
    found = {each.architecture: each for each in await leads(await snapshots.current(), None, None)}
    assert only_exported <= found.keys()
    for on in only_exported:
        lead = found[on].lead
        assert (lead.leader, print_instant(lead.since or "")) == leader[on]
        assert dict(lead.shares) == +held[on]
        assert found[on].records == held[on].total()


async def test_revisions_follow_each_other_as_the_raw_rows_say(export: Tables, snapshots: Snapshots) -> None:
    codes = by("id", export["implementations"])
    first: dict[str, str] = {}
    for run in export["benchmark_runs"]:  # all spelt with milliseconds, so text order is time order
        key = codes[run["implementationId"]]["implementationDigest"]
        first[key] = min(first.get(key, run["observedAt"]), run["observedAt"])
    lines: dict[Any, list[tuple[str, str, str | None]]] = defaultdict(list)
    for row in codes.values():
        spec, key = row["manifest"]["spec"], row["implementationDigest"]
        if key in first:
            targets = tuple(sorted(set(spec["support"].get("hardwareArchitectures", []))))
            line = lines[row["projectId"], spec["operation"]["specDigest"], targets]
            line.append((first[key], key, spec.get("source", {}).get("contentDigest")))
    expected = {
        (later[1], earlier[1])
        for line in lines.values()
        for earlier, later in pairwise(sorted(line, key=lambda entry: entry[:2]))
        if earlier[2] is None or earlier[2] != later[2]
    }
    graph = await overview(await snapshots.current()).projection()
    follows = {(edge.start[1], edge.end[1]) for edge in graph.edges if edge.relation == "FOLLOWS"}
    assert follows == expected
    assert len(expected) == 2132


async def test_from_any_of_the_31_that_share_a_file_the_30_others_are_found(
    export: Tables, full: Store, snapshots: Snapshots
) -> None:
    sharing: dict[str, list[str]] = defaultdict(list)
    for row in export["implementations"]:
        if (source := row["manifest"]["spec"].get("source", {}).get("contentDigest")) is not None:
            sharing[source].append(row["implementationDigest"])
    _, most = max((len(digests), sorted(digests)) for digests in sharing.values())
    assert len(most) == 31
    text = "query ($d: Digest!) { implementation(digest: $d) { sharesSourceWith { digest } } }"
    for digest in most:
        found = await ask(full, text, snapshots, d=digest)
        others = [each["digest"] for each in found["implementation"]["sharesSourceWith"]]
        assert others == [other for other in most if other != digest]


async def test_ten_steps_around_the_most_connected_node_are_few_statements(full: Store) -> None:
    graph = await overview(await Snapshots(full).current()).projection()
    degrees = Counter(node for edge in graph.edges for node in (edge.start, edge.end))
    [((label, key), degree)] = degrees.most_common(1)
    assert (label, degree) == ("Operation", 326)
    text = """query ($id: ID!) { lineage(id: $id, depth: 10) { truncated
      nodes { __typename id ... on ImplementationRevision { slug language } ... on SoftwareProject { name } }
      edges { from to relation provenance } } }"""
    before = full.statements
    found = (await ask(full, text, id=global_id("OperationSpec", key)))["lineage"]
    assert full.statements - before <= 6
    assert found["truncated"] is True
    assert len(found["nodes"]) == 500
    ids = {node["id"] for node in found["nodes"]}
    assert len(ids) == 500
    assert all(edge["from"] in ids and edge["to"] in ids for edge in found["edges"])
