"""From an HTTP request to a GraphQL request, strictly: what is not one is refused with the reason."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request

from catalog.domain.errors import quote
from catalog.server.errors import Code, RequestFault
from catalog.server.execution import GraphQLRequest
from catalog.server.negotiation import JSON, parse_media_type
from catalog.server.wire import BadJson, load_json

PARAMETERS = ("query", "documentId", "operationName", "variables", "extensions")


async def read_request(request: Request, seconds: float) -> GraphQLRequest:
    """The GraphQL request in a GET's query string or a POST's JSON body, which has that many ``seconds`` to
    arrive.

    Raises:
        RequestFault: another media type, no JSON, a batch, no query nor a name of one, a parameter of
            the wrong type, or a body that takes too long.
    """
    if request.method == "POST":
        _check_content_type(request)
        return _from_body(await _body(request, seconds))
    await _body(request, seconds)  # ignored, but counted against the cap
    return _from_query_string(request)


async def _body(request: Request, seconds: float) -> bytes:
    try:
        async with asyncio.timeout(seconds):
            return await request.body()
    except TimeoutError:
        message = f"The body did not arrive within {seconds:g} s."
        raise RequestFault(
            Code.TIMEOUT, message, HTTPStatus.REQUEST_TIMEOUT, {"connection": "close"}
        ) from None


def _check_content_type(request: Request) -> None:
    header = request.headers.get("content-type")
    media = parse_media_type(header or "")
    if media.name != JSON:
        raise _unsupported(f"content-type: {JSON} is wanted, not {quote(header) if header else 'none'}.")
    if media.parameters.get("charset", "utf-8") not in ("utf-8", "utf8"):
        raise _unsupported("content-type: the charset must be utf-8.")
    encoding = request.headers.get("content-encoding", "identity")
    if encoding.strip().lower() != "identity":
        raise _unsupported(f"content-encoding: {quote(encoding)} is not supported.")


def _unsupported(message: str) -> RequestFault:
    return RequestFault(Code.BAD_USER_INPUT, message, 415, {"accept-post": JSON})


def _from_body(data: bytes) -> GraphQLRequest:
    try:
        value = load_json(data)
    except BadJson as error:
        raise RequestFault(Code.BAD_USER_INPUT, f"The body is not valid JSON: {error}") from None
    if isinstance(value, list):
        raise RequestFault(Code.BAD_USER_INPUT, "Batches are not supported: send one request, a JSON object.")
    if not isinstance(value, dict):
        raise RequestFault(Code.BAD_USER_INPUT, "The body must be a JSON object with a query.")
    return graphql_request(value)


def _from_query_string(request: Request) -> GraphQLRequest:
    values: dict[str, Any] = {}
    for name in PARAMETERS:
        given = request.query_params.getlist(name)
        if len(given) > 1:
            raise RequestFault(Code.BAD_USER_INPUT, f"{name}: given {len(given)} times.")
        if given:
            values[name] = given[0]
    for name in ("variables", "extensions"):
        if name in values:
            try:
                values[name] = load_json(values[name]) if values[name] else None
            except BadJson as error:
                raise RequestFault(Code.BAD_USER_INPUT, f"{name}: not valid JSON: {error}") from None
    return graphql_request(values)


def graphql_request(values: Mapping[str, Any]) -> GraphQLRequest:
    """The GraphQL request of a JSON object. Raises RequestFault for a missing or wrong member."""
    for field in ("query", "documentId", "operationName"):
        value = values.get(field)
        if value is not None and not isinstance(value, str):
            raise _wrong_type(field, "a string", value)
    for field in ("variables", "extensions"):
        value = values.get(field)
        if value is not None and not isinstance(value, dict):
            raise _wrong_type(field, "an object", value)
    query, extensions = values.get("query") or "", values.get("extensions")
    document_id = values.get("documentId") or None
    if not (query or document_id or (extensions or {}).get("persistedQuery")):
        raise RequestFault(Code.BAD_USER_INPUT, "query: it is missing.")
    return GraphQLRequest(
        query, values.get("operationName") or None, values.get("variables"), extensions, document_id
    )


_JSON_NAMES = {
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
}


def _wrong_type(field: str, wanted: str, value: object) -> RequestFault:
    return RequestFault(Code.BAD_USER_INPUT, f"{field}: {wanted} is wanted, not {_JSON_NAMES[type(value)]}.")
