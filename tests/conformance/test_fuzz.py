"""Queries that schemathesis draws from the schema, many with ids and names that the catalog holds.
Whatever they ask, the catalog finds no fault in itself.

CATALOG_FUZZ_EXAMPLES is how many are drawn for each root field.
"""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from tests.conformance import node, venv
from tests.serving import ROOT, ask

EXAMPLES = os.environ.get("CATALOG_FUZZ_EXAMPLES", "8")
HOOKS = Path(__file__).with_name("fuzz_scalars.py")
KNOWN = """{
  runs(first: 30) { pageInfo { endCursor } edges { node {
    id digest comparisonKey
    group { id } implementation { id digest slug project { id slug } }
    workload { id digest axes { name } operation { id digest slug family } }
    protocol { digest } environment { digest architecture product } source { slug }
  } } }
}"""


def strings(value: Any) -> set[str]:
    """Every string of an answer."""
    match value:
        case str():
            return {value}
        case dict():
            return set().union(*map(strings, value.values()))
        case list():
            return set().union(*map(strings, value))
    return set()


def test_no_query_finds_a_fault_of_the_server(served: str, tmp_path: Path) -> None:
    known = sorted(strings(ask(served, KNOWN)))
    digests = [text for text in known if text.startswith("sha256:")]
    assert len(digests) > 30
    (tmp_path / "digests.json").write_text(json.dumps(digests))
    (tmp_path / "schemathesis.toml").write_text(
        f"[dictionaries.known]\nvalues = {json.dumps(known)}\n"
        '[generation.dictionaries]\nstring = { dictionary = "known", probability = 0.6 }\n'
    )
    program = venv.environment(ROOT / "requirements" / "conformance.txt") / "bin" / "schemathesis"
    ran = node.run(
        program,
        *("run", served, "--checks", "not_a_server_error", "--mode", "all", "--max-examples", EXAMPLES),
        *("--generation-deterministic", "--continue-on-failure", "--workers", "2", "--request-timeout", "30"),
        *("--report", "junit", "--report-junit-path", "report.xml"),
        environ={"SCHEMATHESIS_HOOKS": str(HOOKS), "CATALOG_FUZZ": str(tmp_path / "digests.json")},
        folder=tmp_path,
    )
    assert ran.code == 0, ran
    tested = {case.attrib["name"] for case in ET.parse(tmp_path / "report.xml").iter("testcase")}
    fields = ask(served, '{ __type(name: "Query") { fields { name } } }')["__type"]["fields"]
    names = {field["name"] for field in fields if not field["name"].startswith("_")}
    assert {f"Query.{name}" for name in names} - tested == set()
    assert int(re.findall(r"(\d+) generated", ran.out)[0]) >= 400
