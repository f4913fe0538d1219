"""Writes compare.jsonl: baselines, names and projects in one group, and suites covered in whole and in part.

`python -m tests.data.made.compare` writes the file; the answers in compare-expected.json are worked out by
hand from the rules and must not be made from the program's output.
"""

from __future__ import annotations

from typing import Any

from catalog.domain.manifests import Manifest
from tests.data.made.make import Item, manifest, says, tensor, write

SOURCE = "made-lab"
SIZES = (16, 64, 256)

OPERATION = manifest(
    "OperationSpec",
    "made-fold",
    {
        "family": "fold",
        "axes": {
            "n": {"role": "variable", "type": "integer"},
            "lanes": {"role": "constant", "type": "integer", "value": 4},
        },
        "inputs": [{"name": "x", **tensor("n")}],
        "outputs": [{"name": "y", **tensor("n")}],
        "semantics": {"mutation": "none", "determinism": "deterministic"},
    },
)


def case(n: int, dtype: str = "fp32") -> Manifest:
    """Cases leave out the constant axis that suites state."""
    spec = {
        "operationSpecDigest": OPERATION.digest,
        "axes": {"n": n},
        "tensors": {"x": {"shape": [n], "dtype": dtype}},
        "correctness": {"comparator": "allclose"},
    }
    return manifest("WorkloadCase", f"made-fold-n{n}-{dtype}", spec)


def suite(name: str, sizes: tuple[int, ...], statistic: str) -> Manifest:
    spec = {
        "operationSpecDigest": OPERATION.digest,
        "cases": [{"externalId": f"n{n}", "axes": {"n": n, "lanes": 4}} for n in sizes],
        "correctness": {"comparator": "allclose"},
        "aggregation": {"metric": "score", "statistic": statistic},
    }
    return manifest("WorkloadSuite", name, spec)


CASES = {n: case(n) for n in SIZES}
DOUBLE = (case(1024), case(1024, "bf16"))
WHOLE = suite("made-fold-suite", SIZES, "geomean")
DOUBTFUL = suite("made-fold-doubtful", (16, 1024), "mean")
UNSAID = suite("made-fold-unsaid", (16, 64), "unspecified")


def protocol(name: str, statistic: str) -> Manifest:
    measurement = {"timer": "cuda_events", "primaryStatistic": statistic}
    return manifest("BenchmarkProtocol", name, {"harness": {"name": name}, "measurement": measurement})


MEDIAN, SCORE = protocol("made-fold-median", "median"), protocol("made-fold-score", "geomean")


def machine(product: str, form: str | None = None) -> Manifest:
    hardware = {"vendor": "nvidia", "product": product, "architecture": "sm_90"}
    spec = {"hardware": hardware | ({"formFactor": form} if form else {}), "software": {}}
    return manifest("ExecutionEnvironment", f"made-{form or 'plain'}".lower(), spec)


HERE, THERE = machine("NVIDIA H100", "SXM5"), machine("NVIDIA H100", "PCIe")
PROJECTS = [
    manifest("SoftwareProject", slug, {"name": slug, "repository": f"https://example.org/{slug}"})
    for slug in ("made-quick", "made-reference")
]


def implementation(name: str) -> Manifest:
    spec = {
        "projectRevision": {"version": name},
        "operation": {"specDigest": OPERATION.digest},
        "callable": {"language": "triton"},
        "support": {"hardwareArchitectures": ["sm_90"], "dtypes": ["fp32"]},
        "licensing": {"declared": "MIT"},
    }
    return manifest("ImplementationRevision", name, spec)


QUICK, PLAIN, LONE = (implementation(f"made-fold-{name}") for name in ("quick", "plain", "lone"))


def run(
    name: str,
    code: Manifest,
    workload: Manifest,
    median: int | None,
    day: int = 1,
    under: Manifest = MEDIAN,
    where: Manifest = HERE,
    **parts: Any,
) -> Manifest:
    spec: dict[str, Any] = {
        "implementationDigest": code.digest,
        "workloadDigest": workload.digest,
        "protocolDigest": under.digest,
        "environmentDigest": where.digest,
        "status": "passed",
        "observedAt": f"2026-06-{day:02}T00:00:00Z",
    }
    if median is not None:
        spec["timing"] = {"primaryStatistic": "median", "latencyNs": {"median": median}}
    return manifest("BenchmarkRun", name, spec | parts, name.replace("-", " "))


def named(made: Manifest, slug: str, project: str, role: str | None = None) -> list[Item]:
    name = {"slug": slug, "project": project} | ({"role": role} if role else {})
    return [made, says(SOURCE, made, "submittedAs", name)]


def one_group() -> list[Item]:
    """n=16: two runs of one name, three baselines of which one failed, two runs without name and project."""
    small = CASES[16]
    return [
        *named(run("made-quick-now", QUICK, small, 100, 2), "quick", "made-quick"),
        *named(run("made-quick-before", QUICK, small, 150, 1), "quick", "made-quick"),
        *named(run("made-ref", PLAIN, small, 200), "ref", "made-reference", "baseline"),
        *named(run("made-ref-slow", PLAIN, small, 400), "ref-slow", "made-reference", "baseline"),
        *named(
            run("made-ref-failed", PLAIN, small, 10, status="incorrect_numerical"),
            *("ref-failed", "made-reference", "baseline"),
        ),
        run("made-lone-one", LONE, small, 300),
        run("made-lone-two", LONE, small, 310),
    ]


def covered() -> list[Item]:
    """QUICK has all cases here, PLAIN lacks n=256 (it failed), elsewhere QUICK has one."""
    score = [{"metric": "score", "statistic": "geomean", "unit": "s", "value": 0.5}]
    return [
        run("made-quick-64", QUICK, CASES[64], 400),
        run("made-quick-256", QUICK, CASES[256], 1600),
        run("made-plain-64", PLAIN, CASES[64], 200),
        run("made-plain-256", PLAIN, CASES[256], 5, status="timeout"),
        run("made-quick-there", QUICK, CASES[16], 90, where=THERE),
        run("made-quick-1024", QUICK, DOUBLE[0], 1000),
        run("made-quick-suite", QUICK, WHOLE, None, under=SCORE, measurements=score),
    ]


def main() -> None:
    parts = [OPERATION, *CASES.values(), *DOUBLE, WHOLE, DOUBTFUL, UNSAID, MEDIAN, SCORE, HERE, THERE]
    write("compare.jsonl", [*PROJECTS, *parts, QUICK, PLAIN, LONE, *one_group(), *covered()])


if __name__ == "__main__":
    main()
