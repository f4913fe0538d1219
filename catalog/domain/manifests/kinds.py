"""The table of manifest kinds: one line per kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from pydantic import TypeAdapter

from catalog.domain.manifests.base import API_VERSION, OWN_API_VERSION
from catalog.domain.manifests.checks import Check, Finding
from catalog.domain.manifests.environments import ExecutionEnvironment
from catalog.domain.manifests.implementations import ImplementationRevision
from catalog.domain.manifests.operations import OperationSpec, check_operation
from catalog.domain.manifests.projects import SoftwareProject
from catalog.domain.manifests.protocols import BenchmarkProtocol
from catalog.domain.manifests.relations import OperationRelation, check_relation
from catalog.domain.manifests.runs import BenchmarkRun, check_run
from catalog.domain.manifests.serving import (
    ModelRevision,
    ServingConfiguration,
    ServingRun,
    ServingStackRevision,
    ServingWorkload,
    check_serving_run,
    check_serving_workload,
    check_stack,
)
from catalog.domain.manifests.workloads import WorkloadCase, WorkloadSuite, check_case

__all__ = ["API_VERSION", "KINDS", "OWN_API_VERSION", "Kind"]


def _nothing(_spec: Any) -> Iterator[Finding]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Kind:
    """A manifest kind: the shape of its spec and the rules that span several fields of it."""

    name: str
    spec: TypeAdapter[Any]
    check: Check
    api_version: str


def _kind(shape: type[Any], check: Check = _nothing, api_version: str = API_VERSION) -> tuple[str, Kind]:
    return shape.__name__, Kind(shape.__name__, TypeAdapter(shape), check, api_version)


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    dict(
        (
            _kind(OperationSpec, check_operation),
            _kind(WorkloadCase, check_case),
            _kind(WorkloadSuite),
            _kind(SoftwareProject),
            _kind(ImplementationRevision),
            _kind(BenchmarkProtocol),
            _kind(ExecutionEnvironment),
            _kind(BenchmarkRun, check_run),
            _kind(ModelRevision),
            _kind(ServingStackRevision, check_stack),
            _kind(ServingConfiguration),
            _kind(ServingWorkload, check_serving_workload),
            _kind(ServingRun, check_serving_run),
            _kind(OperationRelation, check_relation, OWN_API_VERSION),
        )
    )
)
"""Manifest kind → its shape and rules."""
