"""Errors as clients see them: one closed list of codes, one shape, nothing of the inside.

Everything that fails becomes ``{"message": …, "extensions": {"code": …}}`` with a code of :class:`Code`.
Exceptions that the application explains itself (:data:`MapError`) keep their message; the client's own faults
stay readable; anything else is masked, logged with its traceback, and both sides get the same id. What leaves
the server passes :func:`~catalog.server.exchange.answered`, which adds the id of the request.
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Protocol

from graphql import FieldNode, GraphQLError
from starlette.responses import Response

from catalog.api.enums import ErrorCode
from catalog.server.exchange import answered
from catalog.server.wire import dump_json

log = logging.getLogger(__name__)


Code = ErrorCode
"""The closed list of ``extensions.code``; the schema documents it."""

STATUS: Mapping[Code, HTTPStatus] = {
    Code.GRAPHQL_PARSE_FAILED: HTTPStatus.BAD_REQUEST,
    Code.GRAPHQL_VALIDATION_FAILED: HTTPStatus.BAD_REQUEST,
    Code.BAD_USER_INPUT: HTTPStatus.BAD_REQUEST,
    Code.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Code.AMBIGUOUS: HTTPStatus.MULTIPLE_CHOICES,
    Code.PERSISTED_QUERY_NOT_FOUND: HTTPStatus.NOT_FOUND,
    Code.PERSISTED_QUERY_NOT_SUPPORTED: HTTPStatus.BAD_REQUEST,
    Code.DOCUMENT_NOT_TRUSTED: HTTPStatus.FORBIDDEN,
    Code.LIMIT_EXCEEDED: HTTPStatus.BAD_REQUEST,
    Code.TIMEOUT: HTTPStatus.GATEWAY_TIMEOUT,
    Code.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    Code.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Code.SERVICE_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""The status of a request that ends in this code before there is any data. One line per code."""


CLIENT_CLOSED_REQUEST = 499
"""The status, which nobody reads, of a request whose client went away."""


class PublicError(Protocol):
    """What the application says of one of its exceptions: safe to show as it is."""

    @property
    def code(self) -> str:
        """One of :class:`Code`."""

    @property
    def message(self) -> str:
        """For people; names the field, quotes the value."""

    @property
    def extensions(self) -> Mapping[str, Any]:
        """More for ``extensions``, such as the candidates of an ambiguous name."""


MapError = Callable[[Exception], PublicError | None]
"""Explains an exception of the application; None: unexpected, to be masked."""


class RequestFault(Exception):  # noqa: N818 - a fault of the caller, not of the server
    """The request can't be served. Answered as JSON with ``status`` (default: the code's own)."""

    def __init__(
        self,
        code: Code,
        message: str,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        extensions: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = int(STATUS[code]) if status is None else status
        self.headers = dict(headers or {})
        self.extensions = dict(extensions or {})

    def response(self) -> Response:
        """The JSON answer."""
        body = {"errors": answered([error_body(self.code, self.message, self.extensions)])}
        return Response(dump_json(body), self.status, self.headers, media_type="application/json")


def error_body(code: Code, message: str, extensions: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """One entry of ``errors``."""
    return {"message": message, "extensions": {**(extensions or {}), "code": str(code)}}


class ErrorReporter:
    """Turns exceptions into what clients may see, and logs those they may not."""

    def __init__(self, map_error: MapError) -> None:
        self._map = map_error

    def exception(self, error: BaseException) -> dict[str, Any]:
        """The entry for any exception."""
        mapped = self._mapped(error) if isinstance(error, Exception) else None
        if mapped is not None:
            return mapped
        if isinstance(error, GraphQLError) and (code := _own_code(error)) is not None:
            return error_body(code, error.message, error.extensions)
        return self._masked(error)

    def dumped(self, body: Mapping[str, Any]) -> tuple[bytes, bool]:
        """An answer as JSON, and whether it could be: what JSON has no form for becomes an error."""
        try:
            return dump_json(body), True
        except ValueError as error:
            return dump_json({"errors": answered([self.exception(error)])}), False

    def field(self, error: GraphQLError) -> dict[str, Any]:
        """The entry for an error at a field of a running operation, with its path and locations."""
        cause = _cause(error)
        if isinstance(cause, GraphQLError) and _own_code(cause) is None and _blames_argument(cause):
            entry = error_body(Code.BAD_USER_INPUT, cause.message)
        else:
            entry = self.exception(cause)
        return _placed(entry, error)

    def request(self, code: Code, error: GraphQLError) -> dict[str, Any]:
        """The entry for a fault of the document or its variables, whose text is meant for the client."""
        cause = _cause(error)
        mapped = None if isinstance(cause, GraphQLError) else self._mapped(cause)
        extensions = mapped["extensions"] if mapped else {}
        return _placed(error_body(code, error.message, extensions), error)

    def _mapped(self, error: Exception) -> dict[str, Any] | None:
        if isinstance(error, RequestFault):
            return error_body(error.code, error.message, error.extensions)
        public = self._map(error)
        if public is None or public.code not in Code.__members__:
            return None
        if public.code == Code.INTERNAL:
            return self._masked(error)
        return error_body(Code(public.code), public.message, public.extensions)

    def _masked(self, error: BaseException) -> dict[str, Any]:
        identifier = secrets.token_hex(8)
        log.error("unexpected error %s", identifier, exc_info=error)
        message = f"An unexpected error happened. It is logged with the id {identifier}."
        return error_body(Code.INTERNAL, message, {"id": identifier})


def _cause(error: GraphQLError) -> Exception:
    """The exception that the executor wrapped, through any number of wrappers."""
    cause: Exception = error
    while isinstance(cause, GraphQLError) and cause.original_error is not None:
        cause = cause.original_error
    return cause


def _own_code(error: GraphQLError) -> Code | None:
    """The code that a resolver gave its GraphQLError itself."""
    code = (error.extensions or {}).get("code")
    return Code(code) if isinstance(code, str) and code in Code.__members__ else None


def _blames_argument(error: GraphQLError) -> bool:
    """Whether an argument's value is at fault: the executor then points at the value, not at a field."""
    return bool(error.nodes) and not any(isinstance(node, FieldNode) for node in error.nodes or ())


def _placed(entry: Mapping[str, Any], error: GraphQLError) -> dict[str, Any]:
    """The entry with where in the query, and where in the answer, the error is."""
    place: dict[str, Any] = {}
    if error.locations:
        place["locations"] = [location.formatted for location in error.locations]
    if error.path is not None:
        place["path"] = error.path
    return {"message": entry["message"], **place, "extensions": entry["extensions"]}
