"""From the error trees of the domain and the store to the public codes of `extensions.code`.

The closed list of codes is `ErrorCode`; what is not in the table below is nobody's business but the
log's: whoever runs a query masks it as INTERNAL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from graphql import GraphQLError

from catalog.api.enums import ErrorCode
from catalog.domain.errors import AmbiguousName, CatalogError, InputError
from graph.errors import StoreError

CODES: Final[Mapping[str, ErrorCode]] = {
    # catalog.domain.errors
    "BAD_INPUT": ErrorCode.BAD_USER_INPUT,
    "BAD_VALUE": ErrorCode.BAD_USER_INPUT,
    "INVALID_MANIFEST": ErrorCode.BAD_USER_INPUT,
    "AMBIGUOUS": ErrorCode.AMBIGUOUS,
    # graph.errors
    "TIMED_OUT": ErrorCode.TIMEOUT,
    "UNAVAILABLE": ErrorCode.SERVICE_UNAVAILABLE,
    "ENGINE_UNAVAILABLE": ErrorCode.SERVICE_UNAVAILABLE,
    "CONFLICT": ErrorCode.SERVICE_UNAVAILABLE,
    "SCHEMA_TOO_NEW": ErrorCode.SERVICE_UNAVAILABLE,
    "AUTH_FAILED": ErrorCode.SERVICE_UNAVAILABLE,
}
"""Neutral code of an error -> public code. QUERY_FAILED and STORE_ERROR are not here: they are bugs."""


@dataclass(frozen=True, slots=True)
class PublicError:
    """What a client is told of an error: safe to show as it is."""

    code: str
    message: str
    extensions: Mapping[str, Any] = field(default_factory=dict)


def map_error(error: Exception) -> PublicError | None:
    """What to tell a client of an exception that a resolver raised; None for an unexpected one."""
    if not isinstance(error, CatalogError | StoreError):
        return None
    code = CODES.get(error.code)
    return None if code is None else PublicError(code, str(error), _extensions(error))


def _extensions(error: Exception) -> Mapping[str, Any]:
    if isinstance(error, InputError):
        return {"field": error.field}
    if isinstance(error, AmbiguousName):
        return {
            "candidates": [
                {"digest": candidate.digest, "architectures": list(candidate.architectures)}
                for candidate in error.candidates
            ]
        }
    return {}


def coded(code: str, message: str, **extensions: Any) -> GraphQLError:
    """An error of the API's own, with its public code."""
    return GraphQLError(message, extensions={"code": code, **extensions})
