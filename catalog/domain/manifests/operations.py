"""OperationSpec: an abstract computation with named axes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, PlainValidator
from typing_extensions import TypedDict

from catalog.domain.errors import BadValue
from catalog.domain.manifests.base import (
    IDENTIFIER,
    Artifact,
    Expression,
    Family,
    Identifier,
    Integer,
    Text2000,
    check_natural,
    strict,
)
from catalog.domain.manifests.checks import Finding, artifact, at, items, members

_NAME = re.compile(IDENTIFIER.rstrip("$"))


def _extent(value: object) -> int | str:
    if not isinstance(value, str):
        return check_natural(value)
    if not _NAME.fullmatch(value):
        raise BadValue("invalid_identifier", "must be an axis name or a whole number", value)
    return value


Extent = Annotated[int | str, PlainValidator(_extent)]
"""One dimension of a symbolic shape: an axis name or a number."""


@strict
class Axis(TypedDict):
    role: Literal["variable", "constant", "derived"]
    type: Literal["integer"]
    value: NotRequired[Integer]
    minimum: NotRequired[Integer]
    maximum: NotRequired[Integer]
    expression: NotRequired[Expression]


@strict
class SymbolicTensor(TypedDict):
    shape: Annotated[list[Extent], Field(min_length=1)]
    dtype: Identifier
    layout: NotRequired[Literal["row_major", "col_major", "contiguous", "strided"]]


@strict
class SymbolicScalar(TypedDict):
    dtype: Identifier


@strict
class Argument(TypedDict):
    """An input or output: exactly one of tensor and scalar."""

    name: Identifier
    tensor: NotRequired[SymbolicTensor]
    scalar: NotRequired[SymbolicScalar]


@strict
class Semantics(TypedDict):
    expression: NotRequired[Text2000]
    mutation: Literal["none", "in_place", "destination"]
    determinism: Literal["deterministic", "nondeterministic", "unspecified"]


@strict
class Reference(TypedDict):
    language: Identifier
    artifact: NotRequired[Artifact]


@strict
class OperationSpec(TypedDict):
    family: Family
    axes: dict[Identifier, Axis]
    inputs: Annotated[list[Argument], Field(min_length=1)]
    outputs: Annotated[list[Argument], Field(min_length=1)]
    semantics: Semantics
    reference: NotRequired[Reference]


_NEEDED = {"constant": "value", "derived": "expression"}


def check_operation(spec: Any) -> Iterator[Finding]:
    """A constant axis has a value, a derived one an expression; an argument is one of two things."""
    for name, axis in members(at(spec, "axes")):
        role = at(axis, "role")
        needed = _NEEDED.get(role) if isinstance(role, str) else None
        if needed and needed not in axis:
            yield Finding(("axes", name, needed), f"missing_{needed}", f"a {role} axis needs its {needed}")
    for side in ("inputs", "outputs"):
        for index, argument in items(at(spec, side)):
            if isinstance(argument, dict) and ("tensor" in argument) == ("scalar" in argument):
                has = "both" if "tensor" in argument else "neither"
                message = f"an argument is exactly one of tensor and scalar, this one has {has}"
                yield Finding((side, index), "tensor_or_scalar", message)
    yield from artifact(spec, "reference", "artifact")
