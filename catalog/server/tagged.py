"""Entity tags of query answers by GET: who has the answer already is told so, and nothing is executed.

An answer hangs on the request and on a *version*: of the catalog that is the revision that it is read at, and
whatever else is not in the request. Once there are viewers with rights of their own, who asks belongs into
the version as well. The version is asked for before the answer is made and once more after it: an answer that
was overtaken by a write could mix two revisions, so it is made again, and only tagged when nothing moved.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from graphql import FieldNode, OperationDefinitionNode, OperationType
from starlette.requests import HTTPConnection, Request

from catalog.server.conditional import has_it
from catalog.server.documents import Document
from catalog.server.execution import Executor, GraphQLRequest, Reply

ContextFactory = Callable[[HTTPConnection], Awaitable[Any]]
"""Makes the context of a request, from the HTTP request or the websocket that it came by."""
Version = Callable[[Any], Awaitable[str]]
"""What an answer in this context hangs on besides the request; raises what the context's store raises."""

REVALIDATE = "no-cache"
"""``Cache-Control`` of a tagged answer: keep it, and ask each time whether it still holds."""
ATTEMPTS = 3


class Tagging:
    """Answers requests with a tag, or with 304."""

    def __init__(self, executor: Executor, contexts: ContextFactory, version: Version, seed: str) -> None:
        """``seed`` is what all answers of this server hang on: its schema and settings."""
        self._executor = executor
        self._contexts = contexts
        self._version = version
        self._seed = seed

    async def answer(self, request: Request, document: Document, wanted: GraphQLRequest, media: str) -> Reply:
        """The reply, tagged if it is one that can be had again; 304 where the client has it."""
        return await self._executor.within(lambda: self._answer(request, document, wanted, media))

    async def _answer(
        self, request: Request, document: Document, wanted: GraphQLRequest, media: str
    ) -> Reply:
        context = await self._contexts(request)
        version = await self._version(context)
        for _ in range(ATTEMPTS):
            tag = self._tag(document, wanted, media, version)
            if has_it(request, tag, any_will_do=False):  # whether there is any is not known yet
                return _not_modified(tag)
            reply = await self._executor.run_in(document, wanted, context)
            if "errors" in reply.body:
                return reply
            context = await self._contexts(request)
            found = await self._version(context)
            if found == version:
                return _not_modified(tag) if has_it(request, tag) else replace(reply, tag=tag)
            version = found
        return reply

    def _tag(self, document: Document, wanted: GraphQLRequest, media: str, version: str) -> str:
        parts = [
            self._seed,
            version,
            media,
            document.digest,
            wanted.operation_name,
            wanted.variables,
            wanted.extensions,
        ]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _not_modified(tag: str) -> Reply:
    return Reply({}, HTTPStatus.NOT_MODIFIED, tag=tag)


def can_be_tagged(request: Request, operation: OperationDefinitionNode) -> bool:
    """Whether an answer is worth a tag: to a query by GET that asks for more than introspection."""
    return (
        request.method != "POST"
        and operation.operation is OperationType.QUERY
        and not all(
            isinstance(node, FieldNode) and node.name.value.startswith("__")
            for node in operation.selection_set.selections
        )
    )
