"""What a question is: texts, variants, and how the answers of its sides are compared."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from catalog.domain.identity import canonical_bytes

MOST_VARIANTS: Final = 100

Params = dict[str, Any]
Answer = dict[str, Any]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """One request, as far as it differs from the next: variables of the GraphQL operation, parameters of the
    statement. The latter are also the variables of the peer's operation."""

    variables: Params
    params: Params


@dataclass(frozen=True, slots=True)
class Peer:
    """The question in the peer's GraphQL; `told` makes of its answer what must be equal."""

    text: str
    told: Callable[[Answer], Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its variants. `told` and `found` make of an answer and of rows what must be equal."""

    text: str
    cypher: str
    variants: Sequence[Variant]
    told: Callable[[Answer], Any]
    found: Callable[[list[Row]], Any]
    peer: Peer | None = None

    def bodies(self) -> list[str]:
        """A request for each variant, as JSON."""
        return [json.dumps({"query": self.text, "variables": each.variables}) for each in self.variants]

    def peer_bodies(self) -> list[str]:
        """The same for the peer; none where it has no words for it."""
        if self.peer is None:
            return []
        return [json.dumps({"query": self.peer.text, "variables": each.params}) for each in self.variants]


MEASURED: Final = """
MATCH (g:ComparisonGroup)-[:FOR_ENVIRONMENT]->(e:Environment) MATCH (o:Operation {digest: g.operation})
RETURN DISTINCT o.slug AS operation, e.product AS product, e.architecture AS architecture
"""
"""What was measured on which GPU."""


def chosen(variants: Iterable[Variant]) -> list[Variant]:
    """Some of them by chance, but always the same."""
    unlike = {canonical_bytes(variant.variables): variant for variant in variants}
    ordered = [unlike[text] for text in sorted(unlike)]
    return random.Random(0).sample(ordered, min(MOST_VARIANTS, len(ordered)))


def digests(count: int) -> list[str]:
    """So many digests by chance, always the same: places to look behind for keys that exist."""
    chance = random.Random(0)
    return [f"sha256:{chance.getrandbits(256):064x}" for _ in range(count)]


def contract(name: str) -> str:
    """A query of the contract, as GraphiQL has it among its examples."""
    return (files("catalog.server") / "examples" / f"{name}.graphql").read_text(encoding="utf-8")
