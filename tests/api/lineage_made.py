"""What the tests of records and lineage share: the made data of tests/data/made/lineage.py, and asking."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from catalog.api.context import Context
from catalog.api.node import global_id
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph.store import Store
from tests.data.made.lineage import IMPLEMENTATIONS, RUNS

MADE = Path(__file__).parent.parent / "data" / "made"
EXPECTED = json.loads((MADE / "lineage-expected.json").read_text())
CODES = {code.digest: name for name, code in IMPLEMENTATIONS.items()}
RUN_CODES = {run.digest: CODES[run.spec["implementationDigest"]] for run in RUNS.values()}
UNKNOWN = "sha256:" + "0" * 64


async def ask(
    store: Store, text: str, snapshots: Snapshots | None = None, **variables: Any
) -> dict[str, Any]:
    context = Context(snapshots or Snapshots(store))
    answer = await run_query(store, text, variables, context=context)
    assert "errors" not in answer, answer
    data: dict[str, Any] = answer["data"]
    return data


async def fault(store: Store, text: str, **variables: Any) -> tuple[str, str]:
    answer = await run_query(store, text, variables, context=Context(Snapshots(store)))
    [error] = answer["errors"]
    return error["extensions"]["code"], error["extensions"]["field"]


def code_of(run: dict[str, Any] | None) -> str | None:
    return None if run is None else RUN_CODES[run["digest"]]


def id_of(name: str) -> str:
    return global_id("ImplementationRevision", IMPLEMENTATIONS[name].digest)


def shown(at: int) -> str:
    return f"2026-07-{at:02}T00:00:00Z"


def size_of(group: dict[str, Any]) -> int:
    return next(int(axis["value"]) for axis in group["workload"]["axes"] if axis["name"] == "n")


def comparable(values: Iterable[list[Any]]) -> list[str]:
    return sorted(map(json.dumps, values))
