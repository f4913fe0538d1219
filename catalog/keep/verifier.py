"""Makes stored objects again, and compares.

Each object is made from its stored manifest, metadata and facts by the functions that wrote it (validation,
digest, projection, derivation), and every property and relationship that differs is a problem that names
node and field. Parts are taken as stored: they are verified on pages of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from catalog.domain import facts
from catalog.domain.consistency import run_warnings, workload_warnings
from catalog.domain.errors import CatalogError
from catalog.domain.identity import digest_of_text, load_canonical
from catalog.domain.manifests import Manifest, validate
from catalog.ingest import derive, planner, projection
from catalog.ingest.items import Place, Row
from catalog.ingest.working import SUBJECT_KIND_OF_LABEL, Node, Working
from catalog.keep.findings import Verification
from catalog.keep.pages import Stored
from catalog.read.entities import Documents, Entity
from catalog.read.groups import Group
from graph import Store, audit, reads, state
from graph.schema import LABEL_OF_KIND, RELATIONSHIPS

_PARTS_OF: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "Run": derive.PARTS,
    "ServingRun": (("Model", "model"), ("ServingWorkload", "workload")),
    "Workload": (("Operation", "operation"),),
}
_MANIFEST_LABELS: Final = frozenset(LABEL_OF_KIND.values())


class Verifier:
    def __init__(self, store: Store, *, strict: bool) -> None:
        self._store = store
        self._strict = strict
        self.result = Verification()

    async def page(self, label: str, page: Sequence[Stored]) -> None:
        """Make the objects of a page again, and compare."""
        if label in ("ComparisonGroup", "ServingCohort"):
            await self._groups(label, page)
            return
        working = Working()
        for stored in page:
            row = self._stated(label, stored)
            working.touch(label, stored.key)
            working.absorb(row)
        await self._compare_artifacts(working)
        await self._compare_names(working)
        expected = await self._derived(label, page, working)
        for key, props in page:
            self._compare(f"{label} {key}", expected.get(key, {}), props)
        await self._compare_edges(label, [key for key, _ in page], working)

    # -- what an object states ------------------------------------------------------------------

    def _stated(self, label: str, stored: Stored) -> Row:
        """The object as a row of an import would bring it; what does not hold is a problem, and left out."""
        key, props = stored
        name = f"{label} {key}"
        statements = []
        kind = props.get("kind") if label in _MANIFEST_LABELS else None
        for text in props.get("facts") or ():
            try:
                statements.append(facts.parse(text, kind or SUBJECT_KIND_OF_LABEL[label], key))
            except CatalogError as error:
                self.result.problem(name, "facts", str(error))
        if label in (_MANIFEST_LABELS | {"Project"}) and not props.get("complete"):
            self.result.missing.setdefault(label, []).append(key)
        manifests = self._manifests(name, stored) if label in _MANIFEST_LABELS else ()
        return Row(Place("graph"), tuple(manifests), tuple(statements))

    def _manifests(self, name: str, stored: Stored) -> list[Manifest]:
        key, props = stored
        text = props.get("manifest")
        if not props.get("complete"):
            if text is not None:
                self.result.problem(name, "complete", "is false, but there is a manifest")
            return []
        if text is None or not props.get("metadata"):
            missing = "manifest" if text is None else "metadata"
            self.result.problem(name, missing, "is missing of a complete object")
            return []
        if digest_of_text(text) != key:
            self.result.problem(name, "manifest", f"its digest is {digest_of_text(text)}, not the node's key")
            return []
        found = []
        for variant in props["metadata"]:
            try:
                found.append(validate({**load_canonical(text), "metadata": load_canonical(variant)}))
            except (CatalogError, ValueError) as error:
                self.result.problem(name, "metadata", f"gives no valid manifest: {error}")
        return found

    # -- what is derived ------------------------------------------------------------------------

    async def _derived(
        self, label: str, page: Sequence[Stored], working: Working
    ) -> dict[str, projection.Props]:
        """The properties that each object of the page should have."""
        nodes = {key: working.nodes[label, key] for key, _ in page}
        for node in nodes.values():
            node.derived |= planner.own_properties(node)
        if label == "Project":
            await self._derive_projects(nodes)
        if label == "Implementation":
            await self._derive_implementations(nodes, working)
        if label in _PARTS_OF:
            await self._derive_from_parts(label, nodes, working)
        if label in ("Run", "ServingRun"):
            rows = await self._store.read(audit.EDGES_INTO[f"{label}-SUPERSEDES->{label}"], keys=list(nodes))
            for row in rows:
                nodes[row["end"]].superseded = True
        return {key: planner.stored_properties(node) for key, node in nodes.items()}

    async def _derive_projects(self, nodes: Mapping[str, Node]) -> None:
        revisions: dict[str, list[Mapping[str, Any]]] = {}
        for row in await self._store.read(state.PROJECT_REVISIONS, input={"keys": list(nodes)}):
            revisions.setdefault(row["key"], []).append(load_canonical(row["manifest"])["spec"])
        for slug, node in nodes.items():
            node.derived |= derive.project(revisions.get(slug, []))

    async def _derive_implementations(self, nodes: Mapping[str, Node], working: Working) -> None:
        slugs = {slug for node in nodes.values() for slug in node.value("projects") or ()}
        await self._load(working, "Project", slugs)
        for node in nodes.values():
            if node.complete:
                node.derived |= derive.implementation(node, _finder(working))
        settled = await planner.settle_names(
            self._store.read, [node for node in nodes.values() if len(node.metadata) > 1]
        )
        for key, props in settled.nodes.get("Implementation", {}).items():
            nodes[key].derived |= props

    async def _derive_from_parts(self, label: str, nodes: Mapping[str, Node], working: Working) -> None:
        complete = [node for node in nodes.values() if node.complete and node.spec is not None]
        for part, field_name in _PARTS_OF[label]:
            await self._load(working, part, {node.value(field_name) for node in complete})
        find = _finder(working)
        for node in complete:
            spec = node.spec or {}
            if label == "Run":
                node.derived |= derive.run_metric(spec, find("Protocol", node.value("protocol")))
                node.derived |= derive.run_evidence(node, find)
                key, group = derive.run_group(node, find)
                node.derived |= key
                _join(working, node, "IN_GROUP", "ComparisonGroup", group, planner.GROUP_PARTS)
                self._warn_of_run(node, find)
            elif label == "ServingRun":
                key, cohort = derive.serving_cohort(node, spec, find)
                node.derived |= key
                _join(working, node, "IN_COHORT", "ServingCohort", cohort, {})
        if label == "Workload" and self._strict:
            await self._warn_of_workloads(complete)

    async def _load(self, working: Working, label: str, keys: set[str]) -> None:
        """Take in parts as stored, in place of the bare ones that absorbing made."""
        for row in await self._store.read(state.STATE[label], input={"keys": sorted(keys)}):
            working.load(label, row["key"], row["node"])

    # -- comparing ------------------------------------------------------------------------------

    def _compare(self, name: str, expected: projection.Props, stored: Mapping[str, Any]) -> None:
        for field_name, value in expected.items():
            found = stored.get(field_name)
            if found != value and not (value in (None, []) and found in (None, [])):
                message = f"is {_short(found)}, should be {_short(value)}"
                self.result.problem(name, field_name, message)

    async def _compare_artifacts(self, working: Working) -> None:
        """What manifests say of their artifacts must stand on the artifacts."""
        said = {n.key: set(n.facts) for n in working.nodes.values() if n.label == "Artifact" and n.facts}
        if not said:
            return
        stored: dict[str, set[str]] = {}
        for row in await self._store.read(state.STATE["Artifact"], input={"keys": sorted(said)}):
            stored[row["key"]] = set(row["node"]["facts"] or ())
        for key, texts in said.items():
            for text in sorted(texts - stored.get(key, set())):
                self.result.problem(f"Artifact {key}", "facts", f"lacks {text}")

    async def _compare_edges(self, label: str, keys: Sequence[str], working: Working) -> None:
        for name, edge in RELATIONSHIPS.items():
            if edge.start == "Name":
                anchor, statement = edge.end, audit.EDGES_INTO[name]
            else:
                anchor, statement = edge.start, audit.EDGES[name]
            if anchor != label:
                continue
            rows = await self._store.read(statement, keys=list(keys))
            found = Counter((row["start"], row["end"]) for row in rows)
            expected = Counter(list(working.edges.get(name, ())))
            for start, end in expected - found:
                self.result.problem(f"{edge.start} {start}", edge.type, f"no relationship to {end}")
            for start, end in found - expected:
                self.result.problem(f"{edge.start} {start}", edge.type, f"one relationship too many to {end}")

    async def _groups(self, label: str, page: Sequence[Stored]) -> None:
        """A group is what its runs make it; standings and records then follow from what was verified."""
        runs, edge = ("Run", "Run-IN_GROUP->ComparisonGroup")
        if label == "ServingCohort":
            runs, edge = ("ServingRun", "ServingRun-IN_COHORT->ServingCohort")
        members: dict[str, str] = {}
        for row in await self._store.read(audit.EDGES_INTO[edge], keys=[key for key, _ in page]):
            members.setdefault(row["end"], row["start"])
        working = await self._regrouped(runs, sorted(members.values()))
        for key, props in page:
            node = working.nodes.get((label, key))
            if node is None:
                self.result.problem(f"{label} {key}", "key", "no run of this key is in it")
            else:
                self._compare(f"{label} {key}", node.derived, props)
        await self._compare_edges(label, [key for key, _ in page], working)
        if label == "ComparisonGroup":
            await self._rank(page)

    async def _regrouped(self, label: str, runs: Sequence[str]) -> Working:
        """The groups that these runs make, one run of each group; the runs have had their own page."""
        scratch, working = Verifier(self._store, strict=False), Working()
        rows = await self._store.read(reads.LOAD[label], keys=list(runs))
        page = [Stored(row["key"], row["node"]) for row in rows]
        for stored in page:
            working.touch(label, stored.key)
            working.absorb(scratch._stated(label, stored))
        await scratch._derived(label, page, working)
        return working

    async def _rank(self, page: Sequence[Stored]) -> None:
        rows = await self._store.read(reads.GROUPS[self._store.engine.name], keys=[key for key, _ in page])
        members: dict[str, list[list[Any]]] = {row["key"]: row["runs"] for row in rows}
        for key, props in page:
            group = Group.read(Entity("ComparisonGroup", key, props, Documents()), members.get(key, ()))
            ranked = sum(row.rank is not None for row in group.standings.rows)
            self.result.checked["ranked runs"] += ranked
            self.result.checked["unranked runs"] += group.standings.size - ranked
            self.result.checked["record events"] += len(group.history)

    async def _compare_names(self, working: Working) -> None:
        """The names that objects of the page answer to are there as nodes."""
        wanted = {node.key: node.derived for node in working.nodes.values() if node.label == "Name"}
        if not wanted:
            return
        rows = await self._store.read(reads.LOAD["Name"], keys=sorted(wanted))
        stored = {row["key"]: row["node"] for row in rows}
        for key, expected in wanted.items():
            self._compare(f"Name {key}", expected, stored.get(key, {}))

    # -- disagreement between documents ---------------------------------------------------------

    def _warn_of_run(self, run: Node, find: derive.Find) -> None:
        if not self._strict:
            return
        code = find("Implementation", run.value("implementation"))
        for warning in run_warnings(run.value("operation"), code.value("operation") if code else None):
            self.result.warnings[warning.code] += 1

    async def _warn_of_workloads(self, workloads: Sequence[Node]) -> None:
        keys = sorted({workload.value("operation") for workload in workloads})
        operations = {
            row["key"]: load_canonical(row["node"]["manifest"])["spec"]
            for row in await self._store.read(reads.LOAD["Operation"], keys=keys)
            if row["node"].get("manifest") is not None
        }
        for workload in workloads:
            operation = operations.get(workload.value("operation"))
            if operation is not None:
                for warning in workload_warnings(workload.spec or {}, operation):
                    self.result.warnings[warning.code] += 1


def _join(
    working: Working,
    run: Node,
    relationship: str,
    label: str,
    properties: projection.Props | None,
    parts: Mapping[str, str],
) -> None:
    """Let a run into its group, and make the group when it is the first."""
    if properties is not None:
        working.connect(relationship, run, planner.make_group(working, label, properties, parts))


def _finder(working: Working) -> derive.Find:
    return lambda label, key: working.nodes.get((label, key))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:119]}…"
