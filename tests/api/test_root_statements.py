"""What each root field says that it costs: for every field of the schema, on both engines."""

from __future__ import annotations

import re
from string import Template

import pytest

from catalog.api.context import Context
from catalog.api.errors import map_error
from catalog.api.node import global_id
from catalog.api.schema import schema
from catalog.read import Snapshots
from catalog.server.ask import REVISIONS
from catalog.server.execution import Executor, GraphQLRequest
from catalog.server.limits import Limits
from graph.store import Store
from tests.api.root_samples import ARGUMENTS
from tests.api.selections import own_selection
from tests.asking import ask

GRAPHQL = schema._schema
assert GRAPHQL.query_type is not None
ROOTS = GRAPHQL.query_type.fields
KEYS = """{
  group: comparisonGroups(first: 1) { edges { node { key } } }
  cohort: servingCohorts(first: 1) { edges { node { key } } }
  record: records(first: 1) { edges { node { id } } }
}"""
FEDERATION = {"_service": 0, "_entities": 6}
UNLIMITED = Executor(
    schema,
    map_error,
    Limits(10**6, 10**6, max_root_fields=10**6, max_repeated_fields=10**6, max_cost=10**9),
    revisions=REVISIONS,
)


async def keys(store: Store) -> dict[str, str]:
    """What stands for a group and a cohort in the arguments."""
    data = await ask(store, KEYS)
    made: dict[str, str] = {"recordId": data["record"]["edges"][0]["node"]["id"]}
    for name, type_name in (("group", "ComparisonGroup"), ("cohort", "ServingCohort")):
        key = data[name]["edges"][0]["node"]["key"]
        made |= {f"{name}Key": key, f"{name}Digits": key[7:27], f"{name}Id": global_id(type_name, key)}
    return made


def stated(name: str) -> int:
    """The most statements, as the description of the field says; federation describes its fields itself."""
    if name in FEDERATION:
        return FEDERATION[name]
    found = re.findall(r"\bAt most (\d+) statements: ", ROOTS[name].description or "")
    assert len(found) == 1, f"the description of {name} must say `At most N statements: ` and which"
    return int(found[0])


async def sent(store: Store, name: str, arguments: str) -> int:
    async def context() -> Context:
        return Context(Snapshots(store))

    text = f"{{ {name}{arguments} {own_selection(GRAPHQL, ROOTS[name])} }}"
    before = store.statements
    reply = await UNLIMITED.run(GraphQLRequest(text), context)
    assert "errors" not in reply.body, reply.body["errors"][:3]
    assert reply.body["data"][name]
    return store.statements - before


@pytest.mark.parametrize("name", ROOTS)
async def test_a_root_field_costs_at_most_what_it_says(everything: Store, name: str) -> None:
    most = await keys(everything)
    costs = {text: await sent(everything, name, Template(text).substitute(most)) for text in ARGUMENTS[name]}
    assert max(costs.values()) == stated(name), costs
