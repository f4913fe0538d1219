"""Enumerations of the schema. A member's value is the spelling of the domain or of the manifests."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Self

import strawberry


def _value(value: str, description: str) -> str:
    """A member with its description; typed as the value that the member will have."""
    member: str = strawberry.enum_value(value, description=description)  # type: ignore[assignment]
    return member


@strawberry.enum(description="How a run ended. Only PASSED runs are ranked.")
class RunStatus(Enum):
    PASSED = _value("passed", "It ran and its output was accepted.")
    INCORRECT_SHAPE = _value("incorrect_shape", "The output has the wrong shape.")
    INCORRECT_DTYPE = _value("incorrect_dtype", "The output has the wrong data type.")
    INCORRECT_NUMERICAL = _value("incorrect_numerical", "The output is outside the tolerance.")
    COMPILE_ERROR = _value("compile_error", "It did not compile.")
    RUNTIME_ERROR = _value("runtime_error", "It failed while running.")
    TIMEOUT = _value("timeout", "It did not finish in time.")
    RESOURCE_EXCEEDED = _value("resource_exceeded", "It needed more memory or other resources than allowed.")
    INVALID_REFERENCE = _value("invalid_reference", "The reference it was checked against is wrong.")
    POLICY_VIOLATION = _value("policy_violation", "It broke a rule of the benchmark.")
    SUSPECTED_REWARD_HACK = _value("suspected_reward_hack", "It is suspected of gaming the benchmark.")
    INCOMPLETE_EVIDENCE = _value("incomplete_evidence", "What would support the result is missing.")
    REVOKED = _value("revoked", "Its source took it back.")


@strawberry.enum(description="How far a number can be trusted, weakest first; derived, never claimed.")
class EvidenceLevel(Enum):
    REPORTED = _value("REPORTED", "Somebody says so.")
    REPRODUCIBLE = _value("REPRODUCIBLE", "Public source, exact identity and raw evidence are there.")
    VERIFIED = _value("VERIFIED", "A controlled rerun passed.")
    REPLICATED = _value("REPLICATED", "At least two independent replications.")


@strawberry.enum(description="Orders of runs. Equal instants go by digest; missing ones come last both ways.")
class RunOrder(Enum):
    OBSERVED_DESC = _value("OBSERVED_DESC", "Newest observation first.")
    OBSERVED_ASC = _value("OBSERVED_ASC", "Oldest observation first.")
    PUBLISHED_DESC = _value("PUBLISHED_DESC", "Newest publication first.")
    PUBLISHED_ASC = _value("PUBLISHED_ASC", "Oldest publication first.")


@strawberry.enum(description="Orders of comparison groups. Equals go by key.")
class ComparisonGroupOrder(Enum):
    SIZE_DESC = _value("SIZE_DESC", "Most runs first.")
    OBSERVED_DESC = _value("OBSERVED_DESC", "The group with the newest run first.")


@strawberry.enum(description="How alike the conditions of compared runs are known to be.")
class ComparisonProfile(Enum):
    SOURCE_NATIVE = _value("SOURCE_NATIVE", "All from one source, under that source's own rules.")
    STRICT_EXACT = _value("STRICT_EXACT", "Exactly the same key, from several sources or none named.")
    CONTROLLED_EQUIVALENT = _value("CONTROLLED_EQUIVALENT", "Conditions that were shown to be equivalent.")
    COMPATIBLE_WORKLOAD = _value("COMPATIBLE_WORKLOAD", "A compatible workload, other conditions differ.")
    REPORTED = _value("REPORTED", "Only what was reported is known.")


@strawberry.enum(description="Whose best run of a group is listed; ranks stay those of the whole group.")
class BestPer(Enum):
    RUN = _value("RUN", "Every run, ranked or not.")
    NAME = _value("NAME", "One ranked run per name it was submitted as, else per implementation.")
    PROJECT = _value("PROJECT", "One ranked run per project; runs without one go by name.")


@strawberry.enum(description="The parts of a comparison key.")
class ComparisonKeyPart(Enum):
    OPERATION = _value("operation", "The operation of the workload.")
    WORKLOAD = _value("workload", "The case or suite.")
    PROTOCOL = _value("protocol", "How time was taken.")
    ENVIRONMENT = _value("environment", "Hardware and software.")
    CORRECTNESS = _value("correctness", "When an output counts as correct; a rule of the workload.")
    METRIC = _value("metric", "Metric, statistic and unit of the primary number.")


@strawberry.enum(description="How an axis is compared with a value.")
class AxisOperator(Enum):
    EQ = _value("EQ", "Equal.")
    LT = _value("LT", "Less than.")
    LTE = _value("LTE", "At most.")
    GT = _value("GT", "Greater than.")
    GTE = _value("GTE", "At least.")


@strawberry.enum(description="Kinds of workload.")
class WorkloadKind(Enum):
    CASE = _value("WorkloadCase", "One concrete case.")
    SUITE = _value("WorkloadSuite", "Several cases that are reported as one.")


@strawberry.enum(description="Why a record changed hands.")
class RecordCause(Enum):
    NEW_RUN = _value("NEW_RUN", "A better run was observed.")
    RETRACTION = _value("RETRACTION", "The run that held the record was retracted.")


@strawberry.enum(description="Orders of record events.")
class RecordOrder(Enum):
    NEWEST = _value("NEWEST", "The newest first; at one instant by group.")
    LARGEST_IMPROVEMENT = _value(
        "LARGEST_IMPROVEMENT",
        "The largest gain on the record before first; those without one last; equals by time, newest first.",
    )
    MOST_LEAD_CHANGES = _value(
        "MOST_LEAD_CHANGES",
        "Events of the group whose record changed hands most often first; within a group the newest first.",
    )


@strawberry.enum(description="How the start of an edge of the lineage graph is related to its end.")
class LineageRelation(Enum):
    REVISION_OF = _value("REVISION_OF", "An implementation is a revision of the project's code.")
    IMPLEMENTS = _value("IMPLEMENTS", "An implementation computes the operation.")
    HAS_SOURCE = _value("HAS_SOURCE", "An implementation's code is in the file.")
    FOLLOWS = _value("FOLLOWS", "An implementation comes next after the other in its project.")
    BEAT = _value("BEAT", "A run of the implementation took a record from one of the other.")
    SUPERSEDES = _value("SUPERSEDES", "A run replaces the other.")
    MEASURES = _value("MEASURES", "A run measured the implementation.")
    EXACTLY_EQUIVALENT = _value("EXACTLY_EQUIVALENT", "The operations are the same.")
    EQUIVALENT_UNDER_CONSTRAINTS = _value(
        "EQUIVALENT_UNDER_CONSTRAINTS", "The operations are the same where stated conditions hold."
    )
    IMPLEMENTS_SUBSET = _value("IMPLEMENTS_SUBSET", "The operation does a part of the other.")
    APPROXIMATELY_EQUIVALENT = _value("APPROXIMATELY_EQUIVALENT", "The operations are nearly the same.")
    DERIVED_FROM = _value("DERIVED_FROM", "The operation was made from the other.")
    SUPERSEDES_OPERATION = _value("SUPERSEDES_OPERATION", "The operation replaces the other.")
    RELATES_TO = _value("RELATES_TO", "The operations have to do with each other, it is not known how.")


@strawberry.enum(description="Which values of a metric are better.")
class MetricDirection(Enum):
    LOWER_IS_BETTER = _value("LOWER_IS_BETTER", "Such as latency.")
    HIGHER_IS_BETTER = _value("HIGHER_IS_BETTER", "Such as throughput.")


@strawberry.enum(description="How an implementation is installed.")
class InstallKind(Enum):
    GIT = _value("git", "From a git repository.")
    PIP = _value("pip", "With pip.")
    PACKAGE = _value("package", "From a package manager.")
    CONTAINER = _value("container", "As a container image.")
    SOURCE = _value("source", "Built from source.")


@strawberry.enum(description="What somebody says about a run; never changes its evidence level.")
class AttestationType(Enum):
    REPRODUCED = _value("reproduced", "It could be reproduced.")
    COULD_NOT_REPRODUCE = _value("could_not_reproduce", "It could not be reproduced.")
    ENVIRONMENT_NOTE = _value("environment_note", "A remark on the environment.")
    REGRESSION_OBSERVED = _value("regression_observed", "It got slower.")


@strawberry.enum(description="How the answer to a constraint is known.")
class ConstraintState(Enum):
    MEASURED = _value("MEASURED", "The run reports a value.")
    DECLARED = _value("DECLARED", "The workload declares a bound at or below the one asked for.")
    UNKNOWN = _value("UNKNOWN", "Neither.")


@strawberry.enum(description="How a value is held against a bound.")
class ConstraintOperator(Enum):
    LT = _value("LT", "Less than it.")
    LTE = _value("LTE", "At most it.")


@strawberry.enum(description="How a serving run ended. Only VALID runs are ranked.")
class ServingRunStatus(Enum):
    VALID = _value("valid", "It counts.")
    INVALID = _value("invalid", "It broke a rule of the benchmark.")
    INCOMPLETE_EVIDENCE = _value("incomplete_evidence", "What would support the result is missing.")


@strawberry.enum(description="What makes two pieces of evidence look like one.")
class DuplicateKind(Enum):
    SAME_SOURCE = _value("SAME_SOURCE", "Implementations with the same source content.")
    SAME_NUMBERS = _value(
        "SAME_NUMBERS", "Runs of one group with the same numbers, under different implementations or names."
    )


@strawberry.enum(description="How far an implementation is known to run on an architecture.")
class PortabilityState(Enum):
    LEADS = _value("LEADS", "It has rank 1 in a comparison group there.")
    RANKED = _value("RANKED", "It has ranked runs there, none of rank 1.")
    NOT_RANKED = _value("NOT_RANKED", "It has runs there, none of them ranked.")
    NEVER_TRIED = _value("NEVER_TRIED", "It says it supports it; there is no run.")


@strawberry.enum(
    description="What `extensions.code` of an error may be. The list is closed: every error has one of these."
)
class ErrorCode(StrEnum):
    def __new__(cls, stated: str) -> Self:
        # What `_value` gives is no text yet: Strawberry puts the value into its place once the class is made.
        member = str.__new__(cls, getattr(stated, "value", stated))
        member._value_ = stated
        return member

    GRAPHQL_PARSE_FAILED = _value("GRAPHQL_PARSE_FAILED", "The document is not GraphQL.")
    GRAPHQL_VALIDATION_FAILED = _value("GRAPHQL_VALIDATION_FAILED", "The document does not fit the schema.")
    BAD_USER_INPUT = _value(
        "BAD_USER_INPUT", "An argument, a variable or the HTTP request is faulty; `field` names which."
    )
    NOT_FOUND = _value(
        "NOT_FOUND", "There is nothing at this address. Never from a GraphQL field: that is null."
    )
    AMBIGUOUS = _value(
        "AMBIGUOUS", "A name or shortened digest means several objects: `candidates` lists them."
    )
    PERSISTED_QUERY_NOT_FOUND = _value(
        "PERSISTED_QUERY_NOT_FOUND", "No query with this hash is kept here: send its text too."
    )
    PERSISTED_QUERY_NOT_SUPPORTED = _value(
        "PERSISTED_QUERY_NOT_SUPPORTED", "Queries are not kept here: send the text alone."
    )
    DOCUMENT_NOT_TRUSTED = _value(
        "DOCUMENT_NOT_TRUSTED", "This server runs a fixed set of documents, and this is none of them."
    )
    LIMIT_EXCEEDED = _value("LIMIT_EXCEEDED", "The request is over a limit: `limit` or `field` names which.")
    TIMEOUT = _value("TIMEOUT", "The request, or a statement of it, took too long.")
    UNAUTHENTICATED = _value("UNAUTHENTICATED", "Kept for later releases; nothing gives it now.")
    FORBIDDEN = _value("FORBIDDEN", "Kept for later releases; nothing gives it now.")
    SERVICE_UNAVAILABLE = _value(
        "SERVICE_UNAVAILABLE", "The database cannot be reached, is of a later version, or refuses."
    )
    INTERNAL = _value("INTERNAL", "A fault of the server. The message is masked; the log has it under `id`.")
