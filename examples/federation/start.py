"""The whole example on this machine: the catalog, the other subgraph, a supergraph, both gateways.

    make federation
    make federation ARGS="--catalog-port 0"

Each part has a port of its own; 0 takes a free one. Ctrl-C ends everything that was started. The npm packages
of this folder must be installed (`make federation` does that).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
PORTS: Final = {"catalog": 8000, "deployments": 8001, "apollo": 4000, "hive": 4001}
CATALOG: Final = (sys.executable, "-m", "catalog.cli")
PATIENCE: Final = 120
"""Seconds until a part must answer."""


class Failed(Exception):  # noqa: N818 - what the user reads
    """A part could not be started; the message says which and why."""


@contextlib.contextmanager
def running(
    name: str, *command: str, environ: Mapping[str, str] = os.environ
) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a session of its own, so that Ctrl-C reaches us alone; ended when the block is left."""
    process = subprocess.Popen(
        command, cwd=HERE, env=environ, start_new_session=True, stdout=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            print(f"{name} does not end: killed", file=sys.stderr)
            process.kill()


def answering(name: str, url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until a part answers GraphQL. Raises Failed when it ended, or takes too long."""
    request = urllib.request.Request(
        url, b'{"query":"{__typename}"}', {"content-type": "application/json"}, method="POST"
    )
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        if process.poll() is not None:
            raise Failed(f"{name} ended with exit code {process.returncode}")
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(request, timeout=5).close()
            return
        time.sleep(0.2)
    raise Failed(f"{name} does not answer at {url}")


def composed(catalog: str, deployments: str) -> str:
    """The supergraph of the two subgraphs. Raises Failed."""
    ended = subprocess.run(
        ["node", "compose.mjs", "supergraph.yaml"],
        cwd=HERE,
        env=os.environ | {"CATALOG_URL": catalog, "DEPLOYMENTS_URL": deployments},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise Failed(f"the subgraphs do not compose:\n{ended.stderr}")
    return ended.stdout


@contextlib.contextmanager
def everything(ports: dict[str, int]) -> Iterator[tuple[dict[str, str], list[subprocess.Popen[bytes]]]]:
    """All parts, answering: name -> its address, and their processes."""
    urls = {name: f"http://127.0.0.1:{port}/graphql" for name, port in ports.items()}
    port = {name: str(number) for name, number in ports.items()}
    with contextlib.ExitStack() as stack:

        def start(name: str, *command: str) -> subprocess.Popen[bytes]:
            return stack.enter_context(running(name, *command))

        catalog = start("catalog", *CATALOG, "demo", "--json", "--port", port["catalog"])
        deployments = start("deployments", sys.executable, "deployments.py", "--port", port["deployments"])
        answering("catalog", urls["catalog"], catalog)
        answering("deployments", urls["deployments"], deployments)
        supergraph = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "supergraph.graphql"
        supergraph.write_text(composed(urls["catalog"], urls["deployments"]), "utf-8")
        gateways = {
            name: start(name, "node", f"{name}-gateway.mjs", str(supergraph), port[name])
            for name in ("apollo", "hive")
        }
        for name, process in gateways.items():
            answering(name, urls[name], process)
        yield urls, [catalog, deployments, *gateways.values()]


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> int:
    parser = argparse.ArgumentParser(description="A supergraph of the catalog and another subgraph.")
    for name, default in PORTS.items():
        parser.add_argument(f"--{name}-port", type=int, default=default, metavar="N", help=f"[{default}]")
    parser.add_argument("--json", action="store_true", help="print the addresses as JSON")
    given = vars(parser.parse_args())
    ports = {name: given[f"{name}_port"] or free_port() for name in PORTS}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with everything(ports) as (urls, processes):
            print(json.dumps(urls) if given["json"] else told(urls), flush=True)
            while all(process.poll() is None for process in processes):
                time.sleep(0.5)
            print("a part ended by itself", file=sys.stderr)
            return 1
    except KeyboardInterrupt:
        return 0
    except Failed as failed:
        print(f"federation: {failed}", file=sys.stderr)
        return 1


def told(urls: dict[str, str]) -> str:
    """Where to ask what."""
    return f"""
The supergraph answers at two gateways; ask either:
  Apollo        {urls["apollo"]}
  Hive          {urls["hive"]}
Its subgraphs:
  catalog       {urls["catalog"]}
  deployments   {urls["deployments"]}
For example:
  curl {urls["apollo"]} --json '{{"query": "{{ deployments {{ id implementation {{ title }} }} }}"}}'
More questions are in examples/federation/README.md. Ctrl-C ends all of it."""


if __name__ == "__main__":
    sys.exit(main())
