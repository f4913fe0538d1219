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
NONE: Final[Mapping[str, str]] = {}
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

    def node(self, script: str, *arguments: object, environ: Mapping[str, str] = NONE) -> Ran:
        """Run a script of the folder to its end."""
        return run("node", script, *arguments, environ=environ, folder=self.folder)

    def tool(
        self,
        name: str,
        *arguments: object,
        environ: Mapping[str, str] = NONE,
        folder: Path | None = None,
    ) -> Ran:
        """Run a program that one of the packages brings, in this folder or another, to its end."""
        program = self.folder / "node_modules" / ".bin" / name
        return run(program, *arguments, environ=environ, folder=folder or self.folder)


@dataclass(frozen=True)
class Ran:
    """How a program ended and what it printed."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def run(*command: object, environ: Mapping[str, str] = NONE, folder: Path) -> Ran:
    """Run a command to its end."""
    ended = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ended.returncode, ended.stdout, ended.stderr)


def installed(folder: Path) -> Package:
    """The packages of a folder's lock, installed where they are not yet."""
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    stamp = folder / "node_modules" / _STAMP
    if not stamp.is_file() or stamp.read_text() != lock:
        subprocess.run(INSTALL, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        stamp.write_text(lock)
    return Package(folder)
