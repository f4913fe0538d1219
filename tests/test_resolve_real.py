"""Resolving the real data, against answers worked out from the raw files alone.

The public export and the three Liger files are imported once; what is expected is computed from the rows of
the export and the lines of the CSVs, never from the graph.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from catalog.domain.resolve_request import request_of
from catalog.domain.resolve_types import Match, Request, Resolution
from catalog.read import Snapshot, Snapshots
from catalog.read.resolve import MOST_REQUESTS, resolve_many
from graph import Store
from tests.data.export_raw import Row, Tables
from tests.data.liger_raw import PROVIDERS, groups

pytestmark = [pytest.mark.real_data, pytest.mark.slow]

REQUESTS = int(os.environ.get("CATALOG_TEST_REQUESTS", "1000"))
COLUMNS = ("runDigest", "primaryValue", "hasRawEvidence", "observedAt", "installable")
Axes = dict[str, float]


@pytest.fixture(scope="module")
async def snapshot(full: Store) -> Snapshot:
    return await Snapshots(full).current()


async def answers(snapshot: Snapshot, requests: list[Request]) -> list[Resolution]:
    found = []
    for start in range(0, len(requests), MOST_REQUESTS):
        found += await resolve_many(snapshot, requests[start : start + MOST_REQUESTS])
    return found


# -- leaders and best deployable ------------------------------------------------------------------


class Entry(NamedTuple):
    """A ranked run: name, value (lower is better), raw evidence or not, when, installable or not."""

    name: str
    value: float
    evidence: bool
    observed: str
    deployable: bool


def best(entries: Iterable[Entry]) -> set[str]:
    """Names of those that may come first: the least value, then the better evidence, then the newest."""
    ranked = list(entries)
    if not ranked:
        return set()
    least = min(entry.value for entry in ranked)
    first = max((entry.evidence, entry.observed) for entry in ranked if entry.value == least)
    return {e.name for e in ranked if e.value == least and (e.evidence, e.observed) == first}


PLACES = """
MATCH (g:ComparisonGroup)<-[:IN_GROUP]-(r:Run)
MATCH (g)-[:FOR_ENVIRONMENT]->(e:Environment) MATCH (g)-[:FOR_WORKLOAD]->(w:Workload)
RETURN g.key AS key, g.operation AS operation, g.protocol AS protocol, e.product AS product,
  e.architecture AS architecture, w.manifest AS workload, r.digest AS run, r.source AS source,
  r.manifest AS manifest
"""


@pytest.fixture(scope="module")
async def places(snapshot: Snapshot) -> dict[str, list[Row]]:
    """Every group with the rows of its runs: to ask about each, and to name runs as the raw files do."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in await snapshot.store.read(PLACES):
        found[row["key"]].append(row)
    return found


def request_for(row: Row) -> Request:
    spec = json.loads(row["workload"])["spec"]
    axes = spec["axes"] if "axes" in spec else spec["cases"][0]["axes"]
    known = None if row["architecture"] == "unknown" else row["architecture"]
    return request_of(
        row["operation"],
        axes=list(axes.items()),
        product=row["product"],
        architecture=known,
        protocol=row["protocol"],
    )


def raw_name(row: Row) -> str:
    """A run as the raw files name it: its digest in the export, its external id in Liger's."""
    if row["source"] != "liger-kernel-bench":
        return str(row["run"])
    return str(json.loads(row["manifest"])["spec"]["sourceNative"]["externalId"])


async def test_leader_and_best_deployable_of_every_group(
    snapshot: Snapshot, places: dict[str, list[Row]], export: Tables, csvs: list[Path]
) -> None:
    raw: dict[str, list[Entry]] = defaultdict(list)
    for row in export["benchmark_runs"]:
        if row["status"] == "passed" and row["primaryValue"] is not None and row["retractedAt"] is None:
            assert row["primaryMetric"] in ("latency", "score")
            entry = Entry(*(row[name] for name in COLUMNS))
            raw[row["comparisonKey"]].append(entry)
    key_of = {raw_name(row): key for key, rows in places.items() for row in rows}
    assert len(key_of) == sum(map(len, places.values()))
    liger = groups(csvs)
    for rows in liger.values():
        [key] = {key_of[each.external] for each in rows}
        raw[key] = [
            Entry(each.external, each.ns, False, each.stamp, "pipPackage" in PROVIDERS[each.provider])
            for each in rows
        ]
    assert sum(map(len, liger.values())) + len(export["benchmark_runs"]) == len(key_of)

    requests = {key: request_for(rows[0]) for key, rows in places.items()}
    found = dict(zip(requests, await answers(snapshot, list(requests.values())), strict=True))
    names = {row["run"]: raw_name(row) for rows in places.values() for row in rows}
    counted: Counter[str] = Counter()
    for key, resolution in found.items():
        keys = [group.key for group in resolution.groups]
        assert key in keys
        assert keys == sorted(keys, key=lambda each: (-len(places[each]), each))
        firsts: dict[str, str] = {}
        for alternative in resolution.alternatives:
            if alternative.group is not None and alternative.rank is not None:
                firsts.setdefault(alternative.group, names[alternative.run])
        if key in firsts or not resolution.truncated:
            assert ({firsts[key]} if key in firsts else set()) <= best(raw[key])
            assert bool(raw[key]) == (key in firsts)
        deployable = next((each for k in keys if (each := best(e for e in raw[k] if e.deployable))), set())
        chosen = resolution.best_deployable
        assert (set() if chosen is None else {names[chosen.run]}) <= deployable
        assert (chosen is not None) == bool(deployable)
        assert resolution.best_verified is None
        assert resolution.match is (Match.EXACT_OBSERVED if any(raw[k] for k in keys) else resolution.match)
        counted["deployable" if chosen else "none"] += 1
        counted["one group" if len(keys) == 1 else "several groups"] += 1
    assert len(found) == 1_912 + len(liger)
    assert counted["deployable"] > 0
    assert counted["several groups"] > 0


# -- brackets -------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """A measured case: its operation, axes (stated, else constants), and where it was measured."""

    digest: str
    operation: str
    axes: Axes
    places: frozenset[tuple[str, str]]


def measured(export: Tables) -> list[Measured]:
    """The cases of the export with a run that is ranked."""
    constants = {
        row["semanticDigest"]: {
            name: axis["value"]
            for name, axis in row["manifest"]["spec"]["axes"].items()
            if axis["role"] == "constant"
        }
        for row in export["operations"]
    }
    ranked: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in export["benchmark_runs"]:
        if row["status"] == "passed" and row["primaryValue"] is not None:
            ranked[row["workloadId"]].add((row["hardwareModel"], row["hardwareArchitecture"]))
    found = []
    for row in export["workloads"]:
        spec = row["manifest"]["spec"]
        if row["manifest"]["kind"] == "WorkloadCase" and row["id"] in ranked:
            operation = spec["operationSpecDigest"]
            axes = constants[operation] | spec["axes"]
            found.append(Measured(row["workloadDigest"], operation, axes, frozenset(ranked[row["id"]])))
    return found


def nearest(
    cases: list[Measured], axes: Axes, place: tuple[str, str]
) -> dict[str, tuple[tuple[float, str] | None, tuple[float, str] | None]]:
    """Axis -> the nearest cases that differ in it alone, below and above; none when one does not differ."""
    below: dict[str, list[tuple[float, str]]] = defaultdict(list)
    above: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for case in cases:
        if place not in case.places:
            continue
        differing = [name for name, value in axes.items() if case.axes.get(name) != value]
        if not differing:
            return {}
        if len(differing) == 1 and differing[0] in case.axes:
            [name] = differing
            side = below if case.axes[name] < axes[name] else above
            side[name].append((case.axes[name], case.digest))
    return {
        name: (
            min(below[name], key=lambda each: (-each[0], each[1])) if below[name] else None,
            min(above[name]) if above[name] else None,
        )
        for name in sorted(below.keys() | above.keys())
    }


def changed(case: Measured, values: dict[str, list[float]], count: int, chance: random.Random) -> Axes:
    """The axes of a case with some changed: halved, doubled, moved by one, or another case's value."""
    axes = dict(case.axes)
    for name in chance.sample(sorted(axes), count):
        value = axes[name]
        others = [each for each in values[name] if each != value]
        axes[name] = chance.choice([value // 2, value * 2, value + 1, value - 1, *others[:4]])
        if axes[name] == value:
            axes[name] = value + 3
    return axes


@pytest.mark.parametrize("count", [1, 2])
async def test_brackets_of_random_requests(snapshot: Snapshot, export: Tables, count: int) -> None:
    cases = measured(export)
    by_operation: dict[str, list[Measured]] = defaultdict(list)
    for case in cases:
        by_operation[case.operation].append(case)
    chance = random.Random(f"brackets of {count}")
    asked: list[tuple[Measured, Axes, tuple[str, str]]] = []
    while len(asked) < REQUESTS:
        case = chance.choice(cases)
        place = min(case.places)
        if len(case.axes) >= count and place[1] != "unknown":
            values: dict[str, list[float]] = defaultdict(list)
            for other in by_operation[case.operation]:
                for name, value in other.axes.items():
                    values[name].append(value)
            asked.append((case, changed(case, values, count, chance), place))
    requests = [
        request_of(case.operation, axes=list(axes.items()), product=place[0], architecture=place[1])
        for case, axes, place in asked
    ]
    seen: Counter[str] = Counter()
    for (case, axes, place), answer in zip(asked, await answers(snapshot, requests), strict=True):
        expected = nearest(by_operation[case.operation], axes, place)
        found = {
            bracket.axis: (
                bracket.below and (bracket.below.value, bracket.below.workload),
                bracket.above and (bracket.above.value, bracket.above.workload),
            )
            for bracket in answer.brackets
        }
        assert found == expected
        assert all(bracket.requested == axes[bracket.axis] for bracket in answer.brackets)
        sides = [sum(side is not None for side in found[bracket.axis]) for bracket in answer.brackets]
        assert sides == sorted(sides, reverse=True)
        seen[f"{len(found)} axes"] += 1
        assert answer.match is not Match.NONE
        if count == 1:
            changed_axis = next(name for name in axes if axes[name] != case.axes[name])
            exact = any(
                other.axes == axes and place in other.places for other in by_operation[case.operation]
            )
            assert exact or changed_axis in found
        if not found:
            seen["no claim"] += 1
    if count == 2:  # a case from which the request differs in two axes gives no bracket by itself
        assert seen["no claim"] > REQUESTS // 2
    else:
        assert seen["1 axes"] > REQUESTS // 2
