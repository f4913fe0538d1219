"""Responses with an entity tag: 304 when the client has them already (RFC 9110 §13.1.2)."""

from starlette.requests import Request
from starlette.responses import Response


def has_it(request: Request, tag: str, *, any_will_do: bool = True) -> bool:
    """Whether ``If-None-Match`` names the entity tag ``tag`` (without quotes), or ``*`` where any will do."""
    given = ",".join(request.headers.getlist("if-none-match"))
    tags = {item.strip().removeprefix("W/").strip('"') for item in given.split(",")}
    return bool(given) and (tag in tags or (any_will_do and "*" in tags))


def not_modified(tag: str, cache_control: str) -> Response:
    """304."""
    return Response(status_code=304, headers={"etag": f'"{tag}"', "cache-control": cache_control})


def conditional(request: Request, body: bytes, tag: str, media_type: str, cache_control: str) -> Response:
    """The body with its tag, or 304 when the client has it."""
    if has_it(request, tag):
        return not_modified(tag, cache_control)
    return Response(body, headers={"etag": f'"{tag}"', "cache-control": cache_control}, media_type=media_type)
