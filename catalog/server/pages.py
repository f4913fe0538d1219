"""The plain endpoints beside /graphql: health, readiness, the schema's text, manifests by digest."""

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

import strawberry
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from catalog.domain.errors import quote
from catalog.server.conditional import conditional, has_it, not_modified
from catalog.server.errors import Code, ErrorReporter, RequestFault
from catalog.server.exchange import answered
from catalog.server.graphiql import IMMUTABLE
from catalog.server.probe import StoreProbe, in_time
from catalog.server.wire import dump_json

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{8,64})")


FindManifests = Callable[[str], Awaitable[Mapping[str, bytes]]]
"""``sha256:`` and 8 to 64 hex digits -> the JCS bytes of the manifests whose digest starts so, by full
digest. Up to some twenty are enough: more than one is ambiguous."""


class Pages:
    """The endpoints and what they ask."""

    def __init__(
        self,
        schema: strawberry.Schema,
        probe: StoreProbe,
        find_manifests: FindManifests,
        reporter: ErrorReporter,
    ) -> None:
        self._schema = schema
        self._probe = probe
        self._find = find_manifests
        self._reporter = reporter

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/schema.graphql", self.schema_text),
            Route("/manifests/{digest}", self.manifest),
        ]

    async def healthz(self, _request: Request) -> Response:
        """The process answers."""
        return _json({"status": "ok"})

    async def readyz(self, _request: Request) -> Response:
        """The store answers and fits; 503 with the reason otherwise."""
        try:
            details = await in_time(self._probe.ready())
        except Exception as error:
            errors = answered([self._reporter.exception(error)])
            return _json({"status": "unavailable", "errors": errors}, 503)
        return _json({"status": "ready", **details})

    @cached_property
    def _schema_text(self) -> tuple[bytes, str]:
        text = (self._schema.as_str().rstrip() + "\n").encode()
        return text, sha256(text).hexdigest()

    async def schema_text(self, request: Request) -> Response:
        """The schema in the schema definition language."""
        text, tag = self._schema_text
        return conditional(request, text, tag, "text/plain", "no-cache")

    async def manifest(self, request: Request) -> Response:
        """The bytes that a digest covers; a prefix of one redirects to it."""
        wanted = _digest(request.path_params["digest"])
        full = len(wanted) == len("sha256:") + 64
        if full and has_it(request, wanted):
            return not_modified(wanted, IMMUTABLE)
        found = await self._find(wanted)
        if not found:
            raise RequestFault(Code.NOT_FOUND, f"There is no manifest with the digest {wanted}.")
        if len(found) > 1:
            candidates = sorted(found)
            message = f"{wanted} is the start of several digests; give more of it."
            raise RequestFault(Code.AMBIGUOUS, message, extensions={"candidates": candidates})
        [(digest, body)] = found.items()
        if not full:
            return RedirectResponse(f"./{digest}", 307, {"cache-control": "no-cache"})
        return conditional(request, body, digest, "application/json", IMMUTABLE)


def _digest(text: str) -> str:
    match = _DIGEST.fullmatch(text)
    if match is None:
        wanted = "64 lower-case hex digits, or at least the first 8, with or without sha256: before them"
        raise RequestFault(Code.BAD_USER_INPUT, f"digest: {quote(text)} is not one; {wanted}, is wanted.")
    return f"sha256:{match[1]}"


def _json(body: Mapping[str, Any], status: int = 200) -> Response:
    return Response(dump_json(body), status, {"cache-control": "no-store"}, media_type="application/json")
