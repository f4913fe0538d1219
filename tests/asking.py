"""Asking a store over GraphQL, in process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.server.ask import run_query
from graph import Store


async def ask(store: Store, text: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The data of an answer that must have no errors."""
    answer = await run_query(store, text, variables)
    assert "errors" not in answer, answer["errors"]
    return dict(answer["data"])
