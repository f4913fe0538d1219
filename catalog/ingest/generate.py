"""Made catalogs of any size with the degrees of the public one, to measure how the catalog grows.

Each operation takes the shape of a real one, drawn at random: how many implementations and workloads it has,
and which of them met in which comparison group, on which machine, under which protocol. So a catalog of a
million runs has groups, operations and implementations as large as the real ones, only more of them.
Environments come in editions (a new driver), one every few thousand runs; an implementation opens a project
or joins one, as likely as that one is large, so that a few are very large. Names and values are made up.

The same number of runs and the same seed give the same bytes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from catalog.domain.facts import Statement
from catalog.domain.identity import digest_of
from catalog.domain.manifests import API_VERSION
from catalog.ingest.sources import catalog_export

SOURCE: Final = "generated"

HARDWARE: Final = (
    ("amd", "AMD Instinct MI300X", "gfx942"),
    ("nvidia", "NVIDIA B200", "sm_100"),
    ("amd", "AMD Instinct MI355X", "gfx950"),
    ("nvidia", "NVIDIA B200", "unknown"),
    ("nvidia", "NVIDIA A100", "sm_80"),
    ("nvidia", "NVIDIA H100", "sm_90"),
    ("nvidia", "NVIDIA L4", "sm_89"),
    ("nvidia", "NVIDIA GB200", "unknown"),
)
FAMILIES: Final = (
    *("attention", "gemm", "rmsnorm", "softmax", "moe", "rope", "layernorm", "cross-entropy", "conv1d"),
    *("quantize", "topk", "swiglu", "scan", "embedding", "all-reduce", "paged-attention"),
)
LANGUAGES: Final = ("triton", "python", "cuda", "cpp", "cutedsl")
LICENCES: Final = (None, None, None, "MIT", "Apache-2.0", "BSD-3-Clause")
DTYPES: Final = ("bf16", "fp16", "fp32", "fp8_e4m3")

EDITION: Final = 16_000
"""Runs after which every machine has a new driver: about twice the public export."""
NEW_PROJECT: Final = 588 / 4250
"""How likely an implementation opens a project: projects per implementation in the public export."""
FAILED: Final = 86 / 7857
"""How likely a run failed: as in the public export."""
FIRST_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)
DAYS: Final = 900


class Shape(NamedTuple):
    """How one real operation is measured. A group is (workload, environment, protocol, the implementation of
    each run by time), all by number."""

    implementations: int
    workloads: int
    groups: list[tuple[int, int, int, list[int]]]


@cache
def shapes() -> tuple[list[Shape], list[int]]:
    """The shapes that have runs, and how many real operations have each (scripts/operation_shapes.py)."""
    text = (files("catalog") / "data" / "generate" / "shapes.json").read_text(encoding="utf-8")
    found = [shape for shape in json.loads(text)["shapes"] if shape["groups"]]
    return (
        [Shape(shape["implementations"], shape["workloads"], shape["groups"]) for shape in found],
        [shape["operations"] for shape in found],
    )


class Generator:
    """Makes one catalog; `runs` counts those made so far."""

    def __init__(self, runs: int, seed: int) -> None:
        self.runs = 0
        self._wanted = runs
        self._random = random.Random(f"{seed}")
        self._operations = 0
        self._implementations = 0
        self._joined: list[int] = []
        """The project of each implementation: one drawn from here is drawn by its size."""
        self._shared: dict[tuple[str, int, int], str] = {}

    def lines(self) -> Iterator[str]:
        """The lines of a catalog export, parts before what is made of them."""
        yield catalog_export.header_line()
        for field, value in (("name", "Generated data"), ("kind", "benchmark"), ("license", "CC0-1.0")):
            yield catalog_export.fact_line(Statement("EvidenceSource", SOURCE, field, value, SOURCE))
        known, weights = shapes()
        while self.runs < self._wanted:
            [shape] = self._random.choices(known, weights)
            yield from self._operation(shape)

    def _operation(self, shape: Shape) -> Iterator[str]:
        """An operation of this shape with all that belongs to it, as far as runs are still wanted."""
        number = self._operations
        self._operations += 1
        family = self._random.choice(FAMILIES)
        name = f"{family}-{number}"
        hidden = 256 * self._random.randint(1, 64)
        dtype = self._random.choice(DTYPES)
        operation, line = _manifest("OperationSpec", name, _operation_spec(family, number, hidden, dtype))
        yield line
        workloads = []
        for place in range(shape.workloads):
            tokens = 128 * (place + 1)
            case = _workload_spec(operation, tokens, {"hidden": hidden, "variant": number}, dtype)
            digest, line = _manifest("WorkloadCase", f"{name}-tokens{tokens}", case)
            workloads.append(digest)
            yield line
        implementations = []
        for _ in range(shape.implementations):
            digest, lines = self._implementation(name, operation, dtype)
            implementations.append(digest)
            yield from lines
        speeds = [self._random.lognormvariate(0, 0.35) for _ in implementations]
        now = FIRST_DAY + timedelta(seconds=self._random.randrange(DAYS * 86_400))
        for place, machine, harness, entrants in shape.groups:
            environment, lines = self._environment(machine, self.runs // EDITION)
            yield from lines
            protocol, lines = self._protocol(harness)
            yield from lines
            typical = 10 ** self._random.uniform(3.7, 7.7)
            for entrant in entrants:
                if self.runs == self._wanted:
                    return
                now += timedelta(seconds=self._random.randint(60, 86_400))
                spec = {
                    "implementationDigest": implementations[entrant],
                    "workloadDigest": workloads[place],
                    "protocolDigest": protocol,
                    "environmentDigest": environment,
                    "observedAt": f"{now:%Y-%m-%dT%H:%M:%S}Z",
                    **self._outcome(typical * speeds[entrant]),
                    "sourceNative": {"source": SOURCE, "externalId": f"run/{self.runs}"},
                }
                self.runs += 1
                yield _line("BenchmarkRun", f"{SOURCE}-run-{self.runs}", spec)

    def _outcome(self, typical: float) -> Mapping[str, Any]:
        if self._random.random() < FAILED:
            return {"status": "runtime_error"}
        median = max(1, round(typical * self._random.lognormvariate(0, 0.02)))
        return {"status": "passed", "timing": {"primaryStatistic": "median", "latencyNs": {"median": median}}}

    def _implementation(self, name: str, operation: str, dtype: str) -> tuple[str, list[str]]:
        number = self._implementations
        self._implementations += 1
        lines = []
        if not self._joined or self._random.random() < NEW_PROJECT:
            project = number
            slug = f"{SOURCE}-project-{project}"
            lines.append(_line("SoftwareProject", slug, {"name": f"Generated project {project}"}))
        else:
            project = self._random.choice(self._joined)
        self._joined.append(project)
        slug = f"{name}-entry-{number}"
        licence = self._random.choice(LICENCES)
        spec = {
            "projectRevision": {"version": f"submission-{number}"},
            "operation": {"specDigest": operation},
            "callable": {"language": self._random.choice(LANGUAGES)},
            "support": {"hardwareArchitectures": [], "dtypes": [dtype]},
            "licensing": {} if licence is None else {"declared": licence, "concluded": licence},
        }
        digest, line = _manifest("ImplementationRevision", slug, spec)
        named = {"slug": slug, "project": f"{SOURCE}-project-{project}"}
        stated = Statement("ImplementationRevision", digest, "name", named, SOURCE)
        return digest, [*lines, line, catalog_export.fact_line(stated)]

    def _environment(self, machine: int, edition: int) -> tuple[str, list[str]]:
        vendor, product, architecture = HARDWARE[machine % len(HARDWARE)]
        hardware = {"vendor": vendor, "product": product, "architecture": architecture}
        software = {"driver": f"{550 + edition}.{machine}"}
        spec = {"hardware": hardware, "software": software}
        return self._once("ExecutionEnvironment", machine, edition, spec)

    def _protocol(self, harness: int) -> tuple[str, list[str]]:
        spec = {
            "harness": {"name": f"generated harness {harness}"},
            "measurement": {"timer": "cuda_event", "primaryStatistic": "median"},
        }
        return self._once("BenchmarkProtocol", harness, 0, spec)

    def _once(self, kind: str, number: int, edition: int, spec: Mapping[str, Any]) -> tuple[str, list[str]]:
        """The digest of a shared part, and its line the first time."""
        if digest := self._shared.get((kind, number, edition)):
            return digest, []
        name = (
            f"{SOURCE}-{'environment' if kind == 'ExecutionEnvironment' else 'protocol'}-{number}-{edition}"
        )
        digest, line = _manifest(kind, name, spec)
        self._shared[kind, number, edition] = digest
        return digest, [line]


def _operation_spec(family: str, number: int, hidden: int, dtype: str) -> Mapping[str, Any]:
    tensor = {"shape": ["tokens", "hidden"], "dtype": dtype}
    return {
        "family": family,
        "axes": {
            "tokens": {"role": "variable", "type": "integer"},
            "hidden": {"role": "constant", "type": "integer", "value": hidden},
            "variant": {"role": "constant", "type": "integer", "value": number},
        },
        "inputs": [{"name": "x", "tensor": tensor}],
        "outputs": [{"name": "y", "tensor": tensor}],
        "semantics": {"mutation": "none", "determinism": "unspecified"},
    }


def _workload_spec(operation: str, tokens: int, axes: Mapping[str, int], dtype: str) -> Mapping[str, Any]:
    return {
        "operationSpecDigest": operation,
        "axes": {"tokens": tokens, **axes},
        "tensors": {"x": {"shape": [tokens, axes["hidden"]], "dtype": dtype}},
        "correctness": {"comparator": "not_asserted"},
    }


def _manifest(kind: str, name: str, spec: Mapping[str, Any]) -> tuple[str, str]:
    """The digest of a manifest that others refer to, and its line."""
    return digest_of({"apiVersion": API_VERSION, "kind": kind, "spec": spec}), _line(kind, name, spec)


def _line(kind: str, name: str, spec: Mapping[str, Any]) -> str:
    body = {"apiVersion": API_VERSION, "kind": kind, "spec": spec}
    return catalog_export.manifest_line(body, {"name": name})
