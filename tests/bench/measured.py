"""All that was measured on one engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.bench.measuring import Line


@dataclass(slots=True)
class Measured:
    """An engine by name and version, with what was measured on it."""

    engine: str
    version: str = ""
    lines: list[Line] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Everything, samples included."""
        return {
            "version": self.version,
            "lines": [line.to_json() for line in self.lines],
        }
