"""Every type that can be reached from a key: Nodes through `node`, all by federation through `_entities`.

To add one: one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from catalog.api.node import Info, fetch
from catalog.api.types.group import ComparisonGroup, fetch_group
from catalog.api.types.implementation import ImplementationRevision
from catalog.api.types.parts import (
    BenchmarkProtocol,
    EvidenceArtifact,
    EvidenceSource,
    ExecutionEnvironment,
    OperationSpec,
    SoftwareProject,
)
from catalog.api.types.relation import OperationRelation
from catalog.api.types.run import BenchmarkRun
from catalog.api.types.serving_cohort import ServingCohort, fetch_cohort
from catalog.api.types.serving_parts import (
    ModelRevision,
    ServingConfiguration,
    ServingStackRevision,
    ServingWorkload,
)
from catalog.api.types.serving_run import ServingRun
from catalog.api.types.workload import BenchmarkWorkload, WorkloadCorrectness, fetch_correctness
from catalog.domain.errors import InputError
from catalog.read.filters import full_digest


@dataclass(frozen=True, slots=True)
class Reachable:
    """A type of the schema, the field that is its key, and how it is found if not as one node."""

    type: Any
    key: str
    find: Callable[[Info, str], Any] | None = None

    def load(self, info: Info, key: object, field: str) -> Any:
        """The object with this key, None, or an awaitable of either.

        Raises InputError, naming `field`, for what can't be a key of that type.
        """
        if not isinstance(key, str) or not key:
            raise InputError(field, key, f"must be the {self.key} of an object, a string")
        if self.key != "slug":
            full_digest(field, key)
        return self.find(info, key) if self.find else fetch(info, self.type, key)


REACHABLE: Final[dict[str, Reachable]] = {
    "BenchmarkRun": Reachable(BenchmarkRun, "digest"),
    "ComparisonGroup": Reachable(ComparisonGroup, "key", fetch_group),
    "OperationSpec": Reachable(OperationSpec, "digest"),
    "BenchmarkWorkload": Reachable(BenchmarkWorkload, "digest"),
    "ImplementationRevision": Reachable(ImplementationRevision, "digest"),
    "BenchmarkProtocol": Reachable(BenchmarkProtocol, "digest"),
    "ExecutionEnvironment": Reachable(ExecutionEnvironment, "digest"),
    "SoftwareProject": Reachable(SoftwareProject, "slug"),
    "EvidenceSource": Reachable(EvidenceSource, "slug"),
    "EvidenceArtifact": Reachable(EvidenceArtifact, "contentDigest"),
    "OperationRelation": Reachable(OperationRelation, "digest"),
    "ServingRun": Reachable(ServingRun, "digest"),
    "ServingCohort": Reachable(ServingCohort, "key", fetch_cohort),
    "ModelRevision": Reachable(ModelRevision, "digest"),
    "ServingStackRevision": Reachable(ServingStackRevision, "digest"),
    "ServingConfiguration": Reachable(ServingConfiguration, "digest"),
    "ServingWorkload": Reachable(ServingWorkload, "digest"),
}
"""Type name of a Node -> how it is reached."""

ENTITIES: Final[dict[str, Reachable]] = REACHABLE | {
    "WorkloadCorrectness": Reachable(WorkloadCorrectness, "key", fetch_correctness),
}
"""Type name of an entity -> how it is reached."""
