"""What is known of the request that is being answered: its id, and what logs and metrics tell of it.

An exchange is begun by the layer in observing.py and lives in a context variable, so whatever runs for a
request can take note of something, and every line of the log can name the request. Outside the server there
is none.
"""

import logging
import re
import secrets
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

_IDENTIFIER = re.compile(r"[A-Za-z0-9._:+/=@-]{1,128}")


@dataclass(slots=True)
class Exchange:
    """One HTTP request or one WebSocket connection."""

    request_id: str
    operation_type: str | None = None
    """query, mutation or subscription, once the document is known to be valid."""
    operation_name: str | None = None
    """The name that the client gave its operation."""
    cost: int | None = None
    """Values that the operation may ask for (cost.py)."""
    kept_document: bool | None = None
    """Whether the query text was known already."""
    kept_answer: bool | None = None
    """Whether the answer was known already."""
    codes: list[str] = field(default_factory=list)
    """The codes of the errors that were answered."""
    statements: int = 0
    """Statements sent to the database."""
    trace_id: str | None = None
    """32 hex digits, where traces are made."""


CURRENT: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def request_id(given: str | None) -> str:
    """The id that the client gave, when it is one, else a new one: 32 hex digits."""
    return given if given and _IDENTIFIER.fullmatch(given) else secrets.token_hex(16)


def answered(errors: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ``errors`` of a response as they leave the server: each with the id of its request.

    Entries are kept without it: those of a faulty document go to every request for it.
    """
    exchange = CURRENT.get()
    if exchange is None:
        return list(errors)
    told = [
        {**error, "extensions": {**error["extensions"], "requestId": exchange.request_id}} for error in errors
    ]
    exchange.codes += [error["extensions"]["code"] for error in told]
    return told


class RequestIds(logging.Filter):
    """Puts on every record the ``request_id`` and ``trace_id`` of the request it was logged for, or None."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything pass."""
        exchange = CURRENT.get()
        record.request_id = exchange.request_id if exchange else None
        record.trace_id = exchange.trace_id if exchange else None
        return True
