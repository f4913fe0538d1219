"""What a query document may cost before anyone validates or runs it.

The lexer stops at ``max_tokens``; one memoised pass over the parsed document, linear in its size however
often a fragment is spread, checks the rest. Validation itself is quadratic in repeated fields, so that is
bounded here too.
"""

from collections import Counter
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    TokenKind,
)

MAX_NUMBER = 100
"""Characters of one number in a query text, as in JSON variables; more than any value needs."""


class LimitExceeded(Exception):  # noqa: N818 - the name of the code that clients see
    """The document is over a limit. The message names the limit, its value and what was found."""

    def __init__(self, limit: str, allowed: int, found: str) -> None:
        super().__init__(f"The query {found}; at most {allowed} are allowed.")
        self.limit = limit
        self.allowed = allowed


@dataclass(frozen=True, slots=True)
class Limits:
    """The table of limits on one document.

    The largest query of the catalog's own examples has about 300 tokens and 6 levels; the standard
    introspection query has about 200 tokens and 15 levels.
    """

    max_characters: int = 100_000
    """Characters of the whole document."""
    max_tokens: int = 2000
    """Lexical tokens of the whole document (names, punctuators, values)."""
    max_comments: int = 1000
    """Comments, which the token limit leaves out."""
    max_depth: int = 15
    """Levels of nested fields."""
    max_introspection_depth: int = 20
    """Levels of nested fields under ``__schema`` and ``__type``, which tools nest deeply."""
    max_root_fields: int = 50
    """Fields of an operation, fragments included."""
    max_repeated_fields: int = 100
    """Fields that ask again, in the same selection set, for a response name already asked for."""
    max_list_items: int = 1000
    """Items of one list among the variables, which are looked at one by one before anything runs."""
    max_cost: int = 100_000
    """Values that an operation may ask for, as ``catalog.server.cost`` estimates them from its page sizes."""


@dataclass(slots=True)
class _Measure:
    """What one selection set holds once its fragments are spread: levels of fields below it and its field
    names."""

    depth: int
    introspection_depth: int
    names: Counter[str]


_NOTHING = _Measure(0, 0, Counter())


class _Pass:
    def __init__(self, document: DocumentNode, limits: Limits) -> None:
        self.limits = limits
        self.repeated = 0
        self.fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self.known: dict[str, _Measure] = {}

    def fragment(self, name: str) -> _Measure:
        """The measure of a fragment, computed once. A cycle or an unknown name counts as nothing:
        validation says so."""
        measure = self.known.get(name)
        if measure is None:
            self.known[name] = _NOTHING
            node = self.fragments.get(name)
            measure = self.known[name] = self.selections(node.selection_set) if node else _NOTHING
        return measure

    def selections(self, selection_set: SelectionSetNode) -> _Measure:
        measure = _Measure(0, 0, Counter())
        self._collect(selection_set, measure)
        self.repeated += sum(count - 1 for count in measure.names.values() if count > 1)
        if self.repeated > self.limits.max_repeated_fields:
            raise LimitExceeded(
                "max_repeated_fields",
                self.limits.max_repeated_fields,
                "repeats fields of the same name in one selection too often",
            )
        return measure

    def _collect(self, selection_set: SelectionSetNode, into: _Measure) -> None:
        for selection in selection_set.selections:
            match selection:
                case FieldNode():
                    self._field(selection, into)
                case InlineFragmentNode():
                    self._collect(selection.selection_set, into)
                case FragmentSpreadNode():
                    spread = self.fragment(selection.name.value)
                    into.depth = max(into.depth, spread.depth)
                    into.introspection_depth = max(into.introspection_depth, spread.introspection_depth)
                    into.names.update(spread.names)

    def _field(self, node: FieldNode, into: _Measure) -> None:
        into.names[(node.alias or node.name).value] += 1
        below = self.selections(node.selection_set) if node.selection_set else _NOTHING
        if node.name.value in ("__schema", "__type"):
            into.introspection_depth = max(
                into.introspection_depth, 1 + max(below.depth, below.introspection_depth)
            )
        else:
            into.depth = max(into.depth, 1 + below.depth)
            into.introspection_depth = max(into.introspection_depth, below.introspection_depth)


def check_document(document: DocumentNode, limits: Limits) -> None:
    """Refuse a parsed document that is too deep, too wide or too repetitive.

    Raises:
        LimitExceeded: naming the first limit that is passed.
    """
    _check_numbers(document)
    walk = _Pass(document, limits)
    try:
        for node in document.definitions:
            if isinstance(node, OperationDefinitionNode):
                _check_operation(walk.selections(node.selection_set), limits)
    except RecursionError:
        raise LimitExceeded("max_depth", limits.max_depth, "nests too many levels of fields") from None


def _check_numbers(document: DocumentNode) -> None:
    token = document.loc.start_token if document.loc else None
    while token is not None:
        if token.kind in (TokenKind.INT, TokenKind.FLOAT) and len(token.value or "") > MAX_NUMBER:
            found = f"has a number of {len(token.value or '')} characters"
            raise LimitExceeded("max_number", MAX_NUMBER, found)
        token = token.next


def _check_operation(measure: _Measure, limits: Limits) -> None:
    if measure.depth > limits.max_depth:
        raise LimitExceeded("max_depth", limits.max_depth, f"nests {measure.depth} levels of fields")
    if measure.introspection_depth > limits.max_introspection_depth:
        raise LimitExceeded(
            "max_introspection_depth",
            limits.max_introspection_depth,
            f"nests {measure.introspection_depth} levels of introspection fields",
        )
    roots = measure.names.total()
    if roots > limits.max_root_fields:
        raise LimitExceeded("max_root_fields", limits.max_root_fields, f"asks for {roots} root fields")
