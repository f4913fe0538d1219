"""Small catalogs made on the spot: manifests and facts with as few words as possible."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from catalog.domain.facts import Statement
from catalog.domain.identity import load_canonical
from catalog.domain.manifests import API_VERSION, Manifest, validate
from catalog.ingest.pipeline import import_paths
from catalog.ingest.sources import catalog_export as lines
from graph.store import Store

Item = Manifest | Statement

SOURCE = "bench"


def manifest(kind: str, name: str, spec: dict[str, Any], **metadata: Any) -> Manifest:
    return validate(
        {
            "apiVersion": API_VERSION,
            "kind": kind,
            "metadata": {"name": name, "title": name.title()} | metadata,
            "spec": spec,
        }
    )


def operation(name: str, family: str = "sums", **constants: int) -> Manifest:
    fixed = {n: {"role": "constant", "type": "integer", "value": v} for n, v in constants.items()}
    tensor = {"shape": ["n"], "dtype": "fp32"}
    return manifest(
        "OperationSpec",
        name,
        {
            "family": family,
            "axes": {"n": {"role": "variable", "type": "integer"}} | fixed,
            "inputs": [{"name": "x", "tensor": tensor}],
            "outputs": [{"name": "y", "tensor": tensor}],
            "semantics": {"mutation": "none", "determinism": "deterministic"},
        },
    )


def case(of: Manifest, **axes: int) -> Manifest:
    name = "-".join([of.metadata["name"], *(f"{n}{v}" for n, v in axes.items())])
    spec = {
        "operationSpecDigest": of.digest,
        "axes": axes,
        "tensors": {"x": {"shape": [axes.get("n", 1)], "dtype": "fp32"}},
        "scalars": {"a": {"dtype": "fp32", "value": 2.5}},
        "correctness": {"comparator": "allclose", "maxAbsoluteError": 0.001},
    }
    return manifest("WorkloadCase", name, spec)


def suite(of: Manifest, *cases: dict[str, int]) -> Manifest:
    spec = {
        "operationSpecDigest": of.digest,
        "cases": [{"externalId": f"case-{n}", "axes": axes} for n, axes in enumerate(cases)],
        "correctness": {"comparator": "allclose"},
        "aggregation": {"metric": "score", "statistic": "geomean"},
    }
    return manifest("WorkloadSuite", f"{of.metadata['name']}-suite", spec)


def protocol(name: str, statistic: str = "median") -> Manifest:
    measurement = {"timer": "cuda_events", "primaryStatistic": statistic}
    return manifest("BenchmarkProtocol", name, {"harness": {"name": "bench"}, "measurement": measurement})


def environment(product: str, architecture: str) -> Manifest:
    hardware = {"vendor": "nvidia", "product": product, "architecture": architecture}
    software = {"framework": {"name": "torch", "version": "2.7"}}
    name = product.lower().replace(" ", "-")
    return manifest("ExecutionEnvironment", name, {"hardware": hardware, "software": software})


def implementation(name: str, of: Manifest, language: str = "cuda", **parts: Any) -> Manifest:
    spec = {
        "projectRevision": {"version": name},
        "operation": {"specDigest": of.digest},
        "callable": {"language": language},
        "support": {"hardwareArchitectures": ["sm_90"], "dtypes": ["fp32"]},
        "licensing": {},
    }
    return manifest("ImplementationRevision", name, spec | parts)


def project(slug: str) -> Manifest:
    return manifest(
        "SoftwareProject", slug, {"name": slug.title(), "repository": f"https://example.org/{slug}"}
    )


def run(
    name: str,
    on: tuple[Manifest, Manifest, Manifest, Manifest],
    value: int | None,
    observed: str = "2026-01-01T00:00:00Z",
    **parts: Any,
) -> Manifest:
    """`on`: implementation, workload, protocol, environment. `value`: median latency in ns."""
    code, workload, under, where = on
    spec: dict[str, Any] = {
        "implementationDigest": code.digest,
        "workloadDigest": workload.digest,
        "protocolDigest": under.digest,
        "environmentDigest": where.digest,
        "status": "passed",
        "observedAt": observed,
        "sourceNative": {"source": SOURCE, "benchmark": "b", "externalId": name, "metrics": {"ms": 1.5}},
    }
    if value is not None:
        spec["timing"] = {"primaryStatistic": "median", "samples": 7, "latencyNs": {"median": value}}
    return manifest("BenchmarkRun", name, spec | parts, labels={"zeta": "1", "alpha": "2"})


def says(about: Manifest, field: str, value: Any, source: str = SOURCE) -> Statement:
    return Statement(about.kind, about.digest, field, value, source)


def write(path: Path, items: Iterable[Item]) -> None:
    """A file in the catalog's own format."""
    with path.open("w", encoding="utf-8") as out:
        out.write(lines.header_line())
        for item in items:
            if isinstance(item, Statement):
                out.write(lines.fact_line(item))
            else:
                out.write(lines.manifest_line(load_canonical(item.canonical), item.metadata))


async def fill(store: Store, folder: Path, items: Iterable[Item], name: str = "items.jsonl") -> None:
    """Import the items into the store."""
    write(folder / name, items)
    report = await import_paths(store, [folder / name])
    assert not report.rejected, report.problems


SUM = operation("sum-rows", lanes=4)
SCAN = operation("scan-rows", "scans")
SMALL, LARGE = case(SUM, n=1024), case(SUM, n=4096, lanes=8)
PAIR = suite(SCAN, {"n": 16, "m": 2}, {"n": 4096, "m": 3})
MEDIAN, GEOMEAN = protocol("median-of-runs"), protocol("geomean-of-cases", "geomean")
H100, B200, UNKNOWN = (
    environment("H100", "sm_90"),
    environment("B200", "sm_100"),
    environment("GPU", "unknown"),
)
LIBRARY, OTHER = project("library"), project("other-library")
FAST = implementation(
    "fast-sum",
    SUM,
    "triton",
    source={"contentDigest": "sha256:" + "c" * 64, "sizeBytes": 2**40},
    buildVariants=[{"name": "pip", "install": {"kind": "pip", "package": "p", "command": "pip install p"}}],
    licensing={"declared": "MIT"},
)
PLAIN = implementation("plain-sum", SUM)
TWIN = implementation("plain-sum-twin", SUM, projectRevision={"version": "2", "commit": "0" * 40})
SCANNER = implementation("scanner", SCAN)

ON = (FAST, SMALL, MEDIAN, H100)
BEST = run("best", ON, 100, "2026-01-03T00:00:00Z")
TIED = run("tied", (PLAIN, SMALL, MEDIAN, H100), 100, "2026-01-02T00:00:00.5Z")
THIRD = run("third", (PLAIN, SMALL, MEDIAN, H100), 250, "2026-01-01T00:00:00Z")
FAILED = run("failed", ON, 1, "2026-01-04T00:00:00Z", status="timeout")
ZERO = run("zero", ON, 0, "2026-01-05T00:00:00Z")
RETRACTED = run("retracted", ON, 50, "2026-01-06T00:00:00Z")
SUPERSEDED = run("superseded", ON, 60, "2026-01-01T00:00:00Z")
HUGE = run("huge", (PLAIN, LARGE, MEDIAN, B200), 34_822_486_568, "2026-02-01T00:00:00Z")
HUGER = run("huger", (TWIN, LARGE, MEDIAN, B200), 3 * 10**15, "2026-02-02T00:00:00Z")
SCORED = run(
    "scored",
    (SCANNER, PAIR, GEOMEAN, UNKNOWN),
    None,
    "2026-03-01T00:00:00Z",
    measurements=[{"metric": "score", "statistic": "geomean", "unit": "s", "value": 0.25}],
)
MISMATCHED = run("mismatched", (PLAIN, PAIR, GEOMEAN, UNKNOWN), None, "2026-03-01T00:00:00Z")
MISSING = operation("never-arrives")
WAITING = run("waiting", (PLAIN, case(MISSING, n=3), MEDIAN, H100), 5, "2026-04-01T00:00:00Z")

CATALOG: tuple[Item, ...] = (
    *(SUM, SCAN, SMALL, LARGE, PAIR, MEDIAN, GEOMEAN, H100, B200, UNKNOWN, LIBRARY, OTHER),
    *(FAST, PLAIN, TWIN, SCANNER),
    *(BEST, TIED, THIRD, FAILED, ZERO, RETRACTED, SUPERSEDED, HUGE, HUGER, SCORED, MISMATCHED, WAITING),
    says(SUM, "alias", "row-sum"),
    says(PLAIN, "name", {"slug": "shared", "title": "Plain", "project": "library"}),
    says(TWIN, "name", {"slug": "shared", "title": "Twin", "project": "other-library"}),
    says(FAST, "name", {"slug": "fast", "title": "Fast", "role": "baseline", "project": "library"}),
    says(FAST, "name", {"slug": "also-fast"}),
    says(BEST, "publishedAt", "2026-05-02T00:00:00Z"),
    says(TIED, "publishedAt", "2026-05-01T00:00:00Z"),
    says(
        TIED, "submittedAs", {"slug": "entry", "title": "Entry", "role": "entry", "project": "other-library"}
    ),
    says(RETRACTED, "retraction", {"at": "2026-01-07T00:00:00Z", "reason": "clocks"}),
    says(THIRD, "supersedes", SUPERSEDED.digest),
    says(BEST, "replications", 2),
    says(TIED, "controlledRerun", True),
    Statement("EvidenceSource", SOURCE, "name", "Bench", SOURCE),
)
"""One catalog with something of everything."""
