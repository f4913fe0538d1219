"""The short way of the executor changes no answer: values, nulls and errors are graphql-core's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
import strawberry
from graphql import DocumentNode, ExecutionHooks, ExecutionResult, execute, parse
from graphql.execution import Executor

from catalog.api.context import Context
from catalog.api.executor import PlainExecutor
from catalog.api.fields import resolved
from catalog.api.schema import schema
from catalog.read import Snapshots
from graph.store import Store
from tests.read.samples import BEST, MISMATCHED, TIED, WAITING

DOSSIER = """query ($d: Digest!) { run(digest: $d) { __typename ...Shown ... on Node { id }
  supersededBy { digest } measurements { value metric } standing { rank leader { ...Shown } } again: title
  implementation { names { slug project { name } } license { permissive } project { __typename slug } }
  workload { axes { name value } cases { externalId } operation { slug } } group { key metric { direction } }
  skipped: title @skip(if: true) included: status @include(if: true) manifest labels { name } } }
  fragment Shown on BenchmarkRun { status title evidenceLevel submittedAs { slug } primary { unit } }"""

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    *((DOSSIER, {"d": run.digest}) for run in (BEST, TIED, MISMATCHED, WAITING)),
    ("{ runs { edges { node { digest group { runs(first: 2) { edges { node { title } } } } } } } }", {}),
    ("{ runs(first: -1) { totalCount } }", {}),
    ("{ catalog { revision counts { kind count } sources { slug runCount } } }", {}),
    ('{ nodes(ids: ["bad", "UnVuOmE="]) { id ... on BenchmarkRun { title } } }', {}),
    ("{ comparisonGroups { edges { node { leader { digest } recordHistory(first: 900) { at } } } } }", {}),
]


async def _run(
    what: strawberry.Schema, text: str | DocumentNode, variables: dict[str, Any], executor: type, context: Any
) -> tuple[str, list[tuple[str, str]]]:
    finished = asyncio.Event()
    result = execute(
        what._schema,
        parse(text) if isinstance(text, str) else text,
        context_value=context,
        variable_values=variables,
        executor_class=executor,
        hooks=ExecutionHooks(async_work_finished=lambda _: finished.set()),
    )
    if not isinstance(result, ExecutionResult):
        result = await result
        await finished.wait()
    errors = sorted((str(error.path), error.message) for error in result.errors or ())
    return str(result.data), errors  # as text: the order of fields counts


@pytest.mark.parametrize(("text", "variables"), QUESTIONS)
@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_real_answers_are_the_same(
    filled: Store, text: str, variables: dict[str, Any], warm: bool
) -> None:
    snapshots = Snapshots(filled)
    if warm:
        await _run(schema, text, variables, Executor, Context(snapshots))
    short = await _run(schema, text, variables, PlainExecutor, Context(snapshots))
    assert short == await _run(schema, text, variables, Executor, Context(Snapshots(filled)))


@strawberry.type
class Leaf:
    name: str
    number: float
    maybe: int | None = None


@strawberry.type
class Branch:
    leaf: Leaf
    leaves: list[Leaf]
    nothing: Leaf | None
    broken: strawberry.Private[Any]

    @resolved(description="An attribute that is no float.")
    def wrong(self) -> float | None:
        return self.broken  # type: ignore[no-any-return]

    @resolved(description="Fails at once.")
    def failing(self) -> str | None:
        raise ValueError("no")

    @resolved(description="Fails, and may not be null.")
    def fatal(self) -> str:
        raise ValueError("never")

    @resolved(description="Null, and may not be.")
    def void(self) -> str:
        return self.nothing  # type: ignore[return-value]

    @resolved(description="Typed as a value, but to be waited for.")
    def later(self) -> Leaf | None:
        async def wait() -> Leaf:
            return Leaf(name="later", number=1)

        return wait()  # type: ignore[return-value]

    @resolved(description="Has an argument.")
    def echo(self, text: str = "…") -> str:
        return text


def _branches() -> Iterator[Branch]:
    leaf = Leaf(name="a", number=2**53)
    yield Branch(leaf=leaf, leaves=[leaf, Leaf(name="b", number=0.5, maybe=3)], nothing=None, broken="x")
    yield Branch(leaf=leaf, leaves=[], nothing=leaf, broken=float("inf"))
    yield Branch(leaf=leaf, leaves=[Leaf(name=None, number=1)], nothing=leaf, broken=1.5)  # type: ignore[arg-type]


@strawberry.type
class Tree:
    @resolved(description="Branches.")
    def branches(self) -> list[Branch | None]:
        return list(_branches())


TREE = strawberry.Schema(Tree)

FIELDS = [
    "leaf { name number }",
    "leaves { name maybe }",
    "nothing { name }",
    "wrong",
    "failing",
    "fatal",
    "void",
]
FIELDS += ["later { name }", 'echo(text: "hi")', "echo", "__typename"]


@pytest.mark.parametrize("second", FIELDS)
@pytest.mark.parametrize("first", FIELDS)
async def test_made_answers_are_the_same(first: str, second: str) -> None:
    text = f"{{ branches {{ one: {first} two: {second} }} }}"
    short = await _run(TREE, text, {}, PlainExecutor, None)
    assert short == await _run(TREE, text, {}, Executor, None)


@dataclass
class Viewing:
    """A context of which the view holds for everybody, and the name of who asks does not."""

    view: Seen
    name: str = "somebody"

    @property
    def lasting(self) -> object:
        return object()


@strawberry.type
class Seen:
    label: ClassVar[str] = "Seen"
    reads: strawberry.Private[list[str]]

    @resolved(description="Read at once.")
    def plain(self) -> Leaf:
        self.reads.append("plain")
        return Leaf(name=str(len(self.reads)), number=1)

    @resolved(description="Looks at who asks.")
    def asked_by(self, info: strawberry.Info) -> str:
        name: str = info.context.name
        self.reads.append(name)
        return name


@strawberry.type
class Viewer:
    @resolved(description="The view.")
    def seen(self, info: strawberry.Info) -> Seen:
        view: Seen = info.context.view
        return view


VIEWER = strawberry.Schema(Viewer)


async def test_a_view_keeps_what_the_same_selection_was_finished_to() -> None:
    view = Seen(reads=[])
    first, other = parse("{ seen { plain { name } } }"), parse("{ seen { plain { number } } }")
    for document, shown in ((first, "{'name': '1'}"), (first, "{'name': '1'}"), (other, "{'number': 1.0}")):
        answer = await _run(VIEWER, document, {}, PlainExecutor, Viewing(view))
        assert answer == (f"{{'seen': {{'plain': {shown}}}}}", [])
    assert view.reads == ["plain", "plain"]


async def test_what_hangs_on_the_request_is_not_kept() -> None:
    view, document = Seen(reads=[]), parse("{ seen { plain { number } askedBy } }")
    for name in ("first", "second", "first"):
        answer = await _run(VIEWER, document, {}, PlainExecutor, Viewing(view, name))
        assert answer == (f"{{'seen': {{'plain': {{'number': 1.0}}, 'askedBy': '{name}'}}}}", [])


@strawberry.type
class Asked:
    @resolved(description="Who asks.")
    def by(self, info: strawberry.Info) -> str:
        return str(info.context)

    @resolved(description="One more, by the same.")
    def inner(self) -> Leaf:
        return Leaf(name="inner", number=1)


@strawberry.type
class Asking:
    @resolved(description="What is asked.")
    def asked(self) -> Asked:
        return Asked()


ASKING = strawberry.Schema(Asking)


async def test_an_operation_that_is_asked_again_answers_the_one_who_asks() -> None:
    document = parse("{ asked { by inner { name } } }")
    for caller in ("first", "second", "first"):
        answer = await _run(ASKING, document, {}, PlainExecutor, caller)
        assert answer == (f"{{'asked': {{'by': '{caller}', 'inner': {{'name': 'inner'}}}}}}", [])


async def test_an_operation_that_is_asked_again_selects_by_its_variables() -> None:
    document = parse("query ($all: Boolean!) { asked { inner { name number @include(if: $all) } } }")
    for wanted in (True, False, True):
        answer, _ = await _run(ASKING, document, {"all": wanted}, PlainExecutor, None)
        assert ("number" in answer) is wanted


async def test_operations_of_one_document_do_not_mix() -> None:
    document = parse("query a { asked { by } } query b { asked { inner { number } } }")
    for name, value in (("a", "'by': 'me'"), ("b", "'number': 1"), ("a", "'by': 'me'")):
        result = execute(
            ASKING._schema, document, operation_name=name, context_value="me", executor_class=PlainExecutor
        )
        assert isinstance(result, ExecutionResult)
        assert value in str(result.data)
