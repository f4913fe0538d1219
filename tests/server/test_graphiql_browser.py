"""GraphiQL in a real browser: it renders, documents, runs, and asks no other host."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from catalog.server.questions import load_questions
from catalog.server.run import OPTIONS
from catalog.server.settings import Settings
from tests.server.browser import CHROMIUM, Page, chromium
from tests.server.sample import make_app

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

RESULT = "document.querySelector('.graphiql-response .result-window')?.innerText.replace(/\\s+/g, ' ')"

VARIABLES = "document.querySelector('.graphiql-editor-tool .CodeMirror')?.CodeMirror.getValue()"


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[str]:
    """The address of a server for the app, inside this process."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(app, **OPTIONS))
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


class Stripping:
    """A proxy that serves the app under a prefix and passes the rest of the path on."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            assert scope["path"].startswith(self._prefix + "/"), scope["path"]
            scope = {**scope, "path": scope["path"].removeprefix(self._prefix)}
        await self._app(scope, receive, send)


async def run_query(page: Page, query: str) -> None:
    await page.evaluate("document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.focus()")
    await page.press("a", 65, control=True)
    await page.write(query)
    await page.press("Enter", 13, control=True)


async def test_graphiql_renders_documents_and_runs_without_another_host(tmp_path: Path) -> None:
    async with serving(make_app()) as origin, chromium() as page:
        await page.open(f"{origin}/graphql")
        await page.until(
            "document.querySelector('.graphiql-query-editor .CodeMirror')?.CodeMirror !== undefined"
        )
        assert (
            await page.evaluate("document.title")
            == "Kernel Catalog · GraphQL over GPU-kernel benchmark evidence"
        )
        assert "26a3d326c83203eb" in await page.until(VARIABLES)
        questions = await page.until(
            "[...document.querySelectorAll('.catalog-examples section h3')].map(head => head.innerText)"
        )
        assert questions == [question.title for question in load_questions()]
        await page.screenshot(Path(os.environ.get("SCREENSHOT_DIR", tmp_path)) / "examples.png")
        await page.evaluate("document.querySelector('.catalog-examples a[href=\"?example=runs\"]').click()")
        await page.until(f"location.search === '?example=runs' && {VARIABLES}?.includes('liger-jsd')")

        await run_query(page, 'query Hello { echo(text: "it runs") }')
        await page.until(f"{RESULT}?.includes('it runs')")
        await run_query(page, "subscription Count { count(to: 7) }")
        await page.until(f"""{RESULT}?.includes('"count": 7')""")
        await page.evaluate("document.querySelector('[aria-label=\"Show Documentation Explorer\"]').click()")
        await page.until(
            "document.querySelector('.graphiql-doc-explorer')?.innerText.includes('query: Query')"
        )
        await page.screenshot(Path(os.environ.get("SCREENSHOT_DIR", tmp_path)) / "graphiql.png")

        assert {urlsplit(url).netloc for url in page.requests if not url.startswith("data:")} == {
            urlsplit(origin).netloc
        }
        assert page.complaints == []


async def test_a_closed_pane_of_examples_stays_closed() -> None:
    async with serving(make_app()) as origin, chromium() as page:
        await page.open(f"{origin}/graphql")
        await page.until("document.querySelector('.catalog-examples') !== null")
        await page.evaluate("document.querySelector('[aria-label=\"Hide Examples\"]').click()")
        await page.until("document.querySelector('.catalog-examples') === null")
        await page.evaluate("location.reload()")
        await page.until(f"document.readyState === 'complete' && {VARIABLES} !== undefined")
        assert await page.evaluate("document.querySelector('.catalog-examples') === null")


@pytest.mark.parametrize("public_url", [None, "https://example.org/api"])
async def test_graphiql_works_under_a_prefix(public_url: str | None) -> None:
    app = make_app(settings=Settings(public_url=public_url))
    async with serving(Stripping(app, "/api")) as origin, chromium() as page:
        await page.open(f"{origin}/api/graphql")
        await page.until(
            "document.querySelector('.graphiql-query-editor .CodeMirror')?.CodeMirror !== undefined"
        )
        await run_query(page, "query Hello { hello }")
        await page.until(f"{RESULT}?.includes('world')")
        await run_query(page, "subscription Boards { boards { name } }")
        await page.until(f"{RESULT}?.includes('two')")
        assert page.complaints == []


async def test_a_subscription_asks_by_websocket_at_the_same_path() -> None:
    app = make_app(settings=Settings(public_url="https://example.org/api"))
    async with serving(Stripping(app, "/api")) as origin, chromium() as page:
        await page.open(f"{origin}/api/graphql")
        await page.until(
            "document.querySelector('.graphiql-query-editor .CodeMirror')?.CodeMirror !== undefined"
        )
        await page.evaluate(
            "document.querySelector('.graphiql-query-editor .CodeMirror')"
            ".CodeMirror.setValue('subscription Live { __typename }')"
        )
        await asyncio.sleep(1)  # the editor parses a moment after typing
        await run_query(page, "subscription Live { __typename }")
        await page.until("true")
        wanted = f"{origin}/api/graphql".replace("http", "ws")
        async with asyncio.timeout(15):
            while wanted not in page.requests:  # noqa: ASYNC110 - the browser tells no event
                await asyncio.sleep(0.05)


async def test_the_landing_page_leads_into_graphiql(tmp_path: Path) -> None:
    async with serving(make_app()) as origin, chromium() as page:
        await page.open(f"{origin}/")
        await page.until("document.querySelector('main table') !== null")
        await page.screenshot(Path(os.environ.get("SCREENSHOT_DIR", tmp_path)) / "landing.png")
        await page.call(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
        )
        await page.until("getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'")
        await page.screenshot(Path(os.environ.get("SCREENSHOT_DIR", tmp_path)) / "landing-dark.png")
        await page.evaluate("document.querySelector('a[href=\"./graphql?example=runs\"]').click()")
        await page.until(f"location.pathname === '/graphql' && {VARIABLES}?.includes('liger-jsd')")
        assert page.complaints == []


async def test_a_linked_query_is_opened() -> None:
    async with serving(make_app()) as origin, chromium() as page:
        await page.open(f"{origin}/graphql?query=" + "%7Bhello%7D")
        value = "document.querySelector('.graphiql-query-editor .CodeMirror')?.CodeMirror.getValue()"
        assert await page.until(value) == "{hello}"


async def test_every_asset_of_the_page_is_there_and_immutable() -> None:
    async with serving(make_app()) as origin, httpx.AsyncClient(base_url=origin) as client:
        page = await client.get("/graphql", headers={"accept": "text/html"})
        assets = [part.split('"')[0] for part in page.text.split('="graphql/assets/')[1:]]
        assert len(assets) == 7
        for asset in assets:
            answer = await client.get(f"/graphql/assets/{asset}")
            assert (answer.status_code, answer.headers["cache-control"]) == (
                200,
                "public, max-age=31536000, immutable",
            )
            again = await client.get(
                f"/graphql/assets/{asset}", headers={"if-none-match": answer.headers["etag"]}
            )
            assert again.status_code == 304
