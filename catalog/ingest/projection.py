"""What the graph holds of one object, told from its own documents and facts alone.

For every manifest kind a :class:`View` says which properties its ``spec`` gives the node and which
other nodes it refers to. Facts and metadata give the shown name and the rest. What also needs *other*
objects (a run's key, its evidence level, an implementation's deployability) is in
:mod:`catalog.ingest.derive`. The planner and ``catalog verify`` call the same functions, so what is
stored can always be recomputed from what it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.domain import evidence, facts, identity, instants, licences
from catalog.domain.facts import FROM_MANIFEST, Statement
from catalog.domain.identity import load_canonical
from graph.schema import LABEL_OF_KIND

Spec = Mapping[str, Any]
Props = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ref:
    """A relationship to another node, which is created bare when nothing is known of it yet."""

    relationship: str
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class View:
    """What a spec gives: properties of its node, and references to other nodes."""

    props: Callable[[Spec], Props]
    refs: Callable[[Spec], Iterable[Ref]]


def _nothing(_: Spec) -> Props:
    return {}


def _no_refs(_: Spec) -> Iterable[Ref]:
    return ()


def _operation(spec: Spec) -> Props:
    return {"family": spec["family"]}


def _workload(spec: Spec) -> Props:
    return {"operation": spec["operationSpecDigest"], "correctnessKey": identity.correctness_key(spec)}


def _workload_refs(spec: Spec) -> Iterable[Ref]:
    return (Ref("CASE_OF", "Operation", spec["operationSpecDigest"]),)


def _implementation(spec: Spec) -> Props:
    source = spec.get("source", {})
    return {
        "operation": spec["operation"]["specDigest"],
        "language": spec["callable"]["language"],
        "architectures": list(spec["support"]["hardwareArchitectures"]),
        "sourceDigest": source.get("contentDigest"),
        "exactRevision": evidence.exact_revision(spec),
        "ownSource": evidence.own_public_source(spec),
        "installable": bool(spec.get("buildVariants")),
        "licenseKnown": licences.effective_licence(spec) is not None,
        "permissive": licences.permissive(licences.effective_licence(spec)),
    }


def _implementation_refs(spec: Spec) -> Iterable[Ref]:
    yield Ref("IMPLEMENTS", "Operation", spec["operation"]["specDigest"])
    if "source" in spec:
        yield Ref("HAS_SOURCE", "Artifact", spec["source"]["contentDigest"])


def _protocol(spec: Spec) -> Props:
    return {"primaryStatistic": spec["measurement"]["primaryStatistic"]}


def _environment(spec: Spec) -> Props:
    hardware = spec["hardware"]
    return {name: hardware.get(name) for name in ("vendor", "product", "architecture", "formFactor")}


def _run(spec: Spec) -> Props:
    return {
        "implementation": spec["implementationDigest"],
        "workload": spec["workloadDigest"],
        "protocol": spec["protocolDigest"],
        "environment": spec["environmentDigest"],
        "status": spec["status"],
        "observedAt": instants.parse_instant(spec["observedAt"]),
        "source": spec.get("sourceNative", {}).get("source"),
        "rawEvidence": evidence.raw_evidence(spec),
    }


def _run_refs(spec: Spec) -> Iterable[Ref]:
    yield Ref("MEASURES", "Implementation", spec["implementationDigest"])
    yield Ref("ON_WORKLOAD", "Workload", spec["workloadDigest"])
    yield Ref("UNDER_PROTOCOL", "Protocol", spec["protocolDigest"])
    yield Ref("IN_ENVIRONMENT", "Environment", spec["environmentDigest"])
    yield from _source_ref(spec)
    named = (document["digest"] for _, document in run_evidence(spec))
    yield from (Ref("HAS_EVIDENCE", "Artifact", digest) for digest in dict.fromkeys(named))


def _source_ref(spec: Spec) -> Iterable[Ref]:
    if "sourceNative" in spec:
        yield Ref("REPORTED_BY", "Source", spec["sourceNative"]["source"])


def run_evidence(spec: Spec) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(kind, {uri, digest}) of every file that a run's evidence names."""
    named = spec.get("evidence", {})
    if "logs" in named:
        yield "log", named["logs"]
    if "rawSamples" in named:
        yield "raw_samples", named["rawSamples"]
    if "rawSamples" in spec.get("timing", {}):
        yield "raw_samples", spec["timing"]["rawSamples"]


def _model(spec: Spec) -> Props:
    """The tokenizer as JCS text: it is part of the cohort key."""
    tokenizer = spec.get("tokenizer")
    return {"tokenizer": None if tokenizer is None else identity.canonical_bytes(tokenizer).decode()}


def _serving_workload(spec: Spec) -> Props:
    return {"streaming": spec["streaming"], "loadGeneration": spec["loadGeneration"]}


def _configuration(spec: Spec) -> Props:
    return {"stack": spec["stackDigest"]}


def _configuration_refs(spec: Spec) -> Iterable[Ref]:
    return (Ref("RUNS_ON", "ServingStack", spec["stackDigest"]),)


def _serving_run(spec: Spec) -> Props:
    return {
        "model": spec["modelDigest"],
        "configuration": spec["configurationDigest"],
        "workload": spec["workloadDigest"],
        "status": spec["status"],
        "observedAt": instants.parse_instant(spec["observedAt"]),
        "source": spec.get("sourceNative", {}).get("source"),
    }


def _serving_run_refs(spec: Spec) -> Iterable[Ref]:
    yield Ref("SERVES", "Model", spec["modelDigest"])
    yield Ref("USES", "ServingConfiguration", spec["configurationDigest"])
    yield Ref("LOADED_BY", "ServingWorkload", spec["workloadDigest"])
    yield from _source_ref(spec)


def _relation(spec: Spec) -> Props:
    return {"relation": spec["relation"], "fromOperation": spec["from"], "toOperation": spec["to"]}


def _relation_refs(spec: Spec) -> Iterable[Ref]:
    return (Ref("RELATES", "Operation", spec["from"]), Ref("RELATES_TO", "Operation", spec["to"]))


VIEWS: dict[str, View] = {
    "OperationSpec": View(_operation, _no_refs),
    "WorkloadCase": View(_workload, _workload_refs),
    "WorkloadSuite": View(_workload, _workload_refs),
    "SoftwareProject": View(_nothing, _no_refs),
    "ImplementationRevision": View(_implementation, _implementation_refs),
    "BenchmarkProtocol": View(_protocol, _no_refs),
    "ExecutionEnvironment": View(_environment, _no_refs),
    "BenchmarkRun": View(_run, _run_refs),
    "ModelRevision": View(_model, _no_refs),
    "ServingStackRevision": View(_nothing, _no_refs),
    "ServingConfiguration": View(_configuration, _configuration_refs),
    "ServingWorkload": View(_serving_workload, _no_refs),
    "ServingRun": View(_serving_run, _serving_run_refs),
    "OperationRelation": View(_relation, _relation_refs),
}

NAMED_KINDS = frozenset(
    {"OperationSpec", "ImplementationRevision", "ModelRevision", "ServingStackRevision", "ServingWorkload"}
)
"""Kinds whose objects answer to names (docs/domain.md §2); projects and sources are keyed by theirs."""

SUBJECT_LABEL: dict[str, str] = LABEL_OF_KIND | {"EvidenceSource": "Source", "EvidenceArtifact": "Artifact"}
"""The label of the node that holds what is stated of an object of this kind."""


def implied(kind: str, spec: Spec) -> Iterator[Statement]:
    """What a manifest itself states of the artifacts that it names (stated by ``manifest``)."""
    if kind == "ImplementationRevision" and "source" in spec:
        source = spec["source"]
        digest = source["contentDigest"]
        yield Statement("EvidenceArtifact", digest, "kind", "source", FROM_MANIFEST)
        if "sizeBytes" in source:
            yield Statement("EvidenceArtifact", digest, "sizeBytes", source["sizeBytes"], FROM_MANIFEST)
    if kind == "BenchmarkRun":
        for role, document in run_evidence(spec):
            yield Statement("EvidenceArtifact", document["digest"], "kind", role, FROM_MANIFEST)
            yield Statement("EvidenceArtifact", document["digest"], "uri", document["uri"], FROM_MANIFEST)


def names(kind: str, metadata: Iterable[str], stated: Iterable[Statement]) -> set[str]:
    """Every name that an object answers to: its metadata names, stated names, slugs and aliases."""
    found = {load_canonical(text)["name"] for text in metadata}
    for statement in stated:
        if statement.field in ("slug", "alias"):
            found.add(statement.value)
        elif statement.field == "name" and kind == "ImplementationRevision":
            found.add(statement.value["slug"])
    return found


def named_projects(kind: str, stated: Iterable[Statement]) -> set[str]:
    """Slugs of the projects that facts name for an implementation, a run or a serving stack."""
    found: set[str] = set()
    for statement in stated:
        if statement.field in ("name", "submittedAs") and kind in ("ImplementationRevision", "BenchmarkRun"):
            project = statement.value.get("project")
        elif statement.field == "project":
            project = statement.value
        else:
            continue
        if project is not None:
            found.add(project)
    return found


def display(kind: str, metadata: list[str], stated: list[Statement], seen_first: str | None = None) -> Props:
    """Which metadata variant is shown, and the slug, title and project with it (docs/domain.md §2).

    ``seen_first`` is the metadata name with the earliest run, where an implementation has several.
    """
    shown = facts.shown_variant(metadata, seen_first)
    variant = load_canonical(metadata[shown]) if metadata else {}
    props: Props = {"shown": shown if metadata else None, "title": variant.get("title")}
    if kind == "ImplementationRevision":
        name = implementation_name(variant.get("name"), stated)
        props["slug"] = name.get("slug")
        props["title"] = name.get("title", props["title"])
        props["project"] = name.get("project")
    elif kind in NAMED_KINDS:
        props["slug"] = facts.shown(kind, "slug", stated) or variant.get("name")
    return props


def implementation_name(variant_name: str | None, stated: Iterable[Statement]) -> Mapping[str, Any]:
    """The shown name: the stated one of the shown variant, else the first stated, else the variant's."""
    stated_names = sorted(
        (s for s in stated if s.field == "name"), key=lambda s: (s.source, identity.canonical_bytes(s.value))
    )
    for statement in stated_names:
        if statement.value["slug"] == variant_name:
            return statement.value  # type: ignore[no-any-return] # checked by facts.FIELDS
    if stated_names:
        return stated_names[0].value  # type: ignore[no-any-return]
    return {"slug": variant_name} if variant_name else {}


def stated_props(kind: str, stated: list[Statement]) -> Props:
    """The properties that catalog facts alone give a node of this kind."""

    def shown(field: str) -> Any:
        return facts.shown(kind, field, stated)

    if kind == "OperationSpec":
        return {"tags": shown("tag")}
    if kind in ("ImplementationRevision", "ServingStackRevision"):
        return {"projects": sorted(named_projects(kind, stated))}
    if kind == "ServingConfiguration":
        return {"summary": shown("summary")}
    if kind in ("BenchmarkRun", "ServingRun"):
        retraction = shown("retraction") or {}
        published = shown("publishedAt")
        props: Props = {
            "published": facts.published(stated),
            "publishedAt": instants.parse_instant(published) if published else None,
            "retractedAt": instants.parse_instant(retraction["at"]) if retraction else None,
            "retractionReason": retraction.get("reason"),
        }
        if kind == "BenchmarkRun":
            submitted = shown("submittedAs") or {}
            props["submittedSlug"] = submitted.get("slug")
            props["submittedProject"] = submitted.get("project")
        return props
    if kind == "EvidenceSource":
        fields = ("name", "kind", "license", "attribution", "termsUrl", "verifiedOn")
        return {field: shown(field) for field in fields}
    if kind == "EvidenceArtifact":
        props = {field: shown(field) for field in ("kind", "mediaType", "sizeBytes", "uri")}
        return props | {"license": ", ".join(shown("license")) or None}
    return {}
