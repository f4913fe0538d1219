"""Made data for resolving: best verified and best deployable, brackets, and relations between operations.

Run it as ``python -m tests.data.made.resolve``; resolve-expected.json is worked out by hand from the rules.
"""

from __future__ import annotations

from typing import Any

from catalog.domain.manifests import OWN_API_VERSION, Manifest, validate
from tests.data.made.make import COMMIT, MEDIAN, Item, manifest, recipe, says, write

SOURCE = "made-lab"


def operation(name: str) -> Manifest:
    vector = {"tensor": {"shape": ["n"], "dtype": "fp32"}}
    spec = {
        "family": "made-scaling" if name.startswith("made-scale") else "made-mixing",
        "axes": {
            "n": {"role": "variable", "type": "integer", "minimum": 1, "maximum": 65536},
            "lanes": {"role": "constant", "type": "integer", "value": 4},
        },
        "inputs": [{"name": "x", **vector}],
        "outputs": [{"name": "y", **vector}],
        "semantics": {"mutation": "none", "determinism": "deterministic", "expression": name},
    }
    return manifest("OperationSpec", name, spec, name.replace("-", " "))


SCALE, TWIN, WIDE, ROUGH = map(operation, ("made-scale", "made-twin", "made-wide", "made-rough"))


def workload(of: Manifest, n: int) -> Manifest:
    spec = {
        "operationSpecDigest": of.digest,
        "axes": {"n": n},
        "tensors": {"x": {"shape": [n], "dtype": "fp32"}},
        "correctness": {"comparator": "allclose", "maxAbsoluteError": 1e-5},
    }
    name = f"{of.metadata['name']}-n{n}"
    return manifest("WorkloadCase", name, spec, name.replace("-", " "))


def environment(product: str, architecture: str) -> Manifest:
    hardware = {"vendor": "made", "product": product, "architecture": architecture}
    name = f"{product}-{architecture}".lower().replace(" ", "-")
    return manifest("ExecutionEnvironment", name, {"hardware": hardware, "software": {"driver": "1.0"}})


GPU, BARE_GPU, OTHER_GPU = (
    environment("Made GPU", "sm_90"),
    environment("Made GPU", "unknown"),
    environment("Other GPU", "gfx942"),
)
PUBLIC = {"repository": "https://example.org/made-scaling", "commit": COMMIT}


def implementation(name: str, of: Manifest, **parts: Any) -> Manifest:
    spec = {
        "projectRevision": {"version": name},
        "operation": {"specDigest": of.digest},
        "callable": {"language": "cuda"},
        "support": {"hardwareArchitectures": [], "dtypes": []},
        "licensing": {},
    }
    return manifest("ImplementationRevision", name, spec | parts, name.replace("-", " "))


FAST = implementation(
    "made-fast",
    SCALE,
    support={"hardwareArchitectures": ["sm_90"], "dtypes": ["fp32"], "axes": ["n <= 8192"]},
)
CHECKED = implementation("made-checked", SCALE, projectRevision=PUBLIC, licensing={"declared": "MIT"})
SHIPPED = implementation(
    "made-shipped",
    SCALE,
    projectRevision=PUBLIC,
    buildVariants=recipe("pip", package="made-scaling"),
    licensing={"declared": "GPL-3.0-only"},
)
BOXED = implementation(
    "made-boxed",
    SCALE,
    projectRevision=PUBLIC,
    buildVariants=recipe("container", package="made-box"),
    licensing={"declared": "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only"},
)
CODES = {of.digest: implementation(f"{of.metadata['name']}-code", of) for of in (TWIN, WIDE, ROUGH)}


def run(name: str, code: Manifest, on: Manifest, where: Manifest, median: int, **parts: Any) -> Manifest:
    spec = {
        "implementationDigest": code.digest,
        "workloadDigest": on.digest,
        "protocolDigest": MEDIAN.digest,
        "environmentDigest": where.digest,
        "status": "passed",
        "observedAt": "2026-02-01T00:00:00Z",
        "timing": {"primaryStatistic": "median", "samples": 20, "latencyNs": {"median": median}},
    }
    return manifest("BenchmarkRun", name, spec | parts, name.replace("-", " "))


def relation(start: Manifest, name: str, end: Manifest, *constraints: tuple[str, str, int]) -> Manifest:
    spec: dict[str, Any] = {
        "from": start.digest,
        "to": end.digest,
        "relation": name,
        "rationale": "Both multiply every element by four.",
        "reviewer": "made-reviewer",
        "reviewedAt": "2026-02-02T00:00:00Z",
    }
    if constraints:
        spec["constraints"] = [{"axis": a, "operator": o, "value": v} for a, o, v in constraints]
    kind = "OperationRelation"
    document = {"apiVersion": OWN_API_VERSION, "kind": kind, "metadata": {"name": f"made-{name}"}}
    return validate(document | {"spec": spec})


SAME = relation(TWIN, "exactly_equivalent", SCALE)
WITHIN = relation(SCALE, "equivalent_under_constraints", WIDE, ("n", "lte", 2048), ("lanes", "eq", 4))
NEARLY = relation(SCALE, "approximately_equivalent", ROUGH)

CASES = {
    (of.digest, n): workload(of, n)
    for of, sizes in (
        (SCALE, (1024, 4096, 16384)),
        (TWIN, (1024, 2048)),
        (WIDE, (1024, 4096)),
        (ROUGH, (1024,)),
    )
    for n in sizes
}
SMALL, LARGE = CASES[SCALE.digest, 1024], CASES[SCALE.digest, 4096]
VERIFIED = run("made-checked-run", CHECKED, SMALL, GPU, 120)
REPLICATED = run("made-boxed-run", BOXED, SMALL, GPU, 160)


def items() -> list[Item]:
    others = [
        run(f"{of.metadata['name']}-run-n{n}", CODES[of.digest], CASES[of.digest, n], GPU, value)
        for of, n, value in (
            (TWIN, 1024, 80),
            (TWIN, 2048, 150),
            (WIDE, 1024, 70),
            (WIDE, 4096, 300),
            (ROUGH, 1024, 10),
        )
    ]
    return [
        *(SCALE, TWIN, WIDE, ROUGH, SAME, WITHIN, NEARLY, MEDIAN, GPU, BARE_GPU, OTHER_GPU),
        *(FAST, CHECKED, SHIPPED, BOXED, *CODES.values(), *CASES.values()),
        run("made-fast-run", FAST, SMALL, GPU, 100),
        *(VERIFIED, REPLICATED),
        run("made-shipped-run", SHIPPED, SMALL, GPU, 140),
        run("made-failed-run", CHECKED, SMALL, GPU, 1, status="incorrect_numerical"),
        run("made-bare-run", FAST, SMALL, BARE_GPU, 90),
        run("made-large-run", FAST, LARGE, GPU, 400),
        run("made-other-run", FAST, LARGE, OTHER_GPU, 500),
        *others,
        says(SOURCE, VERIFIED, "controlledRerun", True),
        says(SOURCE, REPLICATED, "replications", 2),
    ]


if __name__ == "__main__":
    write("resolve.jsonl", items())
