"""Made data: what the real data lack. README.md says which file holds what."""

from pathlib import Path

FOLDER = Path(__file__).parent
TOGETHER = [
    FOLDER / f"{name}.jsonl" for name in ("evidence", "late-run", "serving", "coverage", "resolve", "compare")
]
"""Files that are imported beside each other and beside the real data."""
