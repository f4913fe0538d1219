"""Trusted documents: what is in the files may run, nothing else; faulty files stop the start."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from catalog.server.settings import Settings
from catalog.server.trusted import TrustedDocumentsError
from tests.server.sample import REQUEST_ID, make_app
from tests.server.test_persisted import ask, by_hash, digest

HELLO = "query Hello { hello }\n"
ECHO = "query Echo($t: String!) { echo(text: $t) }"
BOARD = "{ board { name } }"
REFUSED = {
    "message": "This server runs trusted documents only, and this is none of them.",
    "extensions": {"code": "DOCUMENT_NOT_TRUSTED", "requestId": REQUEST_ID},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "hello.graphql").write_text(HELLO)
    (tmp_path / "relay.json").write_text(json.dumps({"abc123": ECHO}))
    operation = {"id": digest(BOARD), "name": "", "type": "query", "body": BOARD}
    manifest = {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [operation]}
    (tmp_path / "apollo.json").write_text(json.dumps(manifest))
    (tmp_path / "README.md").write_text("Not a document.")
    return tmp_path


def opened(path: Path) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(make_app(settings=Settings(trusted_documents=path)))
    return httpx.AsyncClient(transport=transport, base_url="http://catalog.test")


@pytest.mark.parametrize("get", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        {"query": HELLO},
        {"query": HELLO.strip()},
        {"documentId": f"sha256:{digest(HELLO)}"},
        by_hash(HELLO),
        by_hash(HELLO, query=HELLO),
        {"documentId": "abc123", "variables": {"t": "x"}},
        {"documentId": f"sha256:{digest(ECHO)}", "variables": {"t": "x"}},
        by_hash(BOARD),
    ],
)
async def test_a_trusted_document_runs(folder: Path, body: dict[str, Any], get: bool) -> None:
    async with opened(folder) as client:
        response = await ask(client, body, get=get)
        assert response.json()["data"] in (
            {"hello": "world"},
            {"echo": "x"},
            {"board": {"name": "jsd"}},
        )


@pytest.mark.parametrize("get", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        {"query": "{hello}"},
        {"query": "{__typename}"},
        {"query": "{__schema {types {name}}}"},
        {"query": "not GraphQL"},
        {"documentId": "abc"},
        {"documentId": f"sha256:{digest('{hello}')}"},
        by_hash("{hello}"),
        by_hash("{hello}", query="{hello}"),
    ],
)
async def test_anything_else_is_refused_and_not_learned(
    folder: Path, body: dict[str, Any], get: bool
) -> None:
    async with opened(folder) as client:
        for _ in range(2):
            response = await ask(client, body, get=get)
            assert (response.status_code, response.json()) == (403, {"errors": [REFUSED]})


async def test_one_manifest_may_be_named(folder: Path) -> None:
    async with opened(folder / "relay.json") as client:
        assert "data" in (await ask(client, {"documentId": "abc123", "variables": {"t": "x"}})).json()
        assert (await ask(client, {"query": HELLO})).json() == {"errors": [REFUSED]}


async def test_there_is_no_graphiql(folder: Path) -> None:
    async with opened(folder) as client:
        response = await client.get("/graphql", headers={"accept": "text/html"})
        assert response.status_code == 406


@pytest.mark.parametrize(
    ("name", "content", "place", "text"),
    [
        ("a.graphql", "{\n  hello\n  nope\n}", ":3:3", "Cannot query field 'nope'"),
        ("a.graphql", "{\n  hello", ":2:8", "Expected Name"),
        ("a.graphql", "{hello ...F}", ":1:11", "Unknown fragment"),
        ("a.graphql", "fragment F on Query {hello}", ":1:1", "never used"),
        ("a.graphql", "{" + "board{" * 16 + "name" + "}" * 17, "", "17 levels"),
        ("a.graphql", "\udcff", "", "byte 0 is not UTF-8"),
        ("a.json", "{\n", "", "line 2, column 1"),
        ("a.json", '["{hello}"]', "", "an object from id to query text"),
        ("a.json", '{"x": 5}', ': "x"', "a query text is wanted, not 5"),
        ("a.json", '{"x": "{nope}"}', ': "x":1:2', "Cannot query field 'nope'"),
        ("a.json", '{"x": "{hello}", "x": "{hello}"}', "", '"x" is there twice'),
        ("a.json", json.dumps({digest("{hello}"): "{a:hello}", "x": "{hello}"}), ': "x"', "another text"),
        ("a.json", '{"format": "apollo-persisted-query-manifest"}', "", "operations: a list"),
        (
            "a.json",
            '{"format": "apollo-persisted-query-manifest", "operations": [{"body": "{hello}"}]}',
            ": null",
            "a query text",
        ),
    ],
)
def test_a_faulty_file_stops_the_start(
    tmp_path: Path, name: str, content: str, place: str, text: str
) -> None:
    (tmp_path / "fine.graphql").write_text(HELLO)
    file = tmp_path / name
    file.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(TrustedDocumentsError) as caught:
        make_app(settings=Settings(trusted_documents=tmp_path))
    assert str(caught.value).startswith(f"{file}{place}: ")
    assert text in str(caught.value)


def test_no_documents_at_all_stop_the_start(tmp_path: Path) -> None:
    with pytest.raises(TrustedDocumentsError, match="there are no documents"):
        make_app(settings=Settings(trusted_documents=tmp_path))
