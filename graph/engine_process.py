"""The engine's own process: where its runtime is, its command line, start, probe, end.

The engine is the Java server inside the `arcadedb-embedded` wheel. Nothing of that package is imported:
importing it would load a Java machine into this process. Only Bolt and the engine's HTTP port are opened,
both on the loopback interface; the secret goes by file, never on the command line.
"""

import base64
import contextlib
import ctypes
import http.client
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO, Final

from graph.datadir import DataDir, write_private
from graph.errors import EngineUnavailable, QueryFailed, Unavailable

DATABASE: Final = "catalog"
USERNAME: Final = "root"
HOST: Final = "127.0.0.1"
COMMAND_TIMEOUT_MS: Final = 60_000
"""A statement that runs longer is ended by the engine, which knows no time limit from the driver."""

_MIB: Final = 2**20
_SQL_SECONDS: Final = 120.0
_MESSAGE_BYTES: Final = 64 * _MIB
_UNUSED_JARS: Final = ("console", "graphql", "mcp", "postgresw", "redisw")
_PR_SET_PDEATHSIG: Final = 1

_LOGGING: Final = """\
handlers = java.util.logging.ConsoleHandler
.level = WARNING
java.util.logging.ConsoleHandler.level = WARNING
java.util.logging.ConsoleHandler.formatter = com.arcadedb.utility.AnsiLogFormatter
"""


@dataclass(frozen=True, slots=True)
class Runtime:
    """The Java runtime and the jars of the wheel."""

    java: Path
    jars: tuple[Path, ...]


def find_runtime() -> Runtime:
    """The engine's runtime as installed. EngineUnavailable where this platform has none."""
    spec = importlib.util.find_spec("arcadedb_embedded")
    for place in (spec.submodule_search_locations or []) if spec else []:
        java = Path(place, "jre", "bin", "java")
        jars = sorted(Path(place, "jars").glob("*.jar"))
        if java.is_file() and jars:
            return Runtime(java, tuple(j for j in jars if not _unused(j)))
    raise EngineUnavailable(
        "There is no embedded database engine for this platform: set NEO4J_URI (with NEO4J_USERNAME and "
        "NEO4J_PASSWORD) to use a Neo4j server."
    )


def free_ports(wanted: tuple[int, int] | None = None) -> tuple[int, int]:
    """Two loopback ports that nobody listens on: the wanted ones if they are free, else others."""
    for ports in (wanted, (0, 0)):
        if ports is None:
            continue
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as two:
            for probe, port in zip((one, two), ports, strict=True):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((HOST, port))
            return int(one.getsockname()[1]), int(two.getsockname()[1])
    raise EngineUnavailable("No loopback port is free for the embedded engine.")


def prepare(directory: DataDir, password: str) -> None:
    """Lay out the engine's files for a start with a new secret; the databases are left alone."""
    config = directory.engine / "config"
    config.mkdir(mode=0o700, exist_ok=True)
    (config / "server-users.jsonl").unlink(missing_ok=True)  # else the engine keeps the old secret
    write_private(directory.secret, password)
    write_private(config / "logging.properties", _LOGGING)


def command(runtime: Runtime, directory: DataDir, bolt_port: int, http_port: int) -> list[str]:
    """The engine's command line."""
    root = directory.engine
    timeout = os.environ.get("CATALOG_ENGINE_TIMEOUT_MS", str(COMMAND_TIMEOUT_MS))
    settings = {
        "server.rootPath": root,
        "server.rootPasswordPath": directory.secret,
        "server.logsDirectory": root / "log",
        "server.mode": "production",
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "server.defaultDatabases": f"{DATABASE}[{USERNAME}]",
        "server.httpIncomingHost": HOST,
        "server.httpIncomingPort": http_port,
        "server.httpWorkerThreads": 8,
        "bolt.host": HOST,
        "bolt.port": bolt_port,
        "bolt.defaultDatabase": DATABASE,
        "bolt.maxMessageSize": _MESSAGE_BYTES,
        "bolt.packstream.maxValueLength": _MESSAGE_BYTES,
        "command.timeout": timeout,
        "queryMaxConcurrent": 32,
        "queryQueueMaxSize": 1024,
        "opencypher.loadCsv.allowFileUrls": "false",
        "opencypher.loadCsv.allowRemoteUrls": "false",
        "support.autoRegister": "false",
        "serverMetrics": "false",
        "txWalFlush": 1,
    }
    return [
        str(runtime.java),
        f"-Xmx{heap_mib()}m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:-UsePerfData",
        "-Djava.awt.headless=true",
        "-Djava.net.preferIPv4Stack=true",
        f"-Djava.util.logging.config.file={root / 'config' / 'logging.properties'}",
        "--enable-native-access=ALL-UNNAMED",
        *(f"-Darcadedb.{name}={value}" for name, value in settings.items()),
        "-cp",
        os.pathsep.join(str(jar) for jar in runtime.jars),
        "com.arcadedb.server.ArcadeDBServer",
    ]


def heap_mib() -> int:
    """A quarter of the machine's memory, between half a gibibyte and one."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _MIB
    except (ValueError, OSError):
        memory = 4096
    return max(512, min(1024, memory // 4))


def start(arguments: list[str], directory: DataDir, log: IO[bytes] | int) -> "subprocess.Popen[bytes]":
    """Start the engine as a child that does not outlive this process (on Linux by the kernel's word)."""
    parent = os.getpid()
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def die_with_parent() -> None:
        if libc is not None:
            libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)

    # The supervisor has one thread, so running code between fork and exec is safe.
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        cwd=directory.engine,
        preexec_fn=die_with_parent,
    )
    directory.write_engine_pid(process.pid)
    return process


def answers(http_port: int, bolt_port: int, password: str) -> bool:
    """Whether the engine is ready: Bolt is open and the database answers a query."""
    try:
        if (
            _post(http_port, password, "query", {"language": "cypher", "command": "RETURN 1"})
            != HTTPStatus.OK
        ):
            return False
        with socket.create_connection((HOST, bolt_port), timeout=5):
            return True
    except (OSError, http.client.HTTPException):
        return False


def run_sql(http_port: int, password: str, statement: str) -> None:
    """Run a statement in the engine's own language. Raises Unavailable, QueryFailed."""
    try:
        status = _post(
            http_port, password, "command", {"language": "sql", "command": statement}, _SQL_SECONDS
        )
    except (OSError, http.client.HTTPException) as error:
        raise Unavailable from error
    if status != HTTPStatus.OK:
        raise QueryFailed


def _post(port: int, password: str, path: str, body: dict[str, str], seconds: float = 5) -> int:
    credentials = base64.b64encode(f"{USERNAME}:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(HOST, port, timeout=seconds)
    try:
        connection.request("POST", f"/api/v1/{path}/{DATABASE}", body=json.dumps(body), headers=headers)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def end_orphan(directory: DataDir) -> None:
    """Kill an engine whose supervisor is gone. Called only by who knows that there is no supervisor."""
    pid = directory.read_engine_pid()
    if pid is not None and str(directory.engine) in _command_line(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while _command_line(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
    directory.remove_engine_pid()
    directory.remove_endpoint()


def is_supervisor(pid: int) -> bool:
    """Whether a pid found in a file is a supervisor's; it may be another program's by now."""
    return "graph.supervisor" in _command_line(pid)


def _command_line(pid: int) -> str:
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    listed = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True)
    return listed.stdout


def _unused(jar: Path) -> bool:
    return jar.name.startswith(tuple(f"arcadedb-{name}-" for name in _UNUSED_JARS))
