"""What a statement is called: the module and the constant that hold it, such as `reads.GROUPS`.

Of a table of statements the key is part of the name: `reads.LOAD.Run`. A statement that a function composes
is called after the function. So a name found in a log or a metric can be searched for in this package.
"""

from collections.abc import Callable, Iterator
from functools import cache, wraps
from importlib import import_module
from typing import Final, ParamSpec

MODULES: Final = (
    "audit",
    "browse_groups",
    "changes",
    "counts",
    "fulltext",
    "plan",
    "queries",
    "reads",
    "reads_compare",
    "reads_coverage",
    "reads_lineage",
    "reads_records",
    "reads_resolve",
    "reads_scope",
    "reads_search",
    "reads_serving",
    "state",
)
"""The modules whose constants are statements. DDL, which is run once, has no names."""

UNNAMED: Final = "unnamed"


class ByKey(str):
    """A statement that finds every node by its key or from one found so, whatever the graph holds: the plan
    that was made for it once is right for ever."""

    __slots__ = ()


P = ParamSpec("P")


class Composed(str):
    """A statement under the name of the function that composed it."""

    __slots__ = ("name",)
    name: str


def composed(function: Callable[P, str]) -> Callable[P, str]:
    """Name what the function composes after it."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__.lstrip('_')}"

    @wraps(function)
    def compose(*args: P.args, **kwargs: P.kwargs) -> str:
        statement = Composed(function(*args, **kwargs))
        statement.name = name
        return statement

    return compose


def name_of(statement: str) -> str:
    """The statement's name, or `unnamed`."""
    return statement.name if isinstance(statement, Composed) else _constants().get(statement, UNNAMED)


@cache
def _constants() -> dict[str, str]:
    names: dict[str, str] = {}
    for module in MODULES:
        for constant, value in vars(import_module(f"graph.{module}")).items():
            if constant.isupper():
                for suffix, statement in _statements(value):
                    names.setdefault(statement, f"{module}.{constant}{suffix}")
    return names


def _statements(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield "", value
    elif isinstance(value, dict):
        yield from ((f".{key}", text) for key, text in value.items() if isinstance(text, str))
