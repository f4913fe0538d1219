"""The served schema against the contract, and what every client expects of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from graphql import GraphQLObjectType, is_specified_scalar_type, parse, print_ast
from graphql.language import FieldDefinitionNode, InputValueDefinitionNode, TypeDefinitionNode

from catalog.api.schema import schema, sdl

SERVED = schema._schema

LATER: frozenset[str] = frozenset()
"""Fields and arguments of later stages; they and the types only they reach must be absent."""


Definitions = dict[str, dict[str, str]]
"""Type name -> `field`, `field(argument)`, input field or enum value -> its type and default."""


def _definitions(text: str) -> Definitions:
    found: Definitions = {}
    for definition in parse(text).definitions:
        if not isinstance(definition, TypeDefinitionNode):
            continue
        told = found.setdefault(definition.name.value, {})
        for value in getattr(definition, "values", None) or ():
            told[value.name.value] = ""
        for field in getattr(definition, "fields", None) or ():
            name = field.name.value
            if name in LATER:
                continue
            told[name] = _typed(field)
            for argument in getattr(field, "arguments", None) or ():
                if argument.name.value not in LATER:
                    told[f"{name}({argument.name.value})"] = _typed(argument)
    return found


def _typed(node: FieldDefinitionNode | InputValueDefinitionNode) -> str:
    default = getattr(node, "default_value", None)
    shown = "" if default is None or print_ast(default) == "null" else f" = {print_ast(default)}"
    return print_ast(node.type) + shown


def _contract() -> Definitions:
    path = Path(os.environ.get("CATALOG_TEST_DATA", "missing")).parent / "contract" / "schema.graphql"
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"no contract at {path}")
        pytest.skip("CATALOG_TEST_DATA is not set, or has no contract beside it")
    return _definitions(path.read_text(encoding="utf-8"))


def _reached(contract: Definitions) -> set[str]:
    """The types that the fields of this stage lead to."""
    reached: set[str] = set()
    queue = ["Query"]
    while queue:
        name = queue.pop()
        if name in contract and name not in reached:
            reached.add(name)
            queue += [text.split(" ")[0].strip("[]!") for text in contract[name].values()]
    return reached


@pytest.mark.real_data
def test_everything_of_the_contract_is_served_as_written() -> None:
    contract, served = _contract(), _definitions(sdl())
    reached = _reached(contract)
    assert {"ComparisonGroup", "RunFilter", "RecordCause", "RunAttestation"} <= reached
    faults = [
        f"{name}.{field}: {text}, served as {served.get(name, {}).get(field)}"
        for name in sorted(reached)
        for field, text in contract[name].items()
        if served.get(name, {}).get(field) != text
    ]
    assert faults == []


@pytest.mark.real_data
def test_nothing_of_later_stages_is_served() -> None:
    contract = _contract()
    later = contract.keys() - _reached(contract) - {"Digest", "DateTime", "JSON", "Node"}
    assert later & SERVED.type_map.keys() == set()
    for type_ in SERVED.type_map.values():
        for name, field in getattr(type_, "fields", {}).items():
            assert not LATER & {name, *getattr(field, "args", {})}, f"{type_.name}.{name}"


def test_every_type_field_and_argument_says_what_it_is() -> None:
    silent = []
    for type_ in SERVED.type_map.values():
        if is_specified_scalar_type(type_) or type_.name.startswith("__"):
            continue
        if not type_.description:
            silent.append(type_.name)
        for name, field in getattr(type_, "fields", {}).items():
            if not field.description:
                silent.append(f"{type_.name}.{name}")
            for argument, given in getattr(field, "args", {}).items():
                if not given.description:
                    silent.append(f"{type_.name}.{name}({argument})")
        for name, value in getattr(type_, "values", {}).items():
            if not value.description:
                silent.append(f"{type_.name}.{name}")
    assert silent == []


@pytest.mark.parametrize(
    ("type_name", "field"),
    [("CatalogEngine", "name"), ("KernelCatalog", "apiVersion"), ("SoftwareProject", "kind")],
)
def test_a_description_begins_with_a_capital(type_name: str, field: str) -> None:
    type_ = SERVED.type_map[type_name]
    assert isinstance(type_, GraphQLObjectType)
    assert (type_.fields[field].description or "")[0].isupper()


def test_optional_arguments_print_no_default_of_null() -> None:
    assert "= null" not in sdl()


def test_no_number_that_may_be_large_is_an_int() -> None:
    integers = {
        f"{type_.name}.{name}"
        for type_ in SERVED.type_map.values()
        if isinstance(type_, GraphQLObjectType)
        for name, field in type_.fields.items()
        if str(field.type).startswith("Int")
    }
    assert {field.split(".")[1] for field in integers} == {
        *("revision", "count", "sampleCount", "rank", "eligibleCount", "size", "row", "totalCount"),
        *("runCount", "servingRunCount"),
        *("leadChanges", "recordCount", "takeOvers", "losses", "successors"),
        *("implementationCount", "groupCount", "leaderChangeCount", "eventsLostCount", "eventsGainedCount"),
        *("joins", "caseCount"),
        *("firstCount", "rankedCount", "excludedCount", "failedCount", "leadCount", "deployableCount"),
        *("rankedGroupCount", "winnerCount", "unknownRunCount", "declaredByCount"),
        *("previousRevision", "runsPublished", "recordsBroken"),
    }


@pytest.mark.parametrize(
    "line",
    [
        '@link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable", "@tag"])',
        'type BenchmarkRun implements Node @key(fields: "digest") {',
        'type ComparisonGroup implements Node @key(fields: "key") {',
        'type SoftwareProject implements Node @key(fields: "slug") {',
        'type EvidenceArtifact implements Node @key(fields: "contentDigest") {',
        "type PageInfo @shareable {",
        "  runs(",
        "    orderBy: RunOrder = OBSERVED_DESC",
    ],
)
def test_the_text_of_the_schema(line: str) -> None:
    assert line in sdl()
