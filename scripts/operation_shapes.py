"""Take the shapes of operations from a public export: `python scripts/operation_shapes.py EXPORT > FILE`.

The shape of an operation is how many implementations and workloads it has, and which of them met on which
machine under which protocol, by number; names and values are left out. `catalog generate` draws from these
shapes, so that its catalogs have the degrees of the real one. The file is catalog/data/generate/shapes.json.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import zstandard

Row = Mapping[str, Any]


def main(arguments: list[str]) -> None:
    """Print the shapes of one export."""
    [path] = arguments
    tables = read_tables(Path(path))
    shapes = shapes_of(tables)
    lines = ",\n".join(json.dumps(shape, separators=(",", ":")) for shape in shapes)
    print(f'{{"export": {json.dumps(Path(path).name)}, "shapes": [\n{lines}\n]}}')


def read_tables(path: Path) -> dict[str, list[Row]]:
    """The rows of an export by table."""
    tables: dict[str, list[Row]] = defaultdict(list)
    with zstandard.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            value = json.loads(line)
            tables[value["table"]].append(value["row"])
    return tables


def shapes_of(tables: Mapping[str, list[Row]]) -> list[dict[str, Any]]:
    """Each shape once, with the number of operations that have it, the most frequent first."""
    operation_of = {row["id"]: row["operationId"] for row in tables["implementations"]}
    implementations = Counter(operation_of.values())
    workloads = Counter(row["operationId"] for row in tables["workloads"])
    measured: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(tables["benchmark_runs"], key=lambda row: (row["observedAt"], row["runDigest"])):
        measured[operation_of[row["implementationId"]]].append(row)
    environments = _by_use(row["environmentKey"] for row in tables["benchmark_runs"])
    protocols = _by_use(row["protocolKey"] for row in tables["benchmark_runs"])
    counted: Counter[str] = Counter()
    for operation in (row["id"] for row in tables["operations"]):
        cases: dict[str, int] = {}
        entrants: dict[str, int] = {}
        groups: dict[tuple[int, int, int], list[int]] = {}
        for run in measured[operation]:
            case = cases.setdefault(run["workloadId"], len(cases))
            place = (case, environments[run["environmentKey"]], protocols[run["protocolKey"]])
            entrant = entrants.setdefault(run["implementationId"], len(entrants))
            groups.setdefault(place, []).append(entrant)
        shape = {
            "implementations": implementations[operation],
            "workloads": max(workloads[operation], len(cases)),
            "groups": [[*place, runs] for place, runs in groups.items()],
        }
        counted[json.dumps(shape)] += 1
    return [{"operations": count, **json.loads(text)} for text, count in counted.most_common()]


def _by_use(keys: Iterable[str]) -> dict[str, int]:
    """Key -> its number, the most used first."""
    counted = sorted(Counter(keys).items(), key=lambda item: (-item[1], item[0]))
    return {key: number for number, (key, _) in enumerate(counted)}


if __name__ == "__main__":
    main(sys.argv[1:])
