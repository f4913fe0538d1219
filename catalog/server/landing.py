"""The page at /: what this catalog holds and how to ask it; as HTML without scripts, and as JSON.

It is answered also while the store is down, and then says so.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from catalog import __version__
from catalog.server.errors import Code, ErrorReporter, RequestFault
from catalog.server.exchange import answered
from catalog.server.negotiation import HTML, JSON, choose
from catalog.server.probe import StoreProbe, in_time
from catalog.server.questions import Example, Question
from catalog.server.wire import dump_json

TITLE = "Kernel Catalog"
WHAT = (
    "Which implementation of an operation is fastest, at this exact shape, on this GPU, under this protocol? "
    "Who measured it, can it be trusted, may it be installed?"
)
ASKED = "{ catalog { revision counts { kind count } } }"


class Landing:
    """The page. ``graphiql`` tells whether /graphql shows the examples to browsers; ``links`` are name and
    path of what else is served. Without ``questions`` it does not say how to ask."""

    def __init__(
        self,
        questions: Sequence[Question],
        probe: StoreProbe,
        reporter: ErrorReporter,
        *,
        graphiql: bool,
        links: Mapping[str, str],
        public_url: str | None = None,
        ask: str = ASKED,
    ) -> None:
        self._questions = questions
        self._probe = probe
        self._reporter = reporter
        self._graphiql = graphiql
        self._links = links
        self._public_url = public_url
        self._ask = ask
        self._style = (files(__package__) / "static" / "landing.css").read_text("utf-8")
        digest = b64encode(sha256(self._style.encode()).digest()).decode()
        self._policy = "; ".join(
            (
                "default-src 'none'",
                f"style-src 'sha256-{digest}'",
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
            )
        )

    def route(self) -> Route:
        """The route of the page."""
        return Route("/", self.page)

    async def page(self, request: Request) -> Response:
        """The page, or the same as JSON."""
        media = choose(",".join(request.headers.getlist("accept")) or None, (HTML, JSON), HTML)
        if media is None:
            raise RequestFault(
                Code.BAD_USER_INPUT,
                f"accept: the page comes as {HTML} or {JSON}.",
                HTTPStatus.NOT_ACCEPTABLE,
                {"vary": "accept"},
            )
        facts = await self._facts(request)
        headers = {"cache-control": "no-store", "vary": "accept"}
        if media == JSON:
            return Response(dump_json(facts), headers=headers, media_type=JSON)
        headers["content-security-policy"] = self._policy
        return Response(_html(facts, self._style), headers=headers, media_type=HTML)

    async def _facts(self, request: Request) -> dict[str, Any]:
        """Everything on the page. Its addresses are relative where nobody told the server its own."""
        root = request.scope.get("root_path")
        base = f"{root}/" if root else "./"
        origin = self._public_url or str(request.base_url).rstrip("/")
        return {
            "name": TITLE,
            "version": __version__,
            "catalog": await self._catalog(),
            "links": {name: base + path for name, path in self._links.items()},
            **(self._asking(base, origin) if self._questions else {}),
        }

    def _asking(self, base: str, origin: str) -> dict[str, Any]:
        return {
            "ask": f"curl {origin}/graphql --json '{json.dumps({'query': self._ask})}'",
            "questions": [
                {
                    "question": question.title,
                    "page": f"docs/{question.page}",
                    "examples": [self._example(base, example) for example in question.examples],
                }
                for question in self._questions
            ],
        }

    async def _catalog(self) -> dict[str, Any]:
        try:
            overview = await in_time(self._probe.overview())
        except Exception as error:
            return {"errors": answered([self._reporter.exception(error)])}
        return {
            "revision": overview.revision,
            "engine": {"name": overview.engine, "version": overview.engine_version},
            "counts": dict(overview.counts),
        }

    def _example(self, base: str, example: Example) -> dict[str, Any]:
        """An example with its address: in GraphiQL, or without that the answer itself."""
        asked = {"query": example.query, "variables": example.variables}
        where = {"example": example.name} if self._graphiql else {k: v for k, v in asked.items() if v}
        return {"title": example.title, "name": example.name, "href": f"{base}graphql?{urlencode(where)}"}


def _html(facts: Mapping[str, Any], style: str) -> str:
    links = "".join(f"<li>{_link(href, name)}</li>" for name, href in facts["links"].items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(facts["name"])}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<header>
<h1>{escape(facts["name"])}</h1>
<p>{escape(WHAT)}</p>
<nav aria-label="This server"><ul>{links}</ul></nav>
</header>
<main>
<section aria-labelledby="holds"><h2 id="holds">What it holds</h2>{_holds(facts["catalog"])}</section>
{_asking(facts) if "ask" in facts else ""}
</main>
<footer><p>Release {escape(facts["version"])}</p></footer>
</body>
</html>
"""


def _holds(catalog: Mapping[str, Any]) -> str:
    if "errors" in catalog:
        [error] = catalog["errors"]
        told = f"{error['message']} ({error['extensions']['code']})"
        return f'<p role="alert">The catalog cannot be read now. {escape(told)}</p>'
    engine = f"{catalog['engine']['name']} {catalog['engine']['version']}"
    rows = "".join(_row(kind, f"{count:,}") for kind, count in catalog["counts"].items())
    return (
        f"<p>Revision {catalog['revision']:,}, on {escape(engine)}.</p>"
        f"<table><caption>Objects by kind</caption><tbody>{rows}</tbody></table>"
    )


def _asking(facts: Mapping[str, Any]) -> str:
    return (
        '<section aria-labelledby="ask"><h2 id="ask">How to ask</h2>'
        f"<pre><code>{escape(facts['ask'])}</code></pre></section>"
        '<section aria-labelledby="questions"><h2 id="questions">Questions</h2>'
        f"{''.join(map(_question, facts['questions']))}</section>"
    )


def _question(question: Mapping[str, Any]) -> str:
    examples: Iterable[Mapping[str, str]] = question["examples"]
    items = "".join(f"<li>{_link(example['href'], example['title'])}</li>" for example in examples)
    return (
        f"<h3>{escape(question['question'])}</h3><ul>{items}</ul>"
        f"<p>More in <code>{escape(question['page'])}</code>.</p>"
    )


def _row(head: str, value: str) -> str:
    return f'<tr><th scope="row">{escape(head)}</th><td>{escape(value)}</td></tr>'


def _link(href: str, text: str) -> str:
    return f'<a href="{escape(href)}">{escape(text)}</a>'
