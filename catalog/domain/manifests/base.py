"""The field types that manifests are built from, and the envelope around every spec
(docs/domain.md §1).

A manifest's shape is a strict ``TypedDict`` that takes no other fields. Validation returns the *input*
with only this changed: durations become integer nanoseconds, integral floats integers, set-like lists
sorted and free of duplicates. Optional fields that are absent stay absent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, PlainValidator, StringConstraints, with_config
from typing_extensions import TypedDict  # pydantic reads the standard one only from Python 3.12 on

from catalog.domain.axes import MAX_LENGTH, check_expression
from catalog.domain.errors import BadValue
from catalog.domain.identity import SAFE_INTEGER
from catalog.domain.instants import parse_instant
from catalog.domain.units import parse_duration

API_VERSION: Final = "kernelindex.dev/v1alpha1"
"""Of the public manifest format."""
OWN_API_VERSION: Final = "kernel-catalog/v1alpha1"
"""Of the kinds that only this catalog has."""

strict = with_config(ConfigDict(strict=True, extra="forbid"))
"""Put on every shape: exact types, no other fields."""

IDENTIFIER = r"^[a-z][a-z0-9_]*$"
NAME = r"^[a-z0-9][a-z0-9._-]*$"
FAMILY = r"^[a-z0-9][a-z0-9-]*$"
DIGEST = r"^sha256:[0-9a-f]{64}$"
COMMIT = r"^[0-9a-f]{40}$"
HTTPS = r'^https://[^/?#\x00-\x20\x7f"<>\\^`{|}][^\x00-\x20\x7f"<>\\^`{|}]*$'
ARTIFACT = rf"{HTTPS}|^kernelindex:artifact/sha256:[0-9a-f]{{64}}$"
EXPRESSION = r"^[a-z0-9_+\-*%/() ]+$"

PATTERNS: Final[dict[str, tuple[str, str]]] = {
    IDENTIFIER: ("invalid_identifier", "lowercase letters, digits and '_', starting with a letter"),
    NAME: ("invalid_name", "lowercase letters, digits, '.', '_' and '-', starting with a letter or digit"),
    FAMILY: ("invalid_name", "lowercase letters, digits and '-', starting with a letter or digit"),
    DIGEST: ("invalid_digest", "'sha256:' and 64 lowercase hexadecimal digits"),
    COMMIT: ("invalid_commit", "40 lowercase hexadecimal digits"),
    HTTPS: ("invalid_url", "an address that starts with https://"),
    ARTIFACT: ("invalid_uri", "an https:// address, or kernelindex:artifact/ and the digest beside it"),
    EXPRESSION: ("invalid_expression", "integers, axis names, + - * % // / and parentheses"),
}
"""What a text must look like → the reason when it does not, and what would be right."""

Text = Annotated[str, StringConstraints()]
Text50 = Annotated[str, StringConstraints(max_length=50)]
Text100 = Annotated[str, StringConstraints(max_length=100)]
Text120 = Annotated[str, StringConstraints(max_length=120)]
Text200 = Annotated[str, StringConstraints(max_length=200)]
Text500 = Annotated[str, StringConstraints(max_length=500)]
Text1000 = Annotated[str, StringConstraints(max_length=1000)]
Text2000 = Annotated[str, StringConstraints(max_length=2000)]
Identifier = Annotated[str, StringConstraints(pattern=IDENTIFIER)]
Name = Annotated[str, StringConstraints(pattern=NAME, max_length=200)]
Family = Annotated[str, StringConstraints(pattern=FAMILY, max_length=100)]
Digest = Annotated[str, StringConstraints(pattern=DIGEST)]
Commit = Annotated[str, StringConstraints(pattern=COMMIT)]
Url = Annotated[str, StringConstraints(pattern=HTTPS, max_length=2000)]
ArtifactUri = Annotated[str, StringConstraints(pattern=ARTIFACT, max_length=2000)]
Expression = Annotated[
    str, StringConstraints(pattern=EXPRESSION, max_length=MAX_LENGTH), AfterValidator(check_expression)
]


def _integer(minimum: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if type(value) is int:
            number = value
        elif type(value) is float:
            if not math.isfinite(value):
                raise BadValue(
                    "not_finite", "must be a whole number, not an infinite or undefined one", value
                )
            if not value.is_integer():
                raise BadValue("not_an_integer", "must be a whole number", value)
            number = int(value)
        else:
            raise BadValue("wrong_type", "must be a whole number", value)
        if not -SAFE_INTEGER <= number <= SAFE_INTEGER:
            raise BadValue("integer_out_of_range", "must be within ±(2^53-1)", value)
        if number < minimum:
            raise BadValue("out_of_range", f"must be {minimum} or more", value)
        return number

    return check


check_natural = _integer(0)
"""A whole number from 0 to 2^53-1; an integral double becomes an integer."""


def check_number(value: object) -> int | float:
    """Any finite number; an integer literal only within ±(2^53-1). An integral double within that range
    becomes an integer: both have the same canonical form."""
    if type(value) is int:
        if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
            raise BadValue("integer_out_of_range", "an integer must be within ±(2^53-1)", value)
        return value
    if type(value) is float:
        if not math.isfinite(value):
            raise BadValue("not_finite", "must be a finite number", value)
        if value.is_integer() and -SAFE_INTEGER <= value <= SAFE_INTEGER:
            return int(value)
        return value
    raise BadValue("wrong_type", "must be a number", value)


def _number(*, least: float = -math.inf, most: float = math.inf, above: float = -math.inf) -> Any:
    def check(value: object) -> int | float:
        number = check_number(value)
        if number < least or number <= above:
            bound = f"{least:g} or more" if number < least else f"above {above:g}"
            raise BadValue("out_of_range", f"must be {bound}", value)
        if number > most:
            raise BadValue("out_of_range", f"must be {most:g} or less", value)
        return number

    return check


def _instant(value: object) -> str:
    if not isinstance(value, str):
        raise BadValue("wrong_type", "must be a text, an instant like 2026-05-27T17:14:29Z", value)
    parse_instant(value)
    return value


def _number_or_text(value: object) -> int | float | str:
    if not isinstance(value, str):
        return check_number(value)
    if len(value) > 500:
        raise BadValue("too_long", "must have at most 500 characters", value)
    return value


Integer = Annotated[int, PlainValidator(_integer(-SAFE_INTEGER))]
Natural = Annotated[int, PlainValidator(check_natural)]
Positive = Annotated[int, PlainValidator(_integer(1))]
Number = Annotated[float, PlainValidator(check_number)]
NonNegativeNumber = Annotated[float, PlainValidator(_number(least=0))]
PositiveNumber = Annotated[float, PlainValidator(_number(above=0))]
Ratio = Annotated[float, PlainValidator(_number(least=0, most=1))]
NumberOrText = Annotated[float | str, PlainValidator(_number_or_text)]
Duration = Annotated[int, PlainValidator(parse_duration)]
Instant = Annotated[str, PlainValidator(_instant)]


def _as_set(values: list[str]) -> list[str]:
    return sorted(set(values))


IdentifierSet = Annotated[list[Identifier], AfterValidator(_as_set)]
Text50Set = Annotated[list[Text50], AfterValidator(_as_set)]
Text100Set = Annotated[list[Text100], AfterValidator(_as_set)]
Text200Set = Annotated[list[Text200], AfterValidator(_as_set)]
AxisValues = dict[Identifier, Integer]


@strict
class Artifact(TypedDict):
    """Stored bytes; a ``kernelindex:`` address repeats the digest beside it."""

    uri: ArtifactUri
    digest: Digest


@strict
class Author(TypedDict):
    name: NotRequired[Text200]
    github: NotRequired[Text100]


@strict
class SourceRef(TypedDict):
    url: Url


@strict
class Metadata(TypedDict):
    """The editorial part of a manifest: in no digest."""

    name: Name
    title: NotRequired[Text200]
    description: NotRequired[Text2000]
    labels: NotRequired[dict[Identifier, Text200]]
    authors: NotRequired[list[Author]]
    sourceRefs: NotRequired[list[SourceRef]]


@strict
class Envelope(TypedDict):
    """What surrounds every spec."""

    apiVersion: Literal["kernelindex.dev/v1alpha1"]
    kind: Text
    metadata: Metadata
    spec: Annotated[Any, Field()]


@strict
class OwnEnvelope(TypedDict):
    """The same around the kinds of our own."""

    apiVersion: Literal["kernel-catalog/v1alpha1"]
    kind: Text
    metadata: Metadata
    spec: Annotated[Any, Field()]


@strict
class Measurement(TypedDict):
    """One reported number of a run, in its own unit."""

    metric: Identifier
    unit: Identifier
    statistic: Identifier
    value: Number
    sampleCount: NotRequired[Positive]
