"""Federated traces, version 1: what a router asks for to see how long each field took.

The router sends `apollo-federation-include-trace: ftv1`; the trace comes as `extensions.ftv1`, a `Trace`
message of Apollo's `reports.proto` in base64. Errors in it are those of the response: masked alike.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any, Final

from graphql import GraphQLResolveInfo

from catalog.server.wire import dump_json

HEADER: Final = "apollo-federation-include-trace"
VERSION: Final = "ftv1"

# Numbers of fields in reports.proto.
_TRACE_END, _TRACE_START, _TRACE_DURATION, _TRACE_ROOT = 3, 4, 11, 14
_SECONDS, _NANOS = 1, 2
_NAME, _INDEX, _TYPE, _BEGAN, _ENDED, _ERROR, _CHILD, _PARENT = 1, 2, 3, 8, 9, 11, 12, 13
_MESSAGE, _LOCATION, _JSON = 1, 2, 4
_LINE, _COLUMN = 1, 2


@dataclass(slots=True)
class _Node:
    """A field or a list item; times are nanoseconds since the trace began."""

    key: str | int | None = None
    type: str = ""
    parent: str = ""
    began: int = 0
    ended: int = 0
    errors: list[Mapping[str, Any]] = field(default_factory=list)
    children: dict[str | int, _Node] = field(default_factory=dict)

    def at(self, path: Iterable[str | int]) -> _Node:
        """The node at a path below this one, made where it is missing."""
        node = self
        for key in path:
            node = node.children.setdefault(key, _Node(key))
        return node

    def encoded(self) -> bytes:
        parts = [
            _text(_NAME, self.key) if isinstance(self.key, str) else b"",
            _number(_INDEX, self.key) if isinstance(self.key, int) else b"",
            _text(_TYPE, self.type) if self.type else b"",
            _number(_BEGAN, self.began),
            _number(_ENDED, self.ended),
            *(_message(_ERROR, _error(error)) for error in self.errors),
            *(_message(_CHILD, child.encoded()) for child in self.children.values()),
            _text(_PARENT, self.parent) if self.parent else b"",
        ]
        return b"".join(parts)


class Trace:
    """The trace of one request. `resolve` is the middleware that takes the times of its fields."""

    def __init__(self) -> None:
        self._began_at = time.time_ns()
        self._began = time.perf_counter_ns()
        self._root = _Node()

    def resolve(
        self, next_: Callable[..., Any], source: Any, info: GraphQLResolveInfo[Any], **arguments: Any
    ) -> Any:
        """Resolve a field and note when."""
        node = self._root.at(info.path.as_list())
        node.type, node.parent = str(info.return_type), info.parent_type.name
        node.began = self._now()
        try:
            value = next_(source, info, **arguments)
        except BaseException:
            node.ended = self._now()
            raise
        if isawaitable(value):
            return self._awaited(node, value)
        node.ended = self._now()
        return value

    async def _awaited(self, node: _Node, value: Awaitable[Any]) -> Any:
        try:
            return await value
        finally:
            node.ended = self._now()

    def _now(self) -> int:
        return time.perf_counter_ns() - self._began

    def finished(self, errors: Iterable[Mapping[str, Any]]) -> str:
        """The trace as the response carries it, with the errors of the response in their places."""
        for error in errors:
            self._root.at(error.get("path", ())).errors.append(error)
        duration = self._now()
        parts = [
            _message(_TRACE_END, _timestamp(self._began_at + duration)),
            _message(_TRACE_START, _timestamp(self._began_at)),
            _number(_TRACE_DURATION, duration),
            _message(_TRACE_ROOT, self._root.encoded()),
        ]
        return base64.b64encode(b"".join(parts)).decode()


def _timestamp(nanoseconds: int) -> bytes:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return _number(_SECONDS, seconds) + _number(_NANOS, rest)


def _error(error: Mapping[str, Any]) -> bytes:
    places = [
        _message(_LOCATION, _number(_LINE, place["line"]) + _number(_COLUMN, place["column"]))
        for place in error.get("locations", ())
    ]
    return b"".join([_text(_MESSAGE, error["message"]), *places, _text(_JSON, dump_json(error).decode())])


# The wire format of Protocol Buffers: a tag of field number and kind, then a number or a length and bytes.


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _number(name: int, value: int) -> bytes:
    return _varint(name << 3) + _varint(value)


def _message(name: int, encoded: bytes) -> bytes:
    return _varint(name << 3 | 2) + _varint(len(encoded)) + encoded


def _text(name: int, text: str) -> bytes:
    return _message(name, text.encode())
