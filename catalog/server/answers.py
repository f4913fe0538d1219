"""Answers to queries that are kept as they were sent, and told apart by entity tags.

An answer hangs on the request and on a *version*: of the catalog that is the revision that it is read at, and
whatever else is not in the request. So one that was given is given again, byte for byte, until the version
moves on; who has it already (GET with ``If-None-Match``) is told so, and of those who ask for the same at the
same time one makes it for all.
"""

import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from http import HTTPStatus
from itertools import chain, repeat
from typing import Any, Final

from cachetools import LRUCache
from graphql import FieldNode, OperationDefinitionNode, OperationType
from starlette.requests import HTTPConnection, Request

from catalog.read.once import Once
from catalog.server.conditional import has_it
from catalog.server.consistency import MakeContext, Revisions
from catalog.server.documents import Document
from catalog.server.exchange import CURRENT
from catalog.server.execution import Answer, Executor, GraphQLRequest, Reply
from catalog.server.negotiation import GRAPHQL_RESPONSE

ContextFactory = Callable[[HTTPConnection], Awaitable[Any]]
"""Makes the context of a request, from the HTTP request or the websocket that it came by."""

REVALIDATE: Final = "no-cache"
"""``Cache-Control`` of a tagged answer: keep it, and ask each time whether it still holds."""

LARGEST_SHARE: Final = 8
"""An answer that takes more than this part of the whole is not kept."""


class Answers:
    """Answers to the queries of one version, the least recently given dropped first."""

    def __init__(
        self, executor: Executor, contexts: ContextFactory, revisions: Revisions, seed: str, size: int
    ) -> None:
        """``seed`` is what all answers of this server hang on: its schema and settings. ``size``: bytes of
        answers to keep; with 0 none is, nor is one made for several."""
        self._executor = executor
        self._contexts = contexts
        self._revisions = revisions
        self._seed = seed
        self._size = size
        self._kept: LRUCache[str, Answer] = LRUCache(size, getsizeof=_size)
        self._making: dict[str, Once[Answer | Reply]] = {}

    def wants(self, method: str, operation: OperationDefinitionNode) -> bool:
        """Whether it is worth to come here with an operation, rather than to run it."""
        return (self._size > 0 or method != "POST") and _hangs_on_a_version(operation)

    async def answer(self, request: Request, document: Document, wanted: GraphQLRequest, media: str) -> Reply:
        """The reply, with its answer where that can be had again; 304 where the client has it."""
        return await self._executor.within(lambda: self._answer(request, document, wanted, media))

    async def _answer(
        self, request: Request, document: Document, wanted: GraphQLRequest, media: str
    ) -> Reply:
        first = await self._contexts(request)
        tag = self._tag(document, wanted, await self._revisions.version(first))
        by_get = request.method != "POST"
        if by_get and has_it(request, _under(tag, media), any_will_do=False):  # maybe there is no answer
            return _not_modified(_under(tag, media))
        answer = self._kept.get(tag)
        if exchange := CURRENT.get():
            exchange.kept_answer = answer is not None
        if answer is None:
            contexts = chain((first,), repeat(None))

            async def context() -> Any:
                return next(contexts) or await self._contexts(request)

            made = await self._made(tag, lambda: self._make(document, wanted, context))
            if isinstance(made, Reply):
                return made
            answer = made
        if by_get and has_it(request, _under(answer.tag, media)):
            return _not_modified(_under(answer.tag, media))
        return Reply({}, answer=answer, tag=_under(answer.tag, media) if by_get else None)

    async def _made(self, tag: str, make: Callable[[], Awaitable[Answer | Reply]]) -> Answer | Reply:
        """The answer that somebody is making already, or one of one's own. Errors are each one's own, too:
        they have the id of a request."""
        if not self._size:
            return await make()
        making = self._making.get(tag)
        if making is not None:
            made = await making()
            return made if isinstance(made, Answer) else await make()
        making = self._making[tag] = Once(make)
        try:
            return await making()
        finally:
            del self._making[tag]

    async def _make(self, document: Document, wanted: GraphQLRequest, context: MakeContext) -> Answer | Reply:
        reply, used = await self._executor.settled(document, wanted, context)
        if "errors" in reply.body:
            return reply
        plain, sound = self._executor.reporter.dumped(reply.body)
        if not sound:
            return reply
        answer = Answer(self._tag(document, wanted, await self._revisions.version(used)), plain)
        if _size(answer) <= self._size // LARGEST_SHARE:
            self._kept[answer.tag] = answer
        return answer

    def _tag(self, document: Document, wanted: GraphQLRequest, version: str) -> str:
        parts = [
            self._seed,
            version,
            document.digest,
            wanted.operation_name,
            wanted.variables,
            wanted.extensions,
        ]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _size(answer: Answer) -> int:
    """Bytes that it takes, about: compressed forms come later, and are smaller."""
    return 2 * len(answer.plain)


def _under(tag: str, media: str) -> str:
    """The tag of an answer under a media type."""
    return f"{tag}-{'g' if media == GRAPHQL_RESPONSE else 'j'}"


def _not_modified(tag: str) -> Reply:
    return Reply({}, HTTPStatus.NOT_MODIFIED, tag=tag)


def _hangs_on_a_version(operation: OperationDefinitionNode) -> bool:
    """Whether it is a query that asks for more than introspection."""
    return operation.operation is OperationType.QUERY and not all(
        isinstance(node, FieldNode) and node.name.value.startswith("__")
        for node in operation.selection_set.selections
    )
