"""The /graphql endpoint: GraphQL over HTTP.

Under ``application/graphql-response+json`` the status tells what happened: 400 for a document or variables
that can't be run, 200 once there is ``data``. Under ``application/json`` every well-formed request is
answered with 200. What is not a GraphQL request at all (no JSON, no query, a mutation by GET) has its own 4xx
under both.
"""

import asyncio
from http import HTTPStatus

from graphql import OperationDefinitionNode, OperationType
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from catalog.server import ftv1
from catalog.server.answers import REVALIDATE, Answers, ContextFactory
from catalog.server.compression import compressed_once
from catalog.server.errors import CLIENT_CLOSED_REQUEST, Code, RequestFault
from catalog.server.event_stream import EventStream, disconnected
from catalog.server.execution import Answer, Executor, GraphQLRequest, Prepared, Reply, no_stream
from catalog.server.graphiql import GraphiQL
from catalog.server.negotiation import EVENT_STREAM, GRAPHQL_RESPONSE, HTML, JSON, choose
from catalog.server.requests import read_request
from catalog.server.streams import Streams

WATCH_AFTER = 0.02
"""Seconds after which a running request starts to watch for its client going away; most are done by then."""


class GraphQLEndpoint:
    """Answers GET, HEAD and POST on /graphql."""

    def __init__(
        self,
        executor: Executor,
        context_factory: ContextFactory,
        graphiql: GraphiQL | None,
        streams: Streams,
        answers: Answers | None,
        compress_from: int,
    ) -> None:
        self._executor = executor
        self._answers = answers
        self._compress_from = compress_from
        self._context_factory = context_factory
        self._graphiql = graphiql
        self._streams = streams

    async def __call__(self, request: Request) -> Response:
        """The response. Faults of the HTTP request are raised as RequestFault."""
        media = self._negotiate(request)
        if media == HTML and self._graphiql is not None:
            return self._graphiql.page()
        wanted = await read_request(request, self._executor.timeout)
        prepared = self._executor.prepare(wanted)
        if not isinstance(prepared, Reply):
            _check_method(request, prepared[1])
        if media == EVENT_STREAM:
            replies = self._executor.stream(prepared, wanted, lambda: self._context_factory(request))
            return EventStream(replies, self._streams, self._executor.reporter)
        reply = await self._answer(request, wanted, prepared, media)
        if reply is None:
            return Response(status_code=CLIENT_CLOSED_REQUEST)
        if reply.answer is not None:
            return await self._kept(reply, reply.answer, media, request.headers)
        return self._render(reply, media, request.method)

    def _negotiate(self, request: Request) -> str:
        offers = [GRAPHQL_RESPONSE, JSON]
        if self._graphiql is not None and request.method != "POST":
            offers.append(HTML)
        offers.append(EVENT_STREAM)
        media = choose(",".join(request.headers.getlist("accept")) or None, offers, JSON)
        if media is None:
            raise RequestFault(
                Code.BAD_USER_INPUT,
                f"accept: the response comes as {GRAPHQL_RESPONSE}, {JSON} or {EVENT_STREAM}.",
                HTTPStatus.NOT_ACCEPTABLE,
                {"vary": "accept"},
            )
        return media

    async def _answer(
        self, request: Request, wanted: GraphQLRequest, prepared: Prepared | Reply, media: str
    ) -> Reply | None:
        if isinstance(prepared, Reply):
            return prepared
        document, operation = prepared
        if operation.operation is OperationType.SUBSCRIPTION:
            return no_stream()
        traced = request.headers.get(ftv1.HEADER) == ftv1.VERSION
        if not traced and self._answers is not None and self._answers.wants(request.method, operation):
            work = self._answers.answer(request, document, wanted, media)
        else:
            work = self._executor.execute(
                document, wanted, lambda: self._context_factory(request), traced=traced
            )
        return await _unless_gone(request, asyncio.create_task(work))

    async def _kept(self, reply: Reply, answer: Answer, media: str, asked: Headers) -> Response:
        headers = {"vary": "accept", "content-type": f"{media}; charset=utf-8"}
        if reply.tag is not None:
            headers |= {"etag": f'"{reply.tag}"', "cache-control": REVALIDATE}
        response = Response(answer.plain, HTTPStatus.OK, headers)
        await compressed_once(response, answer.coded, asked, self._compress_from)
        return response

    def _render(self, reply: Reply, media: str, method: str) -> Response:
        headers = {"vary": "accept"}
        if reply.tag is not None:
            headers |= {"etag": f'"{reply.tag}"', "cache-control": REVALIDATE}
        elif method != "POST":
            headers["cache-control"] = "no-store"
        if reply.status == HTTPStatus.NOT_MODIFIED:
            return Response(status_code=reply.status, headers=headers)
        status = reply.status if media == GRAPHQL_RESPONSE else HTTPStatus.OK
        body, sound = self._executor.reporter.dumped(reply.body)
        if not sound:
            status = HTTPStatus.INTERNAL_SERVER_ERROR
        return Response(body, status, {**headers, "content-type": f"{media}; charset=utf-8"})


async def _unless_gone(request: Request, running: "asyncio.Task[Reply]") -> Reply | None:
    """The reply, or None after ending the work because the client went away."""
    gone: asyncio.Task[None] | None = None
    try:
        await asyncio.wait((running,), timeout=WATCH_AFTER)
        if not running.done():
            gone = asyncio.create_task(disconnected(request.receive))
            await asyncio.wait((running, gone), return_when=asyncio.FIRST_COMPLETED)
        return running.result() if running.done() else None
    finally:
        if gone is not None:
            gone.cancel()
        if not running.done():
            running.cancel()
            await asyncio.wait((running,))


def _check_method(request: Request, operation: OperationDefinitionNode) -> None:
    if request.method != "POST" and operation.operation is OperationType.MUTATION:
        raise RequestFault(
            Code.BAD_USER_INPUT,
            "A mutation is only taken by POST.",
            HTTPStatus.METHOD_NOT_ALLOWED,
            {"allow": "POST"},
        )
