"""Coverage and honesty over GraphQL: the made data against answers worked out by hand; on both engines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catalog.api.context import Context
from catalog.ingest.pipeline import import_paths
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import Store
from tests.asking import ask
from tests.data.made.coverage import SHIFT, WIDE
from tests.engines import Engine

MADE = Path(__file__).parent.parent / "data" / "made"
EXPECTED = json.loads((MADE / "coverage-expected.json").read_text())

CELL = """operation { slug } architecture architectureKnown groupCount runCount eligibleCount bestEvidence
  deployableCount hasDeployableWinner"""
GAP = "operation { slug } architecture measuredOn runCount unknownRunCount declaredByCount"
UNDEPLOYABLE = """operation { slug } groupCount rankedGroupCount deployableCount winnerCount
  reasons { reason count }"""
EXCLUSIONS = """totalCount edges { node { run { title } reasons architecture } } summary {
  runCount rankedCount excludedCount
  bySource { source { slug } runCount rankedCount excludedCount }
  byArchitecture { architecture architectureKnown runCount rankedCount excludedCount }
  byReason { reason runCount firstCount } byReasons { reasons runCount } }"""
DUPLICATE = (
    "kind value names group { size } implementations { slug } runs { title } artifact { contentDigest }"
)
PORTABILITY = """architecture architectureKnown declared state runCount eligibleCount failedCount leadCount
  best { title }"""


@pytest.fixture(scope="module")
async def made(engine: Engine) -> AsyncIterator[Store]:
    await engine.reset()
    async with engine.store() as store:
        assert not (await import_paths(store, [MADE / "coverage.jsonl"])).rejected
        yield store


def nodes(connection: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes of a list, an operation by its slug."""
    found = [edge["node"] for edge in connection["edges"]]
    return [
        {**node, "operation": node["operation"]["slug"]} if "operation" in node else node for node in found
    ]


@pytest.mark.parametrize(
    ("field", "selection"),
    [("coverage", CELL), ("coverageGaps", GAP), ("undeployableOperations", UNDEPLOYABLE)],
)
async def test_what_is_and_what_is_missing(made: Store, field: str, selection: str) -> None:
    found = (await ask(made, f"{{ {field} {{ totalCount edges {{ node {{ {selection} }} }} }} }}"))[field]
    assert nodes(found) == EXPECTED[field]
    assert found["totalCount"] == len(EXPECTED[field])


async def test_the_exclusion_ledger(made: Store) -> None:
    found = (await ask(made, f"{{ exclusions {{ {EXCLUSIONS} }} }}"))["exclusions"]
    assert found["summary"] == EXPECTED["exclusions"]["summary"]
    told = {node.pop("run")["title"]: node for node in nodes(found)}
    assert told == EXPECTED["exclusions"]["runs"]
    assert found["totalCount"] == len(told)


async def test_evidence_that_is_there_twice(made: Store) -> None:
    text = f"{{ duplicateEvidence {{ totalCount edges {{ node {{ {DUPLICATE} }} }} }} }}"
    found = nodes((await ask(made, text))["duplicateEvidence"])
    assert [node.pop("artifact") for node in found] == [{"contentDigest": "sha256:" + "e" * 64}, None]
    for node in found:
        node["implementations"] = sorted(each["slug"] for each in node["implementations"])
        node["runs"] = sorted(each["title"] for each in node["runs"])
    assert found == EXPECTED["duplicateEvidence"]


async def test_the_portability_of_an_implementation(made: Store) -> None:
    text = f'{{ implementation(digest: "{WIDE.digest}") {{ portability {{ {PORTABILITY} }} }} }}'
    assert (await ask(made, text))["implementation"]["portability"] == EXPECTED["portability"]


FILTERS = f"""{{
  a: coverage(architecture: "unknown") {{ totalCount }}
  b: coverage(operation: "made-shift") {{ totalCount }}
  c: coverage(family: "made-scaling", architecture: "sm_90") {{ totalCount }}
  d: coverage(family: "other") {{ totalCount }}
  e: coverageGaps(architecture: "sm_100") {{ totalCount }}
  f: coverageGaps(architecture: "unknown") {{ totalCount }}
  g: undeployableOperations(measured: true) {{ totalCount }}
  h: undeployableOperations(measured: false) {{ totalCount }}
  i: undeployableOperations(operation: "{SHIFT.digest}") {{ totalCount }}
  j: exclusions(reason: "RETRACTED") {{ totalCount summary {{ runCount rankedCount excludedCount }} }}
  k: exclusions(source: "made-lab") {{ totalCount summary {{ runCount rankedCount excludedCount }} }}
  l: exclusions(architecture: "gfx942", operation: "made-scale") {{ totalCount }}
  m: exclusions(operation: "nothing") {{ totalCount }}
  n: duplicateEvidence(kind: SAME_SOURCE) {{ totalCount }}
  o: duplicateEvidence(kind: SAME_NUMBERS) {{ totalCount }}
}}"""


async def test_filters(made: Store) -> None:
    found = await ask(made, FILTERS)
    assert {name: found[name]["totalCount"] for name in found} == {
        **dict(zip("abcd", (1, 1, 2, 0), strict=True)),
        **dict(zip("efghi", (1, 0, 1, 1, 1), strict=True)),
        **dict(zip("jklmno", (1, 0, 1, 0, 1, 1), strict=True)),
    }
    assert found["j"]["summary"] == {"runCount": 1, "rankedCount": 0, "excludedCount": 1}
    assert found["k"]["summary"] == {"runCount": 3, "rankedCount": 3, "excludedCount": 0}


@pytest.mark.parametrize(
    ("field", "key"),
    [
        ("coverage", "operation { slug } architecture"),
        ("coverageGaps", "operation { slug } architecture"),
        ("undeployableOperations", "operation { slug }"),
        ("exclusions", "run { digest }"),
        ("duplicateEvidence", "kind"),
    ],
)
async def test_page_by_page_everything_comes_once(made: Store, field: str, key: str) -> None:
    whole = (await ask(made, f"{{ {field} {{ edges {{ node {{ {key} }} }} }} }}"))[field]["edges"]
    text = f"""query ($after: String) {{ {field}(first: 1, after: $after) {{
      pageInfo {{ hasNextPage hasPreviousPage endCursor }} edges {{ cursor node {{ {key} }} }} }} }}"""
    seen: list[Any] = []
    after, more = None, True
    while more:
        page = (await ask(made, text, {"after": after}))[field]
        assert page["pageInfo"]["hasPreviousPage"] == bool(seen)
        seen += [{"node": edge["node"]} for edge in page["edges"]]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
    assert seen == whole
    for wrong in ("garbage", ""):
        answer = await run_query(made, text, {"after": wrong})
        assert answer["errors"][0]["extensions"] == {"code": "BAD_USER_INPUT", "field": "after"}


async def test_the_statements_are_counted(made: Store) -> None:
    snapshots, costs = Snapshots(made), []
    ledger = f'{{ exclusions(operation: "made-scale", first: 1) {{ {EXCLUSIONS} }} }}'
    questions = [
        ledger,
        ledger,
        f"{{ coverage {{ edges {{ node {{ {CELL} }} }} }} coverageGaps {{ edges {{ node {{ {GAP} }} }} }} }}",
        f"{{ duplicateEvidence {{ edges {{ node {{ {DUPLICATE} }} }} }} }}",
        f"{{ implementations {{ edges {{ node {{ portability {{ {PORTABILITY} }} }} }} }} }}",
    ]
    for text in questions:
        before = made.statements
        assert "errors" not in await run_query(made, text, context=Context(snapshots))
        costs.append(made.statements - before)
    # the revision once, and once more where something was read: name, ledger 5, run with source | nothing |
    # operations | group, runs with implementations, artifacts | page, implementations, runs
    assert costs == [9, 1, 3, 5, 5]
