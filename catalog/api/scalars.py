"""Scalars of the schema, and what is written for them.

Digests given as the direct argument of a root field may be shortened, so their form is checked where it is
known what they are for; instants likewise, so that a fault names the field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NewType

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from catalog.domain.identity import Digest
from catalog.domain.instants import print_instant

DateTime = NewType("DateTime", str)
JSON = NewType("JSON", object)


def printed(canonical: str | None) -> DateTime | None:
    """A stored instant as clients get it."""
    return None if canonical is None else DateTime(print_instant(canonical))


def _text_of(form: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if not isinstance(value, str):
            raise GraphQLError(f"must be a string: {form}")
        return value

    return parse


_digest = _text_of("'sha256:' and 64 lower-case hexadecimal digits, or the first 8 or more of them")
_instant = _text_of("an instant by RFC 3339, such as '2026-01-31T12:00:00Z'")


SCALARS: dict[object, ScalarDefinition] = {
    Digest: strawberry.scalar(
        name="Digest",
        description="A content address: `sha256:` and 64 lower-case hexadecimal digits. Where it is the "
        "direct argument of a field that finds one object, the first 8 or more digits do, with or without "
        "`sha256:`, if only one object of that kind begins so; otherwise the error AMBIGUOUS lists the "
        "candidates. In input objects, cursors and federated representations only the full form is taken.",
        serialize=lambda value: value,
        parse_value=_digest,
    ),
    DateTime: strawberry.scalar(
        name="DateTime",
        description="An instant by RFC 3339, always in UTC and ending in `Z`; up to nine digits of fraction.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
        serialize=lambda value: value,
        parse_value=_instant,
    ),
    JSON: strawberry.scalar(
        name="JSON",
        description="Any JSON value.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc8259",
        serialize=lambda value: value,
        parse_value=lambda value: value,
    ),
}
"""Python type -> scalar."""
