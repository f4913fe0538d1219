"""The examples of the explorer and of the page at /, and the vendored files."""

import json
import subprocess
import sys
from pathlib import Path

from graphql import OperationDefinitionNode, parse

from catalog.server.execution import Executor
from catalog.server.questions import load_questions
from tests.server.sample import explain, schema

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "catalog" / "server" / "examples"


def test_each_example_is_one_named_operation_with_the_variables_it_needs() -> None:
    for question in load_questions():
        for example in question.examples:
            [operation] = parse(example.query).definitions
            assert isinstance(operation, OperationDefinitionNode)
            assert operation.name is not None
            declared = {node.variable.name.value for node in operation.variable_definitions or ()}
            assert set(json.loads(example.variables or "{}")) <= declared


def test_every_file_is_an_example_under_one_question() -> None:
    names = [example.name for question in load_questions() for example in question.examples]
    assert sorted(names) == sorted(path.stem for path in FOLDER.glob("*.graphql"))
    assert {path.stem for path in FOLDER.glob("*.json")} <= set(names)


def test_every_question_names_a_page_that_there_is() -> None:
    assert [q.page for q in load_questions() if not (ROOT / "docs" / q.page).is_file()] == []


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
