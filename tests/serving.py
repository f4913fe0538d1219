"""`catalog demo` and `catalog serve` as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]


def start(*arguments: object, environ: Mapping[str, str] = os.environ) -> subprocess.Popen[str]:
    """The command line `catalog ARGUMENTS --json`, running; it logs no requests unless LOG_LEVEL says so."""
    return subprocess.Popen(
        [sys.executable, "-m", "catalog.cli", *map(str, arguments), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"LOG_LEVEL": "warning", **environ, "PYTHONPATH": str(ROOT)},
    )


def announced(server: subprocess.Popen[str]) -> dict[str, Any]:
    """The JSON document that a server prints before it serves, once it answers."""
    assert server.stdout is not None
    text = line = ""
    while line != "}\n":
        line = server.stdout.readline()
        assert line, server.communicate()
        text += line
    found: dict[str, Any] = json.loads(text)
    until_answering(server, found["url"], "{ catalog { revision } }")
    return found


def until_answering(server: subprocess.Popen[Any], url: str, query: str) -> None:
    """Ask until the server answers, which must be within a minute."""
    for _ in range(600):
        try:
            ask(url, query)
        except urllib.error.URLError:
            assert server.poll() is None, server.communicate()
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not answer")


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def ask(url: str, query: str, **variables: object) -> Any:
    """The data of an answer over HTTP."""
    body = json.dumps({"query": query, "variables": variables}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["data"]


def end(server: subprocess.Popen[str]) -> tuple[int, str]:
    """Interrupt a server, as Ctrl-C does; its exit code and what it said on stderr."""
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=60)
    return server.returncode, errors
