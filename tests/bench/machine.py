"""What the figures were measured on: the machine, the versions, the commit."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import psutil

PEER: Final = Path(__file__).parent / "peer"


def machine() -> dict[str, Any]:
    """The machine and what runs on it, as plain JSON; asked before anything is measured."""
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0],
        "memoryMB": psutil.virtual_memory().total // 1_000_000,
        "system": platform.platform(terse=True),
        "versions": _versions(),
        "commit": commit(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _versions() -> dict[str, str]:
    """Of what answers and asks, by name."""
    peer = json.loads((PEER / "package.json").read_text())["dependencies"]
    node = shutil.which("node") and subprocess.run(
        ["node", "--version"], capture_output=True, text=True, check=True
    )
    return {
        "Python": platform.python_version(),
        "neo4j driver": version("neo4j"),
        "strawberry-graphql": version("strawberry-graphql"),
        **({"Node": node.stdout.strip().removeprefix("v"), **peer} if node else {}),
    }


def commit() -> str | None:
    """The commit that is checked out, with a plus when files differ from it; None outside of a repository."""

    def git(*arguments: str) -> str:
        done = subprocess.run(("git", *arguments), capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        return git("rev-parse", "--short=10", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None
