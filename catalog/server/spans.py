"""Spans for OpenTelemetry: one per request, per field that waits, and per database statement.

Imported only where the extra ``otel`` is installed and traces are wanted (tracing.py). No span holds a query
text, a variable or the message of an error.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version
from inspect import isawaitable
from typing import Any

from graphql import GraphQLResolveInfo
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers
from starlette.types import Scope

from catalog.server.exchange import Exchange

SERVICE = "kernel-catalog"


class Tracing:
    """Makes the spans of one application, under the names of OpenTelemetry's semantic conventions."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer(SERVICE, version(SERVICE))
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def request(self, scope: Scope, exchange: Exchange, status: Callable[[], int]) -> Iterator[None]:
        """The span of a request, below the one that its ``traceparent`` names, if any."""
        method = scope.get("method", "WEBSOCKET")
        given = {
            "http.request.method": method,
            "url.path": scope["path"],
            "catalog.request_id": exchange.request_id,
        }
        parent = self._propagator.extract(Headers(scope=scope))
        with self._span(method, SpanKind.SERVER, given, parent) as span:
            exchange.trace_id = format_trace_id(span.get_span_context().trace_id)
            try:
                yield
            finally:
                _describe(span, method, scope, status(), exchange)

    def statement(self, name: str, engine: str) -> AbstractContextManager[Span]:
        """The span of a database statement."""
        return self._span(name, SpanKind.CLIENT, {"db.system.name": engine, "db.query.summary": name})

    def resolve(
        self, resolver: Callable[..., Any], source: Any, info: GraphQLResolveInfo[Any], **arguments: Any
    ) -> Any:
        """Middleware of the executor: a span for a field that waits.

        Fields below a list are left out: they wait together for the same statements, which have spans.
        """
        value = resolver(source, info, **arguments)
        if not isawaitable(value) or any(isinstance(step, int) for step in info.path.as_list()):
            return value
        return self._waited(value, f"{info.parent_type.name}.{info.field_name}")

    async def _waited(self, value: Awaitable[Any], name: str) -> Any:
        with self._span(name, SpanKind.INTERNAL, {"graphql.field": name}):
            return await value

    @contextmanager
    def _span(
        self, name: str, kind: SpanKind, attributes: Mapping[str, Any], parent: Context | None = None
    ) -> Iterator[Span]:
        """A span that knows of an exception no more than its type."""
        with self._tracer.start_as_current_span(
            name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield span
            except Exception as error:
                span.set_status(StatusCode.ERROR)
                span.set_attribute("error.type", type(error).__qualname__)
                raise

    def close(self) -> None:
        """Send what is still here; waits for the collector."""
        self._provider.shutdown()


def exporting() -> Tracing:
    """Tracing that sends by OTLP over HTTP, as the OTEL_* variables say."""
    named = OTELResourceDetector().detect().attributes.get(SERVICE_NAME, SERVICE)
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: named}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Tracing(provider)


def _describe(span: Span, method: str, scope: Scope, status: int, exchange: Exchange) -> None:
    """What is known of a request once it is answered."""
    route = getattr(scope.get("route"), "path", None)
    if route is not None:
        span.update_name(f"{method} {route}")
    told = {
        "http.route": route,
        "http.response.status_code": status,
        "graphql.operation.type": exchange.operation_type,
        "graphql.operation.name": exchange.operation_name,
        "catalog.cost": exchange.cost,
        "catalog.statements": exchange.statements,
    }
    span.set_attributes({name: value for name, value in told.items() if value is not None})
    if status >= 500:
        span.set_status(StatusCode.ERROR)
