"""Composing supergraphs and asking them through gateways, with the tools of examples/federation."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from examples.federation.start import answering, free_port, running
from tests.conformance.node import Package, Ran

COMPOSERS: Final = ("apollo", "hive")
GATEWAYS: Final = ("apollo", "hive")
NOWHERE: Final = "http://127.0.0.1:9/graphql"
"""Where subgraphs are that nobody asks."""


def compose(
    example: Package, folder: Path, subgraphs: Mapping[str, str], composer: str, urls: Mapping[str, str] = {}
) -> Ran:
    """Compose SDL by name; `urls` say where the subgraphs answer."""
    config: dict[str, object] = {}
    for name, sdl in subgraphs.items():
        (folder / f"{name}.graphql").write_text(sdl, "utf-8")
        config[name] = {
            "routing_url": urls.get(name, NOWHERE),
            "schema": {"file": str(folder / f"{name}.graphql")},
        }
    path = folder / "supergraph.yaml"  # JSON is YAML
    path.write_text(json.dumps({"subgraphs": config}), "utf-8")
    return example.node("compose.mjs", "--composer", composer, path, environ=dict(os.environ))


@contextlib.contextmanager
def gateway(kind: str, supergraph: Path) -> Iterator[str]:
    """A gateway over a supergraph; its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/graphql"
    with running(kind, "node", f"{kind}-gateway.mjs", str(supergraph), str(port)) as process:
        answering(kind, url, process)
        yield url
