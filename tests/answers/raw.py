"""The raw files joined: what questions need to know of them, and the rules they need, stated a second time.

Nothing here imports the catalog. Ranks are those of `ranking-v1` where a group is source-native, as all are
in the real data: only equal values tie.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.data import export_raw, liger_raw
from tests.data.export_raw import Row, by

LOWER = {"latency", "score"}
"""The primary metrics of the real data; of each less is better."""


@dataclass(frozen=True, eq=False)
class Run:
    """A run of the export with the rows that it refers to."""

    row: Row
    workload: Row
    operation: Row
    code: Row
    project: Row
    source: Row

    @property
    def digest(self) -> str:
        return str(self.row["runDigest"])

    @property
    def key(self) -> str:
        return str(self.row["comparisonKey"])

    @property
    def value(self) -> float:
        """Of a run that is ranked."""
        value: float = self.row["primaryValue"]
        return value

    @property
    def implementation(self) -> str:
        return str(self.code["implementationDigest"])

    @property
    def architecture(self) -> str:
        return str(self.row["hardwareArchitecture"])

    @property
    def at(self) -> str:
        """When it was observed; all are spelt with milliseconds, so the order of texts is that of time."""
        return str(self.row["observedAt"])

    @property
    def cases(self) -> list[dict[str, float]]:
        """The axes of each case of its workload, the operation's constants filled in."""
        spec = self.workload["manifest"]["spec"]
        axes = self.operation["manifest"]["spec"]["axes"]
        constants = {name: axis["value"] for name, axis in axes.items() if axis["role"] == "constant"}
        return [constants | case["axes"] for case in spec.get("cases", [spec])]

    @property
    def dtypes(self) -> set[str]:
        """Of the case's tensors; of a suite the operation's."""
        tensors = self.workload["manifest"]["spec"].get("tensors")
        if tensors:
            return {tensor["dtype"] for tensor in tensors.values()}
        spec = self.operation["manifest"]["spec"]
        return {part["tensor"]["dtype"] for part in spec["inputs"] + spec["outputs"] if "tensor" in part}

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is not ranked, from the columns of its row."""
        row = self.row
        assert row["publishedAt"] is not None
        applying = {
            f"STATUS_{row['status'].upper()}": row["status"] != "passed",
            "RETRACTED": row["retractedAt"] is not None,
            "MISSING_PRIMARY_METRIC": row["primaryValue"] is None,
        }
        return tuple(reason for reason, applies in applying.items() if applies)


@dataclass(frozen=True)
class Standing:
    """A ranked run in its group."""

    run: Run
    rank: int
    tied: bool
    tied_with_previous: bool
    ratio: float


class Raw:
    """The rows of the public export and Liger's three files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables = export_raw.tables(folder)
        self.liger = liger_raw.groups([folder / name for name in liger_raw.FILES])

    def ids(self, table: str) -> dict[str, Row]:
        return by("id", self.tables[table])

    @cached_property
    def runs(self) -> list[Run]:
        """Of the export."""
        workloads, operations = self.ids("workloads"), self.ids("operations")
        codes, projects, sources = self.ids("implementations"), self.ids("projects"), self.ids("sources")
        found = []
        for row in self.tables["benchmark_runs"]:
            workload, code = workloads[row["workloadId"]], codes[row["implementationId"]]
            assert row["supersedesId"] is None
            assert row["primaryMetric"] in LOWER | {"none"}
            found.append(
                Run(
                    row,
                    workload,
                    operations[workload["operationId"]],
                    code,
                    projects[code["projectId"]],
                    sources[row["sourceId"]],
                )
            )
        return found

    @cached_property
    def by_id(self) -> dict[str, Run]:
        return {run.row["id"]: run for run in self.runs}

    @cached_property
    def by_digest(self) -> dict[str, Run]:
        return {run.digest: run for run in self.runs}

    @cached_property
    def groups(self) -> dict[str, list[Run]]:
        """Comparison key -> the runs of the export that state it."""
        found: dict[str, list[Run]] = defaultdict(list)
        for run in self.runs:
            found[run.key].append(run)
        return dict(found)

    def standings(self, key: str) -> list[Standing]:
        """The ranked runs of a group in the order in which they are shown."""
        return rank(run for run in self.groups[key] if not run.reasons)

    def leader(self, key: str) -> Run | None:
        found = self.standings(key)
        return found[0].run if found else None

    @cached_property
    def boards(self) -> dict[str, list[Standing]]:
        """Comparison key -> its standings."""
        return {key: self.standings(key) for key in self.groups}

    @cached_property
    def liger_rows(self) -> list[liger_raw.Raw]:
        return [row for rows in self.liger.values() for row in rows]


def rank(runs: Iterable[Run]) -> list[Standing]:
    """Dense ranks; equal values tie, shown by better evidence, then newer, then by digest."""
    parted: dict[float, list[Run]] = defaultdict(list)
    for run in runs:
        parted[run.value].append(run)
    found = []
    best = min(parted, default=0.0)
    for number, value in enumerate(sorted(parted), start=1):
        tie = sorted(parted[value], key=lambda run: run.digest)
        tie.sort(key=lambda run: (run.row["hasRawEvidence"], run.at), reverse=True)
        for place, run in enumerate(tie):
            found.append(Standing(run, number, len(tie) > 1, place > 0, value / best))
    return found


def instant(text: str | None) -> str | None:
    """As the catalog prints instants: without a fraction of zeros."""
    return text and text.replace(".000Z", "Z")


def edges(nodes: Iterable[Any], **more: Any) -> dict[str, Any]:
    """A connection in which only nodes are selected."""
    return {**more, "edges": [{"node": node} for node in nodes]}


def named(mapping: dict[str, Any]) -> list[dict[str, Any]]:
    """Names with values, in the order of the names."""
    return [{"name": name, "value": value} for name, value in sorted(mapping.items())]


def architecture_of(row: liger_raw.Raw) -> str:
    """Of the GPU of one of Liger's rows."""
    return str(liger_raw.FACTS["hardware"][row.gpu]["architecture"])


def code_of(row: liger_raw.Raw) -> tuple[Any, ...]:
    """What makes the implementation of one of Liger's rows; providers that agree in it are one."""
    facts = liger_raw.PROVIDERS[row.provider]
    parts = ("language", "declared", "concluded", "pipPackage")
    return (liger_raw.OPERATIONS[row.kernel], *(facts.get(part) for part in parts))


def counted(items: Iterable[Any], key: Callable[[Any], Any] = lambda item: item) -> dict[Any, int]:
    """How often each key occurs, by key."""
    found: dict[Any, int] = defaultdict(int)
    for item in items:
        found[key(item)] += 1
    return dict(sorted(found.items()))
