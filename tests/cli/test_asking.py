"""`catalog rank`, `query` and `schema`."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from catalog.cli.boards import axis_condition
from catalog.read.axes import AxisCondition
from tests.cli.conftest import Run

KEY = "sha256:26a3d326c83203eb3e8ee8d02e3367acf4c2a0e4efafca478b81074ca5fe20a4"
RANKED = """
query Ranked($key: Digest!) {
  comparisonGroup(key: $key) {
    key profile rankingPolicy size eligibleCount
    metric { metric statistic unit direction }
    operation { digest slug title } workload { digest title } protocol { digest title }
    runs(first: 50) {
      edges { rank ratioToBest node {
        digest observedAt evidenceLevel primary { value } standing { tied }
        submittedAs { slug project { slug } }
      } }
    }
  }
}
"""


def test_one_board_per_protocol(catalog: Run, data_dir: Path) -> None:
    ran = catalog(
        *("rank", "liger-jsd", "tokens=2048", "vocab=128256", "--arch", "sm_100", "--data-dir", data_dir)
    )
    assert (ran.code, ran.err) == (0, "")
    protocols = [line.split("·")[1].strip() for line in ran.out.splitlines() if "protocol" in line]
    assert protocols == ["backward pass", "forward pass", "full pass"]
    [reference] = [line for line in ran.out.splitlines() if "efaaa145f238" in line]
    assert reference.split() == [
        *(
            "2",
            "9.111",
            "ms",
            "9,110,560",
            "ns",
            "1.833",
            "liger-bench-jsd-liger",
            "liger-kernel",
            "reported",
        ),
        *("2026-05-27T17:14:29Z", "efaaa145f238"),
    ]


def test_the_forward_board_agrees_with_the_contract_query(
    catalog: Run, data_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "ranked.graphql").write_text(RANKED)
    asked = catalog(
        *("query", tmp_path / "ranked.graphql", "--variables", json.dumps({"key": KEY})),
        *("--data-dir", data_dir),
    )
    assert (asked.code, asked.err) == (0, "")
    group = json.loads(asked.out)["data"]["comparisonGroup"]

    ran = catalog(
        *("rank", "liger-jsd", "tokens=2048", "vocab=128256", "--gpu", "b200", "--protocol", "forward"),
        *("--json", "--data-dir", data_dir),
    )
    [board] = json.loads(ran.out)
    assert board["key"] == group["key"] == KEY
    for name in ("profile", "size", "eligibleCount", "metric", "operation", "workload", "protocol"):
        assert board[name] == group[name]
    assert [
        {
            "digest": run["digest"],
            "observedAt": run["observedAt"],
            "evidenceLevel": run["evidenceLevel"],
            "primary": {"value": run["value"]},
            "submittedAs": {"slug": run["name"], "project": {"slug": run["project"]}},
            "standing": {"tied": run["tied"]},
            "rank": run["rank"],
            "ratioToBest": run["ratioToBest"],
        }
        for run in board["runs"]
    ] == [
        edge["node"] | {"rank": edge["rank"], "ratioToBest": edge["ratioToBest"]}
        for edge in group["runs"]["edges"]
    ]


@pytest.mark.parametrize("name", ["jsd", "OPERATION_DIGEST", "OPERATION_PREFIX"])
def test_an_operation_is_meant_by_family_digest_or_its_beginning(
    catalog: Run, data_dir: Path, name: str
) -> None:
    everything = json.loads(catalog("rank", "liger-jsd", "--json", "--data-dir", data_dir).out)
    digest = everything[0]["operation"]["digest"]
    name = {"OPERATION_DIGEST": digest, "OPERATION_PREFIX": digest[7:19]}.get(name, name)
    assert json.loads(catalog("rank", name, "--json", "--data-dir", data_dir).out) == everything


def test_axes_select_by_comparison_too(catalog: Run, data_dir: Path) -> None:
    def vocabularies(*conditions: str) -> set[str]:
        ran = catalog("rank", "liger-jsd", *conditions, "--json", "--data-dir", data_dir)
        return {board["workload"]["title"].split("vocab=")[1].split()[0] for board in json.loads(ran.out)}

    assert vocabularies() == {"4096", "8192", "16384", "32768", "65536", "131072", "128256"} & vocabularies()
    assert vocabularies("vocab>=128256", "vocab<131072") == {"128256"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["liger-jsx"],
         'OPERATION: must be the slug, alias, family or digest of an operation in the catalog '
         '(liger-jsd), not "liger-jsx"'),
        (["liger-jsd", "token=1"], 'AXIS: must be an axis of the operation (tokens), not "token"'),
        (["liger-jsd", "tokens"], 'AXIS: must be an axis and its value, as in tokens=2048, not "tokens"'),
        (["liger-jsd", "tokens=nan"], 'tokens: must be a finite number, not "nan"'),
        (["liger-jsd", "tokens=1e999"], 'tokens: must be a finite number, not "1e999"'),
        (["liger-jsd", "tokens=2o"], 'tokens: must be a number, not "2o"'),
        (["liger-jsd", "--arch", "sm_1"],
         '--arch: must be an architecture of the catalog (sm_100, sm_90), not "sm_1"'),
        (["liger-jsd", "--gpu", "B300"], '--gpu: must be words of a name in the catalog'),
        (["liger-jsd", "--protocol", "sideways"], '--protocol: must be words of a name in the catalog'),
    ],
)  # fmt: skip
def test_what_the_catalog_does_not_have_is_named(
    catalog: Run, data_dir: Path, arguments: list[str], sentence: str
) -> None:
    ran = catalog("rank", *arguments, "--data-dir", data_dir)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"catalog: {sentence}")
    assert ran.err.count("\n") == 1


def test_a_case_that_nobody_measured_is_no_error(catalog: Run, data_dir: Path) -> None:
    ran = catalog("rank", "liger-jsd", "tokens=7", "--data-dir", data_dir)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "no comparison group matches: nothing was measured so\n"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("tokens=2048", AxisCondition("tokens", "EQ", 2048)),
        ("x<1.5", AxisCondition("x", "LT", 1.5)),
        ("x<=1", AxisCondition("x", "LTE", 1)),
        ("x>-1", AxisCondition("x", "GT", -1)),
        ("x >= 1e3", AxisCondition("x", "GTE", 1000.0)),
    ],
)
def test_axis_conditions(text: str, condition: AxisCondition) -> None:
    assert axis_condition(text) == condition


@pytest.mark.parametrize(
    ("query", "code", "errors"),
    [
        ("{ catalog { revision } }", 0, []),
        ("{ catalog { revision }", 2, ["GRAPHQL_PARSE_FAILED"]),
        ("{ catalog { colour } }", 2, ["GRAPHQL_VALIDATION_FAILED"]),
        ('{ catalog { revision } run(digest: "no") { title } }', 1, ["BAD_USER_INPUT"]),
    ],
)
def test_the_exit_code_of_a_query_tells_whether_it_was_answered(
    catalog: Run, data_dir: Path, tmp_path: Path, query: str, code: int, errors: list[str]
) -> None:
    (tmp_path / "query.graphql").write_text(query)
    ran = catalog("query", tmp_path / "query.graphql", "--data-dir", data_dir)
    answer: dict[str, Any] = json.loads(ran.out)
    found = [error["extensions"]["code"] for error in answer.get("errors", [])]
    assert (ran.code, found) == (code, errors)


@pytest.mark.parametrize("text", ["[1]", "{", "null"])
def test_variables_must_be_an_object(catalog: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "query.graphql").write_text("{ catalog { revision } }")
    ran = catalog("query", tmp_path / "query.graphql", "--variables", text, "--data-dir", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("catalog: --variables: must be a JSON object")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": 1e999}', "The number 1e999 is too large"),
        ('{"a": 1, "a": 2}', 'The key "a" is there twice'),
        ('{"a": "\\ud800"}', "A lone surrogate is not a character"),
        ('{"a": ' + "9" * 5000 + "}", "An integer of 5000 digits is too large"),
    ],
)
def test_variables_are_read_as_strictly_as_by_the_server(
    catalog: Run, tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "query.graphql").write_text("{ catalog { revision } }")
    ran = catalog("query", tmp_path / "query.graphql", "--variables", text, "--data-dir", tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"catalog: --variables: must be a JSON object ({why}), not ")


BAD_BYTE = os.fsdecode(b"\xff")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["rank", BAD_BYTE], "OPERATION"),
        (["rank", "liger-jsd", f"tokens={BAD_BYTE}"], "[AXIS=VALUE]..."),
        (["rank", "liger-jsd", "--gpu", BAD_BYTE], "--gpu"),
        (["rank", "liger-jsd", "--arch", BAD_BYTE], "--arch"),
        (["rank", "liger-jsd", "--protocol", BAD_BYTE], "--protocol"),
        (["query", "--variables", BAD_BYTE], "--variables"),
        (["query", "--variables", f'{{"a": "{BAD_BYTE}"}}'], "--variables"),
        (["query", "--operation", BAD_BYTE], "--operation"),
        (["import", "--source", BAD_BYTE, "."], "--source"),
        (["check", "--source", BAD_BYTE, "."], "--source"),
        (["serve", "--host", BAD_BYTE], "--host"),
    ],
)
def test_bytes_that_are_no_utf8_are_refused_by_the_name_of_the_argument(
    catalog: Run, arguments: list[str], named: str
) -> None:
    ran = catalog(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert named in ran.err
    assert "must be text in UTF-8, not " in ran.err


def test_the_schema_is_printed_without_a_database(catalog: Run) -> None:
    ran = catalog("schema")
    assert (ran.code, ran.err) == (0, "")
    assert "type ComparisonGroup" in ran.out
    assert json.loads(catalog("schema", "--json").out)["sdl"] == ran.out.removesuffix("\n")


def test_the_schema_for_clients_has_no_federation(catalog: Run) -> None:
    ran = catalog("schema", "--api")
    assert (ran.code, ran.err) == (0, "")
    assert "type BenchmarkRun implements Node {" in ran.out
    assert not [word for word in ("@key", "@link", "_entities", "_Service") if word in ran.out]
