"""Writes coverage.jsonl beside this file: one implementation on several architectures, copies, and gaps.

Run it as ``python -m tests.data.made.coverage`` after a change; the answers in coverage-expected.json are
worked out by hand from the rules and must not be made from the program's output.
"""

from __future__ import annotations

from typing import Any

from tests.data.made.make import Item, artifact, manifest, recipe, says, tensor, write


def operation(name: str, lanes: int) -> Any:
    """The lanes make the specs, and so the digests, differ."""
    spec = {
        "family": "made-scaling",
        "axes": {
            "n": {"role": "variable", "type": "integer"},
            "lanes": {"role": "constant", "type": "integer", "value": lanes},
        },
        "inputs": [{"name": "x", **tensor("n")}],
        "outputs": [{"name": "y", **tensor("n")}],
        "semantics": {"mutation": "none", "determinism": "deterministic"},
    }
    return manifest("OperationSpec", name, spec)


SCALE, SHIFT, IDLE = operation("made-scale", 1), operation("made-shift", 2), operation("made-idle", 4)


def workload(of: Any, n: int) -> Any:
    spec = {
        "operationSpecDigest": of.digest,
        "axes": {"n": n},
        "tensors": {"x": {"shape": [n], "dtype": "fp32"}},
        "correctness": {"comparator": "allclose"},
    }
    return manifest("WorkloadCase", f"{of.metadata['name']}-{n}", spec)


SMALL, LARGE, SHIFTED = workload(SCALE, 64), workload(SCALE, 4096), workload(SHIFT, 64)
PROTOCOL = manifest(
    "BenchmarkProtocol",
    "made-port-protocol",
    {
        "harness": {"name": "made port bench"},
        "measurement": {"timer": "events", "primaryStatistic": "median"},
    },
)
ENVIRONMENTS = {
    architecture: manifest(
        "ExecutionEnvironment",
        f"made-{architecture.replace('_', '-')}",
        {
            "hardware": {"vendor": "made", "product": f"Made {architecture}", "architecture": architecture},
            "software": {},
        },
    )
    for architecture in ("sm_90", "sm_100", "gfx942", "unknown")
}


def code(name: str, of: Any, architectures: list[str], **parts: Any) -> Any:
    spec = {
        "projectRevision": {"version": name},
        "operation": {"specDigest": of.digest},
        "callable": {"language": "triton"},
        "support": {"hardwareArchitectures": architectures, "dtypes": ["fp32"]},
        "licensing": {},
    }
    return manifest("ImplementationRevision", name, spec | parts)


SHARED = {"contentDigest": artifact("e"), "sizeBytes": 64}
WIDE = code("made-wide", SCALE, ["sm_90", "sm_100", "gfx942", "sm_120"], source=SHARED)
COPY = code("made-copy", SCALE, ["sm_90"], source=SHARED)
RIVAL = code(
    "made-rival",
    SCALE,
    ["sm_100"],
    source={"contentDigest": artifact("f"), "sizeBytes": 64},
    buildVariants=recipe("pip", package="made-rival", command="pip install made-rival"),
    licensing={"declared": "MIT"},
)
SHIFTER = code("made-shifter", SHIFT, ["sm_90", "sm_100"])


def run(name: str, of: Any, on: Any, architecture: str, median: int | None, **parts: Any) -> Any:
    spec: dict[str, Any] = {
        "implementationDigest": of.digest,
        "workloadDigest": on.digest,
        "protocolDigest": PROTOCOL.digest,
        "environmentDigest": ENVIRONMENTS[architecture].digest,
        "status": "passed",
        "observedAt": "2026-01-01T00:00:00Z",
    }
    if median is not None:
        latency = {"median": median, "mean": median + 1}
        spec["timing"] = {"primaryStatistic": "median", "samples": 9, "latencyNs": latency}
    return manifest("BenchmarkRun", name, spec | parts, name)


def lab(name: str) -> dict[str, Any]:
    return {"sourceNative": {"source": "made-lab", "benchmark": "b", "externalId": name, "metrics": {}}}


RETRACTED = run("wide-retracted", WIDE, SMALL, "sm_90", 1)
RUNS = [
    run("wide-small-90", WIDE, SMALL, "sm_90", 100, **lab("1")),
    run("copy-small-90", COPY, SMALL, "sm_90", 100, **lab("2")),
    run("wide-large-90", WIDE, LARGE, "sm_90", 900),
    run("copy-large-90", COPY, LARGE, "sm_90", 600),
    run("wide-small-100", WIDE, SMALL, "sm_100", 80),
    run("rival-small-100", RIVAL, SMALL, "sm_100", 40),
    run("wide-small-942", WIDE, SMALL, "gfx942", None, status="compile_error"),
    run("wide-small-unknown", WIDE, SMALL, "unknown", 70),
    RETRACTED,
    run("shift-90", SHIFTER, SHIFTED, "sm_90", 30, **lab("3")),
]


def main() -> None:
    items: list[Item] = [SCALE, SHIFT, IDLE, SMALL, LARGE, SHIFTED, PROTOCOL, *ENVIRONMENTS.values()]
    items += [WIDE, COPY, RIVAL, SHIFTER, *RUNS]
    items.append(says("made-lab", RETRACTED, "retraction", {"at": "2026-02-01T00:00:00Z"}))
    write("coverage.jsonl", items)


if __name__ == "__main__":
    main()
