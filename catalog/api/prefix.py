"""A schema under a prefix, for a supergraph where other teams own `search`, `node` or `PageInfo`.

With the prefix `kernels` the root field `search` is `kernelsSearch`, the type `PageInfo` `KernelsPageInfo`.
What other subgraphs join by keeps its name: entities and scalars. `entities=True` renames entities too, for
a second catalog in one supergraph. Fields, arguments, enum values, ids and answers stay as they are, and a
query can be put over by machine. Reasons: docs/adr/0011-composing-beside-owners.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from graphql import (
    FieldNode,
    GraphQLSchema,
    NamedTypeNode,
    Token,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    parse,
    visit,
)
from strawberry.federation.schema_directives import Key
from strawberry.schema.name_converter import NameConverter
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.enum import StrawberryEnumDefinition

FORM: Final = re.compile(r"[a-z][A-Za-z0-9]{0,31}")
"""What a prefix looks like: a field name without underscores."""
WANTED: Final = "must be a lower-case letter and up to 31 letters or digits, such as kernels"
ROOT_TYPES: Final = frozenset({"Query", "Mutation", "Subscription"})


@dataclass(frozen=True, slots=True)
class Prefix:
    """What is put before names, and whether before those of entities too.

    Raises ValueError for a text that is no prefix.
    """

    text: str
    entities: bool = False

    def __post_init__(self) -> None:
        if not FORM.fullmatch(self.text):
            raise ValueError(WANTED)

    def field(self, name: str) -> str:
        """The name of a root field."""
        return self.text + name[:1].upper() + name[1:]

    def type(self, name: str) -> str:
        """The name of a type; root types and those of specifications (`_Any`, `link__Import`) keep theirs."""
        fixed = name in ROOT_TYPES or name.startswith("_") or "__" in name
        return name if fixed else self.text[:1].upper() + self.text[1:] + name


class PrefixedNames(NameConverter):
    """Strawberry's names, with the prefix where it belongs. `roots` are the root types of the schema."""

    def __init__(self, prefix: Prefix, roots: Iterable[type]) -> None:
        super().__init__()
        self.prefix = prefix
        self._root_classes = frozenset(base for root in roots for base in root.__mro__)

    def from_object(self, object_type: StrawberryObjectDefinition) -> str:
        """The name of an object, interface or input type."""
        name = super().from_object(object_type)
        return name if is_entity(object_type) and not self.prefix.entities else self.prefix.type(name)

    def from_enum(self, enum: StrawberryEnumDefinition) -> str:
        """The name of an enum."""
        return self.prefix.type(super().from_enum(enum))

    def get_graphql_name(self, obj: Any) -> str:
        """The name of a field or argument."""
        name = super().get_graphql_name(obj)
        return self.prefix.field(name) if getattr(obj, "origin", None) in self._root_classes else name


def is_entity(definition: StrawberryObjectDefinition) -> bool:
    """Whether other subgraphs can refer to objects of the type."""
    return any(isinstance(directive, Key) for directive in definition.directives or ())


def put_over(text: str, plain: GraphQLSchema, names: PrefixedNames) -> str:
    """A query for the plain schema as one for the prefixed schema, which answers it with the same response.

    Root fields keep their plain names as aliases. Raises GraphQLError for a text that is no GraphQL.
    """
    document = parse(text)
    types = TypeInfo(plain)
    rewriting = _Rewriting(types, names)
    visit(document, TypeInfoVisitor(types, rewriting))
    for token, replacement in sorted(rewriting.edits, key=lambda edit: -edit[0].start):
        text = text[: token.start] + replacement + text[token.end :]
    return text


class _Rewriting(Visitor):
    """Collects which names change, and into what."""

    def __init__(self, types: TypeInfo, names: PrefixedNames) -> None:
        super().__init__()
        self._types = types
        self._names = names
        self.edits: list[tuple[Token, str]] = []

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        parent, name = self._types.get_parent_type(), node.name.value
        if parent is not None and parent.name in ROOT_TYPES and not name.startswith("_"):
            prefixed = self._names.prefix.field(name)
            self._edit(node.name.loc, prefixed if node.alias else f"{name}: {prefixed}")

    def enter_named_type(self, node: NamedTypeNode, *_: Any) -> None:
        type_ = self._types._schema.get_type(node.name.value)
        definition = type_.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF) if type_ else None
        if definition is not None:
            self._edit(node.name.loc, self._names.from_type(definition))

    def _edit(self, location: Any, replacement: str) -> None:
        self.edits.append((location.start_token, replacement))
