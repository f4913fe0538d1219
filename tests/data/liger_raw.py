"""Liger's CSV rows in comparison groups, worked out from the raw files without the catalog's code.

Speed rows that the facts cover, each once; a group is all that must be equal: operation, timed pass, GPU,
sizes, data type and scalars. The answers that tests compare the catalog with are computed from these.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent
BUNDLED = ROOT / "catalog/data/liger/all_benchmark_data.csv"
FILES = [f"liger-all_benchmark_data{part}.csv" for part in ("", "_cutedsl", "_cutile")]
"""All three files, by their names in the folder of real data."""
FACTS = json.loads((ROOT / "catalog/ingest/sources/data/liger-kernels.json").read_text())
KERNELS = {kernel["csvName"]: kernel for kernel in FACTS["kernels"]}
PROVIDERS = FACTS["providers"]
OPERATIONS = {
    name: json.dumps([kernel[part] for part in ("family", "inputs", "outputs", "derived")], sort_keys=True)
    for name, kernel in KERNELS.items()
}
"""Kernel -> what makes its operation: tiled and plain kernels of one operation are compared."""
DTYPES = FACTS["dtypes"].get("aliases", FACTS["dtypes"])


class Raw(NamedTuple):
    """One row: the external id that the catalog must give it, who ran, when, whole nanoseconds (median, then
    the spread where there is one), and what."""

    external: str
    provider: str
    stamp: str
    ns: int
    kernel: str
    mode: str
    gpu: str
    dtype: str
    axes: tuple[tuple[str, int], ...]
    spread: tuple[int | None, ...]


def operation_slug(kernel: str) -> str:
    """The name that a kernel's operation is shown by: of several the one whose metadata comes first."""
    named = [KERNELS[name] for name in KERNELS if OPERATIONS[name] == OPERATIONS[kernel]]
    return str(min(named, key=lambda each: each["description"])["slug"])


def kebab(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:100]


def groups(files: Iterable[Path]) -> dict[tuple[Any, ...], list[Raw]]:
    """Group -> its rows, equal rows once."""
    found: dict[tuple[Any, ...], dict[tuple[Any, ...], Raw]] = defaultdict(dict)
    for path in files:
        with path.open(newline="", encoding="utf-8") as source:
            for row in csv.DictReader(source):
                placed = place(row)
                if placed is not None:
                    group, raw = placed
                    spread = (row["y_value_20"], row["y_value_80"], row["y_value_50"])
                    found[group][(raw, *map(as_float, spread))] = raw
    return {group: list(rows.values()) for group, rows in found.items()}


def as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def nanoseconds(text: str) -> int | None:
    """Milliseconds as printed, to the nearest nanosecond; None for what is no finite number."""
    number = as_float(text)
    return math.floor(number * 1e6 + 0.5) if number is not None and math.isfinite(number) else None


def place(row: dict[str, str]) -> tuple[tuple[Any, ...], Raw] | None:
    """The group of a row and the row itself; None for one that is not covered."""
    kernel = KERNELS.get(row["kernel_name"])
    covered = (
        kernel is not None
        and row["metric_name"] == "speed"
        and row["kernel_provider"] in PROVIDERS
        and row["kernel_operation_mode"] in FACTS["protocols"]
        and row["gpu_name"] in FACTS["hardware"]
    )
    bound = bind(kernel["bind"], row) if covered and kernel is not None else None
    median = as_float(row["y_value_50"])
    if bound is None or median is None or not 0 < median < math.inf:
        return None
    axes, dtype, scalars = bound
    mode, gpu, provider, stamp = (
        row[name] for name in ("kernel_operation_mode", "gpu_name", "kernel_provider", "timestamp")
    )
    case = "-".join([*(f"{name}{axes[name]}" for name in sorted(axes)), dtype])
    external = "/".join([row["kernel_name"], mode, provider, kebab(gpu), case, kebab(stamp)])
    group = (OPERATIONS[row["kernel_name"]], mode, gpu, case, tuple(sorted(scalars.items())))
    sizes = tuple(sorted(axes.items()))
    ns, *spread = (nanoseconds(row[f"y_value_{part}"]) for part in (50, 20, 80))
    assert ns is not None
    return group, Raw(
        external, provider, stamp, ns, row["kernel_name"], mode, gpu, dtype, sizes, tuple(spread)
    )


def bind(rule: dict[str, Any], row: dict[str, str]) -> tuple[dict[str, int], str, dict[str, float]] | None:
    """(axes, dtype, scalars) of a row's configuration; None when it does not bind."""
    try:
        config = json.loads(row["extra_benchmark_config_str"])
        x = float(row["x_value"])
        variants = {variant["x"]: variant["axes"] for variant in rule["variants"]}
        parts = variants.get(row["x_name"]) or variants["*"]
        axes = {
            axis: math.prod(whole(x if key == "$x" else config[key]) for key in listed(keys))
            for axis, keys in parts.items()
        }
        dtype = rule["dtype"].get("fixed") or DTYPES[config[rule["dtype"]["key"]]]
        scalars = {
            s["name"]: s["value"] if "value" in s else number(config[s["key"]]) for s in rule["scalars"]
        }
    except (KeyError, TypeError, ValueError):
        return None
    for guard in rule["guards"]:
        if "key" in guard:
            if json.dumps(config.get(guard["key"])) != json.dumps(guard["equals"]):
                return None
        elif axes[guard["axis"]] % axes.get(guard["divisibleBy"], guard["divisibleBy"]):
            return None
    return axes, dtype, scalars


def listed(keys: str | list[str]) -> list[str]:
    return keys if isinstance(keys, list) else [keys]


def number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(value)
    return value


def whole(value: Any) -> int:
    if number(value) <= 0 or number(value) % 1:
        raise ValueError(value)
    return int(value)
