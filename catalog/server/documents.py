"""Query documents: parsed, limited and validated once, then kept.

A small query costs ten times as much to parse and validate as to run, and clients send the same texts again
and again.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import strawberry
from cachetools import LRUCache
from graphql import (
    DocumentNode,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    parse,
    specified_rules,
)
from strawberry.schema.schema import validate_document

from catalog.domain.errors import quote
from catalog.server.errors import Code, ErrorReporter, RequestFault, error_body
from catalog.server.exchange import CURRENT
from catalog.server.limits import LimitExceeded, Limits, check_document


@dataclass(frozen=True, slots=True)
class Document:
    """A query text after all that can be said without variables: a document to run, or the errors that
    forbid it."""

    characters: int
    digest: str
    """SHA-256 of the text, in hex."""
    node: DocumentNode | None
    errors: tuple[dict[str, Any], ...] = ()

    def operation(self, name: str | None) -> OperationDefinitionNode:
        """The operation to run: the named one, or the only one.

        Raises:
            RequestFault: no operation of that name, several and no name, or none at all.
        """
        definitions = self.node.definitions if self.node else ()
        operations = [node for node in definitions if isinstance(node, OperationDefinitionNode)]
        if name is not None:
            for node in operations:
                if node.name is not None and node.name.value == name:
                    return node
            raise RequestFault(
                Code.BAD_USER_INPUT, f"operationName: the query has no operation named {quote(name)}."
            )
        if len(operations) == 1:
            return operations[0]
        if not operations:
            raise RequestFault(Code.BAD_USER_INPUT, "query: there is no operation in it.")
        names = ", ".join(node.name.value for node in operations if node.name)[:200]
        raise RequestFault(
            Code.BAD_USER_INPUT, f"operationName: the query has several operations, name one of {names}."
        )


class Documents:
    """The one cache of documents for a schema, by the SHA-256 of the text.

    ``size`` is in characters of query text; a parsed document takes 70 to 300 bytes of memory per character.
    """

    def __init__(self, schema: strawberry.Schema, reporter: ErrorReporter, limits: Limits, size: int) -> None:
        self.schema: GraphQLSchema = schema._schema
        self._reporter = reporter
        self._limits = limits
        self._kept: LRUCache[str, Document] = LRUCache(size, getsizeof=lambda kept: kept.characters)

    def prepare(self, text: str) -> Document:
        """The document of a query text. Errors are part of it, and kept like the rest."""
        digest = sha256(text.encode()).hexdigest()
        document = self._kept.get(digest)
        if exchange := CURRENT.get():
            exchange.kept_document = document is not None
        if document is None:
            node, errors = self._read(text)
            document = Document(len(text), digest, node, errors)
            if document.characters <= self._kept.maxsize:
                self._kept[digest] = document
        return document

    def _read(self, text: str) -> tuple[DocumentNode | None, tuple[dict[str, Any], ...]]:
        try:
            node = parse(
                text,
                max_source_length=self._limits.max_characters,
                max_lexical_tokens=self._limits.max_tokens,
                max_comments=self._limits.max_comments,
                allow_empty_selection_sets=False,
            )
            check_document(node, self._limits)
            errors = validate_document(self.schema, node, tuple(specified_rules))
        except LimitExceeded as error:
            return None, (error_body(Code.LIMIT_EXCEEDED, str(error), {"limit": error.limit}),)
        except GraphQLSyntaxError as error:
            return None, (self._reporter.request(_syntax_code(error), error),)
        except RecursionError:
            return None, (error_body(Code.LIMIT_EXCEEDED, "The query is nested too deeply."),)
        if errors:
            return None, tuple(
                self._reporter.request(Code.GRAPHQL_VALIDATION_FAILED, error) for error in errors
            )
        return node, ()


def _syntax_code(error: GraphQLSyntaxError) -> Code:
    """The parser reports its own limits as syntax errors."""
    over = error.message.startswith(("Syntax Error: Document ", "Syntax Error: Source contains "))
    return (
        Code.LIMIT_EXCEEDED
        if over and error.message.endswith("Parsing aborted.")
        else Code.GRAPHQL_PARSE_FAILED
    )
