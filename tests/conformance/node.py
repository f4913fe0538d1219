"""npm packages and the programs in them.

A folder with a package-lock.json is installed into its own node_modules, which git ignores; again only when
the lock changes. Install scripts never run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LEAST_NODE: Final = 20
TOOLS: Final = Path(__file__).parent
INSTALL: Final = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
_STAMP: Final = "installed-from"


def missing() -> str | None:
    """What is missing here to run the tools, or None when nothing is."""
    absent = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if absent:
        return f"{' and '.join(absent)} not found"
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    major = int(version.removeprefix("v").split(".")[0])
    return None if major >= LEAST_NODE else f"Node {LEAST_NODE} or later is needed, not {version.strip()}"


@dataclass(frozen=True)
class Package:
    """A folder whose packages are installed."""

    folder: Path

    def node(self, script: str, *arguments: object, environ: Mapping[str, str] | None = None) -> Ran:
        """Run a script of the folder to its end."""
        return self.run("node", script, *arguments, environ=environ)

    def tool(self, name: str, *arguments: object, environ: Mapping[str, str] | None = None) -> Ran:
        """Run a program that one of the packages brings."""
        program = self.folder / "node_modules" / ".bin" / name
        return self.run(program, *arguments, environ=environ)

    def run(self, *command: object, environ: Mapping[str, str] | None = None) -> Ran:
        """Run a command in the folder to its end."""
        ended = subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env={**os.environ, "NO_COLOR": "1", **(environ or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(ended.returncode, ended.stdout, ended.stderr)


@dataclass(frozen=True)
class Ran:
    """How a program ended and what it printed."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def installed(folder: Path) -> Package:
    """The packages of a folder's lock, installed where they are not yet."""
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    stamp = folder / "node_modules" / _STAMP
    if not stamp.is_file() or stamp.read_text() != lock:
        subprocess.run(INSTALL, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        stamp.write_text(lock)
    return Package(folder)
