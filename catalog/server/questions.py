"""What the catalog can be asked, with example queries: the explorer and the page at / show them.

The queries are files in ``examples/``: ``NAME.graphql``, and its variables in ``NAME.json`` where it has any.
They answer on the bundled data.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Example:
    """A query to begin with. ``variables`` is JSON text, or empty."""

    name: str
    title: str
    query: str
    variables: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the page of the documentation that has more about it, and examples."""

    title: str
    page: str
    examples: tuple[Example, ...]


TABLE: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("Which implementation is fastest?", "graphql.md"): {
        "ranked": "All runs that share a comparison key, ranked",
        "groups": "What can be ranked for one operation on one GPU, and who leads",
    },
    ("Can I trust a run, may I install what it measured?", "graphql.md"): {
        "run-dossier": "Everything that is known of one run",
        "runs": "Runs by time, filtered",
    },
    ("What is there for these words?", "search.md"): {
        "search": "Cross-entropy on an H100 with a large vocabulary",
    },
    ("What should I use for this shape on this GPU?", "resolve.md"): {
        "resolve": "Cross-entropy at one shape on an A100",
    },
    ("Why can these runs not be compared?", "compare.md"): {
        "compare": "Two runs side by side",
        "key-diff": "Two comparison keys, part by part",
    },
    ("Who holds the record, and since when?", "records.md"): {
        "record-history": "The records of one group",
        "records": "Records that changed hands, the largest improvement first",
        "record-leaders": "Which project holds most",
    },
    ("Whose code does this descend from, what does it beat?", "lineage.md"): {
        "lineage": "Ancestors, descendants, takeovers of one implementation",
        "influence": "Implementations by PageRank",
    },
    ("What was never measured, what is left out and why?", "coverage.md"): {
        "coverage-gaps": "Measured on one architecture, not on another",
        "exclusions": "Runs that are not ranked, by reason",
    },
    ("Which serving stack meets a bound?", "serving.md"): {
        "serving": "Serving cohorts",
    },
    ("What does the catalog hold?", "graphql.md"): {
        "catalog": "Revision, engine, policies, counts, sources",
    },
}
"""(question, page of docs/) -> example -> what it shows. One line per example."""


def load_questions(reword: Callable[[str], str] = str) -> tuple[Question, ...]:
    """The questions with their examples, read from the files; ``reword`` is applied to each query."""
    return tuple(
        Question(title, page, tuple(_example(name, shows, reword) for name, shows in examples.items()))
        for (title, page), examples in TABLE.items()
    )


def _example(name: str, title: str, reword: Callable[[str], str]) -> Example:
    folder = files(__package__) / "examples"
    variables = folder / f"{name}.json"
    text = variables.read_text("utf-8") if variables.is_file() else ""
    return Example(name, title, reword((folder / f"{name}.graphql").read_text("utf-8")), text)
