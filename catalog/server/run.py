"""Serving an application with uvicorn."""

from typing import Any

import uvicorn
from starlette.applications import Starlette

SHUTDOWN_SECONDS = 10
"""How long running requests may finish after a stop signal."""

OPTIONS: dict[str, Any] = {
    "loop": "auto",  # uvloop, but on Windows
    "http": "httptools",
    "ws": "none",
    "lifespan": "on",
    "access_log": False,
    "server_header": False,
    "log_level": "warning",
    "timeout_graceful_shutdown": SHUTDOWN_SECONDS,
}


def serve(app: Starlette | str, *, host: str, port: int, workers: int = 1, access_log: bool = False) -> None:
    """Serve until SIGINT or SIGTERM, then let running requests finish.

    ``app`` is an application, or the import string ``module:factory`` of a function that makes one; the
    latter is needed for several ``workers``, each of which calls it.

    Raises:
        ValueError: several workers are wanted of an application object.
    """
    if workers > 1 and not isinstance(app, str):
        raise ValueError("several workers need the import string of an application factory")
    uvicorn.run(
        app,
        host=host,
        port=port,
        workers=workers,
        factory=isinstance(app, str),
        **{**OPTIONS, "access_log": access_log},
    )
