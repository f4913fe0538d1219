"""Search and resolve: what is there, what should I use, and what comes near."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from tests.answers.book import Answer, Given, answers
from tests.answers.raw import Raw, architecture_of, code_of, edges
from tests.data import liger_raw


def words(text: str) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", text.lower()))


def listed(slugs: Iterable[str]) -> str:
    return ", ".join(f"`{slug}`" for slug in slugs)


@answers("11-search-words")
def search_words(raw: Raw, given: Given) -> Answer:
    """Operations of the family `rmsnorm` among those of the rows on a B200 whose tensors include bf16."""
    assert given["query"] == "rmsnorm gpu:B200 dtype:bf16"
    family = {
        run.operation["slug"]
        for run in raw.runs
        if run.row["hardwareModel"] == "NVIDIA B200"
        and "bf16" in run.dtypes
        and run.operation["family"] == "rmsnorm"
    }
    shown = [{"slug": slug, "family": "rmsnorm"} for slug in sorted(family)[:8]]
    assert len(shown) == 8
    short = f"{len(family)} operations of the family, from `{min(family)}` to `{max(family)}`"
    return Answer({"search": {"issues": [], **edges(shown)}}, short)


@answers("12-search-range")
def search_range(raw: Raw, given: Given) -> Answer:
    """Operations whose family begins so, among rows on sm_100 with such a case or constant."""
    assert given["query"] == "op:gqa arch:sm_100 num_kv_heads>=8"
    met = {
        run.operation["slug"]: run.operation["family"]
        for run in raw.runs
        if run.operation["family"].startswith("gqa")
        and run.architecture == "sm_100"
        and any(case.get("num_kv_heads", 0) >= 8 for case in run.cases)
    }
    shown = [{"slug": slug, "family": met[slug]} for slug in sorted(met)]
    axes = [{"name": "num_kv_heads", "operator": "GTE", "value": 8}]
    intent = {"operation": "gqa", "architecture": "sm_100", "axes": axes}
    assert len(shown) == 3
    return Answer(
        {"search": {"intent": intent, "issues": [], **edges(shown)}}, f"{len(met)}: {listed(sorted(met))}"
    )


@answers("13-search-typo")
def search_typo(raw: Raw, given: Given) -> Answer:
    """Operations with the word in slug, alias, title, family or tag, by slug."""
    assert given["query"] == "rmsnrm"
    texts = {row["id"]: [row["slug"], row["family"], row["name"]] for row in raw.tables["operations"]}
    for row in raw.tables["operations"]:
        texts[row["id"]] += [row["manifest"]["metadata"].get("title", ""), *row.get("tags", [])]
    for row in raw.tables["operation_aliases"]:
        texts[row["operationId"]].append(row["alias"])
    operations = raw.ids("operations")
    having = {operations[key]["slug"] for key, own in texts.items() if "rmsnorm" in words(" ".join(own))}
    matched = ["typo:rmsnrm"]
    issue = {"token": "rmsnrm", "message": "no such word here; taken for `rmsnorm`", "suggestion": "rmsnorm"}
    shown = [{"matched": matched, "node": {"slug": slug}} for slug in sorted(having)[:5]]
    return Answer(
        {"search": {"issues": [issue], "edges": shown}}, "it is taken for `rmsnorm`, and an issue says so"
    )


@answers("14-search-axis-names")
def search_axis_names(raw: Raw, given: Given) -> Answer:
    """Lines of the CSV files of that family and size; operations of the family with the longer axis name."""
    assert given["query"] == "hidden>=4096 family:rmsnorm"
    axes = [set(o["manifest"]["spec"]["axes"]) for o in raw.tables["operations"] if o["family"] == "rmsnorm"]
    assert not any("hidden" in names for names in axes)
    others = sum("hidden_size" in names for names in axes)
    own = {
        liger_raw.operation_slug(row.kernel)
        for row in raw.liger_rows
        if liger_raw.KERNELS[row.kernel]["family"] == "rmsnorm" and dict(row.axes).get("hidden", 0) >= 4096
    }
    issue = {
        "token": "hidden>=4096",
        "message": f"`hidden` is an axis of {len(own)} operations here; "
        f"others have it as `hidden_size` in {others} operations",
        "suggestion": "hidden_size>=4096",
    }
    assert len(own) == 3
    shown = edges({"slug": slug} for slug in sorted(own))
    return Answer(
        {"search": {"issues": [issue], **shown}},
        f"{listed(sorted(own))}; an issue names `hidden_size`, which {others} operations have",
    )


@answers("15-search-installable")
def search_installable(raw: Raw, given: Given) -> Answer:
    """The providers of the CSV lines that have a package and such a licence; no row of the export has one."""
    assert given["query"] == "license:permissive installable:true"
    assert not any(row["installable"] for row in raw.tables["implementations"])
    ready = [row for row in raw.liger_rows if "pipPackage" in liger_raw.PROVIDERS[row.provider]]
    assert {liger_raw.PROVIDERS[row.provider]["concluded"] for row in ready} == {"BSD-2-Clause"}
    codes = {code_of(row) for row in ready}
    slugs = {liger_raw.operation_slug(row.kernel) for row in ready}
    projects = {liger_raw.PROVIDERS[row.provider]["project"] for row in ready}
    shown = edges(
        ({"slug": slug} for slug in sorted(slugs)[:3]), totalCount=len(codes) + len(slugs) + len(projects)
    )
    short = f"{len(codes)} implementations of {len(slugs)} operations, all of `{', '.join(projects)}`"
    return Answer({"search": shown}, short)


@answers("16-unknown-architecture")
def unknown_architecture(raw: Raw, given: Given) -> Answer:
    """Rows on that GPU without an architecture."""
    assert given["query"] == "gpu:B200 arch:sm_100"
    places = [run.architecture for run in raw.runs if run.row["hardwareModel"] == "NVIDIA B200"]
    bare = places.count("unknown")
    message = f"{bare} runs on this GPU have no architecture recorded; `arch:` is exact and leaves them out"
    issue = {"token": "arch:sm_100", "message": message, "suggestion": None}
    places += [architecture_of(row) for row in raw.liger_rows if row.gpu == "NVIDIA B200"]
    return Answer({"search": {"issues": [issue]}}, f"{bare:,} of {len(places):,}")


def boards(raw: Raw, operation: str, rows: float | None = None) -> list[str]:
    """The keys of an operation's groups (with so many rows), largest first, then by key."""
    found = []
    for key, runs in raw.groups.items():
        run = runs[0]
        if run.operation["slug"] == operation and rows in (None, run.cases[0]["m"]):
            assert run.row["hardwareModel"] == "NVIDIA B200"
            found.append(key)
    return sorted(found, key=lambda key: (-len(raw.groups[key]), key))


@answers("17-resolve-fastest")
def resolve_fastest(raw: Raw, given: Given) -> Answer:
    """The sorted rows of that operation and size; whether their columns say installable."""
    [key] = boards(raw, given["operation"], given["rows"])
    board = raw.boards[key]
    assert len(board) == len(raw.groups[key])
    assert not any(each.run.row["installable"] for each in board)
    shown = [
        {
            "rank": each.rank,
            "excluded": [],
            "run": {"digest": each.run.digest, "primary": {"value": each.run.value}},
        }
        for each in board
    ]
    data = {
        "match": "EXACT_OBSERVED",
        "groups": [{"key": key, "size": len(board)}],
        "bestVerified": None,
        "bestDeployable": None,
        "alternatives": shown,
        "unresolved": ["dtypes", "architecture", "protocol"],
    }
    best = board[0].run
    short = f"`{best.code['slug']}` with {best.value / 1e3:.2f} µs; none of the {len(board)} can be installed"
    return Answer({"resolve": data}, short)


@answers("18-resolve-installable")
def resolve_installable(raw: Raw, given: Given) -> Answer:
    """Lines of the CSV files of that kernel, size, GPU and pass; which providers have a package."""
    sizes = (("tokens", 16384), ("vocab", 131072))
    [rows] = [
        rows
        for rows in raw.liger.values()
        if (rows[0].kernel, rows[0].mode, rows[0].axes) == ("cross_entropy", "forward", sizes)
        and liger_raw.FACTS["hardware"][rows[0].gpu]["product"] == given["product"]
    ]
    ordered = sorted(rows, key=lambda row: row.ns)
    packages = [liger_raw.PROVIDERS[row.provider].get("pipPackage") for row in ordered]
    place = next(number for number, package in enumerate(packages) if package)
    chosen = ordered[place]
    assert liger_raw.PROVIDERS[chosen.provider]["concluded"] == "BSD-2-Clause"
    assert "Apache-2.0" in {liger_raw.PROVIDERS[row.provider]["declared"] for row in ordered}
    run = {
        "primary": {"value": chosen.ns, "unit": "ns"},
        "sourceNative": {"externalId": chosen.external},
        "implementation": {"installs": [{"kind": "PIP", "package": packages[place]}]},
    }
    data = {
        "match": "EXACT_OBSERVED",
        "bestDeployable": {"reasons": ["DEPLOYABLE", f"RANK_{place + 1}"], "run": run},
        "alternatives": [
            {
                "rank": number,
                "excluded": [] if package else ["NO_INSTALL_RECIPE"],
                "run": {"sourceNative": {"externalId": row.external}},
            }
            for number, (row, package) in enumerate(zip(ordered, packages, strict=True), start=1)
        ],
    }
    short = f"`pip install {packages[place]}`: {chosen.ns / 1e6:.2f} ms, rank {place + 1} of {len(ordered)}"
    return Answer({"resolve": data}, short)


@answers("19-resolve-sweep")
def resolve_sweep(raw: Raw, given: Given) -> Answer:
    """For each size the rows of that operation and size, sorted."""
    found, told = [], []
    for request in given["requests"]:
        [axis] = request["axes"]
        met = boards(raw, request["operation"], axis["value"])
        groups: list[dict[str, Any]] = []
        for key in met:
            best = raw.leader(key)
            leader = best and {"digest": best.digest, "primary": {"value": best.value}}
            groups.append({"size": len(raw.groups[key]), "leader": leader})
        values = [group["leader"]["primary"]["value"] for group in groups if group["leader"]]
        found.append({"match": "EXACT_OBSERVED" if values else "NEAR", "groups": groups})
        told.append(f"{axis['value']:,} rows " + (f"in {min(values) / 1e3:.2f} µs" if values else "not"))
    return Answer({"resolveMany": found}, "; ".join(told))


@answers("20-resolve-bracket")
def resolve_bracket(raw: Raw, given: Given) -> Answer:
    """The nearest sizes below and above among rows that are ranked."""
    measured = {
        run.cases[0]["m"]: run.workload["workloadDigest"]
        for key in boards(raw, given["operation"])
        if raw.boards[key]
        for run in raw.groups[key]
    }
    assert given["rows"] not in measured
    below = max(size for size in measured if size < given["rows"])
    above = min(size for size in measured if size > given["rows"])
    bracket = {
        "axis": "m",
        "requested": given["rows"],
        "below": {"value": below, "workload": {"digest": measured[below]}},
        "above": {"value": above, "workload": {"digest": measured[above]}},
    }
    return Answer(
        {"resolve": {"match": "NEAR", "bracket": bracket}},
        f"{below} and {above} rows; nothing is made up for {given['rows']}",
    )


@answers("21-resolve-near")
def resolve_near(raw: Raw, given: Given) -> Answer:
    """The leaders of the operation's groups: fewest differences first, then the nearest sizes."""
    assert not any(run.row["hardwareModel"] == given["product"] for run in raw.runs)
    near = []
    for key in boards(raw, given["operation"]):
        leader = raw.leader(key)
        if leader is None:
            continue
        size = leader.cases[0]["m"]
        mismatches: list[dict[str, str]] = []
        if size != given["rows"]:
            mismatches.append({"field": "axes.m", "requested": str(given["rows"]), "observed": str(size)})
        product = leader.row["hardwareModel"]
        mismatches.append({"field": "product", "requested": given["product"], "observed": product})
        apart = abs(math.log(size / given["rows"]))
        match: dict[str, Any] = {"run": {"digest": leader.digest}, "mismatches": mismatches}
        near.append((len(mismatches), apart, key, match))
    near.sort(key=lambda each: each[:3])
    token = given["product"]
    issue = {"token": token, "message": "no environment has this product", "suggestion": "NVIDIA H100"}
    data = {"match": "NEAR", "nearMatches": [each[3] for each in near[:20]], "issues": [issue]}
    assert near[0][0] == 1
    return Answer({"resolve": data}, "the same size on a B200; only the GPU differs")
