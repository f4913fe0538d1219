"""The gate against breaking changes: `python -m tests.conformance.breaking` compares the schema that clients
see with that of the last release, docs/releases/VERSION.graphql.

Additions pass, and so does the removal of what the last release had deprecated. Anything else that breaks the
queries of clients fails. Where Node is absent the comparison is visibly left out; in CI that is an error.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from catalog.api.client_schema import client_sdl
from catalog.api.schema import sdl
from tests.conformance import node

RELEASES: Final = Path(__file__).parents[2] / "docs" / "releases"


def last_release(folder: Path = RELEASES) -> Path:
    """The schema of the highest version."""
    return max(folder.glob("*.graphql"), key=lambda path: [int(part) for part in path.stem.split(".")])


def compare(old: Path, new: Path) -> node.Ran:
    """What changed; exit code 1 when it breaks clients."""
    tools = node.installed(node.TOOLS)
    return tools.tool("graphql-inspector", "diff", old, new, "--rule", "suppressRemovalOfDeprecatedField")


def main() -> int:
    """Compare and print; the exit code."""
    if absent := node.missing():
        print(f"the schema is not compared with the last release: {absent}", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    old = last_release()
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / "schema.graphql"
        new.write_text(client_sdl(sdl()))
        ran = compare(old, new)
    print(f"changes since {old.stem}:\n{ran.out}{ran.err}".rstrip())
    return ran.code


if __name__ == "__main__":
    sys.exit(main())
