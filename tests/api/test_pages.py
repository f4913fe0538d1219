"""Pages of every connection of the schema, from either end and between cursors; on both engines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLObjectType, get_named_type
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.api.context import Context
from catalog.api.schema import schema
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph.store import Store
from tests.read import samples
from tests.read.samples import Item, fill

Page = Callable[..., Awaitable[dict[str, Any]]]

ASKED = "query ($first: Int, $after: String, $last: Int, $before: String) "


def listed(field: str, own: str = "") -> str:
    """The selection of a list with the arguments of a page, and its own."""
    return f"""list: {field}(first: $first, after: $after, last: $last, before: $before, {own}) {{
      totalCount pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} edges {{ cursor }} }}"""


def of_run(selection: str) -> str:
    return f'run(digest: "{samples.BEST.digest}") {{ {selection} }}'


LISTS = {
    "Query.runs": [
        listed("runs"),
        listed("runs", "orderBy: OBSERVED_ASC"),
        listed("runs", "orderBy: PUBLISHED_DESC"),
        listed("runs", "orderBy: PUBLISHED_ASC"),
        listed("runs", 'filter: { architecture: "sm_90", status: [PASSED] }'),
        listed("runs", 'filter: { architecture: "sm_90" }, orderBy: OBSERVED_ASC'),
        listed("runs", 'filter: { operation: "made-axpy" }, orderBy: PUBLISHED_ASC'),
        listed("runs", 'filter: { operation: "nothing" }'),
    ],
    "Query.comparisonGroups": [
        listed("comparisonGroups"),
        listed("comparisonGroups", "orderBy: OBSERVED_DESC, filter: { minimumSize: 2 }"),
    ],
    "Query.search": [listed("search", f'query: "{words}"') for words in ("", "made", "op:made-axpy")],
    "Query.records": [
        listed("records", f"orderBy: {order}")
        for order in ("NEWEST", "LARGEST_IMPROVEMENT", "MOST_LEAD_CHANGES")
    ],
    "Query.implementations": [
        listed("implementations"),
        listed("implementations", 'filter: { operation: "made-axpy" }'),
    ],
    "Query.environments": [listed("environments"), listed("environments", 'architecture: "sm_90"')],
    "Query.servingRuns": [listed("servingRuns"), listed("servingRuns", 'filter: { model: "made-llm" }')],
    "Query.changes": [listed("changes", f"sinceRevision: {since}") for since in (0, 2)],
    **{
        f"Query.{name}": [listed(name)]
        for name in (
            *("operations", "workloads", "projects", "protocols", "sources", "recordHolders"),
            *("servingCohorts", "models", "servingStacks", "servingConfigurations", "servingWorkloads"),
            *("coverage", "coverageGaps", "undeployableOperations", "exclusions", "duplicateEvidence"),
        )
    },
    "ComparisonGroup.runs": [
        of_run(f"group {{ {listed('runs', own)} }}")
        for own in ("", "bestPer: NAME", "filter: { deployable: true }")
    ],
    "BenchmarkRun.attestations": [of_run(listed("attestations"))],
}
"""Field of the schema -> some of its lists."""
EACH = pytest.mark.parametrize("text", [text for texts in LISTS.values() for text in texts])
MAXIMA = {"ComparisonGroup.runs": 500}


def test_every_connection_is_here() -> None:
    connections = {
        f"{type_.name}.{name}"
        for type_ in schema._schema.type_map.values()
        if isinstance(type_, GraphQLObjectType)
        for name, field in type_.fields.items()
        if get_named_type(field.type).name.endswith("Connection")
    }
    assert connections == LISTS.keys()


@pytest.fixture(scope="module")
def page(everything: Store) -> Page:
    """Ask for a page of a list; each question is a request of its own on shared snapshots."""
    snapshots = Snapshots(everything)

    async def page(text: str, **window: Any) -> dict[str, Any]:
        answer = await run_query(everything, f"{ASKED} {{ {text} }}", window, context=Context(snapshots))
        if "errors" in answer:
            return {"message": answer["errors"][0]["message"], **answer["errors"][0]["extensions"]}
        found = answer["data"]
        while "list" not in found:
            [found] = found.values()
        return dict(found["list"])

    return page


def cursors(found: dict[str, Any]) -> list[str]:
    return [edge["cursor"] for edge in found["edges"]]


async def forward(page: Page, text: str, size: int, after: str | None = None, **bound: Any) -> list[str]:
    """The whole list, page by page from its front."""
    seen: list[str] = []
    while True:
        found = await page(text, first=size, after=after, **bound)
        seen += cursors(found)
        if not found["pageInfo"]["hasNextPage"]:
            return seen
        after = found["pageInfo"]["endCursor"]


async def backward(page: Page, text: str, size: int, before: str | None = None, **bound: Any) -> list[str]:
    """The whole list, page by page from its back."""
    seen: list[str] = []
    while True:
        found = await page(text, last=size, before=before, **bound)
        seen = cursors(found) + seen
        if not found["pageInfo"]["hasPreviousPage"]:
            return seen
        before = found["pageInfo"]["startCursor"]


@EACH
async def test_pages_from_either_end_add_up_to_the_list(page: Page, text: str) -> None:
    whole = await forward(page, text, 100)
    assert len(whole) == len(set(whole)) == (await page(text, first=0))["totalCount"]
    for size in {1 + len(whole) // 9, 1 + len(whole) // 2, 100}:
        assert await forward(page, text, size) == whole
        assert await backward(page, text, size) == whole
    if len(whole) > 2:
        inner = {"after": whole[0], "before": whole[-1]}
        assert await forward(page, text, 1 + len(whole) // 4, **inner) == whole[1:-1]
        assert await backward(page, text, 1 + len(whole) // 4, **inner) == whole[1:-1]


@EACH
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
async def test_a_page_is_what_its_four_arguments_say(page: Page, text: str, data: st.DataObject) -> None:
    whole = await forward(page, text, 100)
    places = st.none() | st.integers(0, len(whole) - 1) if whole else st.none()
    low, high = data.draw(places, "after"), data.draw(places, "before")
    bounds = {"after": None if low is None else whole[low], "before": None if high is None else whole[high]}
    size = data.draw(st.integers(0, min(100, len(whole) + 1)), "size")
    between = whole[0 if low is None else low + 1 : high]

    found = await page(text, first=size, **bounds)
    assert cursors(found) == between[:size]
    assert found["pageInfo"] == {
        "hasNextPage": len(between) > size,
        "hasPreviousPage": low is not None,
        "startCursor": cursors(found)[0] if cursors(found) else None,
        "endCursor": cursors(found)[-1] if cursors(found) else None,
    }
    found = await page(text, last=size, **bounds)
    assert cursors(found) == (between[-size:] if size else [])
    assert found["pageInfo"]["hasNextPage"] == (high is not None)
    assert found["pageInfo"]["hasPreviousPage"] == (len(between) > size)


@pytest.mark.parametrize("field", LISTS)
async def test_a_faulty_window_is_refused_by_name(page: Page, field: str) -> None:
    text, most = LISTS[field][0], MAXIMA.get(field, 100)
    other = await page(LISTS["Query.runs" if field != "Query.runs" else "Query.projects"][0], first=1)
    [foreign] = cursors(other)
    for window, named, said in (
        ({"first": 1, "last": 1}, "last", "last: must not be given together with first (1), not 1"),
        ({"last": -1}, "last", f"last: must be from 0 to {most}, not -1"),
        ({"last": most + 1}, "last", f"last: must be at most {most}, the maximum page of this list, not"),
        ({"last": 1, "before": "x"}, "before", "before: must be a cursor that this list gave out"),
        ({"last": 1, "before": foreign}, "before", "before: must be a cursor that this list gave out"),
        ({"first": 1, "before": foreign}, "before", "before: must be a cursor that this list gave out"),
        ({"last": 1, "after": foreign}, "after", "after: must be a cursor that this list gave out"),
    ):
        fault = await page(text, **window)
        assert (fault["code"], fault["field"]) == ("BAD_USER_INPUT", named), window
        assert said in fault["message"]


@pytest.mark.parametrize(
    ("listed", "cursor_of"),
    [
        (listed("runs"), listed("runs", "orderBy: OBSERVED_ASC")),
        (listed("runs"), listed("runs", 'filter: { architecture: "sm_90" }')),
        (listed("comparisonGroups"), listed("comparisonGroups", "orderBy: OBSERVED_DESC")),
        (listed("search", 'query: ""'), listed("search", 'query: "made"')),
        (of_run(f"group {{ {listed('runs')} }}"), of_run(f"group {{ {listed('runs', 'bestPer: NAME')} }}")),
    ],
)
async def test_a_cursor_of_another_order_or_filter_is_refused(
    page: Page, listed: str, cursor_of: str
) -> None:
    [foreign] = cursors(await page(cursor_of, last=1))
    fault = await page(listed, last=1, before=foreign)
    assert (fault["code"], fault["field"]) == ("BAD_USER_INPUT", "before")


@pytest.mark.parametrize("order", ["OBSERVED_DESC", "OBSERVED_ASC", "PUBLISHED_DESC"])
async def test_an_import_between_two_pages_from_the_back_repeats_and_skips_nothing(
    store: Store, tmp_path: Path, order: str
) -> None:
    def made(numbers: Iterable[int]) -> Iterator[Item]:
        on = (samples.PLAIN, samples.SMALL, samples.MEDIAN, samples.H100)
        for n in numbers:
            each = samples.run(f"run-{n:02}", on, 100 + n, f"2026-01-{n:02}T00:00:00Z")
            yield each
            if n % 3:
                yield samples.says(each, "publishedAt", f"2026-03-{n:02}T00:00:00Z")

    text = f"""query ($first: Int, $last: Int, $before: String) {{
      runs(first: $first, last: $last, before: $before, orderBy: {order}) {{
        pageInfo {{ hasPreviousPage startCursor }} edges {{ node {{ title }} }} }} }}"""
    snapshots = Snapshots(store)

    async def asked(**window: Any) -> tuple[list[str], dict[str, Any]]:
        runs = (await run_query(store, text, window, context=Context(snapshots)))["data"]["runs"]
        return [edge["node"]["title"] for edge in runs["edges"]], runs["pageInfo"]

    parts = [samples.SUM, samples.SMALL, samples.MEDIAN, samples.H100, samples.PLAIN]
    await fill(store, tmp_path, [*parts, *made(range(2, 20, 2))])
    whole, _ = await asked(first=100)
    seen, info = await asked(last=3)
    assert seen == whole[-3:]
    edge = seen[0]

    await fill(store, tmp_path, made(range(1, 20, 2)), "more.jsonl")
    seen = []
    while info["hasPreviousPage"]:
        titles, info = await asked(last=3, before=info["startCursor"])
        seen = titles + seen
    later, _ = await asked(first=100)
    assert len(later) == 19
    assert seen == later[: later.index(edge)]
