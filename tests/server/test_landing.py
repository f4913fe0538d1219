"""The page at /: what it says, in both forms, under a sub-path, and while the store is down."""

import json
import re
import shlex
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
import pytest

from catalog.server.metrics import Metrics
from catalog.server.questions import load_questions
from catalog.server.settings import Settings
from tests.server.sample import StoreDownError, Watch, make_app

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class Elements(HTMLParser):
    """The elements of a page: tag and attributes, in order; and that they close as they open."""

    VOID = frozenset({"meta", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def links(self) -> list[str]:
        return [attributes["href"] or "" for tag, attributes in self.found if tag == "a"]


def opened(
    watch: Watch | None = None, settings: Settings | None = None, base: str = "http://catalog.test"
) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(make_app(watch, settings, metrics=Metrics()))
    return httpx.AsyncClient(transport=transport, base_url=base)


async def told(client: httpx.AsyncClient) -> dict[str, Any]:
    response = await client.get("/", headers={"accept": "application/json"})
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    found: dict[str, Any] = response.json()
    return found


async def test_the_page_says_what_the_catalog_holds() -> None:
    async with opened() as client:
        response = await client.get("/", headers={"accept": BROWSER})
        facts = await told(client)
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert facts["catalog"] == {
        "revision": 7,
        "engine": {"name": "sample", "version": "1.0"},
        "counts": {"BenchmarkRun": 1649, "ComparisonGroup": 808},
    }
    assert "<p>Revision 7, on sample 1.0.</p>" in response.text
    assert '<tr><th scope="row">BenchmarkRun</th><td>1,649</td></tr>' in response.text


async def test_both_forms_have_the_same_links_and_all_lead_somewhere() -> None:
    async with opened() as client:
        page = await client.get("/", headers={"accept": BROWSER})
        facts = await told(client)
        examples = [example["href"] for question in facts["questions"] for example in question["examples"]]
        links = [*facts["links"].values(), *examples]
        assert Elements(page.text).links() == links
        for link in links:
            answer = await client.get(urljoin("/", link), headers={"accept": BROWSER})
            assert answer.status_code == 200, link
    assert list(facts["links"]) == ["GraphiQL", "Schema", "Health", "Readiness", "Metrics"]
    assert examples[0] == "./graphql?example=ranked"


async def test_without_graphiql_an_example_leads_to_its_answer() -> None:
    async with opened(settings=Settings(graphiql=False)) as client:
        facts = await told(client)
    assert list(facts["links"]) == ["Schema", "Health", "Readiness", "Metrics"]
    query = parse_qs(urlsplit(facts["questions"][0]["examples"][0]["href"]).query)
    ranked = load_questions()[0].examples[0]
    assert query == {"query": [ranked.query], "variables": [ranked.variables]}


async def test_trusted_documents_are_not_asked_by_text(tmp_path: Path) -> None:
    (tmp_path / "a.graphql").write_text("{ hello }")
    async with opened(settings=Settings(trusted_documents=tmp_path)) as client:
        facts = await told(client)
        page = await client.get("/", headers={"accept": BROWSER})
    assert facts.keys() & {"ask", "questions"} == set()
    assert "curl" not in page.text


@pytest.mark.parametrize("path", ["", "/", "/api", "/api/"])
async def test_under_a_sub_path_links_stay_below_it(path: str) -> None:
    settings = Settings(public_url="https://example.org/api")
    async with opened(settings=settings, base="http://10.0.0.1:8000") as client:
        page = await client.get(path, headers={"accept": BROWSER})
    links = Elements(page.text).links()
    assert links
    assert all(link.startswith("/api/") for link in links)
    assert "curl https://example.org/api/graphql" in page.text
    assert "10.0.0.1" not in page.text


async def test_the_command_is_one_that_a_shell_takes() -> None:
    async with opened() as client:
        command = shlex.split((await told(client))["ask"])
    assert command[:3] == ["curl", "http://catalog.test/graphql", "--json"]
    assert json.loads(command[3]).keys() == {"query"}


@pytest.mark.parametrize(
    ("error", "code"),
    [(StoreDownError("10.0.0.7"), "SERVICE_UNAVAILABLE"), (OSError("10.0.0.7"), "INTERNAL")],
)
async def test_while_the_store_is_down_the_page_says_so(error: Exception, code: str) -> None:
    async with opened(Watch(ready_error=error)) as client:
        page = await client.get("/", headers={"accept": BROWSER})
        facts = await told(client)
    [entry] = facts["catalog"]["errors"]
    assert entry["extensions"]["code"] == code
    assert (page.status_code, code in page.text, "10.0.0.7" in page.text) == (200, True, False)
    assert ("p", {"role": "alert"}) in Elements(page.text).found
    assert "/graphql?example=ranked" in page.text


async def test_it_needs_no_script_and_no_other_file() -> None:
    async with opened() as client:
        response = await client.get("/", headers={"accept": BROWSER})
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    found = Elements(response.text).found
    assert {tag for tag, _ in found} & {"script", "img", "iframe", "form"} == set()
    assert [attributes["href"] for tag, attributes in found if tag == "link"] == ["data:,"]


async def test_what_comes_from_outside_is_escaped() -> None:
    async with opened(base="http://catalog.test") as client:
        response = await client.get("/", headers={"accept": BROWSER, "host": 'a"><script>alert(1)</script>'})
    assert "<script" not in response.text


async def test_it_has_headings_in_order_and_names_its_parts() -> None:
    async with opened() as client:
        found = Elements((await client.get("/", headers={"accept": BROWSER})).text).found
    assert ("html", {"lang": "en"}) in found
    levels = [int(tag[1]) for tag, _ in found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    identifiers = {attributes["id"] for _, attributes in found if "id" in attributes}
    assert {a["aria-labelledby"] for _, a in found if "aria-labelledby" in a} == identifiers


@pytest.mark.parametrize(
    ("accept", "media"),
    [("*/*", "text/html; charset=utf-8"), ("application/json, */*;q=0.1", "application/json")],
)
async def test_the_form_is_negotiated(accept: str, media: str) -> None:
    async with opened() as client:
        response = await client.get("/", headers={"accept": accept})
        refused = await client.get("/", headers={"accept": "image/png"})
    assert (response.headers["content-type"], "accept" in response.headers["vary"]) == (media, True)
    assert refused.status_code == 406
