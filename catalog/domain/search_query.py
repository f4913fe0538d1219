"""The search grammar: one string becomes a typed intent and issues, by rules alone.

`parse` never raises, and no token is silent: each goes into the intent or into an issue. It knows what search
understands by itself (search_tables.py) and what a caller says the catalog has (`Known`); whether anything
meets the intent is for catalog.read.search to say. Source: docs/domain.md §8.
"""

from __future__ import annotations

from catalog.domain.search_intent import MAXIMUM_TOKENS, Building, Known, Parsed
from catalog.domain.search_tokens import tokens
from catalog.domain.search_values import read as read_token


def parse(text: str, known: Known | None = None) -> Parsed:
    """What a search string asks for. Never raises; takes time linear in the length of the text."""
    building = Building(known or Known())
    accounts: list[tuple[str, str]] = []
    for count, token in enumerate(tokens(text)):
        if count == MAXIMUM_TOKENS:
            rest = text[token.start :].rstrip()
            message = f"a search has at most {MAXIMUM_TOKENS} parts; what follows is left out"
            accounts.append((rest, building.issue(rest, message)))
            break
        accounts.append((token.raw, read_token(token, building)))
    return Parsed(building.intent, tuple(building.issues), tuple(accounts))
