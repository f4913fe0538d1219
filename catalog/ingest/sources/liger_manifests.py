"""The manifests that Liger benchmark rows mean, as plain mappings ready for validation.

What sits inside a ``spec`` is part of the object's digest: the rules here are the upstream ones to the
byte. Names, titles and labels sit in ``metadata``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalog.domain.manifests import API_VERSION
from catalog.ingest.sources.liger_binding import Case
from catalog.ingest.sources.liger_facts import Argument, Facts, Kernel, Provider

Raw = dict[str, Any]


def kebab(text: str) -> str:
    """Lower case, every run of characters outside a-z and 0-9 one hyphen, at most 100 characters.

    The cut may leave a hyphen at the end.
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:100]


def manifest(kind: str, metadata: Raw, spec: Mapping[str, Any]) -> Raw:
    """The envelope around a spec."""
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec}


def project(slug: str, facts: Facts) -> Raw:
    """A provider's project."""
    return manifest("SoftwareProject", {"name": slug}, facts.projects[slug])


def operation(kernel: Kernel, facts: Facts) -> Raw:
    """A kernel's operation: every symbolic dimension is a variable axis, every derived name a derived one."""
    arguments = (*kernel.inputs, *kernel.outputs)
    symbols = {name: None for argument in arguments for name in argument.shape if isinstance(name, str)}
    axes: Raw = {
        name: {"role": "variable", "type": "integer"} for name in symbols if name not in kernel.derived
    }
    for name, expression in kernel.derived.items():
        axes[name] = {"role": "derived", "type": "integer", "expression": expression}
    source = facts.source
    script = source.script_path.format(csvName=kernel.csv_name)
    metadata = {
        "name": kernel.slug,
        "title": kernel.title,
        "description": kernel.description,
        "sourceRefs": [{"url": f"{source.repository}/blob/{source.commit}/{script}"}],
    }
    spec = {
        "family": kernel.family,
        "axes": axes,
        "inputs": [_parameter(argument) for argument in kernel.inputs],
        "outputs": [_parameter(argument) for argument in kernel.outputs],
        "semantics": {"mutation": "none", "determinism": "unspecified"},
    }
    return manifest("OperationSpec", metadata, spec)


def _parameter(argument: Argument) -> Raw:
    dtype = "float" if argument.dtype == "cfg" else argument.dtype
    return {"name": argument.name, "tensor": {"shape": list(argument.shape), "dtype": dtype}}


def workload(case: Case, operation_digest: str) -> Raw:
    """A bound case."""
    kernel = case.kernel
    sizes = ", ".join(f"{axis}={case.axes[axis]}" for axis in kernel.axis_order)
    metadata = {
        "name": kebab(f"{kernel.slug}-{case.key}"),
        "title": f"{kernel.title} · {sizes} · {case.dtype}",
    }
    spec: Raw = {
        "operationSpecDigest": operation_digest,
        "axes": dict(case.axes),
        "tensors": {
            argument.name: {
                "shape": case.shape(argument.shape),
                "dtype": case.dtype if argument.dtype == "cfg" else argument.dtype,
            }
            for argument in kernel.inputs
        },
        "correctness": {"comparator": "not_asserted"},
    }
    if kernel.scalars:
        spec["scalars"] = {
            scalar.name: {"dtype": scalar.dtype, "value": case.scalars[scalar.name]}
            for scalar in kernel.scalars
        }
    return manifest("WorkloadCase", metadata, spec)


def submitted_name(kernel: Kernel, provider: Provider) -> Raw:
    """Under what name a provider's implementation of a kernel goes: slug, title, role, project."""
    name = {
        "slug": kebab(f"liger-bench-{kernel.csv_name}-{provider.key}"),
        "title": f"{kernel.title} · {provider.title}",
        "project": provider.project,
    }
    return name | ({"role": provider.role} if provider.role is not None else {})


def implementation(kernel: Kernel, provider: Provider, operation_digest: str, facts: Facts) -> Raw:
    """A provider's implementation of a kernel. Provider, title, role and project are outside the spec."""
    name = submitted_name(kernel, provider)
    metadata: Raw = {
        "name": name["slug"],
        "title": name["title"],
        "description": provider.description,
        "sourceRefs": [{"url": facts.source.repository}],
    }
    if provider.role is not None:
        metadata["labels"] = {"role": provider.role}
    spec: Raw = {
        "projectRevision": {},
        "operation": {"specDigest": operation_digest},
        "callable": {"language": provider.language},
        "support": {"hardwareArchitectures": [], "dtypes": []},
        "licensing": {"declared": provider.declared},
    }
    if provider.concluded is not None:
        spec["licensing"]["concluded"] = provider.concluded
    if provider.pip_package is not None:
        spec["buildVariants"] = [{"name": "pip", "install": {"kind": "pip", "package": provider.pip_package}}]
    return manifest("ImplementationRevision", metadata, spec)


def protocol(mode: str, facts: Facts) -> Raw:
    """The protocol of one timed pass."""
    known = facts.protocols[mode]
    return manifest("BenchmarkProtocol", {"name": known["name"], "title": known["title"]}, known["spec"])


def environment(gpu_name: str, facts: Facts) -> Raw:
    """The machine: its GPU. The files state no CUDA, driver or framework version."""
    metadata = {
        "name": kebab(f"liger-bench-{gpu_name}"),
        "title": f"Liger benchmark host · {gpu_name.removeprefix('NVIDIA ')}",
    }
    spec = {"hardware": facts.hardware[gpu_name], "software": {}}
    return manifest("ExecutionEnvironment", metadata, spec)


@dataclass(frozen=True, slots=True)
class Timing:
    """The numbers of one row: milliseconds as printed and whole nanoseconds, (p20, p80) if both are there."""

    median_ms: float
    median_ns: int
    spread_ms: tuple[float, float] | None
    spread_ns: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RunParts:
    """The digests of the four parts that a run is made of."""

    implementation: str
    workload: str
    protocol: str
    environment: str


def run(
    case: Case, provider: Provider, row: Mapping[str, str], parts: RunParts, timing: Timing, facts: Facts
) -> Raw:
    """One measurement. The Liger release is a label only, so it is in no digest."""
    kernel = case.kernel
    mode, gpu, stamp = row["kernel_operation_mode"], row["gpu_name"], row["timestamp"]
    name = f"liger-{kernel.csv_name}-{mode}-{provider.key}-{gpu}-{case.key}-{stamp}"
    metadata: Raw = {"name": kebab(name), "title": f"{kernel.title} · {provider.key} · {mode}"}
    if row["liger_version"]:
        metadata["labels"] = {"liger_version": row["liger_version"]}
    external = [kernel.csv_name, mode, provider.key, kebab(gpu), case.key, kebab(stamp)]
    spec: Raw = {
        "implementationDigest": parts.implementation,
        "workloadDigest": parts.workload,
        "protocolDigest": parts.protocol,
        "environmentDigest": parts.environment,
        "status": "passed",
        "timing": {"primaryStatistic": "median", "latencyNs": {"median": timing.median_ns}},
        "sourceNative": {
            "source": facts.source.slug,
            "benchmark": f"{kernel.csv_name}/{mode}",
            "externalId": "/".join(external),
            "metrics": {"ms_50": timing.median_ms},
        },
        "observedAt": f"{stamp.replace(' ', 'T')}.000Z",
    }
    if timing.spread_ms is not None and timing.spread_ns is not None:
        low_ms, high_ms = timing.spread_ms
        spec["sourceNative"]["metrics"] |= {"ms_20": low_ms, "ms_80": high_ms}
        spec["measurements"] = [
            {"metric": "latency", "unit": "ns", "statistic": statistic, "value": value}
            for statistic, value in zip(("p20", "p80"), timing.spread_ns, strict=True)
        ]
    return manifest("BenchmarkRun", metadata, spec)
