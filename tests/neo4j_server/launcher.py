"""Fetch Neo4j with Maven and run it: `python -m tests.neo4j_server.launcher` prints its URI and waits.

Where Maven takes the jars from is Maven's own configuration. Needs `mvn` and Java 17 or later.
"""

import contextlib
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Final

POM: Final = Path(__file__).with_name("pom.xml")
CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "neo4j"
HOST: Final = "127.0.0.1"
START_TIMEOUT: Final = 90.0

_OPEN_MODULES: Final = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")

_CONFIGURATION: Final = """\
server.default_listen_address={host}
server.bolt.listen_address={host}:{bolt}
server.http.listen_address={host}:{http}
server.https.enabled=false
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
server.memory.heap.initial_size={heap}
server.memory.heap.max_size={heap}
server.memory.pagecache.size={pagecache}
"""


def missing() -> str | None:
    """What is missing here to run a server, or None when nothing is."""
    absent = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    return f"{' and '.join(absent)} not found" if absent else None


def fetch() -> Path:
    """The folder with the server's jars; fetched once per version."""
    version = ET.parse(POM).findtext(".//{*}neo4j.version")
    folder = CACHE / f"lib-{version}"
    if not folder.is_dir():
        fresh = CACHE / f".lib-{os.getpid()}"
        goal = ["dependency:copy-dependencies", f"-DoutputDirectory={fresh}"]
        subprocess.run(["mvn", "-q", "-B", "-f", str(POM), *goal], check=True)
        with contextlib.suppress(OSError):  # another run was faster
            fresh.rename(folder)
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


@contextlib.contextmanager
def running(*, heap: str = "1g", pagecache: str = "128m", home: Path | None = None) -> Iterator[str]:
    """A server without authentication; yields its Bolt URI and ends it.

    Its data are in ``home`` and stay there; without one it starts empty, and they are removed.
    """
    jars = fetch()
    kept, home = home is not None, home or Path(tempfile.mkdtemp(prefix="neo4j-test-"))
    bolt, web = _free_port(), _free_port()
    (home / "conf").mkdir(parents=True, exist_ok=True)
    (home / "conf" / "neo4j.conf").write_text(
        _CONFIGURATION.format(host=HOST, bolt=bolt, http=web, heap=heap, pagecache=pagecache)
    )
    command = [
        "java",
        f"-Xmx{heap}",
        "-XX:+UseSerialGC",
        *(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPEN_MODULES),
        "-cp",
        f"{jars}/*",
        "org.neo4j.server.CommunityEntryPoint",
        f"--home-dir={home}",
        f"--config-dir={home / 'conf'}",
    ]
    with open(home / "out.log", "wb") as log:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=home)
    try:
        _await_ready(server, web, home / "out.log")
        yield f"bolt://{HOST}:{bolt}"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        if not kept:
            shutil.rmtree(home, ignore_errors=True)


def _await_ready(server: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"Neo4j ended at once:\n{log.read_text()[-2000:]}")
        connection = http.client.HTTPConnection(HOST, port, timeout=2)
        try:
            connection.request("GET", "/")
            if connection.getresponse().status == http.client.OK:
                return
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)
        finally:
            connection.close()
    raise RuntimeError(f"Neo4j did not answer in {START_TIMEOUT:.0f} s:\n{log.read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: sys.exit())
    with running() as uri:
        print(uri, flush=True)
        signal.pause()
