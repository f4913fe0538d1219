"""The examples that GraphiQL starts with, and the vendored files."""

import json
import subprocess
import sys
from pathlib import Path

from graphql import OperationDefinitionNode, parse

from catalog.server.execution import Executor
from catalog.server.graphiql import load_examples
from tests.server.sample import explain, schema

ROOT = Path(__file__).resolve().parents[2]


def test_each_example_is_one_named_operation_with_the_variables_it_needs() -> None:
    examples = load_examples()
    assert [example.title for example in examples] == [
        "ranked",
        "groups",
        "run-dossier",
        "record-history",
        "runs",
        "catalog",
    ]
    for example in examples:
        [operation] = parse(example.query).definitions
        assert isinstance(operation, OperationDefinitionNode)
        assert operation.name is not None
        declared = {node.variable.name.value for node in operation.variable_definitions or ()}
        assert set(json.loads(example.variables or "{}")) <= declared


def test_the_vendored_files_are_those_of_the_manifest() -> None:
    script = ROOT / "scripts" / "fetch_graphiql.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("ok ")) == (0, 7), done.stdout


def test_an_executor_refuses_a_schema_whose_extensions_would_not_run() -> None:
    import pytest
    import strawberry
    from strawberry.extensions import MaskErrors

    from tests.server.sample import Query

    Executor(schema, explain)
    with pytest.raises(ValueError, match="extensions"):
        Executor(strawberry.Schema(Query, extensions=[MaskErrors]), explain)
