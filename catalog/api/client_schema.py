"""The schema as clients see it: what federation adds for routers is left out.

Code generators, linters and editors take this one: they stumble over federation's directives. A router hides
``_entities`` and ``_service`` too.
"""

from __future__ import annotations

from typing import Any, Final

from graphql import (
    REMOVE,
    DirectiveDefinitionNode,
    DirectiveNode,
    FieldDefinitionNode,
    SchemaDefinitionNode,
    Visitor,
    parse,
    print_ast,
    specified_directives,
    visit,
)
from graphql.language import TypeDefinitionNode

_KEPT: Final = frozenset(directive.name for directive in specified_directives)
_RESERVED: Final = "_"
"""Names of federation begin so; no name of the catalog does."""


class _ForClients(Visitor):
    """Removes what is meant for routers."""

    def enter(self, node: Any, *_: Any) -> Any:
        match node:
            case DirectiveNode() | DirectiveDefinitionNode() if node.name.value not in _KEPT:
                return REMOVE
            case TypeDefinitionNode() | FieldDefinitionNode() if node.name.value.startswith(_RESERVED):
                return REMOVE
            case SchemaDefinitionNode():  # the roots have their usual names
                return REMOVE
        return None


def client_sdl(federated: str) -> str:
    """The SDL for clients, of a federated SDL."""
    return print_ast(visit(parse(federated), _ForClients()))
