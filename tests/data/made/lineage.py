"""Writes lineage.jsonl beside this file: records that change hands, revisions that follow each other.

Run it as ``python -m tests.data.made.lineage`` after a change; lineage-expected.json is worked out by hand.
"""

from __future__ import annotations

from typing import Any, Final

from catalog.domain.manifests import Manifest
from tests.data.made.make import MEDIAN, OPERATION, WORKLOADS, Item, artifact, manifest, says, write

SOURCE: Final = "made-lab"


def _environment(name: str, product: str, architecture: str) -> Manifest:
    hardware = {"vendor": "nvidia", "product": product, "architecture": architecture}
    return manifest("ExecutionEnvironment", name, {"hardware": hardware, "software": {}})


HOPPER = _environment("made-h100", "NVIDIA H100", "sm_90")
BLACKWELL = _environment("made-b200", "NVIDIA B200", "sm_100")

LIB = manifest("SoftwareProject", "made-lib", {"name": "Made library"})
RIVAL = manifest("SoftwareProject", "made-rival", {"name": "Made rival"})


def _implementation(name: str, source: str | None, architecture: str = "sm_90") -> Manifest:
    spec: dict[str, Any] = {
        "projectRevision": {"version": name},
        "operation": {"specDigest": OPERATION.digest},
        "callable": {"language": "cuda"},
        "support": {"hardwareArchitectures": [architecture], "dtypes": ["fp32"]},
        "licensing": {},
    }
    if source is not None:
        spec["source"] = {"contentDigest": artifact(source), "fileName": "axpy.cu", "sizeBytes": 2048}
    return manifest("ImplementationRevision", f"made-{name}", spec, name)


IMPLEMENTATIONS: Final = {
    "a1": _implementation("a1", "a"),
    "a2": _implementation("a2", "a"),
    "a3": _implementation("a3", "b"),
    "a4": _implementation("a4", "c", "sm_100"),
    "a5": _implementation("a5", "d"),
    "r1": _implementation("r1", "c"),
    "r2": _implementation("r2", None),
    "n1": _implementation("n1", "e"),
}
"""a5 was never observed; n1 belongs to no project; a1 and a2 share a file, a4 and r1 another."""


def day(number: int) -> str:
    return f"2026-07-{number:02}T00:00:00Z"


def _run(code: str, n: int, number: int, median: int, where: Manifest = HOPPER) -> Manifest:
    spec = {
        "implementationDigest": IMPLEMENTATIONS[code].digest,
        "workloadDigest": WORKLOADS[n].digest,
        "protocolDigest": MEDIAN.digest,
        "environmentDigest": where.digest,
        "status": "passed",
        "observedAt": day(number),
        "timing": {"primaryStatistic": "median", "samples": 20, "latencyNs": {"median": median}},
    }
    if code.startswith("r"):
        spec["sourceNative"] = {"source": "made-rival-bench", "benchmark": "axpy", "externalId": str(number)}
    if code == "n1":
        spec["evidence"] = {"logs": {"uri": "https://example.org/n1.txt", "digest": artifact("f")}}
    hardware = where.spec["hardware"]["architecture"].replace("_", "")
    return manifest("BenchmarkRun", f"made-{code}-{hardware}-n{n}-d{number}", spec)


RUNS: Final = {
    run.metadata["name"]: run
    for run in (
        # Six holders in a row; the fourth beats its own implementation.
        _run("a1", 1024, 1, 100),
        _run("r1", 1024, 2, 90),
        _run("a2", 1024, 3, 81),
        _run("a2", 1024, 4, 80),
        _run("r2", 1024, 5, 60),
        _run("a3", 1024, 6, 30),
        # The second holder is retracted on day 6; the best that is left was never a record.
        _run("r1", 2048, 1, 200),
        _run("a3", 2048, 4, 100),
        _run("n1", 2048, 5, 150),
        # Alone; and a run that another one supersedes.
        _run("a4", 4096, 2, 500),
        _run("a1", 8192, 1, 700),
        _run("a1", 8192, 2, 650),
        # Another architecture; with them, who beat whom goes round in a circle.
        _run("r1", 1024, 3, 40, BLACKWELL),
        _run("a4", 1024, 7, 30, BLACKWELL),
        _run("a3", 2048, 4, 400, BLACKWELL),
        _run("a1", 2048, 5, 300, BLACKWELL),
    )
}
RETRACTED: Final = RUNS["made-a3-sm90-n2048-d4"]
SUPERSEDED, SUPERSEDING = RUNS["made-a1-sm90-n8192-d1"], RUNS["made-a1-sm90-n8192-d2"]


def items() -> list[Item]:
    named: dict[str, Manifest] = {code: LIB if code.startswith("a") else RIVAL for code in IMPLEMENTATIONS}
    del named["n1"]
    return [
        *(LIB, RIVAL, OPERATION, MEDIAN, HOPPER, BLACKWELL),
        *(WORKLOADS[n] for n in (1024, 2048, 4096, 8192)),
        *IMPLEMENTATIONS.values(),
        *RUNS.values(),
        *(
            says(
                SOURCE,
                IMPLEMENTATIONS[code],
                "name",
                {"slug": f"made-{code}", "project": of.metadata["name"]},
            )
            for code, of in named.items()
        ),
        says(SOURCE, RETRACTED, "retraction", {"at": day(6), "reason": "wrong clock"}),
        says(SOURCE, SUPERSEDING, "supersedes", SUPERSEDED.digest),
    ]


def main() -> None:
    write("lineage.jsonl", items())


if __name__ == "__main__":
    main()
