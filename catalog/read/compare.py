"""What comparisons need of runs: their sides of the key, and the groups beside one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from catalog.domain import compare, deployability, metrics
from catalog.domain.compare import Compared, Comparison
from catalog.domain.errors import InputError
from catalog.domain.identity import NO_METRIC, metric_key
from catalog.domain.key_diff import KeyedGroup
from catalog.domain.key_parts import KeyPart, Side
from catalog.read.entities import Entity
from catalog.read.lookup import key_of
from catalog.read.snapshot import Snapshot, distinct
from graph import reads_compare

DOCUMENTS: Final = {
    KeyPart.OPERATION: ("Operation", "operation"),
    KeyPart.WORKLOAD: ("Workload", "workload"),
    KeyPart.PROTOCOL: ("Protocol", "protocol"),
    KeyPart.ENVIRONMENT: ("Environment", "environment"),
}
"""Part -> label of the node, and the property of a run that holds its digest."""

Loaded = dict[tuple[str, str], Entity]


async def find_runs(snapshot: Snapshot, texts: Sequence[str], field: str) -> list[Entity]:
    """The runs that these digests or beginnings of digests name, in their order.

    Raises InputError, naming `field` and the text, for one that names no run or a run that is there
    already; AmbiguousName for one that begins several. At most one statement for each shortened digest,
    and one more.
    """
    keys: list[str] = []
    for text in texts:
        key = await key_of(snapshot, "Run", text, field=field)
        if key is None:
            raise InputError(field, text, "must name runs of the catalog")
        if key in keys:
            raise InputError(field, text, f"must name each run once ({key} is there already)")
        keys.append(key)
    runs = await snapshot.entities("Run", keys)
    for text, run in zip(texts, runs, strict=True):
        if run is None:
            raise InputError(field, text, "must name runs of the catalog")
    return [run for run in runs if run is not None]


async def sides(snapshot: Snapshot, runs: Sequence[Entity]) -> list[Side]:
    """The runs' sides of their keys; one statement per kind of part, at most four."""
    loaded: Loaded = {}
    for label, name in DOCUMENTS.values():
        await _load(snapshot, loaded, label, [run.get(name) for run in runs])
    return [_side(run, loaded) for run in runs]


async def compare_runs(snapshot: Snapshot, runs: Sequence[Entity]) -> Comparison:
    """The comparison of runs: at most eight statements, for whatever number of runs."""
    loaded: Loaded = {}
    for label, name in (*DOCUMENTS.values(), ("Implementation", "implementation"), ("Source", "source")):
        await _load(snapshot, loaded, label, [run.get(name) for run in runs])
    compared = [_compared(run, _side(run, loaded), loaded) for run in runs]
    key = compare.common_key(compared)
    group = (await snapshot.groups([key]))[0] if key is not None else None
    return compare.comparison(compared, group.standings if group is not None else None)


async def groups_beside(snapshot: Snapshot, side: Side) -> list[KeyedGroup]:
    """The groups that may differ from this key in one part; one statement, none without a key."""
    if side.key is None:
        return []
    wanted = {part.value: side.value(part) for part in DOCUMENTS}
    rows = await snapshot.store.read(reads_compare.GROUPS_BESIDE, **wanted)
    found = []
    for row in rows:
        parts = {part: row[part.value] for part in KeyPart}
        if row["metric"] is not None and row["metric"] != NO_METRIC:
            parts[KeyPart.METRIC] = metric_key(row["metric"], row["statistic"], row["unit"])
        else:
            parts[KeyPart.METRIC] = NO_METRIC
        found.append(KeyedGroup(parts, row["size"]))
    return found


async def _load(snapshot: Snapshot, loaded: Loaded, label: str, keys: Sequence[str | None]) -> None:
    for entity in await snapshot.entities(label, distinct(keys)):
        if entity is not None:
            loaded[label, entity.key] = entity


def _side(run: Entity, loaded: Loaded) -> Side:
    known = {
        part: entity
        for part, (label, name) in DOCUMENTS.items()
        if (entity := loaded.get((label, run.get(name)))) is not None and entity.complete
    }
    workload = known.get(KeyPart.WORKLOAD)
    digests: dict[KeyPart, str | None] = {part: run.get(name) for part, (_, name) in DOCUMENTS.items()}
    digests[KeyPart.CORRECTNESS] = workload.get("correctnessKey") if workload is not None else None
    return Side(
        digests=digests,
        metric=_metric(run),
        specs={part: entity.spec for part, entity in known.items()},
        run_spec=run.spec,
        workload_kind=workload.kind if workload is not None else None,
        complete=run.complete and run.get("comparisonKey") is not None,
    )


def _metric(run: Entity) -> str | None:
    if not run.complete or run.get("metricPending"):
        return None
    if run.get("value") is None:
        return NO_METRIC
    return metric_key(run.props["metric"], run.props["statistic"], run.props["unit"])


def _compared(run: Entity, side: Side, loaded: Loaded) -> Compared:
    operation = loaded.get(("Operation", run.get("operation")))
    code = loaded.get(("Implementation", run.get("implementation")))
    source = loaded.get(("Source", run.get("source")))
    known = code is not None and code.complete
    return Compared(
        digest=run.key,
        side=side,
        operation_slug=operation.get("slug") if operation is not None else None,
        source=run.get("source"),
        license=source.get("license") if source is not None else None,
        implementation=code.spec if known and code is not None else None,
        permissive=code.get("permissive") if known and code is not None else None,
        verdict=deployability.verdict(code.spec, bool(code.get("publicSource")))
        if known and code is not None
        else None,
        value=run.get("value"),
        measurements=metrics.measurements(run.spec),
    )
