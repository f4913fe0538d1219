"""Trusted documents: a fixed set of query texts, read from files at start; no others may run.

A folder's ``*.graphql`` files are one document each, known by their SHA-256. A ``*.json`` file is a manifest
as relay-compiler and graphql-codegen persist them (an object from id to text), or Apollo's
(``{"format": "apollo-persisted-query-manifest", "operations": [{"id", "body"}]}``); its texts are known by
their SHA-256 and by their id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from catalog.domain.errors import quote
from catalog.server.errors import Code, RequestFault
from catalog.server.persisted import ID_PREFIX, check_hash, digest_of, reference_of, sent
from catalog.server.wire import BadJson, load_json

if TYPE_CHECKING:
    from catalog.server.execution import GraphQLRequest

APOLLO: Final = "apollo-persisted-query-manifest"
REFUSED: Final = "This server runs trusted documents only, and this is none of them."

Faults = Callable[[str], tuple[Mapping[str, Any], ...]]
"""The entries of ``errors`` that forbid a query text; none when it may run."""


class TrustedDocumentsError(ValueError):
    """The trusted documents can't be used. The message names the file, and the place in it."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A document, where it was found (a file, and the entry of a manifest), and its id in a manifest."""

    place: str
    text: str
    id: str | None = None


class TrustedTexts:
    """Finds trusted texts by hash, by id, or by the text itself; white space around it does not matter."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Take texts by hash and by id: see :func:`load_trusted`."""
        self._texts = texts

    def text(self, request: GraphQLRequest) -> str:
        """The trusted text that a request means."""
        reference = reference_of(request)
        if reference is not None and request.query:
            check_hash(reference, request.query)
        key = digest_of(sent(request).strip()) if reference is None or request.query else reference.key
        text = self._texts.get(key)
        if text is None:
            raise RequestFault(Code.DOCUMENT_NOT_TRUSTED, REFUSED)
        return text


def load_trusted(path: Path, faults: Faults) -> TrustedTexts:
    """The trusted documents in a folder and the folders below it, or in one file.

    Raises:
        TrustedDocumentsError: a file can't be read or is malformed, a document may not run by ``faults``, an
            id has two meanings, or there is no document at all.
    """
    texts: dict[str, str] = {}
    for found in _documents(path):
        for entry in faults(found.text)[:1]:
            spots = [f":{spot['line']}:{spot['column']}" for spot in entry.get("locations", ())]
            raise TrustedDocumentsError(f"{found.place}{''.join(spots[:1])}: {entry['message']}")
        names = [digest_of(found.text), digest_of(found.text.strip()), *([found.id] if found.id else ())]
        for name in names:
            if texts.setdefault(name, found.text).strip() != found.text.strip():
                raise TrustedDocumentsError(f"{found.place}: this id has another text elsewhere")
    if not texts:
        raise TrustedDocumentsError(f"{path}: there are no documents (*.graphql, *.json) in it")
    return TrustedTexts(texts)


def _documents(path: Path) -> Iterator[_Found]:
    try:
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.suffix == ".graphql":
                yield _Found(str(file), file.read_text(encoding="utf-8"))
            elif file.suffix == ".json":
                yield from _manifest(file)
    except OSError as error:
        raise TrustedDocumentsError(f"{error.filename}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise TrustedDocumentsError(f"{file}: byte {error.start} is not UTF-8") from None


def _manifest(file: Path) -> Iterator[_Found]:
    try:
        value = load_json(file.read_bytes())
    except BadJson as error:
        raise TrustedDocumentsError(f"{file}: {error}") from None
    if isinstance(value, dict) and value.get("format") == APOLLO:
        operations = value.get("operations")
        if not isinstance(operations, list) or not all(isinstance(each, dict) for each in operations):
            raise TrustedDocumentsError(f"{file}: operations: a list of objects is wanted")
        pairs = [(each.get("id"), each.get("body")) for each in operations]
    elif isinstance(value, dict):
        pairs = list(value.items())
    else:
        raise TrustedDocumentsError(f"{file}: an object from id to query text is wanted")
    for name, text in pairs:
        place = f"{file}: {quote(name)}"
        if not (isinstance(name, str) and name and isinstance(text, str)):
            raise TrustedDocumentsError(f"{place}: a query text is wanted, not {quote(text)}")
        yield _Found(place, text, name.removeprefix(ID_PREFIX))
