"""One full manifest of every kind, to change in tests."""

from __future__ import annotations

import copy
from typing import Any

from catalog.domain.manifests import KINDS

D = ["sha256:" + digit * 64 for digit in "0123456789"]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
URL = "https://example.org/a?b#c"
FILE = {"uri": "kernelindex:artifact/" + D[9], "digest": D[9]}
MEASUREMENT = {"metric": "score", "unit": "s", "statistic": "geomean", "value": 1.5, "sampleCount": 3}

FULL: dict[str, dict[str, Any]] = {
    "OperationSpec": {
        "family": "loss-fn2",
        "axes": {
            "tokens": {"role": "variable", "type": "integer", "minimum": 1, "maximum": 9},
            "vocab": {"role": "constant", "type": "integer", "value": -3},
            "total": {"role": "derived", "type": "integer", "expression": "tokens * vocab // 2"},
        },
        "inputs": [
            {"name": "x", "tensor": {"shape": ["tokens", 0], "dtype": "fp32", "layout": "row_major"}},
            {"name": "beta", "scalar": {"dtype": "fp32"}},
        ],
        "outputs": [{"name": "y", "tensor": {"shape": [1], "dtype": "bf16"}}],
        "semantics": {"expression": "y = f(x)", "mutation": "none", "determinism": "unspecified"},
        "reference": {"language": "python", "artifact": {**FILE}},
    },
    "WorkloadCase": {
        "operationSpecDigest": D[0],
        "axes": {"tokens": 2048, "offset": -1},
        "tensors": {
            "x": {
                "shape": [2048, 0],
                "dtype": "fp32",
                "strides": [1, -1],
                "alignmentBytes": 16,
                "data": {"generator": "normal", "seed": 0, "parameters": {"std": 0.5}, "artifact": {**FILE}},
            }
        },
        "scalars": {"beta": {"dtype": "fp32", "value": -0.5}},
        "correctness": {
            "comparator": "allclose",
            "maxAbsoluteError": 1e-5,
            "maxRelativeError": 0,
            "requiredMatchedRatio": 1,
            "nanPolicy": "reject",
            "infinityPolicy": "exact_match",
        },
    },
    "WorkloadSuite": {
        "operationSpecDigest": D[0],
        "cases": [{"externalId": "1", "axes": {"n": 1}}, {"externalId": "0", "axes": {}}],
        "correctness": {"comparator": "eval", "description": "all pass"},
        "aggregation": {"metric": "score", "statistic": "geomean"},
    },
    "SoftwareProject": {
        "name": "Liger-Kernel",
        "kind": "library",
        "repository": URL,
        "homepage": URL,
        "host": {"kind": "github", "id": "linkedin/Liger-Kernel"},
        "packages": [{"ecosystem": "pypi", "name": "liger-kernel"}],
    },
    "ImplementationRevision": {
        "projectRevision": {"repository": URL, "commit": COMMIT, "version": "0.8.0", "treeDigest": D[1]},
        "operation": {"specDigest": D[0]},
        "callable": {"language": "triton", "path": "a/b.py", "symbol": "f", "interface": "torch"},
        "support": {
            "hardwareArchitectures": ["sm_100", "sm_90"],
            "productsTested": ["NVIDIA B200"],
            "axes": ["tokens <= 4096"],
            "dtypes": ["bf16", "fp32"],
            "layouts": ["contiguous"],
        },
        "source": {"contentDigest": D[2], "fileName": "a.py", "sizeBytes": 12},
        "buildVariants": [
            {
                "name": "pip",
                "install": {
                    "kind": "pip",
                    "repository": URL,
                    "commit": COMMIT,
                    "package": "liger-kernel",
                    "version": "0.8.0",
                    "command": "pip install liger-kernel",
                },
                "requirements": {"cuda": ">=12"},
            }
        ],
        "licensing": {
            "declared": "BSD-2-Clause",
            "concluded": "BSD-2-Clause",
            "evidence": {"path": "LICENSE", "digest": D[3]},
        },
    },
    "BenchmarkProtocol": {
        "harness": {"name": "bench", "version": "1", "repository": URL, "commit": COMMIT},
        "measurement": {
            "timer": "cuda_events",
            "synchronization": "device",
            "compileIncluded": False,
            "setupIncluded": True,
            "warmupIterations": 0,
            "warmupDuration": 25_000_000,
            "measuredIterations": 100,
            "samples": 100,
            "inputRegeneration": "never",
            "outlierPolicy": "none",
            "primaryStatistic": "median",
        },
        "correctness": {"reference": "torch", "comparator": "allclose"},
        "devicePolicy": {"clocksLocked": True, "powerLimitWatts": 700, "persistenceMode": False},
        "comparability": {"family": "bench", "notes": "only within one GPU"},
    },
    "ExecutionEnvironment": {
        "hardware": {
            "vendor": "nvidia",
            "product": "NVIDIA B200",
            "architecture": "sm_100",
            "formFactor": "SXM",
            "memoryBytes": 192 * 2**30,
            "count": 8,
            "interconnect": "NVLink",
        },
        "software": {
            "operatingSystem": "Linux",
            "kernel": "6.8",
            "driver": "570",
            "cudaToolkit": "12.8",
            "compiler": "nvcc",
            "framework": {"name": "torch", "version": "2.7"},
            "libraries": {"triton": "3.3"},
        },
        "settings": {
            "clocksLocked": True,
            "powerLimitWatts": 0.5,
            "persistenceMode": True,
            "eccEnabled": True,
            "environmentVariables": {"CUDA_VISIBLE_DEVICES": "0"},
        },
        "imageDigest": D[4],
    },
    "BenchmarkRun": {
        "implementationDigest": D[0],
        "workloadDigest": D[1],
        "protocolDigest": D[2],
        "environmentDigest": D[3],
        "status": "passed",
        "correctness": {
            "comparator": "allclose",
            "maximumAbsoluteError": 0,
            "maximumRelativeError": 1e-7,
            "matchedRatio": 0.5,
        },
        "timing": {
            "primaryStatistic": "median",
            "samples": 10,
            "latencyNs": {
                "median": 9_110_560,
                "mean": 9_110_561,
                "p05": 1,
                "p95": 34_822_486_568,
                "minimum": 0,
                "maximum": 3 * 10**15,
                "mad": 5,
                "confidence95": [9_000_000, 9_200_000],
            },
            "rawSamples": {**FILE},
        },
        "measurements": [MEASUREMENT],
        "sourceNative": {
            "source": "liger-kernel-bench",
            "benchmark": "jsd",
            "externalId": "1",
            "metrics": {"ms_50": 9.110560417175293, "big": 1e20, "count": 3},
        },
        "evidence": {
            "logs": {"uri": URL, "digest": D[5]},
            "rawSamples": {**FILE},
            "harness": {"repository": URL, "commit": COMMIT},
        },
        "observedAt": "2026-05-27T17:14:29.000Z",
    },
    "ModelRevision": {
        "model": "Llama",
        "repository": {"host": "huggingface", "id": "meta/llama", "revision": "main"},
        "tokenizer": {"name": "t", "revision": "1", "digest": D[0]},
        "architecture": "decoder",
        "parameterCount": 70_000_000_000,
        "contextLength": 4096,
        "modality": "text",
        "license": "other",
    },
    "ServingStackRevision": {
        "project": {"name": "vLLM", "repository": URL},
        "revision": {"version": "0.9", "commit": COMMIT, "containerDigest": D[0]},
        "backends": ["flash", "triton", "flash"],
        "apiProtocol": "openai",
        "license": "Apache-2.0",
    },
    "ServingConfiguration": {
        "stackDigest": D[0],
        "dtype": "fp8",
        "quantization": "fp8",
        "parallelism": {"tensor": 8, "pipeline": 1, "data": 1, "expert": 1, "context": 1},
        "attentionBackend": "flash",
        "kvCache": {"dtype": "fp8", "capacityTokens": 1},
        "limits": {"maxSequenceLength": 1, "maxBatchSize": 1, "maxNumTokens": 1},
        "speculative": {"method": "eagle", "draftModel": "d"},
        "options": {"system": "S"},
    },
    "ServingWorkload": {
        "dataset": {"name": "OpenOrca", "digest": D[0]},
        "tokens": {
            "prompt": {"distribution": "dataset", "mean": 0.5, "maximum": 10, "artifactDigest": D[1]},
            "output": {"distribution": "fixed"},
        },
        "streaming": True,
        "loadGeneration": "open_loop",
        "arrival": "poisson",
        "requestRatePerSecond": 1.5,
        "slo": [{"metric": "ttft_ms", "statistic": "p99", "operator": "<=", "value": 450, "unit": "ms"}],
        "sampling": {"temperature": -1, "seeded": False},
        "durationSeconds": 60,
        "requestCount": 100,
    },
    "ServingRun": {
        "modelDigest": D[0],
        "configurationDigest": D[1],
        "workloadDigest": D[2],
        "topology": {
            "acceleratorVendor": "amd",
            "acceleratorModel": "MI300X",
            "acceleratorsPerNode": 8,
            "nodeCount": 1,
            "interconnect": "IF",
        },
        "harness": {"name": "loadgen", "version": "v5.1"},
        "placement": "single",
        "qualityPolicy": "closed_99",
        "status": "valid",
        "measurements": [MEASUREMENT],
        "sourceNative": {
            "source": "mlperf",
            "benchmark": "llama",
            "scenario": "offline",
            "division": "closed",
            "category": "available",
            "externalId": "5.1-1",
            "metrics": {"tokens": 8840.42, "units": "Tokens/s"},
        },
        "caveats": ["b", "a", "b"],
        "observedAt": "2025-09-04T19:30Z",
    },
    "OperationRelation": {
        "from": D[0],
        "to": D[1],
        "relation": "equivalent_under_constraints",
        "constraints": [
            {"axis": "n", "operator": "lte", "value": 4096},
            {"axis": "n", "operator": "gt", "value": 0.5},
        ],
        "rationale": "r",
        "reviewer": "A",
        "reviewedAt": "2025-09-04T19:30Z",
    },
}
"""Every kind with every field."""

METADATA: dict[str, Any] = {
    "name": "a.name-1",
    "title": "A title · with more",
    "description": "d",
    "labels": {"project": "liger"},
    "authors": [{"name": "A", "github": "a"}, {}],
    "sourceRefs": [{"url": URL}],
}


def manifest(kind: str, **changes: Any) -> dict[str, Any]:
    """A full manifest; ``changes`` are spec values by JSON Pointer with ``__`` for ``/``, ... removes."""
    raw = {"apiVersion": KINDS[kind].api_version, "kind": kind, "metadata": METADATA, "spec": FULL[kind]}
    raw = copy.deepcopy(raw)
    for path, value in changes.items():
        *steps, last = path.split("__")
        where: Any = raw["spec"]
        for step in steps:
            where = where[int(step) if step.isdigit() else step]
        if value is ...:
            del where[last]
        else:
            where[int(last) if last.isdigit() else last] = value
    return raw
