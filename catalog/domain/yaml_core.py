"""YAML 1.2 with the core schema, read as the JSON it means (docs/domain.md §1).

libyaml parses; what plain scalars mean is decided here, for PyYAML resolves YAML 1.1: there ``no`` is
false, ``12:30`` a number in base 60 and ``1e-5`` a text. ``<<`` is a key like any other: the core schema
has no merging.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml

from catalog.domain.errors import Fault, ManifestError, quote
from catalog.domain.places import MAX_BYTES, MAX_DEPTH, Places, Position, RawDocument, step

MAX_ALIASES = 100
"""The most aliases of one document, those within what an alias repeats counted again."""

# yaml.CParser exists where PyYAML was built with libyaml; the loader in Python gives the same events.
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TAG = "tag:yaml.org,2002:"
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOL = {word: word[0] in "tT" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MAX_DIGITS = 4000

# Never allowed raw in YAML 1.2, or (NEL, LS, PS) a line break to YAML 1.1 parsers and a character to 1.2.
_FORBIDDEN = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_MARKER = re.compile(r"(?:---|\.\.\.)(?:[ \t\r]|$)")
_PROLOGUE = re.compile(r"%|[ \t]*(?:#|\r?$)")


def read_yaml(text: str) -> Iterator[RawDocument | ManifestError]:
    """Every document of a stream in turn, empty ones left out. A faulty one loses no other."""
    for chunk, line in _chunks(text):
        forbidden = _FORBIDDEN.search(chunk)
        if forbidden:
            yield ManifestError([_forbidden(chunk, forbidden.start(), line)])
        else:
            yield from _read_chunk(chunk, line)


def _chunks(text: str) -> Iterator[tuple[str, int]]:
    """The stream cut before each ``---`` and after each ``...``, with the number of lines before each cut.

    Nothing else may start a line so, wherever a faulty document ends. What stands before a ``---`` and is
    directives, comments and blank lines only, stays with it.
    """
    lines = text.split("\n")
    start, prologue = 0, True
    for number, content in enumerate(lines):
        if content.startswith("---") and _MARKER.match(content):
            if not prologue:
                yield "\n".join(lines[start:number]) + "\n", start
                start = number
            prologue = False
        elif content.startswith("...") and _MARKER.match(content):
            if not prologue:
                yield "\n".join(lines[start : number + 1]) + "\n", start
            start, prologue = number + 1, True
        elif prologue and not _PROLOGUE.match(content):
            prologue = False
    yield "\n".join(lines[start:]), start


def _forbidden(chunk: str, offset: int, line: int) -> Fault:
    character = chunk[offset]
    reason = "line_separator" if character in "\x85\u2028\u2029" else "control_character"
    position = line + chunk.count("\n", 0, offset) + 1, offset - chunk.rfind("\n", 0, offset)
    return Fault(reason, "", "must write this character as an escape", f"U+{ord(character):04X}", *position)


def _read_chunk(chunk: str, line: int) -> Iterator[RawDocument | ManifestError]:
    composer = _Composer(chunk, line)
    while True:
        try:
            document = composer.document()
        except _Stop:
            yield ManifestError(composer.faults)
            return
        except (yaml.YAMLError, ValueError) as error:  # ValueError: an escape beyond Unicode, from the
            yield ManifestError([*composer.faults, _syntax(error, chunk, line)])  # parser in Python
            return
        if document is None:
            return
        if document is not _Composer.EMPTY:
            yield RawDocument(document[0], tuple(composer.faults), composer.places.itself)


def _syntax(error: Exception, chunk: str, line: int) -> Fault:
    reason, message, position = "invalid_yaml", str(error), (line + 1, 1)
    if isinstance(error, yaml.MarkedYAMLError):
        message = " ".join(part for part in (error.context, error.problem) if part)
        mark = error.problem_mark or error.context_mark
        if mark is not None:
            position = line + mark.line + 1, mark.column + 1
        if "Unicode character escape" in message and re.search(r"\\[uU](?:0000)?[dD][89a-fA-F]", chunk):
            reason = "lone_surrogate"
        elif "maximum nesting depth" in message:
            reason = "too_deep"
    return Fault(reason, "", f"cannot be read as YAML: {message}", None, *position)


class _Stop(Exception):  # noqa: N818 - never leaves this module
    """A fault that reading the document cannot get over; it is the last of the composer's list."""


class _Anchored:
    """A value that aliases may repeat: what each repetition costs."""

    __slots__ = ("aliases", "size", "value")

    def __init__(self, value: object, aliases: int, size: int) -> None:
        self.value, self.aliases, self.size = value, aliases, size


class _Composer:
    """Turns the parser's events into values, document by document."""

    EMPTY: tuple[object] = (None,)

    def __init__(self, chunk: str, line: int) -> None:
        self.parser = _PARSER(chunk)
        self.line = line

    def document(self) -> tuple[object] | None:
        """The next document's value in a tuple, EMPTY for one without content, None at the end."""
        self.faults: list[Fault] = []
        self.places = Places()
        self.anchors: dict[str, _Anchored | None] = {}
        self.aliases = self.size = 0
        event = self.parser.get_event()
        while not isinstance(event, yaml.DocumentStartEvent):
            if isinstance(event, yaml.StreamEndEvent):
                return None
            event = self.parser.get_event()
        event = self.parser.get_event()
        value = self.node(event, "", 0)
        self.parser.get_event()  # the document's end
        empty = isinstance(event, yaml.ScalarEvent) and not (event.value or event.tag or event.anchor)
        return self.EMPTY if empty and event.implicit[0] else (value,)

    def position(self, event: Any) -> Position:
        return self.line + event.start_mark.line + 1, event.start_mark.column + 1

    def fault(self, reason: str, event: Any, pointer: str, message: str, value: str | None = None) -> None:
        self.faults.append(Fault(reason, pointer, message, value, *self.position(event)))

    def stop(self, reason: str, event: Any, pointer: str, message: str, value: str | None = None) -> None:
        self.fault(reason, event, pointer, message, value)
        raise _Stop

    def node(self, event: Any, pointer: str, depth: int) -> object:
        """The value of the node that starts with an event."""
        self.places.values[pointer] = self.position(event)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, pointer)
        aliases, size = self.aliases, self.size
        if event.anchor:
            self.anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            self.size += len(event.value) + 1
            value = self.scalar(event, pointer)
            if isinstance(value, str) and not value.isascii() and re.search("[\ud800-\udfff]", value):
                message = "a text must be Unicode; this one has a lone surrogate"
                self.fault("lone_surrogate", event, pointer, message, quote(value))
        else:
            if depth == MAX_DEPTH:
                self.stop("too_deep", event, pointer, f"must nest at most {MAX_DEPTH} deep")
            sequence = isinstance(event, yaml.SequenceStartEvent)
            own = _TAG + ("seq" if sequence else "map")
            if event.tag not in (None, "!", own):
                self.bad_tag(event, pointer)
            self.size += 2
            read = self.sequence if sequence else self.mapping
            value = read(pointer, depth + 1)
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(value, self.aliases - aliases, self.size - size)
        return value

    def alias(self, event: Any, pointer: str) -> object:
        if event.anchor not in self.anchors:
            self.fault("undefined_alias", event, pointer, "must repeat an anchor above", f"*{event.anchor}")
            return None
        target = self.anchors[event.anchor]
        if target is None:
            self.fault("recursive_alias", event, pointer, "must not contain itself", f"*{event.anchor}")
            return None
        self.aliases += 1 + target.aliases
        self.size += target.size
        if self.aliases > MAX_ALIASES:
            message = f"must have at most {MAX_ALIASES} aliases, repeated ones counted"
            self.stop("too_many_aliases", event, pointer, message, f"*{event.anchor}")
        if self.size > MAX_BYTES:
            message = f"must be at most {MAX_BYTES} bytes with its aliases written out"
            self.stop("document_too_large", event, pointer, message, f"*{event.anchor}")
        return target.value

    def sequence(self, pointer: str, depth: int) -> object:
        items: list[object] = []
        while not isinstance(event := self.parser.get_event(), yaml.SequenceEndEvent):
            items.append(self.node(event, pointer + step(len(items)), depth))
        return items

    def mapping(self, pointer: str, depth: int) -> object:
        members: dict[str, object] = {}
        while not isinstance(event := self.parser.get_event(), yaml.MappingEndEvent):
            position = self.position(event)
            key = self.node(event, pointer + step("?"), depth)
            self.places.values.pop(pointer + step("?"), None)
            name = key if isinstance(key, str) else getattr(event, "value", "")
            below = pointer + step(name)
            if not isinstance(key, str):
                self.fault("non_string_key", event, below, "a key must be a text", quote(key))
            elif name in members:
                self.fault("duplicate_key", event, below, "must have each key once", quote(name))
            first, self.places = self.places, Places() if name in members else self.places
            self.places.keys[below] = position
            members.setdefault(name, self.node(self.parser.get_event(), below, depth))
            self.places = first
        return members

    def bad_tag(self, event: Any, pointer: str) -> None:
        message = "must have no tags but those of the core schema that fit (!!str, !!int, !!float, …)"
        self.fault("unsupported_tag", event, pointer, message, quote(event.tag))

    def scalar(self, event: Any, pointer: str) -> object:
        text, tag = event.value, event.tag
        if tag is None:
            if not event.implicit[0]:
                return text  # quoted or a block
            return self.plain(text, event, pointer)
        if tag in ("!", _TAG + "str"):
            return text
        value = self.plain(text, event, pointer)
        fits = (
            (tag == _TAG + "null" and value is None)
            or (tag == _TAG + "bool" and isinstance(value, bool))
            or (tag == _TAG + "int" and type(value) is int)
            or (tag == _TAG + "float" and type(value) in (int, float))
        )
        if not fits:
            self.bad_tag(event, pointer)
        return value

    def plain(self, text: str, event: Any, pointer: str) -> object:
        """What a plain scalar means by the core schema."""
        if text in _NULL:
            return None
        if text in _BOOL:
            return _BOOL[text]
        if _INTEGER.fullmatch(text):
            if len(text) > _MAX_DIGITS:
                message = "an integer must be within ±(2^53-1)"
                self.fault("integer_out_of_range", event, pointer, message, text[:80] + "…")
                return 0
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _NOT_FINITE.fullmatch(text):
            self.fault("not_finite", event, pointer, "must be a finite number", text)
            return 0
        if _FLOAT.fullmatch(text):
            if math.isinf(number := float(text)):
                self.fault("not_finite", event, pointer, "must be a finite number", text[:80])
                return 0
            return number
        return text
