"""How a run is cited."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

import strawberry

from catalog.domain.identity import Digest
from catalog.read import Entity

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_LATEX_SPECIAL: Final = re.compile("|".join(map(re.escape, _LATEX)))


@strawberry.type(description="How to cite a run.")
class RunCitation:
    permalink: str = strawberry.field(
        description="Where the run's manifest is for ever; relative unless the server has a public URL."
    )
    digest: Digest = strawberry.field(description="What pins the run: its content address.")
    accessed_on: str = strawberry.field(description="Today, YYYY-MM-DD in UTC.")
    text: str = strawberry.field(description="A citation in words.")
    bibtex: str = strawberry.field(description="A BibTeX entry.")


def cite(digest: Digest, title: str | None, entity: Entity, link: str, today: date) -> RunCitation:
    """The citation of a run; of one known only by digest, as far as that goes."""
    name = title or f"Benchmark run {digest}"
    observed = (entity.get("observedAt") or "")[:10]
    source = entity.get("source")
    words = [
        f"{name}. Benchmark run",
        *([f"observed {observed}"] if observed else []),
        *([f"reported by {source}"] if source else []),
    ]
    text = f"{', '.join(words)}. {digest}. {link} (accessed {today.isoformat()})."
    fields = {
        "title": f"{{{_latex(name)}}}",
        **({"author": f"{{{_latex(source)}}}"} if source else {}),
        **({"year": observed[:4]} if observed else {}),
        "howpublished": "Benchmark run",
        "note": f"{digest}, accessed {today.isoformat()}",
        "url": link,
    }
    lines = "".join(f"  {field} = {{{value}}},\n" for field, value in fields.items())
    return RunCitation(
        permalink=link,
        digest=digest,
        accessed_on=today.isoformat(),
        text=text,
        bibtex=f"@misc{{run-{digest.removeprefix('sha256:')[:12]},\n{lines}}}",
    )


def _latex(text: str) -> str:
    return _LATEX_SPECIAL.sub(lambda match: _LATEX[match[0]], text)
