"""Which text a request means: the one that it sends, or one known under a hash or an id.

Two ways name a text without sending it: ``extensions.persistedQuery`` with the hash of the text (Apollo's
automatic persisted queries), and ``documentId`` (``sha256:`` and the hash, or an id that the server gave a
meaning to). :class:`AutomaticTexts` learns texts from clients; :class:`~catalog.server.trusted.TrustedTexts`
knows a fixed set and takes no others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from cachetools import LRUCache

from catalog.domain.errors import quote
from catalog.server.errors import Code, RequestFault

if TYPE_CHECKING:
    from catalog.server.execution import GraphQLRequest

HASH_FIELD = "extensions.persistedQuery.sha256Hash"
ID_FIELD = "documentId"
ID_PREFIX = "sha256:"
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A hash (64 digits) or id, and the field that gives it."""

    field: str
    name: str

    @property
    def key(self) -> str:
        """What it is known by: the 64 digits of a hash, however it was given, or an id of another kind."""
        return self.name.removeprefix(ID_PREFIX)


class QueryTexts(Protocol):
    """Finds the text that a request means."""

    def text(self, request: GraphQLRequest) -> str:
        """The query text to run.

        Raises:
            RequestFault: there is none, or it may not run.
        """


class AutomaticTexts:
    """Keeps the texts that clients send with their hash, the least used ones up to a number of characters.

    With no room (0) it takes texts only.
    """

    def __init__(self, characters: int = 0) -> None:
        self._kept: LRUCache[str, str] = LRUCache(characters, getsizeof=len)

    def text(self, request: GraphQLRequest) -> str:
        """The query text to run: as sent, or as kept."""
        reference = reference_of(request)
        if reference is None:
            return sent(request)
        if not self._kept.maxsize:
            raise RequestFault(Code.PERSISTED_QUERY_NOT_SUPPORTED, "PersistedQueryNotSupported")
        if request.query:
            check_hash(reference, request.query)
            if len(request.query) <= self._kept.maxsize:
                self._kept[reference.name] = request.query
            return request.query
        text = self._kept.get(reference.key)
        if text is None:
            raise RequestFault(Code.PERSISTED_QUERY_NOT_FOUND, "PersistedQueryNotFound")
        return text


def reference_of(request: GraphQLRequest) -> Reference | None:
    """The hash or id that a request gives, or None where it only sends a text.

    Raises:
        RequestFault: it is malformed, or there is more than one way to read the request.
    """
    persisted = (request.extensions or {}).get("persistedQuery")
    if request.document_id is None:
        return None if persisted is None else _by_hash(persisted)
    if request.query or persisted is not None:
        other = "query" if request.query else "extensions.persistedQuery"
        raise _faulty(ID_FIELD, f"it stands in the place of {other}; give one of them.")
    return Reference(ID_FIELD, request.document_id)


def sent(request: GraphQLRequest) -> str:
    """The text in the request itself.

    Raises:
        RequestFault: it has none.
    """
    if not request.query:
        raise RequestFault(Code.BAD_USER_INPUT, "query: it is missing.")
    return request.query


def check_hash(reference: Reference, text: str) -> None:
    """Refuse a hash that is not the text's own.

    Raises:
        RequestFault: naming the field.
    """
    right = digest_of(text)
    if reference.name != right:
        raise _faulty(reference.field, f"{reference.name} is not the SHA-256 of the query, which is {right}.")


def digest_of(text: str) -> str:
    """The SHA-256 of a text in UTF-8, in hex."""
    return sha256(text.encode()).hexdigest()


def _by_hash(persisted: Any) -> Reference:
    if not isinstance(persisted, dict):
        raise _faulty("extensions.persistedQuery", "an object with version and sha256Hash is wanted.")
    version, found = persisted.get("version"), persisted.get("sha256Hash")
    if type(version) is not int or version != 1:
        raise _faulty("extensions.persistedQuery.version", f"1 is wanted, not {quote(version)}.")
    if not (isinstance(found, str) and _HASH.fullmatch(found)):
        wanted = "64 lower-case hex digits, the SHA-256 of the query, are wanted"
        raise _faulty(HASH_FIELD, f"{wanted}, not {quote(found)}.")
    return Reference(HASH_FIELD, found)


def _faulty(field: str, what: str) -> RequestFault:
    return RequestFault(Code.BAD_USER_INPUT, f"{field}: {what}", extensions={"field": field})
