"""Logging of the server process: the standard library's, as text or as JSON, one line per event on stderr.

uvicorn's loggers go the same way. Every line has the id of its request. At INFO and above no line holds a
query text, a variable or a Cypher statement.
"""

import logging
from collections.abc import Mapping
from typing import Any

from pythonjsonlogger.core import RESERVED_ATTRS

FORMATS: Mapping[str, Mapping[str, Any]] = {
    "text": {"()": "catalog.server.logs.TextFormatter"},
    "json": {
        "()": "pythonjsonlogger.json.JsonFormatter",
        "fmt": ["levelname", "name", "message", "request_id", "trace_id"],
        "rename_fields": {"levelname": "level", "name": "logger"},
        "timestamp": True,
        "reserved_attrs": [*RESERVED_ATTRS, "color_message"],  # the last is uvicorn's, for terminals
    },
}
"""LOG_FORMAT -> the formatter, as logging.config takes it."""

LEVELS = ("debug", "info", "warning", "error")


def configuration(style: str, level: str) -> dict[str, Any]:
    """The configuration of all loggers, for ``logging.config.dictConfig`` and for uvicorn."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request": {"()": "catalog.server.exchange.RequestIds"}},
        "formatters": {"line": dict(FORMATS[style])},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request"]}
        },
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {"uvicorn": {"handlers": [], "propagate": True}},
    }


class TextFormatter(logging.Formatter):
    """``2026-11-30T21:15:00+0000 INFO catalog.access [id] message``, then a traceback if there is one."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(request)s %(message)s", "%Y-%m-%dT%H:%M:%S%z")

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        identifier = getattr(record, "request_id", None)
        record.request = f" [{identifier}]" if identifier else ""
        return super().format(record)
