"""Whether traces are wanted, by the OTEL_* variables, and can be made, by the extra ``otel``."""

import logging
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.server.spans import Tracing

log = logging.getLogger(__name__)

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
PACKAGES = ("opentelemetry", "opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


def wanted_tracing(environ: Mapping[str, str]) -> "Tracing | None":
    """Tracing, where a collector is named; None costs nothing."""
    off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if off or environ.get("OTEL_TRACES_EXPORTER") == "none" or not any(map(environ.get, ENDPOINTS)):
        return None
    if not all(map(_installed, PACKAGES)):
        log.warning("OTEL_* names a collector, but pip install 'kernel-catalog[otel]' is missing: no traces")
        return None
    from catalog.server.spans import exporting

    return exporting()


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # a package above it
        return False
