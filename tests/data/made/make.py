"""Writes the made data beside this file: cases that the real data lack (see README.md).

Run it as ``python -m tests.data.made.make`` after a change; the answers in expected.json are worked out by
hand from the rules and must not be made from the program's output.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from catalog.domain.facts import Statement
from catalog.domain.identity import load_canonical
from catalog.domain.manifests import API_VERSION, Manifest, validate
from catalog.ingest.sources import catalog_export as lines

HERE = Path(__file__).parent
Item = Manifest | Statement
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def manifest(kind: str, name: str, spec: dict[str, Any], title: str | None = None) -> Manifest:
    metadata = {"name": name} | ({"title": title} if title else {})
    return validate({"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec})


def artifact(digit: str) -> str:
    return "sha256:" + digit * 64


def tensor(*shape: str | int) -> dict[str, Any]:
    return {"tensor": {"shape": list(shape), "dtype": "fp32"}}


OPERATION = manifest(
    "OperationSpec",
    "made-axpy",
    {
        "family": "axpy",
        "axes": {
            "n": {"role": "variable", "type": "integer"},
            "lanes": {"role": "constant", "type": "integer", "value": 4},
        },
        "inputs": [{"name": "x", **tensor("n")}, {"name": "a", "scalar": {"dtype": "fp32"}}],
        "outputs": [{"name": "y", **tensor("n")}],
        "semantics": {"mutation": "none", "determinism": "deterministic"},
    },
    "Scaled vector sum",
)


def workload(n: int) -> Manifest:
    spec = {
        "operationSpecDigest": OPERATION.digest,
        "axes": {"n": n, "lanes": 4},
        "tensors": {"x": {"shape": [n], "dtype": "fp32"}},
        "scalars": {"a": {"dtype": "fp32", "value": 2.5}},
        "correctness": {"comparator": "allclose", "maxAbsoluteError": 1e-5},
    }
    return manifest("WorkloadCase", f"made-axpy-n{n}", spec, f"Scaled vector sum · n={n}")


WORKLOADS = {n: workload(n) for n in (1024, 2048, 4096, 8192, 16384, 32768)}


def protocol(name: str, statistic: str) -> Manifest:
    measurement = {"timer": "cuda_events", "synchronization": "device", "primaryStatistic": statistic}
    spec = {"harness": {"name": "made bench", "version": "1"}, "measurement": measurement}
    return manifest("BenchmarkProtocol", name, spec)


MEDIAN = protocol("made-median", "median")
MEAN = protocol("made-mean", "mean")
ENVIRONMENT = manifest(
    "ExecutionEnvironment",
    "made-gpu",
    {
        "hardware": {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"},
        "software": {"driver": "550.54", "cudaToolkit": "12.4"},
    },
)
PROJECT = manifest(
    "SoftwareProject", "made-lib", {"name": "Made library", "repository": "https://example.org/made-lib"}
)


def implementation(name: str, **parts: Any) -> Manifest:
    spec = {
        "projectRevision": {},
        "operation": {"specDigest": OPERATION.digest},
        "callable": {"language": "cuda"},
        "support": {"hardwareArchitectures": ["sm_90"], "dtypes": ["fp32"]},
        "licensing": {},
    }
    return manifest("ImplementationRevision", name, spec | parts, name.replace("-", " "))


def recipe(kind: str, **fields: str) -> list[dict[str, Any]]:
    return [{"name": kind, "install": {"kind": kind, **fields}}]


PIP = implementation(
    "made-pip",
    projectRevision={"repository": "https://example.org/made-lib", "commit": COMMIT},
    buildVariants=recipe("pip", package="made-lib", command="pip install made-lib==1.0"),
    licensing={"declared": "MIT"},
)
GIT = implementation(
    "made-git",
    source={"contentDigest": artifact("a"), "fileName": "axpy.cu", "sizeBytes": 2048},
    buildVariants=recipe("git", repository="https://example.org/made-lib", commit=COMMIT),
    licensing={"declared": "GPL-3.0-only", "concluded": "Apache-2.0 OR GPL-3.0-only"},
)
BARE = implementation("made-bare")
IMPLEMENTATIONS = {"pip": PIP, "git": GIT, "bare": BARE}


def run(
    name: str,
    n: int,
    observed: str,
    median: int | None = None,
    code: str = "bare",
    interval: tuple[int, int] | None = None,
    under: Manifest = MEDIAN,
    **parts: Any,
) -> Manifest:
    spec: dict[str, Any] = {
        "implementationDigest": IMPLEMENTATIONS[code].digest,
        "workloadDigest": WORKLOADS[n].digest,
        "protocolDigest": under.digest,
        "environmentDigest": ENVIRONMENT.digest,
        "status": "passed",
        "observedAt": observed,
    }
    if median is not None:
        latency: dict[str, Any] = {"median": median}
        if interval is not None:
            latency["confidence95"] = list(interval)
        spec["timing"] = {"primaryStatistic": "median", "samples": 20, "latencyNs": latency}
    return manifest("BenchmarkRun", name, spec | parts, name.replace("-", " "))


def says(source: str, about: Manifest, field: str, value: Any) -> Statement:
    return Statement(about.kind, about.digest, field, value, source)


def parts() -> list[Item]:
    return [
        PROJECT,
        OPERATION,
        *(WORKLOADS[n] for n in (1024, 2048, 4096, 8192, 16384)),
        *IMPLEMENTATIONS.values(),
        MEDIAN,
        MEAN,
        ENVIRONMENT,
        says("made-lab", PIP, "name", {"slug": "made-pip", "project": "made-lib"}),
    ]


def retracted_and_superseded() -> list[Item]:
    """n=1024: a retracted record holder, and a run that another one supersedes."""
    first = run("made-first", 1024, "2026-01-01T00:00:00Z", 80)
    record = run("made-record", 1024, "2026-01-02T00:00:00Z", 90, "pip")
    second = run("made-second", 1024, "2026-01-03T00:00:00Z", 95, "git")
    redone = run("made-redone", 1024, "2026-01-05T00:00:00Z", 98)
    faulty = run("made-faulty", 1024, "2026-01-06T00:00:00Z", 1, "git", status="incorrect_numerical")
    hidden = run("made-hidden", 1024, "2026-01-07T00:00:00Z", 2, "git")
    return [
        *(first, record, second, redone, faulty, hidden),
        says(
            "made-lab",
            record,
            "retraction",
            {"at": "2026-01-04T00:00:00Z", "reason": "clocks were not locked"},
        ),
        says("made-lab", redone, "supersedes", first.digest),
        says("made-lab", hidden, "published", False),
    ]


def intervals() -> list[Item]:
    """n=2048: [90,100] and [100,110] touch, [109,120] overlaps only the second; one has no interval."""
    return [
        run("made-left", 2048, "2026-02-01T00:00:00Z", 95, "pip", (90, 100)),
        run("made-middle", 2048, "2026-02-02T00:00:00Z", 104, "git", (100, 110)),
        run("made-right", 2048, "2026-02-03T00:00:00Z", 115, "bare", (109, 120)),
        run("made-point", 2048, "2026-02-04T00:00:00Z", 115, "pip"),
        run("made-far", 2048, "2026-02-05T00:00:00Z", 130, "pip", (121, 140)),
    ]


def evidence() -> list[Item]:
    """n=4096: one run of each level, all of one value, so evidence orders the tie."""
    logs = {"logs": {"uri": "https://example.org/log.txt", "digest": artifact("b")}}
    reported = run("made-reported", 4096, "2026-03-04T00:00:00Z", 200)
    reproducible = run("made-reproducible", 4096, "2026-03-03T00:00:00Z", 200, "git", evidence=logs)
    verified = run("made-verified", 4096, "2026-03-02T00:00:00Z", 200, "pip")
    replicated = run("made-replicated", 4096, "2026-03-01T00:00:00Z", 200, "pip", evidence=logs)
    return [
        *(reported, reproducible, verified, replicated),
        says("made-lab", verified, "controlledRerun", True),
        says("made-lab", verified, "replications", 1),
        says("made-lab", replicated, "replications", 2),
    ]


def other_metrics() -> list[Item]:
    """n=8192: a metric without direction, one where higher is better, and large exact values."""

    def measured(metric: str, value: float, unit: str) -> list[dict[str, Any]]:
        return [{"metric": metric, "statistic": "mean", "unit": unit, "value": value}]

    def at(day: int) -> str:
        return f"2026-04-{day:02}T00:00:00Z"

    return [
        run("made-widgets", 8192, at(1), under=MEAN, measurements=measured("widgets", 3.5, "count")),
        run(
            "made-slow-flops",
            8192,
            at(2),
            under=MEAN,
            code="git",
            measurements=measured("tflops", 40.5, "tflops"),
        ),
        run(
            "made-fast-flops",
            8192,
            at(3),
            under=MEAN,
            code="pip",
            measurements=measured("tflops", 81, "tflops"),
        ),
        run("made-unmeasured", 8192, at(4), under=MEAN),
        run("made-half-minute", 16384, at(5), 34_822_486_568),
        run("made-month", 16384, at(6), 3 * 10**15),
    ]


def two_sources() -> list[Item]:
    """n=16384: sources that state different facts of one run, one operation, one artifact."""
    contested = run("made-contested", 16384, "2026-05-01T00:00:00Z", 40_000_000_000, "git")
    source = {"subject_kind": "EvidenceArtifact", "subject": artifact("a")}
    return [
        contested,
        says("made-beta", contested, "submittedAs", {"slug": "made-beta-name", "role": "baseline"}),
        says("made-alpha", contested, "submittedAs", {"slug": "made-zulu-name", "project": "made-lib"}),
        says("made-beta", contested, "publishedAt", "2026-05-02T00:00:00Z"),
        says("made-alpha", contested, "publishedAt", "2026-05-03T00:00:00.5Z"),
        says("made-beta", contested, "replications", 1),
        says("made-alpha", contested, "replications", 0),
        says("made-alpha", OPERATION, "alias", "axpy-alpha"),
        says("made-beta", OPERATION, "alias", "axpy-beta"),
        Statement(**source, field="license", value="MIT", source="made-beta"),
        Statement(**source, field="license", value="Apache-2.0", source="made-alpha"),
    ]


def write(name: str, items: Iterable[Item]) -> None:
    with (HERE / name).open("w", encoding="utf-8") as out:
        out.write(lines.header_line())
        for item in items:
            if isinstance(item, Statement):
                out.write(lines.fact_line(item))
            else:
                out.write(lines.manifest_line(load_canonical(item.canonical), item.metadata))


def main() -> None:
    write(
        "evidence.jsonl",
        [*parts(), *retracted_and_superseded(), *intervals(), *evidence(), *other_metrics(), *two_sources()],
    )
    write("late-run.jsonl", [run("made-waiting", 32768, "2026-06-01T00:00:00Z", 500, "pip")])
    write("late-workload.jsonl", [WORKLOADS[32768]])


if __name__ == "__main__":
    main()
