"""The rows of KernelIndex's public export as they stand in the file, read without the catalog's code.

Beside liger_raw.py: what tests hold the catalog against is worked out from these two.
"""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import zstandard

FILE = "kernelindex-catalog-2026-08-16.jsonl.zst"
Row = dict[str, Any]
Tables = dict[str, list[Row]]


def lines(folder: Path) -> Iterator[bytes]:
    """The lines of the export in a folder of real data."""
    with (folder / FILE).open("rb") as file:
        yield from io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(file))


@cache
def tables(folder: Path) -> Tables:
    """Table -> its rows, in their order. Read once; nobody may change them."""
    found: Tables = defaultdict(list)
    for line in lines(folder):
        entry = json.loads(line)
        found[entry["table"]].append(entry["row"])
    return dict(found)


def by(column: str, rows: Iterable[Row]) -> dict[str, Row]:
    """The rows by a column that is different in each."""
    return {row[column]: row for row in rows}
