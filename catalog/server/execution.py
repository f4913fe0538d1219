"""Running one GraphQL request against the schema, without any HTTP.

Parsing, limits and validation go through :class:`~catalog.server.documents.Documents`; the operation then
runs on graphql-core with the schema's own executor class. Strawberry's ``Schema.execute`` would parse again
and log every error of a client with its traceback, so a schema with Strawberry extensions, which only run
there, is refused.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from http import HTTPStatus
from inspect import isawaitable
from pathlib import Path
from typing import Any, Protocol, TypeGuard, cast

import graphql
import strawberry
from graphql import (
    ExecutionHooks,
    ExecutionResult,
    GraphQLError,
    GraphQLResolveInfo,
    MiddlewareManager,
    OperationDefinitionNode,
    OperationType,
    execute,
)
from graphql.execution import create_source_event_stream
from strawberry.execution import optimized_is_awaitable

from catalog.server.consistency import MakeContext, Revisions, of_one_revision
from catalog.server.cost import Costs
from catalog.server.documents import Document, Documents
from catalog.server.errors import STATUS, Code, ErrorReporter, MapError, RequestFault, error_body
from catalog.server.exchange import CURRENT, answered
from catalog.server.ftv1 import VERSION, Trace
from catalog.server.limits import Limits
from catalog.server.persisted import AutomaticTexts, QueryTexts
from catalog.server.trusted import load_trusted

_is_awaitable = cast(Callable[[Any], TypeGuard[Awaitable[Any]]], optimized_is_awaitable)

NAME_LENGTH = 100
"""How much of an operation's name is kept for logs and traces."""


class WatchFields(Protocol):
    """Middleware of graphql-core: stands between the executor and every resolver that is not read at once."""

    def resolve(
        self, resolver: Callable[..., Any], source: Any, info: GraphQLResolveInfo[Any], **arguments: Any
    ) -> Any:
        """What the resolver gives."""


@dataclass(frozen=True, slots=True)
class GraphQLRequest:
    """One request as the GraphQL specification has it. Where ``query`` is empty, ``document_id`` or
    ``extensions`` say which text is meant."""

    query: str
    operation_name: str | None = None
    variables: Mapping[str, Any] | None = None
    extensions: Mapping[str, Any] | None = None
    document_id: str | None = None


@dataclass(slots=True)
class Answer:
    """A successful answer as JSON, and in the content codings that were asked for; ``tag`` tells it from all
    others."""

    tag: str
    plain: bytes
    coded: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """The response map, and the HTTP status it has where the status tells about GraphQL: not 200 without
    ``data``."""

    body: dict[str, Any]
    status: int = HTTPStatus.OK
    answer: Answer | None = None
    """The answer in the place of ``body``, where it can be given again."""
    tag: str | None = None
    """The entity tag, without quotes, where the answer is told one."""


Prepared = tuple[Document, OperationDefinitionNode]
"""A document that may run, and the operation of it that is asked for."""


class Executor:
    """Runs requests. Used by the HTTP view and by anything that asks without a server."""

    def __init__(
        self,
        schema: strawberry.Schema,
        map_error: MapError,
        limits: Limits | None = None,
        *,
        revisions: Revisions | None = None,
        timeout: float = 30.0,
        document_cache: int = 1 << 18,
        report_cost: bool = False,
        persisted_queries: int = 0,
        trusted: Path | None = None,
        watch_fields: WatchFields | None = None,
    ) -> None:
        """Take a schema, the explanation of the application's exceptions, and limits. With ``revisions`` no
        answer mixes two. ``timeout`` is in seconds, the caches in characters of query text. ``report_cost``
        puts the cost into every answer.
        With ``trusted`` only the documents there may run.

        Raises:
            ValueError: the schema has Strawberry extensions or operation directives, which would not run.
            TrustedDocumentsError: the trusted documents can't be used.
        """
        if schema.extensions or schema.directives:
            raise ValueError(
                "a schema with Strawberry extensions or operation directives is not supported here"
            )
        self.reporter = ErrorReporter(map_error)
        self._executor_class = schema.execution_context_class
        limits = limits or Limits()
        self._max_cost = limits.max_cost
        self._max_list_items = limits.max_list_items
        self._report_cost = report_cost
        self._documents = Documents(schema, self.reporter, limits, document_cache)
        self._costs = Costs(self._documents.schema, schema.as_str())
        self._texts: QueryTexts = (
            load_trusted(trusted, lambda text: self._documents.prepare(text).errors)
            if trusted
            else AutomaticTexts(persisted_queries)
        )
        self._middleware = MiddlewareManager(watch_fields) if watch_fields else None
        self._revisions = revisions
        self.timeout = timeout

    def prepare(self, request: GraphQLRequest) -> Prepared | Reply:
        """The document and operation to run, or the reply to a request that can't be run."""
        try:
            document = self._documents.prepare(self._texts.text(request))
            if document.node is None:
                return _refusal(list(document.errors))
            operation = document.operation(request.operation_name)
            self._note(operation)
            self._check_lists(request)
            self._check_cost(document, operation, request)
        except RequestFault as fault:
            return _refusal([self.reporter.exception(fault)])
        return document, operation

    def _note(self, operation: OperationDefinitionNode) -> None:
        if exchange := CURRENT.get():
            exchange.operation_type = operation.operation.value
            exchange.operation_name = operation.name.value[:NAME_LENGTH] if operation.name else None

    def _check_lists(self, request: GraphQLRequest) -> None:
        for name, value in (request.variables or {}).items():
            if isinstance(value, list) and len(value) > self._max_list_items:
                found = f"variables: {name[:80]!r} has {len(value)} items"
                message = f"{found}; at most {self._max_list_items} are allowed."
                raise RequestFault(Code.LIMIT_EXCEEDED, message, extensions={"limit": "max_list_items"})

    def _cost(self, document: Document, operation: OperationDefinitionNode, request: GraphQLRequest) -> int:
        assert document.node is not None
        return self._costs.estimate(document.node, operation, request.variables or {})

    def _check_cost(
        self, document: Document, operation: OperationDefinitionNode, request: GraphQLRequest
    ) -> None:
        cost = self._cost(document, operation, request)
        if exchange := CURRENT.get():
            exchange.cost = cost
        if cost > self._max_cost:
            message = f"The query could ask for about {cost} values; at most {self._max_cost} are allowed. "
            hint = "Ask for smaller pages (first) or fewer nested lists."
            more = {"limit": "max_cost", "requested": cost, "maximum": self._max_cost}
            raise RequestFault(Code.LIMIT_EXCEEDED, message + hint, extensions=more)

    async def run(self, request: GraphQLRequest, make_context: MakeContext) -> Reply:
        """Answer a request, and wait for all that it began, also for what an error made needless: whoever
        asks without a server may close the store next. Never raises but for cancellation.
        """
        prepared = self.prepare(request)
        if isinstance(prepared, Reply):
            return prepared
        if prepared[1].operation is OperationType.SUBSCRIPTION:
            return no_stream()
        return await self.execute(prepared[0], request, make_context, wait=True)

    async def execute(
        self,
        document: Document,
        request: GraphQLRequest,
        make_context: MakeContext,
        *,
        traced: bool = False,
        event: Any = None,
        wait: bool = False,
    ) -> Reply:
        """Run a prepared document, of a subscription for one event; traced for a gateway; waiting for all
        that was begun where that is wanted. Never raises but for cancellation."""

        async def work() -> Reply:
            reply, _ = await self.settled(
                document, request, make_context, traced=traced, event=event, wait=wait
            )
            return reply

        return await self.within(work)

    async def settled(
        self,
        document: Document,
        request: GraphQLRequest,
        make_context: MakeContext,
        *,
        traced: bool = False,
        event: Any = None,
        wait: bool = False,
    ) -> tuple[Reply, Any]:
        """The reply, made of one revision, and the context it was made in. Raises whatever is no error of a
        field."""

        async def work(context: Any) -> Reply:
            return await self._run_in(document, request, context, traced, event, wait)

        return await of_one_revision(self._revisions, make_context, work, _has_data)

    async def _run_in(
        self, document: Document, request: GraphQLRequest, context: Any, traced: bool, event: Any, wait: bool
    ) -> Reply:
        trace, finished = Trace() if traced else None, asyncio.Event()
        hooks = ExecutionHooks(async_work_finished=lambda _: finished.set()) if wait else None
        result = self._start(document, request, context, hooks, trace, event)
        asynchronous = isawaitable(result)
        reply = self._reply(await result if isawaitable(result) else result)
        if asynchronous and wait:
            await finished.wait()
        if trace is not None:
            reply.body["extensions"] = {VERSION: trace.finished(reply.body.get("errors", ()))}
        if self._report_cost or (request.extensions or {}).get("cost") is True:
            cost = self._cost(document, document.operation(request.operation_name), request)
            charged = {"requested": cost, "maximum": self._max_cost}
            reply.body["extensions"] = {**reply.body.get("extensions", {}), "cost": charged}
        return reply

    async def within(self, work: Callable[[], Awaitable[Reply]]) -> Reply:
        """What some work replies; what it raises, and running out of time, as a reply too."""
        try:
            async with asyncio.timeout(self.timeout):
                return await work()
        except TimeoutError:
            return self._timed_out()
        except Exception as error:
            return _refusal([self.reporter.exception(error)])

    async def stream(
        self, prepared: Prepared | Reply, request: GraphQLRequest, make_context: MakeContext
    ) -> AsyncGenerator[Reply, None]:
        """The replies to what `prepare` made of any request: one, or one for each event of a subscription."""
        if isinstance(prepared, Reply):
            yield prepared
            return
        document, operation = prepared
        if operation.operation is OperationType.SUBSCRIPTION:
            async with aclosing(self._subscribe(document, request, make_context)) as replies:
                async for reply in replies:
                    yield reply
        else:
            yield await self.execute(document, request, make_context)

    async def _subscribe(
        self, document: Document, request: GraphQLRequest, make_context: MakeContext
    ) -> AsyncGenerator[Reply, None]:
        """The replies of a prepared subscription, one for each event, each run in a context of its own.

        The last reply has no ``data`` when the subscription can't begin, when its events break off, and when
        one of them can't be answered at all: whoever resumes behind the last event then misses nothing.
        Close the generator to end it.
        """
        try:
            async with asyncio.timeout(self.timeout):
                source = await self._source(document, request, await make_context())
        except TimeoutError:
            yield self._timed_out()
            return
        except Exception as error:
            yield _refusal([self.reporter.exception(error)])
            return
        if isinstance(source, ExecutionResult):
            yield _refusal([self._fault(error) for error in source.errors or ()])
            return
        async with aclosing(source):
            try:
                async for event in source:
                    reply = await self.execute(document, request, make_context, event=event)
                    if reply.body.get("data") is None:
                        yield Reply({"errors": reply.body["errors"]}, reply.status)
                        return
                    yield reply
            except Exception as error:
                yield _refusal([self.reporter.exception(error)])

    async def _source(
        self, document: Document, request: GraphQLRequest, context: Any
    ) -> AsyncGenerator[Any, None] | ExecutionResult:
        """The events that a subscription's field gives, or the errors that forbid it."""
        assert document.node is not None
        executor = (self._executor_class or graphql.execution.Executor).build(
            self._documents.schema,
            document.node,
            context_value=context,
            raw_variable_values=dict(request.variables or {}),
            operation_name=request.operation_name,
            is_awaitable=_is_awaitable,
        )
        if isinstance(executor, list):
            return ExecutionResult(None, executor)
        source = create_source_event_stream(executor)
        return cast(AsyncGenerator[Any, None], await source if isawaitable(source) else source)

    def _timed_out(self) -> Reply:
        message = f"The request took longer than {self.timeout:g} s and was ended."
        return _refusal([error_body(Code.TIMEOUT, message)])

    def _start(
        self,
        document: Document,
        request: GraphQLRequest,
        context: Any,
        hooks: ExecutionHooks | None,
        trace: Trace | None,
        event: Any,
    ) -> ExecutionResult | Awaitable[ExecutionResult]:
        assert document.node is not None
        return execute(
            self._documents.schema,
            document.node,
            root_value=event,
            context_value=context,
            variable_values=dict(request.variables or {}),
            operation_name=request.operation_name,
            # The short way of the schema's own executor is past every middleware.
            executor_class=None if trace else self._executor_class,
            middleware=_traced(self._middleware, trace) if trace else self._middleware,
            is_awaitable=_is_awaitable,
            hooks=hooks,
        )

    def _reply(self, result: ExecutionResult) -> Reply:
        errors = [self._fault(error) for error in result.errors or ()]
        if result.data is None and all(error.path is None for error in result.errors or ()):
            return _refusal(errors)
        body: dict[str, Any] = {"errors": answered(errors)} if errors else {}
        return Reply({**body, "data": result.data})

    def _fault(self, error: GraphQLError) -> dict[str, Any]:
        """The entry for an error at a field; one without a place says that the variables do not fit."""
        if error.path is None:
            return self.reporter.request(Code.BAD_USER_INPUT, error)
        return self.reporter.field(error)


def _has_data(reply: Reply) -> bool:
    return reply.body.get("data") is not None


def no_stream() -> Reply:
    """The reply to a subscription where one answer is wanted."""
    message = (
        "query: a subscription needs a stream: a websocket (graphql-transport-ws), or "
        "Accept: text/event-stream."
    )
    return _refusal([error_body(Code.BAD_USER_INPUT, message)])


def _refusal(errors: list[dict[str, Any]]) -> Reply:
    return Reply({"errors": answered(errors)}, int(STATUS[Code(errors[0]["extensions"]["code"])]))


def _traced(middleware: MiddlewareManager | None, trace: Trace) -> MiddlewareManager:
    return MiddlewareManager(trace, *(middleware.middlewares if middleware else ()))
