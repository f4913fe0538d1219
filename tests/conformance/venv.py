"""Python tools whose packages would not go with the catalog's own: each has an environment of its own."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Final

CACHE: Final = Path(__file__).parents[2] / ".cache" / "venvs"


def environment(requirements: Path) -> Path:
    """The environment of a lock, made where it is not there yet."""
    lock = hashlib.sha256(requirements.read_bytes()).hexdigest()
    folder = CACHE / f"{requirements.parent.name}-{requirements.stem}-{sys.version_info.minor}-{lock[:12]}"
    ready = folder / "ready"
    if not ready.is_file():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        subprocess.run([*map(str, pip), "--require-hashes", "-r", str(requirements)], check=True)
        ready.touch()
    return folder
