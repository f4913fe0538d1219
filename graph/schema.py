"""The property graph as data: labels with their keys and indexes, relationships with their ends.

The single place where a label or a relationship type is spelled. DDL (ddl.py) and write statements
(plan.py) are derived from these tables; reading statements are written out in the query modules.
Source: docs/domain.md §2, §7.
"""

from dataclasses import dataclass
from typing import Final

SCHEMA_VERSION: Final = 1
"""Stored on (:Catalog). Raise it with a migration, never alone."""


@dataclass(frozen=True, slots=True)
class NodeType:
    """A kind of node: its label, its unique key, the properties worth an index.

    `server_indexes` are made on a Neo4j server only, for counts and for the order of lists.
    """

    label: str
    key: str
    indexes: tuple[str, ...] = ()
    server_indexes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Relationship:
    """A kind of relationship between two labels, named as a verb and read from start to end."""

    start: str
    type: str
    end: str

    @property
    def name(self) -> str:
        """How write plans name it: `Run-REPORTED_BY->Source`."""
        return f"{self.start}-{self.type}->{self.end}"


CATALOG: Final = NodeType("Catalog", "id")
CATALOG_ID: Final = "catalog"

NODES: Final[dict[str, NodeType]] = {
    node.label: node
    for node in (
        CATALOG,
        NodeType("Operation", "digest", ("family",), (("complete",),)),
        NodeType("Workload", "digest", ("operation", "correctnessKey"), (("kind",),)),
        NodeType("Implementation", "digest", ("operation", "project")),
        NodeType("Protocol", "digest"),
        NodeType("Environment", "digest", ("architecture",)),
        NodeType(
            "Run",
            "digest",
            ("observedAt", "publishedAt", "retractedAt", "operation", "status"),
            (("environment", "observedAt"),),
        ),
        NodeType("Project", "slug", (), (("complete",),)),
        NodeType("ProjectRevision", "digest"),
        NodeType("ComparisonGroup", "key", ("operation",)),
        NodeType("Source", "slug"),
        NodeType("Artifact", "contentDigest"),
        NodeType("Name", "key"),
        NodeType("Model", "digest"),
        NodeType("ServingStack", "digest"),
        NodeType("ServingConfiguration", "digest"),
        NodeType("ServingWorkload", "digest"),
        NodeType("ServingRun", "digest", ("observedAt",)),
        NodeType("ServingCohort", "key"),
        NodeType("OperationRelation", "digest"),
        NodeType("Change", "revision"),
    )
}

LOCAL: Final = frozenset({"Catalog", "Change"})
"""Labels of what is state of this database and no content: it is neither exported nor compared."""

RELATIONSHIPS: Final[dict[str, Relationship]] = {
    relationship.name: relationship
    for relationship in (
        Relationship("ProjectRevision", "DESCRIBES", "Project"),
        Relationship("Implementation", "REVISION_OF", "Project"),
        Relationship("Implementation", "IMPLEMENTS", "Operation"),
        Relationship("Implementation", "HAS_SOURCE", "Artifact"),
        Relationship("Workload", "CASE_OF", "Operation"),
        Relationship("Run", "MEASURES", "Implementation"),
        Relationship("Run", "ON_WORKLOAD", "Workload"),
        Relationship("Run", "UNDER_PROTOCOL", "Protocol"),
        Relationship("Run", "IN_ENVIRONMENT", "Environment"),
        Relationship("Run", "REPORTED_BY", "Source"),
        Relationship("Run", "SUBMITTED_AS", "Project"),
        Relationship("Run", "IN_GROUP", "ComparisonGroup"),
        Relationship("Run", "SUPERSEDES", "Run"),
        Relationship("Run", "HAS_EVIDENCE", "Artifact"),
        Relationship("ComparisonGroup", "FOR_WORKLOAD", "Workload"),
        Relationship("ComparisonGroup", "FOR_PROTOCOL", "Protocol"),
        Relationship("ComparisonGroup", "FOR_ENVIRONMENT", "Environment"),
        Relationship("ServingRun", "SERVES", "Model"),
        Relationship("ServingRun", "USES", "ServingConfiguration"),
        Relationship("ServingRun", "LOADED_BY", "ServingWorkload"),
        Relationship("ServingRun", "REPORTED_BY", "Source"),
        Relationship("ServingRun", "IN_COHORT", "ServingCohort"),
        Relationship("ServingRun", "SUPERSEDES", "ServingRun"),
        Relationship("ServingConfiguration", "RUNS_ON", "ServingStack"),
        Relationship("ServingStack", "REVISION_OF", "Project"),
        Relationship("OperationRelation", "RELATES", "Operation"),
        Relationship("OperationRelation", "RELATES_TO", "Operation"),
        Relationship("Name", "NAMES", "Operation"),
        Relationship("Name", "NAMES", "Implementation"),
        Relationship("Name", "NAMES", "Model"),
        Relationship("Name", "NAMES", "ServingStack"),
        Relationship("Name", "NAMES", "ServingWorkload"),
    )
}

LABEL_OF_KIND: Final[dict[str, str]] = {
    "OperationSpec": "Operation",
    "WorkloadCase": "Workload",
    "WorkloadSuite": "Workload",
    "SoftwareProject": "ProjectRevision",
    "ImplementationRevision": "Implementation",
    "BenchmarkProtocol": "Protocol",
    "ExecutionEnvironment": "Environment",
    "BenchmarkRun": "Run",
    "ModelRevision": "Model",
    "ServingStackRevision": "ServingStack",
    "ServingConfiguration": "ServingConfiguration",
    "ServingWorkload": "ServingWorkload",
    "ServingRun": "ServingRun",
    "OperationRelation": "OperationRelation",
}
"""Manifest kind -> the label of the nodes that hold its manifests."""
