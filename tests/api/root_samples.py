"""Arguments for every root field: those under which it asks the database most.

``$groupKey``, ``$groupDigits`` and ``$groupId`` stand for a comparison group of the made data, those with
``$cohort`` for a serving cohort, ``$recordId`` for a record event.
"""

from __future__ import annotations

from typing import Final

from catalog.api.node import global_id
from catalog.api.registry import ENTITIES
from catalog.domain.identity import correctness_key
from catalog.domain.manifests import Manifest
from tests.data.made import lineage, make, resolve, serving
from tests.read import samples
from tests.read.samples import Item

_EIGHT: Final = [samples.run(f"eight-{n}", samples.ON, 300 + n) for n in range(8)]
"""As many runs as can be compared, all of one group."""

MORE: Final[tuple[Item, ...]] = (
    *samples.CATALOG,
    *_EIGHT,
    # Implementations of another operation than that of the workload they ran on, at both ends of a relation.
    resolve.run("made-lent", resolve.CODES[resolve.ROUGH.digest], resolve.SMALL, resolve.GPU, 500),
    resolve.run("made-lent-too", resolve.FAST, resolve.CASES[resolve.TWIN.digest, 1024], resolve.GPU, 500),
)
"""What the made data lack for this."""


def _short(*objects: Manifest) -> str:
    return ", ".join(f'"{made.digest[7:27]}"' for made in objects)


_RUN: Final = lineage.RUNS["made-n1-sm90-n2048-d5"]
_CODE: Final = lineage.IMPLEMENTATIONS["a1"]
_SERVED: Final = serving.run(
    "xi", 1, serving.ttft(-1), serving.tps(50), on=serving.BATCH, topology={**serving.GH200, "nodeCount": 4}
)
_KEYS: Final = {
    "BenchmarkRun": _RUN.digest,
    "OperationSpec": make.OPERATION.digest,
    "BenchmarkWorkload": make.WORKLOADS[1024].digest,
    "ImplementationRevision": _CODE.digest,
    "BenchmarkProtocol": make.MEDIAN.digest,
    "ExecutionEnvironment": make.ENVIRONMENT.digest,
    "SoftwareProject": "made-lib",
    "EvidenceSource": "made-lab",
    "EvidenceArtifact": make.artifact("a"),
    "OperationRelation": resolve.SAME.digest,
    "ServingRun": _SERVED.digest,
    "ModelRevision": serving.MODEL.digest,
    "ServingStackRevision": serving.STACK.digest,
    "ServingConfiguration": serving.ABSENT.digest,
    "ServingWorkload": serving.BATCH.digest,
}
_DERIVED: Final = {
    "DuplicateEvidence": make.artifact("e"),
    "ExcludedRun": samples.FAILED.digest,
}
_IDS: Final = {name: global_id(name, key) for name, key in {**_KEYS, **_DERIVED}.items()}
_ALL_IDS: Final = ", ".join(f'"{each}"' for each in (*_IDS.values(), "$groupId", "$cohortId", "$recordId"))
_REFERRED: Final = {
    **_KEYS,
    "ComparisonGroup": "$groupKey",
    "ServingCohort": "$cohortKey",
    "WorkloadCorrectness": correctness_key(resolve.SMALL.spec),
}
_REPRESENTATIONS: Final = ", ".join(
    f'{{ __typename: "{name}", {ENTITIES[name].key}: "{key}" }}' for name, key in _REFERRED.items()
)
_AXES: Final = 'axes: [{ name: "n", operator: GTE, value: 1 }]'
_NAMED: Final = f'operation: "made-axpy", architecture: "sm_90", {_AXES}'
_EXACT: Final = '{ operation: "made-scale", axes: [{ name: "n", value: 1024 }] }'
_BETWEEN: Final = (
    '{ operation: "made-scale", axes: [{ name: "n", value: 2000 }], dtypes: ["fp32"], architecture: "sm_90" }'
)
_DIGESTS: Final = "sha256:$groupDigits $cohortDigits"

ARGUMENTS: Final[dict[str, list[str]]] = {
    "_service": [""],
    "_entities": [f"(representations: [{_REPRESENTATIONS}])"],
    "node": [
        '(id: "$cohortId")',
        '(id: "$groupId")',
        '(id: "$recordId")',
        *(f'(id: "{each}")' for each in _IDS.values()),
    ],
    "nodes": [f"(ids: [{_ALL_IDS}])"],
    "catalog": [""],
    "run": [f"(digest: {_short(_RUN)})"],
    "runs": [
        f"(filter: {{ {_NAMED} }}, orderBy: PUBLISHED_ASC)",
        f"(filter: {{ {_NAMED} }})",
        '(filter: { architecture: "sm_90", project: "made-lib" })',
        "",
    ],
    "comparisonGroup": ['(key: "$groupDigits")'],
    "comparisonGroups": [f"(filter: {{ {_NAMED} }})"],
    "compare": [f"(runs: [{_short(*_EIGHT)}])", f"(runs: [{_short(samples.BEST, samples.HUGE)}])"],
    "keyDiff": [
        f"(run: {_short(samples.BEST)}, other: {_short(samples.HUGE)})",
        f'(run: {_short(samples.BEST)}, change: {{ field: "environment.hardware.product", value: "GPU" }})',
    ],
    "implementation": [f"(digest: {_short(_CODE)})"],
    "implementations": ['(filter: { operation: "made-axpy" })'],
    "operation": [f"(digest: {_short(make.OPERATION)})", '(slug: "made-axpy")'],
    "operations": [""],
    "workload": [f"(digest: {_short(make.WORKLOADS[1024])})"],
    "workloads": ['(operation: "made-axpy")'],
    "project": ['(slug: "made-lib")'],
    "projects": [""],
    "environment": [f"(digest: {_short(make.ENVIRONMENT)})"],
    "environments": ['(architecture: "sm_90")'],
    "protocol": [f"(digest: {_short(make.MEDIAN)})"],
    "protocols": [""],
    "source": ['(slug: "made-lab")'],
    "sources": [""],
    "search": [f'(query: "{_DIGESTS} op:made-axpy made", first: 100)', '(query: "mdae-axpy")', '(query: "")'],
    "suggest": ['(prefix: "made")'],
    "resolve": [f"(request: {_EXACT})", f"(request: {_BETWEEN})"],
    "resolveMany": [f"(requests: [{', '.join([_EXACT, _BETWEEN] * 25)}])"],
    "records": ['(filter: { operation: "made-axpy" })'],
    "recordHolders": ['(operation: "made-axpy")'],
    "recordLeaders": ['(operation: "made-axpy")'],
    "lineage": [
        f'(id: "{_IDS["BenchmarkRun"]}", depth: 10)',
        f'(id: "{_IDS["OperationSpec"]}", depth: 10)',
    ],
    "pathBetween": [
        f'(from: "{_IDS["ImplementationRevision"]}", to: "{_IDS["EvidenceArtifact"]}")',
        f'(from: "{_IDS["ImplementationRevision"]}", to: "{_IDS["BenchmarkRun"]}")',
    ],
    "influence": ['(operation: "made-axpy")'],
    "blastRadius": [
        f"(implementation: {_short(_CODE)})",
        '(source: "made-rival-bench")',
        f'(artifact: "{make.artifact("a")[7:27]}")',
    ],
    "resolveServing": [
        '(request: { model: "made-llm", objective: { metric: "batch_size", maximize: true }, '
        'constraints: [{ metric: "ttft_ms", operator: LTE, value: 450 }] })'
    ],
    "servingCohort": ['(key: "$cohortDigits")'],
    "servingCohorts": ['(filter: { model: "made-llm" })'],
    "servingRun": [f"(digest: {_short(_SERVED)})"],
    "servingRuns": ['(filter: { model: "made-llm" })'],
    "model": [f"(digest: {_short(serving.MODEL)})", '(slug: "made-llm")'],
    "models": [""],
    "servingStack": [f"(digest: {_short(serving.STACK)})", '(slug: "made-server")'],
    "servingStacks": [""],
    "servingConfiguration": [f"(digest: {_short(serving.CONFIGURATIONS['fp8'])})"],
    "servingConfigurations": [""],
    "servingWorkload": [f"(digest: {_short(serving.CHAT)})", '(slug: "made-chat")'],
    "servingWorkloads": [""],
    "coverage": ['(operation: "made-scale")'],
    "coverageGaps": ['(operation: "made-scale")'],
    "undeployableOperations": ['(operation: "made-scale")'],
    "exclusions": ['(operation: "made-scale")'],
    "duplicateEvidence": [""],
    "changes": ["(sinceRevision: 0, first: 100)"],
}
"""Root field -> argument lists."""
