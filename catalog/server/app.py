"""The Starlette application: routes, layers, and JSON for everything that goes wrong."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING

import strawberry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from catalog import __version__
from catalog.server.answers import Answers, ContextFactory
from catalog.server.compression import Compression
from catalog.server.consistency import Revisions
from catalog.server.errors import Code, ErrorReporter, MapError, RequestFault
from catalog.server.execution import Executor
from catalog.server.graphiql import GraphiQL
from catalog.server.graphql_http import GraphQLEndpoint
from catalog.server.landing import ASKED, Landing
from catalog.server.metrics import Metrics
from catalog.server.middleware import BasePath, BodyLimit, ErrorBoundary, SecurityHeaders
from catalog.server.observing import Observe
from catalog.server.origins import may_connect
from catalog.server.pages import FindManifests, Pages
from catalog.server.probe import StoreProbe
from catalog.server.questions import load_questions
from catalog.server.settings import Cache, Settings
from catalog.server.streams import Streams
from catalog.server.websocket import Socket

if TYPE_CHECKING:  # optional: see tracing.py
    from catalog.server.spans import Tracing

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def create_app(
    *,
    schema: strawberry.Schema,
    context_factory: ContextFactory,
    store_probe: StoreProbe,
    manifest_bytes: FindManifests,
    map_error: MapError,
    settings: Settings,
    revisions: Revisions | None = None,
    lifespan: Lifespan | None = None,
    metrics: Metrics | None = None,
    tracing: "Tracing | None" = None,
    reword: Callable[[str], str] = str,
) -> Starlette:
    """The application over a schema.

    ``context_factory`` makes the context of one GraphQL request. ``store_probe`` and ``manifest_bytes``
    answer /readyz and /manifests. ``map_error`` explains the application's exceptions; what it does not know
    is masked. With ``revisions`` no answer mixes two, answers are kept as long as theirs is the last, and
    those by GET have entity tags. ``lifespan`` opens and closes what those
    need. ``metrics`` and ``tracing`` watch every request where they are given; metrics are served at
    /metrics. ``app.state.streams`` tells how many sockets and streams are open. ``reword`` turns an
    example query into one for this schema.

    Raises:
        ValueError: the schema has Strawberry extensions, which would not run.
        TrustedDocumentsError: the trusted documents can't be used.
    """
    executor = Executor(
        schema,
        map_error,
        settings.limits,
        timeout=settings.request_timeout,
        document_cache=settings.document_cache,
        report_cost=settings.report_cost,
        persisted_queries=settings.persisted_queries,
        trusted=settings.trusted_documents,
        watch_fields=tracing,
        revisions=revisions,
    )
    questions = load_questions(reword)
    graphiql = GraphiQL(questions) if settings.graphiql and not settings.trusted_documents else None
    answers = None
    if revisions is not None:
        size = settings.answer_cache if settings.cache is Cache.ANSWERS else 0
        answers = Answers(executor, context_factory, revisions, _seed(schema, settings), size)
    streams = Streams(settings.max_sockets, settings.max_streams, metrics)
    endpoint = GraphQLEndpoint(executor, context_factory, graphiql, streams, answers, settings.compress_from)
    pages = Pages(schema, store_probe, manifest_bytes, executor.reporter)
    landing = Landing(
        () if settings.trusted_documents else questions,
        store_probe,
        executor.reporter,
        graphiql=graphiql is not None,
        links={
            **({"GraphiQL": "graphql"} if graphiql else {}),
            "Schema": "schema.graphql",
            "Health": "healthz",
            "Readiness": "readyz",
            **({"Metrics": "metrics"} if metrics else {}),
        },
        public_url=settings.public_url,
        ask=reword(ASKED),
    )

    async def graphql(request: Request) -> Response:
        return await endpoint(request)

    async def scrape(request: Request) -> Response:
        assert metrics is not None
        return await metrics.page(request, store_probe)

    async def websocket(socket: WebSocket) -> None:
        if not may_connect(socket, settings):
            await socket.close()  # before it is accepted: answered with 403
            return
        most = settings.max_socket_operations
        await Socket(socket, executor, lambda: context_factory(socket), streams, most).serve()

    app = Starlette(
        routes=[
            landing.route(),
            Route("/graphql", graphql, methods=["GET", "POST"]),
            WebSocketRoute("/graphql", websocket),
            *(graphiql.routes() if graphiql else ()),
            *pages.routes(),
            *([Route("/metrics", scrape)] if metrics else ()),
        ],
        middleware=_layers(
            settings, executor.reporter, Middleware(Observe, metrics=metrics, tracing=tracing)
        ),
        exception_handlers={HTTPException: _http_exception},
        lifespan=_stopping(streams, lifespan),
    )
    app.state.streams = streams
    app.router.redirect_slashes = False  # it would redirect to an absolute address, wrong behind a proxy
    return app


def _seed(schema: strawberry.Schema, settings: Settings) -> str:
    """What all answers of this server hang on, besides the catalog: release, schema, settings."""
    text = "\n".join((__version__, schema.as_str(), repr(settings)))
    return sha256(text.encode()).hexdigest()


def _stopping(streams: Streams, lifespan: Lifespan | None) -> Lifespan:
    """The lifespan, in which streams learn that the server stops."""

    @asynccontextmanager
    async def run(app: Starlette) -> AsyncIterator[None]:
        async with lifespan(app) if lifespan else nullcontext():
            with streams.until_stopped():
                yield

    return run


def _layers(settings: Settings, reporter: ErrorReporter, observe: Middleware) -> list[Middleware]:
    layers = [Middleware(SecurityHeaders), Middleware(BasePath, base_path=settings.base_path), observe]
    if settings.cors_origins:
        layers.append(
            Middleware(
                CORSMiddleware,
                allow_origins=settings.cors_origins,
                allow_methods=["GET", "POST"],
                allow_headers=["content-type", "accept", "if-none-match", "x-request-id", "traceparent"],
                expose_headers=["etag", "vary", "x-request-id"],
            )
        )
    if settings.compress_from:
        layers.append(Middleware(Compression, minimum=settings.compress_from))
    return [
        *layers,
        Middleware(ErrorBoundary, reporter=reporter),
        Middleware(BodyLimit, limit=settings.max_body_bytes),
    ]


async def _http_exception(request: Request, error: Exception) -> Response:
    """What the router itself refuses: an unknown path, a wrong method."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND:
        fault = RequestFault(Code.NOT_FOUND, f"There is nothing at {request.url.path[:200]}.")
    else:
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if "allow" in headers:  # the router lists a set, in any order
            headers["allow"] = ", ".join(sorted(headers["allow"].split(", ")))
        message = f"{request.method} on {request.url.path[:200]}: {error.detail}."
        fault = RequestFault(Code.BAD_USER_INPUT, message, error.status_code, headers)
    return fault.response()
