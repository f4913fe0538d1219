"""Writes serving.jsonl beside this file: serving runs with several metrics, ties, and everything amiss.

Run it as ``python -m tests.data.made.serving`` after a change; the answers in serving-expected.json are
worked out by hand from the rules and must not be made from the program's output.
"""

from __future__ import annotations

from typing import Any

from tests.data.made.make import Item, manifest, says, write

MODEL = manifest("ModelRevision", "made-llm", {"model": "Made LLM 7B"}, "Made LLM")
OTHER_MODEL = manifest(
    "ModelRevision", "made-other-llm", {"model": "Other LLM", "tokenizer": {"name": "bpe"}}
)
STACK = manifest(
    "ServingStackRevision",
    "made-server",
    {"project": {"name": "Made server"}, "revision": {"version": "1.0"}, "backends": ["cuda"]},
)


def configuration(name: str, **parts: Any) -> Any:
    return manifest("ServingConfiguration", name, {"stackDigest": STACK.digest} | parts)


CONFIGURATIONS = {
    name: configuration(f"made-{name}", dtype=name, parallelism={"tensor": 8}) for name in ("bf16", "fp8")
}
ABSENT = configuration("made-absent", dtype="fp4")


def bound(metric: str, value: float, unit: str = "ms") -> dict[str, Any]:
    return {"metric": metric, "statistic": "p99", "operator": "<=", "value": value, "unit": unit}


CHAT = manifest(
    "ServingWorkload",
    "made-chat",
    {"streaming": True, "loadGeneration": "open_loop", "slo": [bound("ttft_ms", 450), bound("tpot_ms", 40)]},
    "Chat",
)
BATCH = manifest("ServingWorkload", "made-batch", {"streaming": False, "loadGeneration": "offline"}, "Batch")
H100 = {"acceleratorVendor": "nvidia", "acceleratorModel": "NVIDIA H100-SXM-80GB", "acceleratorsPerNode": 8}
GH200 = {"acceleratorVendor": "nvidia", "acceleratorModel": "NVIDIA GH200", "acceleratorsPerNode": 4}


def measured(metric: str, statistic: str, unit: str, value: float) -> dict[str, Any]:
    return {"metric": metric, "statistic": statistic, "unit": unit, "value": value}


def ttft(value: float, unit: str = "ms") -> dict[str, Any]:
    return measured("ttft_ms", "p99", unit, value)


def tpot(value: float) -> dict[str, Any]:
    return measured("tpot_ms", "p99", "ms", value)


def tps(value: float) -> dict[str, Any]:
    return measured("output_token_throughput_tps", "mean", "tokens_s", value)


def run(name: str, day: int, *numbers: dict[str, Any], on: Any = CHAT, **parts: Any) -> Any:
    spec = {
        "modelDigest": MODEL.digest,
        "configurationDigest": CONFIGURATIONS["bf16"].digest,
        "workloadDigest": on.digest,
        "topology": {**H100, "nodeCount": 1},
        "harness": {"name": "made_loadgen", "version": "1"},
        "qualityPolicy": "made_99",
        "status": "valid",
        "measurements": list(numbers),
        "observedAt": f"2026-01-{day:02}T00:00:00Z",
    }
    return manifest("ServingRun", name, spec | parts, name)


def three_metrics() -> list[Item]:
    """Chat on 8 H100: equal runs, one in seconds, one dominated, and one of each that is left out."""
    fp8 = {"configurationDigest": CONFIGURATIONS["fp8"].digest}
    alpha = run("alpha", 1, ttft(200), tpot(20), tps(1000))
    beta = run("beta", 2, ttft(300), tpot(15), tps(1200))
    gamma = run("gamma", 3, ttft(300), tpot(15), tps(1200), **fp8)
    delta = run("delta", 4, ttft(400), tpot(30), tps(900))
    epsilon = run("epsilon", 5, ttft(0.25, "s"), tpot(25), tps(1100), **fp8)
    zeta = run("zeta", 6, ttft(1), tpot(1), tps(9000), status="invalid")
    eta = run("eta", 7, ttft(2), tpot(2), tps(8000))
    theta = run("theta", 8, ttft(3), tpot(3), tps(7000))
    iota = run("iota", 9, ttft(4), tpot(4), tps(6000))
    kappa = run("kappa", 10, ttft(5), tpot(5), tps(5000), configurationDigest=ABSENT.digest)
    return [
        *(alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota, kappa),
        says("made-lab", eta, "retraction", {"at": "2026-02-01T00:00:00Z", "reason": "wrong model"}),
        says("made-lab", epsilon, "supersedes", theta.digest),
        says("made-lab", iota, "published", False),
    ]


def one_metric() -> list[Item]:
    """Chat on 8 H100, throughput alone: latency is known from the declared bounds only."""
    return [run("mu", 1, tps(500)), run("nu", 2, tps(700))]


def with_a_gap() -> list[Item]:
    """Batch on 16 GH200: one run whose ttft is no number that says something."""
    where = {**GH200, "nodeCount": 4}
    return [
        run("xi", 1, ttft(-1), tps(50), on=BATCH, topology=where),
        run("omicron", 2, ttft(90), tps(45), on=BATCH, topology=where),
        run("pi", 3, ttft(100), tps(40), on=BATCH, topology=where),
    ]


def unknown_direction() -> list[Item]:
    """Another model, one metric that nobody knows the better direction of."""
    odd = [measured("batch_size", "max", "requests", 3)]
    return [run("rho", 1, *odd, modelDigest=OTHER_MODEL.digest)]


def main() -> None:
    parts = [MODEL, OTHER_MODEL, STACK, *CONFIGURATIONS.values(), CHAT, BATCH]
    summaries = [says("made-lab", code, "summary", name) for name, code in CONFIGURATIONS.items()]
    runs = [*three_metrics(), *one_metric(), *with_a_gap(), *unknown_direction()]
    write("serving.jsonl", [*parts, *summaries, *runs])


if __name__ == "__main__":
    main()
