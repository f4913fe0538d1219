"""Serving an application with uvicorn."""

import os
import tempfile
from contextlib import ExitStack
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from catalog.server.metrics import SHARED

Application = ASGIApp
"""What is served."""

SHUTDOWN_SECONDS = 10
"""How long running requests may finish after a stop signal."""

OPTIONS: dict[str, Any] = {
    "loop": "auto",  # uvloop, but on Windows
    "http": "httptools",
    "ws": "websockets-sansio",
    "ws_max_size": 1 << 18,  # bytes of a frame: the largest query text and its variables
    "ws_per_message_deflate": False,  # each connection would hold a compressor
    "lifespan": "on",
    "access_log": False,  # the application has its own
    "server_header": False,
    "log_config": None,
    "timeout_graceful_shutdown": SHUTDOWN_SECONDS,
}


def serve(
    app: Application | str,
    *,
    host: str,
    port: int,
    workers: int = 1,
    logging: dict[str, Any] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, then let running requests finish.

    ``app`` is an application, or the import string ``module:factory`` of a function that makes one; the
    latter is needed for several ``workers``, each of which calls it. ``logging`` is the configuration of all
    loggers (``logs.configuration``); None leaves them as they are.

    Raises:
        ValueError: several workers are wanted of an application object.
    """
    if workers > 1 and not isinstance(app, str):
        raise ValueError("several workers need the import string of an application factory")
    with ExitStack() as held:
        if workers > 1 and SHARED not in os.environ:  # where the workers add up their metrics
            os.environ[SHARED] = held.enter_context(tempfile.TemporaryDirectory(prefix="catalog-metrics-"))
        uvicorn.run(
            app,
            host=host,
            port=port,
            workers=workers,
            factory=isinstance(app, str),
            **{**OPTIONS, "log_config": logging},
        )
