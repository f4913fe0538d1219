"""GraphiQL from our own files: no other host is ever asked.

The vendored files are the unmodified builds listed in ``static/graphiql/manifest.json``
(``scripts/fetch_graphiql.py`` fetches and checks them). The page names its files relative to itself, so it
works under any sub-path; each file's address holds its hash, so it may be cached for ever.
"""

import html
import json
import mimetypes
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from catalog.domain.errors import quote
from catalog.server.conditional import conditional
from catalog.server.errors import Code, RequestFault
from catalog.server.questions import Question

TITLE = "Kernel Catalog · GraphQL over GPU-kernel benchmark evidence"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # the editor and its menus put style elements into the page
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

STYLES = ("graphiql.min.css", "page.css")
SCRIPTS = ("react.production.min.js", "react-dom.production.min.js", "graphiql.min.js", "page.js")
SERVED = (*STYLES, *SCRIPTS, "icon.svg")
IMMUTABLE = "public, max-age=31536000, immutable"


class GraphiQL:
    """The page and its files, read once at start."""

    def __init__(self, questions: Sequence[Question], title: str = TITLE) -> None:
        folder = files(__package__) / "static" / "graphiql"
        self._files = {name: (folder / name).read_bytes() for name in SERVED}
        self._hashes = {name: sha256(data).hexdigest()[:16] for name, data in self._files.items()}
        self._page = self._build(questions, title).encode()

    def page(self) -> Response:
        """The HTML page."""
        headers = {
            "content-security-policy": CONTENT_SECURITY_POLICY,
            "cache-control": "no-cache",
            "vary": "accept",
        }
        return Response(self._page, headers=headers, media_type="text/html")

    def routes(self) -> list[Route]:
        """The route of the files."""
        return [Route("/graphql/assets/{hash}/{name}", self._asset)]

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if self._hashes.get(name) != request.path_params["hash"]:
            raise RequestFault(Code.NOT_FOUND, f"There is no file {quote(name)} here.")
        media = mimetypes.types_map.get("." + name.rpartition(".")[2], "application/octet-stream")
        return conditional(request, self._files[name], self._hashes[name], media, IMMUTABLE)

    def _url(self, name: str) -> str:
        return f"graphql/assets/{self._hashes[name]}/{name}"

    def _build(self, questions: Sequence[Question], title: str) -> str:
        styles = "\n".join(f'<link rel="stylesheet" href="{self._url(name)}">' for name in STYLES)
        scripts = "\n".join(f'<script defer src="{self._url(name)}"></script>' for name in SCRIPTS)
        config = json.dumps({"questions": list(map(asdict, questions))}).replace("<", "\\u003c")
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="icon" type="image/svg+xml" href="{self._url("icon.svg")}">
{styles}
</head>
<body>
<div id="graphiql">Loading GraphiQL …<noscript> It needs JavaScript.</noscript></div>
<script type="application/json" id="catalog-config">{config}</script>
{scripts}
</body>
</html>
"""
