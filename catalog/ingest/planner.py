"""From a batch of rows to one write plan.

Ask which rows say nothing new, read the state of what the others touch, absorb them, find what else has to be
derived anew (a run whose workload arrives only now), derive, and list what differs. Reading goes through
callables, so the same planning runs on plain reads, even while the batch before is being written, and again
inside the write transaction when another writer was faster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from catalog.domain import facts
from catalog.domain.identity import load_canonical
from catalog.ingest import derive, projection
from catalog.ingest.gently import gently
from catalog.ingest.items import Row
from catalog.ingest.news import News, news_of
from catalog.ingest.search_text import text_of
from catalog.ingest.working import SUBJECT_KIND_OF_LABEL, Node, NodeId, Said, Working, is_held, needed
from graph import state
from graph.plan import WritePlan
from graph.schema import LABEL_OF_KIND
from graph.textindex import SEARCHED, TEXT

Rows = list[dict[str, Any]]


class Read(Protocol):
    """One read statement: ``Store.read``, or ``WriteTx.run`` inside a write."""

    def __call__(self, statement: str, **params: Any) -> Awaitable[Rows]: ...


@dataclass(slots=True)
class Planned:
    """What a batch comes to."""

    plan: WritePlan
    base: int
    """The revision that the plan was made from; it holds as long as that is still the newest."""
    changed: list[bool]
    """Per row: whether it brings anything."""
    completed: dict[str, set[str]] = field(default_factory=dict)
    """Kind -> digests of the objects that this batch completes."""
    touched: dict[NodeId, Node] = field(default_factory=dict)
    """The nodes that differ from what the graph held."""
    news: News = field(default_factory=News)
    """What of it followers are told; nothing in a dry run."""
    several_names: list[Node] = field(default_factory=list)
    """Implementations whose shown name their runs decide, to be settled when the batch is written."""


async def plan_batch(
    rows: Sequence[Row],
    read: Read,
    importer: str,
    base: int,
    *,
    known: Mapping[NodeId, Node] | None = None,
    read_related: Read | None = None,
    dry: bool = False,
) -> Planned:
    """Plan what ``rows`` add to the graph that ``read`` sees at the revision ``base``.

    ``known`` are nodes that an earlier batch writes, or would write in a dry run: they stand before what is
    read. ``read_related`` reads what hangs on nodes, and must see what earlier batches wrote.
    """
    planner = _Planner(read, read_related or read, known or {})
    return await planner.plan(rows, importer, base, dry)


class _Planner:
    def __init__(self, read: Read, read_related: Read, known: Mapping[NodeId, Node]) -> None:
        self._read = read
        self._read_related = read_related
        self._known = known
        self._working = Working()
        self._looked: set[NodeId] = set()
        """Nodes that were asked for: they are in memory, or there are none."""

    async def plan(self, rows: Sequence[Row], importer: str, base: int, dry: bool) -> Planned:
        held = await self._held(rows)
        changed = [not is_held(row, held) for row in rows]
        if not any(changed):
            return Planned(WritePlan(), base, changed)
        fresh = [(place, rows[place]) for place, is_fresh in enumerate(changed) if is_fresh]
        wanted: dict[NodeId, None] = {}
        async for _, row in gently(fresh):
            wanted.update(dict.fromkeys(needed(row)))
        await self._load(wanted)
        async for place, row in gently(fresh):
            changed[place] = self._working.absorb(row, importer, base + 1)
        if any(changed):
            await self._derive()
        completed: dict[str, set[str]] = {}
        for node in self._working.nodes.values():
            if node.completed_now and node.kind is not None:
                completed.setdefault(node.kind, set()).add(node.key)
        touched = {place: node for place, node in self._working.nodes.items() if node.dirty}
        plan = await self._plan(touched.values())
        news = News() if dry else await news_of(self._working, self._read_related)
        return Planned(plan, base, changed, completed, touched, news, self._several_names())

    # -- reading --------------------------------------------------------------------------------

    async def _held(self, rows: Iterable[Row]) -> Mapping[str, set[str]]:
        """The nodes that hold all that the rows say of them, by label; one statement a label."""
        said: dict[str, dict[str, Said]] = {}
        async for row in gently(rows):
            self._working.hear(row, said)
        held: dict[str, set[str]] = {}
        for label, keys in said.items():
            held[label] = set()
            asked: list[dict[str, Any]] = []
            for key, texts in keys.items():
                if (node := self._known.get((label, key))) is None:
                    asked.append({"key": key, "metadata": list(texts.metadata), "facts": list(texts.facts)})
                elif texts.is_held(node):
                    held[label].add(key)
            if asked:
                [found] = await self._read(state.HELD[label], input={"rows": asked})
                held[label].update(found["held"])
                there = {*found["held"], *found["others"]}
                self._looked.update((label, row["key"]) for row in asked if row["key"] not in there)
        return held

    async def _load(self, wanted: Iterable[NodeId]) -> None:
        """Read nodes that are not in memory yet, by one statement a label; absent ones stay absent."""
        nodes = self._working.nodes
        asked: dict[str, list[str]] = {}
        for place in wanted:
            if place in nodes or place in self._looked:
                continue
            self._looked.add(place)
            if (known := self._known.get(place)) is not None:
                nodes[place] = as_written(known)
            else:
                asked.setdefault(place[0], []).append(place[1])
        for label, keys in asked.items():
            async for row in gently(await self._read(state.STATE[label], input={"keys": keys})):
                self._working.load(label, row["key"], row["node"])

    async def _load_dependents(self, part: str, keys: Sequence[str]) -> list[Node]:
        """Read what is derived from these parts, with its manifest; what the batch holds already stays."""
        if not keys:
            return []
        label = {"Model": "ServingRun", "ServingWorkload": "ServingRun", "Project": "Implementation"}.get(
            part, "Run"
        )
        found = []
        for row in await self._read_related(state.DEPENDENTS[part], input={"keys": list(keys)}):
            node = self._working.nodes.get((label, row["key"]))
            if node is None:
                node = self._working.load(label, row["key"], row["node"])
            if node.spec is None and row["manifest"] is not None:
                node.spec = load_canonical(row["manifest"])["spec"]
            found.append(node)
        return found

    def _find(self, label: str, key: str) -> Node | None:
        return self._working.nodes.get((label, key))

    # -- deriving -------------------------------------------------------------------------------

    async def _derive(self) -> None:
        """Everything that depends on more than one node, parts before what is made of them."""
        async for node in gently(list(self._working.nodes.values())):
            if node.dirty:
                node.derived |= own_properties(node)
        await self._derive_projects()
        await self._derive_implementations()
        await self._derive_runs()
        await self._derive_serving_runs()

    async def _derive_projects(self) -> None:
        gained_source = []
        dirty = list(self._working.dirty("Project"))
        revisions = self._new_revisions()
        existing = [node.key for node in dirty if not node.is_new]
        if existing:
            for row in await self._read_related(state.PROJECT_REVISIONS, input={"keys": existing}):
                revisions[row["key"]][row["digest"]] = load_canonical(row["manifest"])["spec"]
        for node in dirty:
            before = node.value("repository")
            node.derived |= derive.project(revisions[node.key].values())
            node.complete = node.derived["complete"]
            if node.value("repository") is not None and before is None and not node.is_new:
                gained_source.append(node.key)
        for implementation in await self._load_dependents("Project", gained_source):
            implementation.dirty = True

    def _new_revisions(self) -> defaultdict[str, dict[str, Mapping[str, Any]]]:
        """Slug of a project -> specs of the revisions that the batch brings, by digest."""
        found: defaultdict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
        for digest, slug in self._working.edges.get("ProjectRevision-DESCRIBES->Project", {}):
            if (spec := self._working.nodes["ProjectRevision", digest].spec) is not None:
                found[slug][digest] = spec
        return found

    async def _derive_implementations(self) -> None:
        dirty = [node for node in self._working.dirty("Implementation") if node.complete]
        await self._load(("Project", slug) for node in dirty for slug in node.value("projects") or ())
        changed = []
        async for node in gently(dirty):
            before = None if node.is_new else (node.stored or {}).get("publicSource")
            node.derived |= derive.implementation(node, self._find)
            if not node.is_new and before != node.value("publicSource"):
                changed.append(node.key)
        for run in await self._load_dependents("Implementation", changed):
            run.dirty = True

    async def _derive_runs(self) -> None:
        await self._wake_dependents(("Implementation", "Workload", "Protocol", "Environment"))
        runs = [node for node in self._working.dirty("Run") if node.complete]
        await self._load((label, run.value(part)) for run in runs for label, part in derive.PARTS)
        groups: dict[str, projection.Props] = {}
        joining: list[tuple[Node, str]] = []
        async for run in gently(runs):
            if run.spec is not None:
                run.derived |= derive.run_metric(run.spec, self._find("Protocol", run.value("protocol")))
            run.derived |= derive.run_evidence(run, self._find)
            had_key = (run.stored or {}).get("comparisonKey")
            if had_key is None:
                key, group = derive.run_group(run, self._find)
                run.derived |= key
                if group is not None:
                    groups[group["key"]] = group
                    joining.append((run, group["key"]))
        await self._join("ComparisonGroup", groups, joining, "IN_GROUP", GROUP_PARTS)

    async def _derive_serving_runs(self) -> None:
        await self._wake_dependents(("Model", "ServingWorkload"))
        cohorts: dict[str, projection.Props] = {}
        joining: list[tuple[Node, str]] = []
        runs = [n for n in self._working.dirty("ServingRun") if n.complete and n.spec is not None]
        parts = (("Model", "model"), ("ServingWorkload", "workload"))
        await self._load((label, run.value(part)) for run in runs for label, part in parts)
        for run in runs:
            if run.spec is None or (run.stored or {}).get("cohortKey") is not None:
                continue
            key, cohort = derive.serving_cohort(run, run.spec, self._find)
            run.derived |= key
            if cohort is not None:
                cohorts[cohort["key"]] = cohort
                joining.append((run, cohort["key"]))
        await self._join("ServingCohort", cohorts, joining, "IN_COHORT", {})

    async def _wake_dependents(self, labels: Sequence[str]) -> None:
        """Runs that were waiting for a part which this batch completes."""
        for label in labels:
            arrived = [n.key for n in self._working.dirty(label) if n.completed_now and not n.is_new]
            for run in await self._load_dependents(label, arrived):
                if run.complete:
                    run.dirty = True

    async def _join(
        self,
        label: str,
        wanted: Mapping[str, projection.Props],
        joining: Sequence[tuple[Node, str]],
        relationship: str,
        parts: Mapping[str, str],
    ) -> None:
        """Make the groups that are not there yet, and let their new members in."""
        await self._load((label, key) for key in wanted)
        for properties in wanted.values():
            make_group(self._working, label, properties, parts)
        for run, key in joining:
            self._working.connect(relationship, run, self._working.nodes[label, key])

    # -- the outcome ----------------------------------------------------------------------------

    async def _plan(self, touched: Iterable[Node]) -> WritePlan:
        plan = WritePlan()
        async for node in gently(touched):
            put = plan.create if node.is_new else plan.node
            put(node.label, node.key, **stored_properties(node))
        for name, pairs in self._working.edges.items():
            plan.edges[name] = list(pairs)
        return plan

    def _several_names(self) -> list[Node]:
        submitted = {n.value("implementation") for n in self._working.dirty("Run")}
        return [
            node
            for node in self._working.nodes.values()
            if node.label == "Implementation"
            and len(node.metadata) > 1
            and (node.dirty or node.key in submitted)
        ]


GROUP_PARTS = {"Workload": "FOR_WORKLOAD", "Protocol": "FOR_PROTOCOL", "Environment": "FOR_ENVIRONMENT"}
"""The parts of a comparison group: label -> the relationship to it."""

_MANIFEST_LABELS = frozenset(LABEL_OF_KIND.values())


def make_group(working: Working, label: str, properties: projection.Props, parts: Mapping[str, str]) -> Node:
    """The group of these properties, with relationships to its parts when it is new."""
    group = working.touch(label, properties["key"])
    if group.is_new and not group.derived:
        group.derived |= {name: value for name, value in properties.items() if name != "key"}
        for part, relationship in parts.items():
            working.connect(relationship, group, working.touch(part, properties[part.lower()]))
    return group


def own_properties(node: Node) -> projection.Props:
    """The properties that a node's own manifest, metadata and facts give it."""
    kind = node.kind or SUBJECT_KIND_OF_LABEL.get(node.label)
    if kind is None:
        return {}
    properties: projection.Props = {}
    if node.spec is not None and node.complete:
        properties |= projection.VIEWS[kind].props(node.spec)
    stated = node.statements()
    properties |= projection.stated_props(kind, stated)
    if node.label in _MANIFEST_LABELS and node.metadata:
        properties |= projection.display(kind, node.variants(), stated)
    return properties


def stored_properties(node: Node) -> projection.Props:
    """A node as it is to be stored, key aside."""
    properties = dict(node.derived)
    if node.label in _MANIFEST_LABELS:
        properties |= {"complete": node.complete, "kind": node.kind or SUBJECT_KIND_OF_LABEL.get(node.label)}
        properties["metadata"] = node.variants() or None
    if node.facts:
        properties["facts"] = sorted(node.facts)
    if node.completed_now:
        properties |= {"manifest": node.manifest} | node.provenance
    if node.label in ("Run", "ServingRun"):
        properties["superseded"] = node.superseded or None
    if node.label in SEARCHED:
        properties[TEXT] = text_of(node)
    return properties


def as_written(node: Node) -> Node:
    """The node as a later batch reads it when this one has been written; a copy."""
    stored = {**(node.stored or {}), **stored_properties(node)}
    stored.pop("manifest", None)
    return Node(
        node.label,
        node.key,
        stored=stored,
        kind=node.kind,
        complete=node.complete,
        metadata=set(node.metadata),
        facts=dict(node.facts),
        superseded=node.superseded,
    )


async def settle_names(read: Read, nodes: Sequence[Node]) -> WritePlan:
    """Which name is shown of implementations that have several: that of the earliest run (docs/domain.md §2).

    To be called inside the transaction that wrote the batch, so that all runs are there to decide.
    """
    plan = WritePlan()
    if not nodes:
        return plan
    seen: dict[str, list[tuple[str, str, str]]] = {}
    for row in await read(state.NAMES_SEEN, input={"keys": [node.key for node in nodes]}):
        at, digest = row["earliest"][: state.INSTANT_LENGTH], row["earliest"][state.INSTANT_LENGTH :]
        seen.setdefault(row["key"], []).append((row["slug"], at, digest))
    for node in nodes:
        shown = projection.display(
            "ImplementationRevision",
            node.variants(),
            node.statements(),
            facts.earliest_name(node.variants(), seen.get(node.key, [])),
        )
        if any(node.value(name) != value for name, value in shown.items()):
            plan.node("Implementation", node.key, **shown)
    return plan
