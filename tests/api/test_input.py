"""What is not right in a question, and what the answer says of it."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.api.conftest import Ask
from tests.read.samples import BEST, PLAIN, TWIN, WAITING

UNKNOWN_DIGEST = "sha256:" + "0" * 64


def _fault(answer: dict[str, Any]) -> tuple[str, str]:
    [error] = answer["errors"]
    return error["extensions"]["code"], error["message"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{ run(digest: "efaaa14") { title } }', "digest"),
        ('{ run(digest: "EFAAA145F2") { title } }', "digest"),
        ('{ run(digest: "sha256:xyzxyzxyz") { title } }', "digest"),
        ('{ run(digest: "") { title } }', "digest"),
        (f'{{ run(digest: "{"a" * 65}") {{ title }} }}', "digest"),
        ('{ comparisonGroup(key: "no key") { size } }', "key"),
        ('{ runs(filter: {workload: "abcdef12"}) { totalCount } }', "workload"),
        ('{ runs(filter: {comparisonKey: "sha256:abcdef12"}) { totalCount } }', "comparisonKey"),
        ('{ comparisonGroups(filter: {protocol: "abcdef12"}) { totalCount } }', "protocol"),
        ('{ runs(filter: {observedFrom: "2026-01-01T00:00:00"}) { totalCount } }', "observedFrom"),
        ('{ runs(filter: {observedBefore: "yesterday"}) { totalCount } }', "observedBefore"),
        ("{ runs(first: -1) { totalCount } }", "first"),
        ("{ runs(first: 101) { totalCount } }", "100"),
        ("{ comparisonGroups(first: 101) { totalCount } }", "100"),
        ("{ implementations(first: -5) { totalCount } }", "first"),
        ("{ projects(first: 1000) { totalCount } }", "100"),
        ("{ operation { slug } }", "digest"),
        ('{ operation(slug: "a", digest: "abcdef12") { slug } }', "digest"),
        ('{ node(id: "no id") { id } }', "id"),
        ('{ node(id: "UXVlcnk6YQ==") { id } }', "id"),
        ('{ node(id: "QmVuY2htYXJrUnVuOmFiYw==") { id } }', "id"),
    ],
)
async def test_bad_input_names_the_argument(ask: Ask, text: str, named: str) -> None:
    code, message = _fault(await ask(text))
    assert code == "BAD_USER_INPUT"
    assert named in message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{ runs(", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ runs(orderBy: LATENCY) { totalCount } }", "GRAPHQL_VALIDATION_FAILED"),
        ('{ runs(filter: {axes: [{name: "n", value: "big"}]}) { totalCount } }', "GRAPHQL_VALIDATION_FAILED"),
        ("query ($f: RunFilter!) { runs(filter: $f) { totalCount } }", "BAD_USER_INPUT"),
    ],
)
async def test_faults_of_the_document(ask: Ask, text: str, code: str) -> None:
    answer = await ask(text)
    assert _fault(answer)[0] == code
    assert "data" not in answer


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
async def test_an_axis_value_must_be_finite(ask: Ask, value: float) -> None:
    for text in (
        "query ($f: RunFilter) { runs(filter: $f) { totalCount } }",
        "query ($f: ComparisonGroupFilter) { comparisonGroups(filter: $f) { totalCount } }",
    ):
        code, message = _fault(await ask(text, f={"axes": [{"name": "n", "value": value}]}))
        assert code == "BAD_USER_INPUT"
        assert "axes" in message


LISTS = {
    "runs": "runs(first: $first, after: $after) { edges { cursor } }",
    "runs, other order": "runs(orderBy: PUBLISHED_ASC, first: $first, after: $after) { edges { cursor } }",
    "runs, other filter": 'runs(filter: {source: "bench"}, first: $first, after: $after)'
    " { edges { cursor } }",
    "groups": "comparisonGroups(first: $first, after: $after) { edges { cursor } }",
    "groups, other order": "comparisonGroups(orderBy: OBSERVED_DESC, first: $first, after: $after)"
    " { edges { cursor } }",
    "implementations": "implementations(first: $first, after: $after) { edges { cursor } }",
    "operations": "operations(first: $first, after: $after) { edges { cursor } }",
    "workloads": "workloads(first: $first, after: $after) { edges { cursor } }",
}


async def _edges(ask: Ask, name: str, after: str | None) -> dict[str, Any]:
    return await ask(f"query ($first: Int, $after: String) {{ list: {LISTS[name]} }}", first=1, after=after)


@pytest.mark.parametrize("name", LISTS)
async def test_a_cursor_is_good_for_its_own_list_only(ask: Ask, name: str) -> None:
    for other in LISTS:
        [edge] = (await _edges(ask, other, None))["data"]["list"]["edges"]
        answer = await _edges(ask, name, edge["cursor"])
        if other == name:
            assert answer["data"]["list"]["edges"] != [edge]
        else:
            code, message = _fault(answer)
            assert code == "BAD_USER_INPUT"
            assert "after" in message


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        " ",
        "garbage!",
        "WyJhIl0",
        "AAAA",
        "bnVsbA",
        "W10",
        "ü",
        base64.b64encode(b"[" * 900).decode(),
        "A" * 5000,
    ],
)
@pytest.mark.parametrize("field", ["totalCount", "edges { cursor }", "pageInfo { endCursor }"])
async def test_what_is_no_cursor_is_refused(ask: Ask, cursor: str, field: str) -> None:
    for listing in ("runs", "comparisonGroups", "implementations", "sources"):
        code, message = _fault(
            await ask(f"query ($c: String) {{ {listing}(after: $c) {{ {field} }} }}", c=cursor)
        )
        assert code == "BAD_USER_INPUT"
        assert "after" in message


async def test_a_page_of_nothing_knows_what_follows(ask: Ask) -> None:
    answer = await ask(
        """{ runs(first: 0) { totalCount edges { cursor } pageInfo { hasNextPage startCursor endCursor } }
             none: runs(first: 0, filter: {source: "nobody"}) { pageInfo { hasNextPage } }
             comparisonGroups(first: 0) { edges { cursor } pageInfo { hasNextPage } } }"""
    )
    assert answer["data"] == {
        "runs": {
            "totalCount": 12,
            "edges": [],
            "pageInfo": {"hasNextPage": True, "startCursor": None, "endCursor": None},
        },
        "none": {"pageInfo": {"hasNextPage": False}},
        "comparisonGroups": {"edges": [], "pageInfo": {"hasNextPage": True}},
    }


@pytest.mark.parametrize(("first", "named"), [(-1, "first"), (501, "500")])
async def test_pages_of_a_group_have_a_maximum_of_their_own(ask: Ask, first: int, named: str) -> None:
    for field in ("runs(first: $n) { totalCount }", "recordHistory(first: $n) { at }"):
        answer = await ask(
            f"query ($d: Digest!, $n: Int) {{ run(digest: $d) {{ group {{ {field} }} }} }}",
            d=BEST.digest,
            n=first,
        )
        code, message = _fault(answer)
        assert code == "BAD_USER_INPUT"
        assert named in message
    answer = await ask(
        "query ($d: Digest!) { run(digest: $d) { group { runs(first: 500) { totalCount } } } }", d=BEST.digest
    )
    assert answer["data"]["run"]["group"]["runs"]["totalCount"] == 6


async def test_null_means_not_given(ask: Ask) -> None:
    answer = await ask(
        "{ runs(filter: null, orderBy: null, first: null, after: null) { totalCount edges { cursor } }"
        " comparisonGroups(filter: null, orderBy: null, first: null, after: null) { totalCount }"
        ' operation(digest: null, slug: "sum-rows") { slug }'
        " implementations(filter: {slug: null, deployable: null}) { totalCount } }"
    )
    assert "errors" not in answer
    assert answer["data"]["runs"]["totalCount"] == 12
    assert len(answer["data"]["runs"]["edges"]) == 12


async def test_an_unknown_digest_is_null_and_no_error(ask: Ask) -> None:
    answer = await ask(
        "query ($d: Digest!, $id: ID!) { run(digest: $d) { title } implementation(digest: $d) { slug }"
        " comparisonGroup(key: $d) { size } operation(digest: $d) { slug } node(id: $id) { id }"
        ' short: run(digest: "00000000") { title } }',
        d=UNKNOWN_DIGEST,
        id=base64.b64encode(f"BenchmarkRun:{UNKNOWN_DIGEST}".encode()).decode(),
    )
    assert "errors" not in answer
    assert set(answer["data"].values()) == {None}


async def test_an_object_known_only_by_digest_is_bare(ask: Ask) -> None:
    missing = WAITING.spec["workloadDigest"]
    answer = await ask(
        """query ($d: Digest!, $run: Digest!) {
          workload(digest: $d) { digest complete kind title axes { name } tensors { name } scalars { name }
            cases { externalId } correctnessPolicy { key } operation { slug } }
          run(digest: $run) { comparisonKey group { key } workload { complete } }
          workloads { edges { node { digest } } } }""",
        d=missing,
        run=WAITING.digest,
    )
    assert answer["data"]["workload"] == {
        **{"digest": missing, "complete": False, "kind": None, "title": None, "axes": [], "tensors": []},
        **{"scalars": [], "cases": [], "correctnessPolicy": None, "operation": None},
    }
    assert answer["data"]["run"] == {"comparisonKey": None, "group": None, "workload": {"complete": False}}
    assert missing not in {edge["node"]["digest"] for edge in answer["data"]["workloads"]["edges"]}


async def test_nodes_answer_in_order_each_for_itself(ask: Ask) -> None:
    ids = (
        await ask(
            """query ($r: Digest!, $i: Digest!) { run(digest: $r) { id group { id } source { id }
          artifacts { id }
          implementation { id project { id } } workload { id operation { id } } protocol { id }
          environment { id } }
          implementation(digest: $i) { id } }""",
            r=BEST.digest,
            i=PLAIN.digest,
        )
    )["data"]["run"]
    wanted = [
        ids["id"], ids["group"]["id"], ids["source"]["id"], ids["artifacts"][0]["id"],
        ids["implementation"]["id"], ids["implementation"]["project"]["id"], ids["workload"]["id"],
        ids["workload"]["operation"]["id"], ids["protocol"]["id"], ids["environment"]["id"],
    ]  # fmt: skip
    absent = base64.b64encode(f"BenchmarkRun:{UNKNOWN_DIGEST}".encode()).decode()
    answer = await ask(
        "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", ids=[*wanted, absent, "bad", wanted[0]]
    )
    nodes = answer["data"]["nodes"]
    assert [node and node["id"] for node in nodes] == [*wanted, None, None, wanted[0]]
    assert {node["__typename"] for node in nodes if node} == {
        *("BenchmarkRun", "ComparisonGroup", "EvidenceSource", "EvidenceArtifact", "ImplementationRevision"),
        *(
            "SoftwareProject",
            "BenchmarkWorkload",
            "OperationSpec",
            "BenchmarkProtocol",
            "ExecutionEnvironment",
        ),
    }
    [error] = answer["errors"]
    assert error["path"] == ["nodes", 11]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"


async def test_a_shared_prefix_is_ambiguous_and_lists_the_candidates(ask: Ask) -> None:
    answer = await ask(
        "query ($a: Digest!, $b: Digest!) { a: run(digest: $a) { digest } b: run(digest: $b) { digest } }",
        a=BEST.digest[:15],
        b=BEST.digest.removeprefix("sha256:")[:40],
    )
    assert answer["data"] == {"a": {"digest": BEST.digest}, "b": {"digest": BEST.digest}}


async def test_twenty_root_fields_in_one_query(ask: Ask) -> None:
    fields = " ".join(f'f{n}: run(digest: "{BEST.digest}") {{ title }}' for n in range(20))
    answer = await ask(f"{{ {fields} }}")
    assert answer["data"] == {f"f{n}": {"title": "Best"} for n in range(20)}


async def test_implementations_of_one_slug_are_told_apart(ask: Ask) -> None:
    answer = await ask('{ implementations(filter: {slug: "shared"}) { edges { node { digest title } } } }')
    found = {
        edge["node"]["digest"]: edge["node"]["title"] for edge in answer["data"]["implementations"]["edges"]
    }
    assert found == {PLAIN.digest: "Plain", TWIN.digest: "Twin"}
